/**
 * Resources and results of prompts as one text for a model. Everything a server sent is inside fences that it can't
 * close, byte for byte; outside of them are only lines of ours.
 */
import { isObject } from '../../mcp/index.ts'
import type { Json, JsonObject } from '../../mcp/index.ts'
import { fenced, messagesOf } from '../prompt-commands/index.ts'

/** The result of a request that is part of the context. */
export type ContextItem = {
  /** Unique in the context. */
  readonly id: string
  readonly result: JsonObject
} & (
  | { readonly kind: 'resource'; readonly uri: string }
  | { readonly kind: 'prompt'; readonly name: string; readonly arguments?: JsonObject }
)

export interface ContextBinary {
  /** As declared; '' if it isn't. */
  readonly mime: string
  /** In bytes, by the length of its Base64. */
  readonly size: number
}

interface Entry {
  /** Lines of ours, with values of the server. */
  readonly lines: readonly (readonly [name: string, value: string])[]
  readonly text?: string
  readonly base64?: string
  readonly mime: string
}

/** @param base64 ids of the items whose binary contents are included as Base64 */
export const contextBlock = (items: readonly ContextItem[], base64: ReadonlySet<string>): string =>
  items
    .map((item) => {
      const entries = entriesOf(item).map((entry) => written(entry, base64.has(item.id)))
      if (entries.length === 0)
        entries.push(item.kind === 'resource' ? `Resource: ${oneLine(item.uri)}\nContents: none` : 'Contents: none')
      return [...headOf(item), ...entries].join('\n\n')
    })
    .map((part) => `${part}\n`)
    .join('\n')

/** The binary contents of an item. */
export const binariesOf = (item: ContextItem): readonly ContextBinary[] =>
  entriesOf(item).flatMap((entry) => (entry.base64 === undefined ? [] : { mime: entry.mime, size: bytesOf(entry) }))

/** The number of characters (code points). */
export const lengthOf = (text: string): number =>
  text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0)

/**
 * About how many tokens a model reads: one for four characters of ASCII, two for three other characters. The tokenizers
 * of models differ by a third from that.
 */
export const estimatedTokens = (text: string): number => {
  // eslint-disable-next-line no-control-regex -- ASCII has control characters
  const others = lengthOf(text.replaceAll(/[\0-\x7f]+/g, ''))
  return Math.ceil((lengthOf(text) - others) / 4 + (others * 2) / 3)
}

/** A value in a line of ours: it can't begin another line. */
const oneLine = (value: string): string =>
  /[\p{Cc}\u2028\u2029]/u.test(value)
    ? JSON.stringify(value).replaceAll(
        /[\p{Cc}\u2028\u2029]/gu,
        (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
      )
    : value

const headOf = (item: ContextItem): readonly string[] => {
  if (item.kind === 'resource') return []
  const given = item.arguments && Object.keys(item.arguments).length > 0 ? item.arguments : undefined
  return [`Prompt: ${oneLine(item.name)}${given ? `\nArguments: ${oneLine(JSON.stringify(given))}` : ''}`]
}

const entriesOf = (item: ContextItem): readonly Entry[] => {
  if (item.kind === 'resource') {
    const { contents } = item.result
    return Array.isArray(contents) ? (contents as readonly Json[]).map((one) => contentsEntry(one, item.uri)) : []
  }
  return messagesOf(item.result).messages.flatMap(({ role, blocks }) =>
    blocks.map((block): Entry => {
      const entry = blockEntry(block)
      return { ...entry, lines: [['Role', role || '?'], ...entry.lines] }
    }),
  )
}

/** @param uri the one that was read: contents may lack theirs */
const contentsEntry = (contents: Json, uri: string): Entry => {
  if (!isObject(contents)) return unknownEntry(contents)
  const mime = stringIn(contents.mimeType)
  const lines = [['Resource', stringIn(contents.uri) || uri] as const, ...typeLine(mime)]
  if (typeof contents.text === 'string') return { lines, mime, text: contents.text }
  if (typeof contents.blob === 'string') return { lines, mime, base64: contents.blob }
  return { lines, mime }
}

const blockEntry = (block: Json): Entry => {
  if (!isObject(block)) return unknownEntry(block)
  const mime = stringIn(block.mimeType)
  switch (block.type) {
    case 'text':
      return typeof block.text === 'string' ? { lines: [], mime: '', text: block.text } : unknownEntry(block)
    case 'image':
    case 'audio':
      return { lines: typeLine(mime), mime, ...(typeof block.data === 'string' ? { base64: block.data } : {}) }
    case 'resource':
      return contentsEntry(block.resource ?? null, '')
    case 'resource_link':
      return { lines: [['Link', stringIn(block.uri)], ...typeLine(mime)], mime }
    default:
      return unknownEntry(block)
  }
}

const typeLine = (mime: string) => (mime === '' ? [] : [['MIME type', mime] as const])

/** What has no place in the protocol is written as it came. */
const unknownEntry = (value: Json): Entry => ({
  lines: [['Contents', 'JSON']],
  mime: 'application/json',
  text: JSON.stringify(value),
})

const written = ({ lines, text, base64, ...entry }: Entry, included: boolean): string => {
  const head = lines.map(([name, value]) => `${name}: ${oneLine(value)}`)
  const withBody = (body: string) => [...head, ...(head.length > 0 ? [''] : []), fenced(body)].join('\n')
  if (text !== undefined) return withBody(text)
  if (base64 === undefined) return head.join('\n')
  head.push(`Contents: ${bytesOf({ base64, ...entry })} bytes, ${included ? 'as Base64' : 'not included'}`)
  return included ? withBody(base64) : head.join('\n')
}

const bytesOf = ({ base64 = '' }: Pick<Entry, 'base64'>): number =>
  Math.floor((base64.replaceAll(/[^A-Za-z\d+/_-]/g, '').length * 3) / 4)

const stringIn = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
