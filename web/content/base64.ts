/**
 * Base64 from a peer, decoded defensively (SF-TOOL-11): what can be read is read, and what was wrong with it is said.
 * @see RFC 4648
 */

export type Base64Fault =
  /** Characters that belong to no alphabet of base64, or a length that no bytes have. */
  | 'not-base64'
  /** The URL-safe alphabet; MCP's schema says `format: byte`, which is the standard one. */
  | 'url-alphabet'
  /** Spaces or line breaks between the characters. */
  | 'whitespace'
  /** The `=` at the end are missing. */
  | 'no-padding'
  /** A whole `data:` URL instead of its base64 part. */
  | 'data-url'
  /** Longer than `TEXT_MAX`; not decoded. */
  | 'too-large'

export interface Decoded {
  /** Absent when nothing could be read. */
  readonly bytes?: Uint8Array<ArrayBuffer>
  readonly faults: readonly Base64Fault[]
}

/** Longest base64 text that is decoded, in characters: 96 MiB, which is 72 MiB of bytes. */
export const TEXT_MAX = 96 * 1024 * 1024

/** Never throws. */
export const decodeBase64 = (text: string): Decoded => {
  if (text.length > TEXT_MAX) return { faults: ['too-large'] }
  const faults: Base64Fault[] = []
  let body = text
  const prefix = /^data:[^,]{0,200};base64,/i.exec(body)
  if (prefix) {
    faults.push('data-url')
    body = body.slice(prefix[0].length)
  }
  if (/\s/.test(body)) {
    faults.push('whitespace')
    body = body.replace(/\s+/g, '')
  }
  if (/[-_]/.test(body)) {
    faults.push('url-alphabet')
    body = body.replaceAll('-', '+').replaceAll('_', '/')
  }
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(body)) return { faults: ['not-base64'] }
  const bare = body.replace(/=+$/, '')
  if (bare.length % 4 === 1) return { faults: ['not-base64'] }
  const padded = bare.padEnd(Math.ceil(bare.length / 4) * 4, '=')
  if (padded !== body) faults.push('no-padding')
  let binary: string
  try {
    binary = atob(padded)
  } catch {
    return { faults: ['not-base64'] }
  }
  const bytes = new Uint8Array(binary.length)
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index)
  return { bytes, faults }
}
