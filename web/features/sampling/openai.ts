/**
 * OpenAI's Chat Completions API, which many endpoints support.
 *
 * @see https://platform.openai.com/docs/api-reference/chat/create
 */
import { isDeep, isObject, type Json, type JsonObject } from '../../mcp/index.ts'
import {
  countOf,
  EndpointError,
  idsIn,
  isToolResult,
  isToolUse,
  mediaIn,
  resultParts,
  textIn,
  withPath,
  type EndpointFormat,
  type ModelRequest,
} from './endpoint-format.ts'
import { readRequest, stringOf, typeOf } from './request.ts'

const STOP: Readonly<Record<string, string>> = {
  stop: 'endTurn',
  length: 'maxTokens',
  tool_calls: 'toolUse',
  function_call: 'toolUse',
  content_filter: 'contentFilter',
}

export const openai: EndpointFormat = {
  address: (base, what) =>
    withPath(base, /\/(chat\/completions|models)$/, (path) => {
      const root = path === '' ? '/v1' : path
      return `${root}/${what === 'chat' ? 'chat/completions' : 'models'}`
    }),
  headers: (key): Record<string, string> => (key === '' ? {} : { Authorization: `Bearer ${key}` }),
  encode: (request) => {
    const { params, model, limit, names } = request
    const { messages, system, temperature, stopSequences, tools, toolChoice } = readRequest(params)
    return {
      model,
      messages: [
        ...(system === undefined ? [] : [{ role: 'system', content: system }]),
        ...messages.flatMap(({ role, blocks }) =>
          role === 'assistant' ? fromAssistant(blocks, request) : fromUser(blocks, request),
        ),
      ],
      max_tokens: limit,
      stream: false,
      ...(temperature === undefined ? {} : { temperature }),
      ...(stopSequences.length === 0 ? {} : { stop: stopSequences }),
      ...(tools.length === 0
        ? {}
        : {
            tools: tools.map(({ name, description, schema }) => ({
              type: 'function',
              function: {
                name: names.out(name),
                ...(description === undefined ? {} : { description }),
                parameters: schema ?? { type: 'object' },
              },
            })),
            tool_choice: toolChoice === 'required' || toolChoice === 'none' ? toolChoice : 'auto',
          }),
    }
  },
  /** OpenAI's newer models accept the token limit only under a new name; other endpoints only under the old one. */
  again: (body, said) => {
    if (!('max_tokens' in body) || !said.includes('max_completion_tokens')) return undefined
    const { max_tokens: limit, ...rest } = body
    return { ...rest, max_completion_tokens: limit! }
  },
  decode: (answer, { names }) => {
    const choice: Json | undefined = Array.isArray(answer.choices) ? (answer.choices[0] as Json) : undefined
    const message = isObject(choice) ? choice.message : undefined
    if (!isObject(choice) || !isObject(message)) throw new EndpointError('shape', { said: 'choices[0].message' })
    const text = textOf(message.content) || stringOf(message.refusal)
    const calls = Array.isArray(message.tool_calls) ? (message.tool_calls as readonly Json[]) : []
    const usage = isObject(answer.usage) ? answer.usage : {}
    const reason = stringOf(choice.finish_reason)
    const [input, output] = [countOf(usage.prompt_tokens), countOf(usage.completion_tokens)]
    return {
      blocks: [
        ...(text === '' ? [] : [{ type: 'text', text }]),
        ...calls.map((call, at) => {
          const made = isObject(call) && isObject(call.function) ? call.function : {}
          return {
            type: 'tool_use',
            id: (isObject(call) && stringOf(call.id)) || `call_${at + 1}`,
            name: names.back(stringOf(made.name)),
            input: argumentsIn(made),
          }
        }),
      ],
      model: stringOf(answer.model) || undefined,
      // Some endpoints return `stop` along with tool calls.
      stopReason: calls.length > 0 ? 'toolUse' : reason === '' ? undefined : (STOP[reason] ?? reason),
      used: { ...(input === undefined ? {} : { input }), ...(output === undefined ? {} : { output }) },
    }
  },
  models: idsIn,
}

