/**
 * The views available for a content. Anything that could be active when rendered is shown as source first. Markup is
 * never rendered, except Markdown, whose HTML is escaped.
 */
import { essenceOf, sniff } from './sniff.ts'

export type ContentView = 'rendered' | 'picture' | 'sound' | 'film' | 'document' | 'source' | 'hex'

export interface Shown {
  /** The declared type; '' if absent. */
  readonly declared: string
  /** '' if absent. */
  readonly uri: string
  readonly text?: string | undefined
  /** With the type detected from the bytes. */
  readonly binary?: { readonly bytes: Uint8Array; readonly mime: string } | undefined
}

/** The first is the default. Never empty. */
export const viewsOf = ({ declared, uri, text, binary }: Shown): readonly [ContentView, ...ContentView[]] => {
  if (text !== undefined) return textViews(essenceOf(declared), uri, text)
  if (!binary) return ['source']
  const { mime, bytes } = binary
  // Scripts in it don't run in <img>, but it can consume unlimited time and memory, so show it only on request.
  if (mime === 'image/svg+xml') return ['source', 'picture', 'hex']
  if (mime.startsWith('image/')) return ['picture', 'hex']
  if (mime.startsWith('audio/')) return ['sound', 'hex']
  if (mime.startsWith('video/')) return ['film', 'hex']
  // Only if it really is a PDF, because a browser will open it.
  if (sniff(bytes) === 'application/pdf') return ['document', 'hex']
  if (isMarkdown(mime, uri) && isText(bytes)) return ['rendered', 'source', 'hex']
  return isTextual(mime) || isText(bytes) ? ['source', 'hex'] : ['hex']
}

const textViews = (essence: string, uri: string, text: string): readonly [ContentView, ...ContentView[]] => {
  if (isMarkdown(essence, uri)) return ['rendered', 'source']
  if (essence === 'image/svg+xml') return ['source', 'picture']
  // Text without a type is often written for a model, and so is often Markdown.
  return (essence === '' || essence === 'text/plain') && looksLikeMarkdown(text) ? ['source', 'rendered'] : ['source']
}

const isMarkdown = (essence: string, uri: string): boolean =>
  essence === 'text/markdown' ||
  essence === 'text/x-markdown' ||
  ((essence === '' || essence === 'text/plain' || essence === 'application/octet-stream') &&
    /\.(md|markdown)$/i.test(uri.split(/[?#]/, 1)[0]!))

/** Looks for headings, fences, lists of several items, links and bold text within the first 4,000 characters. */
const looksLikeMarkdown = (text: string): boolean => {
  const start = text.slice(0, 4000)
  if (/^\s*[[{<]/.test(start) && !/^\s*\[[^\]\n]{1,200}\]\(/.test(start)) return false
  return (
    /^#{1,6} \S/m.test(start) ||
    /^(```|~~~)/m.test(start) ||
    /^([-*+]|\d{1,3}[.)]) \S.*\n+\s*([-*+]|\d{1,3}[.)]) \S/m.test(start) ||
    /\[[^\]\n]{1,200}\]\([^)\s]{1,500}\)/.test(start) ||
    /\*\*[^*\s][^*\n]{0,200}\*\*/.test(start)
  )
}

const isTextual = (mime: string): boolean =>
  /^(text\/|application\/([\w.-]+\+)?(json|xml|yaml)$|application\/(x-)?(javascript|ecmascript|sh|toml|yaml)$)/.test(
    mime,
  )

/** Valid UTF-8 without control characters that don't occur in text, judging by the first 4 kB. */
const isText = (bytes: Uint8Array): boolean => {
  if (bytes.length === 0) return true
  const start = bytes.subarray(0, 4096)
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: start.length < bytes.length })
  } catch {
    return false
  }
  // eslint-disable-next-line no-control-regex -- it is about them
  return !/[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(text)
}

/**
 * A small drawing without repetition, embedded content or filters. Any other SVG may consume unlimited time and memory.
 */
export const isPlainSvg = (text: string): boolean =>
  text.length <= 200_000 &&
  !/<!(DOCTYPE|ENTITY)|<([\w-]+:)?(use|image|feImage|foreignObject|filter|pattern|mask|script|animate\w*|set)[\s/>]/i.test(
    text,
  )

/** A row of the hex view. */
export interface HexRow {
  readonly offset: string
  /** Two digits each, separated by a space, with a wider gap in the middle; padded to a full row. */
  readonly hex: string
  readonly ascii: string
}

/** @param width bytes per row, even */
export const hexRow = (bytes: Uint8Array, row: number, width: number): HexRow => {
  const at = row * width
  let hex = ''
  let ascii = ''
  for (let index = 0; index < width; index++) {
    const byte = bytes[at + index]
    if (index > 0) hex += index === width / 2 ? '  ' : ' '
    hex += byte === undefined ? '  ' : byte.toString(16).padStart(2, '0')
    if (byte !== undefined) ascii += byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·'
  }
  return { offset: at.toString(16).padStart(8, '0'), hex, ascii }
}
