/**
 * The untrusted messages of a prompt's result, and these as text for the clipboard.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/prompts#promptmessage
 */
import { isObject } from '../../mcp/index.ts'
import type { Json, JsonObject } from '../../mcp/index.ts'

export interface PromptMessage {
  /** As sent by the server; only `user` and `assistant` are valid. */
  readonly role: string
  /** One block by the specification; several if the server sent an array. */
  readonly blocks: readonly Json[]
  readonly findings: readonly MessageFinding[]
  readonly raw: Json
}

export interface MessageFinding {
  readonly code: 'no-messages' | 'no-object' | 'bad-role' | 'content-array' | 'content-no-object' | 'no-content'
  readonly keyword: 'MUST'
  readonly rule: 'SF-PROMPT-03'
}

const finding = (code: MessageFinding['code']): MessageFinding => ({ code, keyword: 'MUST', rule: 'SF-PROMPT-03' })

/** The messages of a result (SF-PROMPT-03). Never throws; keeps what it can't parse. */
export const messagesOf = (
  result: JsonObject,
): { readonly messages: readonly PromptMessage[]; readonly findings: readonly MessageFinding[] } => {
  const { messages } = result
  if (!Array.isArray(messages)) return { messages: [], findings: [finding('no-messages')] }
  return { messages: (messages as readonly Json[]).map(messageOf), findings: [] }
}

const messageOf = (raw: Json): PromptMessage => {
  if (!isObject(raw)) return { role: '', blocks: [raw], findings: [finding('no-object')], raw }
  const findings: MessageFinding[] = []
  const { role, content } = raw
  if (role !== 'user' && role !== 'assistant') findings.push(finding('bad-role'))
  if (content === undefined) findings.push(finding('no-content'))
  if (Array.isArray(content)) findings.push(finding('content-array'))
  else if (content !== undefined && !isObject(content)) findings.push(finding('content-no-object'))
  const blocks = content === undefined ? [] : Array.isArray(content) ? (content as readonly Json[]) : [content]
  return { role: typeof role === 'string' ? role.slice(0, 60) : '', blocks, findings, raw }
}

/** A part of a result that has text. */
export interface TextPart {
  /** The role of its message. */
  readonly role: string
  readonly text: string
  /** Of the embedded resource that has the text; absent for text of the message itself. */
  readonly uri?: string
}

export interface PromptText {
  readonly parts: readonly TextPart[]
  /** The texts of all parts, separated by empty lines. */
  readonly text: string
  /** The number of blocks without text, such as images. */
  readonly left: number
}

/** The text of all messages, with that of embedded resources, as the server sent it. */
export const textOf = (result: JsonObject): PromptText => {
  const blocks = messagesOf(result).messages.flatMap(({ role, blocks: all }) => all.map((block) => ({ role, block })))
  const parts = blocks.flatMap(({ role, block }): readonly TextPart[] => {
    if (!isObject(block)) return []
    if (block.type === 'text' && typeof block.text === 'string') return [{ role, text: block.text }]
    const { resource } = block
    if (block.type !== 'resource' || !isObject(resource) || typeof resource.text !== 'string') return []
    return [{ role, text: resource.text, uri: textIn(resource.uri) }]
  })
  return { parts, text: parts.map(({ text }) => text).join('\n\n'), left: blocks.length - parts.length }
}

/** `user: …`, one message after another, separated by empty lines. Binary content is only named. */
export const asText = (result: JsonObject): string =>
  messagesOf(result)
    .messages.map(({ role, blocks }) => `${role || '?'}: ${blocks.map(plain).join('\n')}`)
    .join('\n\n')

/**
 * A heading per role. Anything that isn't the server's own Markdown becomes code, so that it can't affect its
 * surroundings.
 */
export const asMarkdown = (result: JsonObject): string => {
  const { description } = result
  const parts = messagesOf(result).messages.map(
    (message) => `## ${headingOf(message)}\n\n${message.blocks.map(marked).join('\n\n')}`,
  )
  if (typeof description === 'string' && description !== '') parts.unshift(`> ${description.replaceAll('\n', '\n> ')}`)
  return `${parts.join('\n\n')}\n`
}

const headingOf = ({ role }: PromptMessage): string => role.replaceAll(/\s+/g, ' ') || '?'

const plain = (block: Json): string => {
  const { text, what } = contentOf(block)
  return text ?? `[${what}]`
}

const marked = (block: Json): string => {
  const { text, what, embedded } = contentOf(block)
  if (text === undefined) return `\`${what.replaceAll('`', "'")}\``
  return embedded ? `\`${what.replaceAll('`', "'")}\`\n\n${fenced(text)}` : text
}

/** A code block of Markdown that the text can't close: its fence is longer than any run of backticks in it. */
export const fenced = (text: string): string => {
  let longest = 2
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text}\n${fence}`
}

const contentOf = (block: Json): { readonly text?: string; readonly what: string; readonly embedded?: true } => {
  if (!isObject(block)) return { what: JSON.stringify(block).slice(0, 200) }
  const type = textIn(block.type) || '?'
  if (type === 'text' && typeof block.text === 'string') return { text: block.text, what: type }
  if (type === 'resource' && isObject(block.resource)) {
    const { uri, text, mimeType } = block.resource
    const what = [type, textIn(uri), textIn(mimeType)].filter(Boolean).join(' ')
    return typeof text === 'string' ? { text, what, embedded: true } : { what }
  }
  return { what: [type, textIn(block.uri), textIn(block.mimeType)].filter(Boolean).join(' ') }
}

const textIn = (value: Json | undefined): string => (typeof value === 'string' ? value.slice(0, 2000) : '')