const fromAssistant = (blocks: readonly Json[], { names, note }: ModelRequest): JsonObject[] => {
  const texts: string[] = []
  for (const block of blocks) {
    const text = textIn(block)
    if (text !== undefined) texts.push(text)
    else if (!isToolUse(block)) note({ code: 'block-left-out', found: `assistant: ${typeOf(block) ?? '?'}` })
  }
  const calls = blocks.filter(isToolUse).map(({ id, name, input }) => ({
    id: stringOf(id),
    type: 'function',
    function: { name: names.out(stringOf(name)), arguments: JSON.stringify(input ?? {}) },
  }))
  if (texts.length === 0 && calls.length === 0) return []
  return [
    {
      role: 'assistant',
      content: texts.length === 0 ? null : texts.join('\n'),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    },
  ]
}

const fromUser = (blocks: readonly Json[], { note }: ModelRequest): JsonObject[] => {
  const results: JsonObject[] = []
  const parts: JsonObject[] = []
  for (const block of blocks) {
    if (isToolResult(block)) {
      const id = stringOf(block.toolUseId)
      const texts: string[] = block.isError === true ? ['Error:'] : []
      for (const { text, image } of resultParts(block)) {
        if (text !== undefined) texts.push(text)
        const part = image === undefined ? undefined : imagePart(image)
        if (!part) continue
        // A tool message can contain only text, so images follow in a message of their own.
        note({ code: 'picture-moved', found: id })
        texts.push('(The picture follows.)')
        parts.push({ type: 'text', text: `Picture from the result of ${id}:` }, part)
      }
      results.push({ role: 'tool', tool_call_id: id, content: texts.join('\n') })
      continue
    }
    const text = textIn(block)
    const part =
      text !== undefined ? { type: 'text', text } : typeOf(block) === 'image' ? imagePart(block) : audioPart(block)
    if (part) parts.push(part)
    else note({ code: 'block-left-out', found: `user: ${typeOf(block) ?? '?'}` })
  }
  if (parts.length === 0) return results
  const plain = parts.every(({ type }) => type === 'text')
  // Send text-only content as a string, which even the simplest endpoints support.
  const content = plain ? parts.map(({ text }) => stringOf(text)).join('\n') : parts
  return [...results, { role: 'user', content }]
}

const imagePart = (block: Json): JsonObject | undefined => {
  const media = mediaIn(block)
  return media && { type: 'image_url', image_url: { url: `data:${media.mime};base64,${media.data}` } }
}

const audioPart = (block: Json): JsonObject | undefined => {
  const media = typeOf(block) === 'audio' ? mediaIn(block) : undefined
  const format =
    media && { 'audio/wav': 'wav', 'audio/x-wav': 'wav', 'audio/mpeg': 'mp3', 'audio/mp3': 'mp3' }[media.mime]
  return media && format ? { type: 'input_audio', input_audio: { data: media.data, format } } : undefined
}

const textOf = (content: Json | undefined): string =>
  typeof content === 'string'
    ? content
    : Array.isArray(content)
      ? (content as readonly Json[]).map((part) => textIn(part) ?? '').join('')
      : ''

/**
 * Models write arguments as a string, which may be invalid. Fail then: no call is better than one with the wrong
 * arguments.
 */
const argumentsIn = ({ name, arguments: text }: JsonObject): JsonObject => {
  if (isObject(text)) return text
  const written = stringOf(text)
  if (written.trim() === '') return {}
  try {
    const parsed = isDeep(written) ? undefined : (JSON.parse(written) as Json)
    if (isObject(parsed)) return parsed
  } catch {
    // Reported below.
  }
  throw new EndpointError('bad-arguments', { said: `${stringOf(name)}: ${written.slice(0, 300)}` })
}
