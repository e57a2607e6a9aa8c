/**
 * Decodes Base64 from a peer defensively (SF-TOOL-11): decodes as much as possible and reports the faults.
 *
 * @see RFC 4648
 */

export type Base64Fault =
  /** Characters outside every Base64 alphabet, or an impossible length. */
  | 'not-base64'
  /** The URL-safe alphabet. MCP's schema says `format: byte`, which is the standard alphabet. */
  | 'url-alphabet'
  /** Spaces or line breaks between the characters. */
  | 'whitespace'
  /** The trailing `=` are missing. */
  | 'no-padding'
  /** A complete `data:` URL instead of only its Base64 part. */
  | 'data-url'
  /** Longer than `TEXT_MAX`; not decoded. */
  | 'too-large'

export interface Decoded {
  /** Absent if nothing could be decoded. */
  readonly bytes?: Uint8Array<ArrayBuffer>
  readonly faults: readonly Base64Fault[]
}

/** Longest Base64 string that is decoded, in characters: 96 MiB, which is 72 MiB of bytes. */
export const TEXT_MAX = 96 * 1024 * 1024

/** Characters decoded without a pause: takes a few ms. */
const PIECE = 256 * 1024

/** Never throws. */
export const decodeBase64 = (text: string): Decoded => {
  const pieces = decoding(text)
  for (;;) {
    const { done, value } = pieces.next()
    if (done) return value
  }
}

/** Like `decodeBase64`, for long strings: awaits `pace()` between pieces. Rejects only if `pace` does. */
export const decodeBase64Slowly = async (text: string, pace: () => Promise<void> | undefined): Promise<Decoded> => {
  const pieces = decoding(text)
  for (;;) {
    const { done, value } = pieces.next()
    if (done) return value
    await pace()
  }
}

function* decoding(text: string): Generator<undefined, Decoded> {
  if (text.length > TEXT_MAX) return { faults: ['too-large'] }
  const faults = new Set<Base64Fault>()
  let at = /^data:[^,]{0,200};base64,/i.exec(text.slice(0, 300))?.[0].length ?? 0
  if (at > 0) faults.add('data-url')
  const bytes = new Uint8Array(Math.ceil(((text.length - at) * 3) / 4))
  let [length, characters, padding] = [0, 0, 0]
  /** Up to three characters left over that don't form whole bytes yet. */
  let rest = ''
  const take = (whole: string) => {
    const binary = atob(whole)
    for (let index = 0; index < binary.length; index++) bytes[length++] = binary.charCodeAt(index)
  }
  while (at < text.length) {
    let piece = text.slice(at, (at += PIECE))
    if (/\s/.test(piece)) {
      faults.add('whitespace')
      piece = piece.replace(/\s+/g, '')
    }
    if (/[-_]/.test(piece)) {
      faults.add('url-alphabet')
      piece = piece.replaceAll('-', '+').replaceAll('_', '/')
    }
    const bare = piece.replace(/=+$/, '')
    // Nothing may follow the padding.
    if (!/^[A-Za-z0-9+/]*$/.test(bare) || (padding > 0 && bare !== '')) return { faults: ['not-base64'] }
    padding += piece.length - bare.length
    characters += bare.length
    const ready = rest + bare
    const whole = ready.length - (ready.length % 4)
    rest = ready.slice(whole)
    take(ready.slice(0, whole))
    yield
  }
  if (padding > 2 || rest.length === 1) return { faults: ['not-base64'] }
  if (rest !== '') take(rest.padEnd(4, '='))
  if (padding !== (4 - (characters % 4)) % 4) faults.add('no-padding')
  return { bytes: bytes.subarray(0, length), faults: [...faults] }
}
