/**
 * Parses content blocks of any protocol version into a view model. Never throws, and reports what is wrong. If a block
 * doesn't match its type, the value is kept and shown as received.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool-result (SF-TOOL-10 … SF-TOOL-12)
 */
import { LONG, type Value, readExactly } from '../json/index.ts'
import { isObject, isWithin } from '../mcp/index.ts'
import type { Json, JsonObject, Revision, Span } from '../mcp/index.ts'
import { decodeBase64, decodeBase64Slowly, type Base64Fault, type Decoded } from './base64.ts'
import { contradicts, essenceOf, isSame, sniff } from './sniff.ts'

/** A remark on a block, as a code for the catalogues. */
export type Note =
  | { readonly code: Base64Fault }
  | { readonly code: 'unknown-type'; readonly type: string }
  | { readonly code: 'not-a-block' }
  | { readonly code: 'not-contents' }
  /** A member required by the block's type is missing or has the wrong type. */
  | { readonly code: 'missing'; readonly member: string }
  | { readonly code: 'mime-contradicts'; readonly declared: string; readonly found: string }
  /** The declared type doesn't suit the block type, such as an image of `text/html`. */
  | { readonly code: 'mime-not-of-type'; readonly declared: string }
  | { readonly code: 'not-in-revision'; readonly type: string; readonly since: Revision }
  | { readonly code: 'no-text-or-blob' | 'text-and-blob' }

export interface Binary {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The type detected from the bytes, or the declared one. */
  readonly mime: string
}

/** Base64 that is too long to decode at once. `decoded` decodes it in pieces. */
export interface Encoded {
  readonly text: string
  readonly declared: string
}

export type Content = {
  readonly notes: readonly Note[]
  readonly annotations?: JsonObject
  readonly meta?: Json
  readonly raw: Json
  readonly encoded?: Encoded
} & (
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image' | 'audio'; readonly declared: string; readonly binary: Binary | undefined }
  | {
      readonly kind: 'resource'
      readonly uri: string
      readonly declared: string
      readonly text?: string
      readonly binary?: Binary
    }
  | {
      readonly kind: 'link'
      readonly uri: string
      readonly name: string
      readonly title?: string
      readonly description?: string
      readonly declared: string
      /** The declared size in bytes. */
      readonly size?: number
    }
  | { readonly kind: 'unknown' }
)

const SPANS: Readonly<Record<string, Span>> = {
  text: { since: '2024-11-05' },
  image: { since: '2024-11-05' },
  resource: { since: '2024-11-05' },
  audio: { since: '2025-03-26' },
  resource_link: { since: '2025-06-18' },
}

/** @param revision protocol version of the session; absent: doesn't report block types that a version lacks */
export const contentOf = (raw: Json, revision?: Revision): Content => {
  if (!isObject(raw)) return { kind: 'unknown', raw, notes: [{ code: 'not-a-block' }] }
  const notes: Note[] = []
  const type = typeof raw.type === 'string' ? raw.type : undefined
  if (type === undefined) return { kind: 'unknown', raw, notes: [{ code: 'missing', member: 'type' }] }
  const span = Object.hasOwn(SPANS, type) ? SPANS[type] : undefined
  if (!span) return { kind: 'unknown', raw, notes: [{ code: 'unknown-type', type }] }
  if (revision && !isWithin(span, revision)) notes.push({ code: 'not-in-revision', type, since: span.since })
  const common: Common = {
    raw,
    notes,
    ...(isObject(raw.annotations) ? { annotations: raw.annotations } : {}),
    ...(raw._meta === undefined ? {} : { meta: raw._meta }),
  }
  switch (type) {
    case 'text': {
      const text = stringIn(raw, 'text', notes)
      return text === undefined ? { kind: 'unknown', ...common } : { kind: 'text', text, ...common }
    }
    case 'image':
    case 'audio': {
      const data = stringIn(raw, 'data', notes)
      const declared = stringIn(raw, 'mimeType', notes) ?? ''
      const bytes = data === undefined ? {} : bytesOf(data, declared, notes)
      if (declared !== '' && !isOfType(type, declared)) notes.push({ code: 'mime-not-of-type', declared })
      return { kind: type, declared, binary: undefined, ...bytes, ...common }
    }
    case 'resource':
      return isObject(raw.resource) ? resourceOf(raw.resource, notes, common) : missing('resource', common, notes)
    default: {
      const uri = stringIn(raw, 'uri', notes)
      const name = stringIn(raw, 'name', notes)
      if (uri === undefined) return { kind: 'unknown', ...common }
      return {
        kind: 'link',
        uri,
        name: name ?? uri,
        ...optional(raw, 'title'),
        ...optional(raw, 'description'),
        declared: typeof raw.mimeType === 'string' ? raw.mimeType : '',
        ...(typeof raw.size === 'number' ? { size: raw.size } : {}),
        ...common,
      }
    }
  }
}

/** Parses one item of the `contents` that `resources/read` returns (SF-RES-03, SF-RES-04). Never throws. */
export const resourceContentsOf = (raw: Json): Content => {
  if (!isObject(raw)) return { kind: 'unknown', raw, notes: [{ code: 'not-contents' }] }
  return resourceOf(raw, [], { raw, notes: [] })
}

