/**
 * A sampling request, parsed leniently: whatever the server sends can be shown, and nothing is lost.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/client/sampling
 */
import { isObject, type Json, type JsonObject } from '../../mcp/index.ts'

export const METHOD = 'sampling/createMessage'

export interface Message {
  /** As received; only `user` and `assistant` are valid. */
  readonly role: string
  /** CF-SAMP-07: a single block needs no array. */
  readonly blocks: readonly Json[]
  readonly raw: Json
}

export interface OfferedTool {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly schema?: JsonObject
  readonly raw: Json
}

export interface Preferences {
  readonly hints: readonly string[]
  /** From 0 to 1 (CF-SAMP-05); absent if not sent, and as received if it isn't such a number. */
  readonly cost?: Json | undefined
  readonly speed?: Json | undefined
  readonly intelligence?: Json | undefined
}

export interface SamplingRequest {
  readonly messages: readonly Message[]
  readonly preferences: Preferences | undefined
  readonly system: string | undefined
  /** CF-SAMP-03; absent if it isn't a positive integer. */
  readonly maxTokens: number | undefined
  readonly temperature: number | undefined
  readonly stopSequences: readonly string[]
  readonly includeContext: string | undefined
  readonly metadata: JsonObject | undefined
  readonly tools: readonly OfferedTool[]
  /** CF-SAMP-10: defaults to `auto` if tools are offered; absent without tools. */
  readonly toolChoice: string | undefined
}

export const readRequest = (params: JsonObject): SamplingRequest => {
  const tools = Array.isArray(params.tools) ? params.tools.map(toolOf) : []
  const { toolChoice } = params
  const mode = isObject(toolChoice) && typeof toolChoice.mode === 'string' ? toolChoice.mode : undefined
  return {
    messages: Array.isArray(params.messages) ? params.messages.map(messageOf) : [],
    preferences: isObject(params.modelPreferences) ? preferencesOf(params.modelPreferences) : undefined,
    system: textOf(params.systemPrompt),
    maxTokens: isTokens(params.maxTokens) ? params.maxTokens : undefined,
    temperature: typeof params.temperature === 'number' ? params.temperature : undefined,
    stopSequences: stringsOf(params.stopSequences),
    includeContext: textOf(params.includeContext),
    metadata: isObject(params.metadata) ? params.metadata : undefined,
    tools,
    toolChoice: mode ?? (tools.length > 0 ? 'auto' : undefined),
  }
}

export const isTokens = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0

export const blocksOf = (content: Json | undefined): readonly Json[] =>
  content === undefined ? [] : Array.isArray(content) ? (content as readonly Json[]) : [content]

export const stringOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

export const typeOf = (block: Json): string | undefined =>
  isObject(block) && typeof block.type === 'string' ? block.type : undefined

/** CF-SAMP-11: rounds of tool calls so far, counted by assistant messages with tool calls. */
export const toolRounds = (messages: readonly Message[]): number =>
  messages.filter(({ role, blocks }) => role === 'assistant' && blocks.some((block) => typeOf(block) === 'tool_use'))
    .length

/** A short summary: the last text of the last message. */
export const gistOf = (params: JsonObject): string => {
  const { messages, system } = readRequest(params)
  for (const { blocks } of messages.slice(-5).reverse()) {
    for (const block of blocks.slice(-20).reverse()) {
      if (typeOf(block) === 'text' && isObject(block) && typeof block.text === 'string') {
        const words = block.text.slice(0, 1000).replace(/\s+/g, ' ').trim()
        if (words !== '') return words.slice(0, 200)
      }
    }
  }
  return (system ?? '').slice(0, 200)
}

const messageOf = (raw: Json): Message => ({
  role: isObject(raw) && typeof raw.role === 'string' ? raw.role : '',
  blocks: isObject(raw) ? blocksOf(raw.content) : [],
  raw,
})

const toolOf = (raw: Json): OfferedTool => {
  const tool = isObject(raw) ? raw : {}
  return {
    name: typeof tool.name === 'string' ? tool.name : '',
    ...(typeof tool.title === 'string' ? { title: tool.title } : {}),
    ...(typeof tool.description === 'string' ? { description: tool.description } : {}),
    ...(isObject(tool.inputSchema) ? { schema: tool.inputSchema } : {}),
    raw,
  }
}

const preferencesOf = (raw: JsonObject): Preferences => ({
  hints: (Array.isArray(raw.hints) ? (raw.hints as readonly Json[]) : []).flatMap((hint) =>
    isObject(hint) && typeof hint.name === 'string' && hint.name !== '' ? [hint.name] : [],
  ),
  cost: raw.costPriority,
  speed: raw.speedPriority,
  intelligence: raw.intelligencePriority,
})

const textOf = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined)

const stringsOf = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []
