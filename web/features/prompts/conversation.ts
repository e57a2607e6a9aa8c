/** A prompt's messages as text for the clipboard: plain, or as Markdown. Binary content is only named. */
import { isObject } from '../../mcp/index.ts'
import type { Json, JsonObject } from '../../mcp/index.ts'
import { messagesOf, type PromptMessage } from './outcome.ts'

/** `user: …`, one message after another, separated by empty lines. */
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
  const { text, what } = read(block)
  return text ?? `[${what}]`
}

const marked = (block: Json): string => {
  const { text, what, embedded } = read(block)
  if (text === undefined) return `\`${what.replaceAll('`', "'")}\``
  return embedded ? `\`${what.replaceAll('`', "'")}\`\n\n${fenced(text)}` : text
}

/** Uses a fence longer than any run of backticks in the text. */
const fenced = (text: string): string => {
  let longest = 2
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text}\n${fence}`
}

const read = (block: Json): { readonly text?: string; readonly what: string; readonly embedded?: true } => {
  if (!isObject(block)) return { what: JSON.stringify(block).slice(0, 200) }
  const type = word(block.type) || '?'
  if (type === 'text' && typeof block.text === 'string') return { text: block.text, what: type }
  if (type === 'resource' && isObject(block.resource)) {
    const { uri, text, mimeType } = block.resource
    const what = [type, word(uri), word(mimeType)].filter(Boolean).join(' ')
    return typeof text === 'string' ? { text, what, embedded: true } : { what }
  }
  return { what: [type, word(block.uri), word(block.mimeType)].filter(Boolean).join(' ') }
}

const word = (value: Json | undefined): string => (typeof value === 'string' ? value.slice(0, 2000) : '')