/** The contents of a resource, either embedded in a block or returned by `resources/read`. */
const resourceOf = (resource: JsonObject, notes: Note[], common: Common): Content => {
  const uri = stringIn(resource, 'uri', notes) ?? ''
  const declared = typeof resource.mimeType === 'string' ? resource.mimeType : ''
  const text = typeof resource.text === 'string' ? resource.text : undefined
  const blob = typeof resource.blob === 'string' ? resource.blob : undefined
  if (text === undefined && blob === undefined) notes.push({ code: 'no-text-or-blob' })
  if (text !== undefined && blob !== undefined) notes.push({ code: 'text-and-blob' })
  const meta = resource._meta ?? common.meta
  return {
    kind: 'resource',
    uri,
    declared,
    ...(text === undefined ? {} : { text }),
    ...(blob === undefined ? {} : bytesOf(blob, declared, notes)),
    ...common,
    notes,
    ...(meta === undefined ? {} : { meta }),
  }
}

/**
 * The same content with its bytes decoded, if they were too long to decode at once.
 * @param pace awaited between pieces
 */
export const decoded = async (content: Content, pace: () => Promise<void> | undefined): Promise<Content> => {
  const { encoded, ...rest } = content
  if (!encoded) return content
  const notes = [...content.notes]
  const binary = binaryOf(await decodeBase64Slowly(encoded.text, pace), encoded.declared, notes)
  return { ...rest, notes, ...(binary ? { binary } : {}) }
}

/** Whether a string begins like a JSON object or array. */
export const mayBeJson = (text: string): boolean => /^\s*[[{]/.test(text)

/**
 * The value of a string that is a JSON object or array, with number literals preserved; `undefined` for any other
 * string, or a long one.
 */
export const jsonIn = (text: string): Value | undefined => {
  if (text.length > LONG || !mayBeJson(text)) return undefined
  try {
    return readExactly(text)
  } catch {
    return undefined
  }
}

/** The URL if this page may link to it: http, https or mailto. Anything else is shown as text. */
export const linkable = (uri: string): string | undefined => {
  try {
    const { protocol, href } = new URL(uri)
    return ['http:', 'https:', 'mailto:'].includes(protocol) ? href : undefined
  } catch {
    return undefined
  }
}

/** A file name: the last segment of the URI's path, without characters that file systems reject. */
export const fileNameOf = (uri: string, mime: string): string => {
  const last =
    uri
      .split(/[?#]/, 1)[0]!
      .split(/[/\\:]/)
      .at(-1) ?? ''

  const name = last
    .replace(/[\p{Cc}<>:"|?*%]/gu, '_')
    .replace(/^\.+/, '')
    .slice(0, 120)
  if (name !== '') return name
  const kind = essenceOf(mime).split('/')[1]?.replace(/\+.*/, '').replace(/^x-/, '') ?? ''
  return /^[a-z0-9]{1,8}$/.test(kind) ? `content.${kind}` : 'content.bin'
}

interface Common {
  readonly raw: Json
  readonly notes: readonly Note[]
  readonly annotations?: JsonObject
  readonly meta?: Json
}

/** Characters of Base64 that are decoded at once: takes a few ms. */
const AT_ONCE = 1_000_000

const bytesOf = (data: string, declared: string, notes: Note[]): { binary?: Binary; encoded?: Encoded } => {
  if (data.length > AT_ONCE) return { encoded: { text: data, declared } }
  const binary = binaryOf(decodeBase64(data), declared, notes)
  return binary ? { binary } : {}
}

const binaryOf = ({ bytes, faults }: Decoded, declared: string, notes: Note[]): Binary | undefined => {
  for (const code of faults) notes.push({ code })
  if (!bytes) return undefined
  const found = sniff(bytes)
  if (found && contradicts(declared, found)) notes.push({ code: 'mime-contradicts', declared, found })
  // The signature identifies the container, but not whether it holds audio or video.
  const film = found !== undefined && /^video\//.test(essenceOf(declared)) && isSame(declared, found)
  return { bytes, mime: film ? essenceOf(declared) : (found ?? essenceOf(declared)) }
}

/** `audio` content may use a container that also exists for video. */
const isOfType = (type: 'image' | 'audio', declared: string): boolean => {
  const essence = essenceOf(declared)
  return (
    essence.startsWith(`${type}/`) || (type === 'audio' && /^(video\/(mp4|webm|ogg)|application\/ogg)$/.test(essence))
  )
}

const stringIn = (object: JsonObject, member: string, notes: Note[]): string | undefined => {
  const value = object[member]
  if (typeof value === 'string') return value
  notes.push({ code: 'missing', member })
  return undefined
}

const missing = (member: string, common: Common, notes: Note[]): Content => {
  notes.push({ code: 'missing', member })
  return { kind: 'unknown', ...common }
}

const optional = <Name extends string>(object: JsonObject, name: Name): { [Key in Name]?: string } =>
  typeof object[name] === 'string' ? ({ [name]: object[name] } as { [Key in Name]: string }) : {}
