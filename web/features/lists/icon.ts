/**
 * Icons of servers, tools, resources and prompts, treated as untrusted. Only embedded data is rendered: fetching a URL
 * would tell its host who views what (ICON-01 … ICON-06).
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic#icons
 */
import { decodeBase64, dimensionsOf, essenceOf, isSame, sniff, isPlainSvg } from '../../content/index.ts'
import { isObject } from '../../mcp/index.ts'
import type { Json } from '../../mcp/index.ts'
import { parsedUrl } from '../../mcp/url.ts'

/** Why an icon isn't rendered. */
type IconFault =
  | 'no-object'
  | 'no-src'
  /** Neither `https:` nor `data:` (ICON-02). */
  | 'scheme'
  /** A remote URL, which is valid but isn't fetched. */
  | 'remote'
  | 'too-long'
  | 'not-base64'
  /** Neither PNG, JPEG, WebP nor SVG (ICON-01, ICON-04). */
  | 'type'
  /** The bytes contradict the declared type (ICON-04). */
  | 'mismatch'
  | 'too-large'
  /** SVG with repetition, embedded content or filters. */
  | 'svg'

export interface Icon {
  readonly raw: Json
  /** As received, cut to `SRC_SHOWN`; '' if absent. */
  readonly src: string
  /** The declared type. */
  readonly mime: string
  /** In pixels, the longer side of each; `Infinity` for `any`. */
  readonly sizes: readonly number[]
  readonly theme: 'light' | 'dark' | undefined
  /** A `data:` URL that is safe to render. */
  readonly drawn?: string
  readonly fault?: IconFault
}

/** Longest `data:` URL that is rendered, in UTF-16 units. */
const SRC_MOST = 400_000
const SRC_SHOWN = 2_000
/** Longest side of an image, in pixels. */
const SIDE_MOST = 2_048
/** Most icons examined per item. */
const MOST = 20

const ALLOWED: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/svg+xml'])

/** Never throws. Anything but an array yields no icons; the wire rules report other values. */
export const iconsOf = (icons: Json | undefined): readonly Icon[] =>
  Array.isArray(icons) ? (icons as readonly Json[]).slice(0, MOST).map(iconOf) : []

/**
 * The icon to show, by theme, then by size: the smallest that is large enough, else the largest (ICON-06).
 * @param size in CSS pixels
 */
export const chooseIcon = (icons: readonly Icon[], size: number, theme: 'light' | 'dark'): Icon | undefined => {
  const rank = (icon: Icon): readonly number[] => {
    const best = icon.sizes.filter((side) => side >= size).sort((a, b) => a - b)[0]
    const largest = Math.max(0, ...icon.sizes)
    return [
      icon.theme === theme ? 0 : icon.theme === undefined ? 1 : 2,
      best === undefined ? (icon.sizes.length === 0 ? 1 : 2) : 0,
      best === undefined ? -largest : best,
    ]
  }
  return icons
    .filter(({ drawn }) => drawn !== undefined)
    .map((icon) => ({ icon, rank: rank(icon) }))
    .sort((a, b) => a.rank.map((value, at) => order(value, b.rank[at]!)).find((value) => value !== 0) ?? 0)[0]?.icon
}

// Infinity - Infinity is NaN, so subtraction doesn't work here.
const order = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1)

const iconOf = (raw: Json): Icon => {
  if (!isObject(raw)) return { raw, src: '', mime: '', sizes: [], theme: undefined, fault: 'no-object' }
  const { src, mimeType, sizes, theme } = raw
  const icon = {
    raw,
    src: typeof src === 'string' ? src.slice(0, SRC_SHOWN) : '',
    mime: typeof mimeType === 'string' ? mimeType.slice(0, 100) : '',
    sizes: sizesOf(sizes),
    theme: theme === 'light' || theme === 'dark' ? theme : undefined,
  } as const
  if (typeof src !== 'string' || src === '') return { ...icon, fault: 'no-src' }
  if (/^https:\/\//i.test(src)) return { ...icon, fault: parsedUrl(src) ? 'remote' : 'scheme' }
  if (!/^data:/i.test(src)) return { ...icon, fault: 'scheme' }
  const found = dataOf(src, icon.mime)
  return typeof found === 'string' ? { ...icon, fault: found } : { ...icon, drawn: found.url }
}

/** `["48x48", "any"]`; drafts of 2025-11-25 used a single string. */
const sizesOf = (sizes: Json | undefined): number[] => {
  const list = Array.isArray(sizes)
    ? (sizes as readonly Json[]).slice(0, MOST)
    : typeof sizes === 'string'
      ? [sizes]
      : []
  return list.flatMap((size) => {
    if (typeof size !== 'string') return []
    return size.split(' ').flatMap((each) => {
      if (each === 'any') return [Infinity]
      const [, width, height] = /^(\d{1,5})x(\d{1,5})$/i.exec(each) ?? []
      return width === undefined ? [] : [Math.max(Number(width), Number(height))]
    })
  })
}

const dataOf = (src: string, declared: string): { readonly url: string } | IconFault => {
  if (src.length > SRC_MOST) return 'too-long'
  const [, type = '', base64, body = ''] = /^data:([^;,]{0,100})(?:;[^;,]{0,100}?)*?(;base64)?,([^]*)$/i.exec(src) ?? []
  const mime = essenceOf(type) === 'image/jpg' ? 'image/jpeg' : essenceOf(type)
  if (!ALLOWED.has(mime)) return 'type'
  const bytes = base64 === undefined ? percentDecoded(body) : decodeBase64(body).bytes
  if (!bytes) return 'not-base64'
  const found = sniff(bytes)
  if (found !== mime || (declared !== '' && !isSame(declared, mime))) return 'mismatch'
  if (mime === 'image/svg+xml') {
    if (!isPlainSvg(new TextDecoder().decode(bytes))) return 'svg'
  } else {
    const size = dimensionsOf(bytes)
    if (!size) return 'mismatch'
    if (size.width > SIDE_MOST || size.height > SIDE_MOST) return 'too-large'
  }
  return { url: src }
}

const percentDecoded = (body: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return new TextEncoder().encode(decodeURIComponent(body))
  } catch {
    return undefined
  }
}
