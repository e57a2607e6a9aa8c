/**
 * What the first bytes of a file say about it: its type, because a declared MIME type is only the server's claim, and
 * the size of an image, because a file of a few kB can decode to gigabytes and the size must be known before the
 * browser decodes it (ICON-04, SEC-03).
 *
 * @see https://mimesniff.spec.whatwg.org/#matching-an-image-type-pattern
 */

const SIGNATURES: readonly (readonly [mime: string, at: number, pattern: string])[] = [
  ['image/png', 0, '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/gif', 0, 'GIF8'],
  ['image/webp', 8, 'WEBP'],
  ['image/tiff', 0, 'II*\0'],
  ['image/tiff', 0, 'MM\0*'],
  ['image/x-icon', 0, '\0\0\x01\0'],
  ['image/avif', 4, 'ftypavif'],
  ['image/heic', 4, 'ftyphei'],
  ['audio/wav', 8, 'WAVE'],
  ['audio/mpeg', 0, 'ID3'],
  ['audio/mpeg', 0, '\xff\xfb'],
  ['audio/mpeg', 0, '\xff\xf3'],
  ['audio/aac', 0, '\xff\xf1'],
  ['audio/aac', 0, '\xff\xf9'],
  ['audio/ogg', 0, 'OggS'],
  ['audio/flac', 0, 'fLaC'],
  ['audio/mp4', 4, 'ftyp'],
  ['audio/webm', 0, '\x1a\x45\xdf\xa3'],
  ['audio/midi', 0, 'MThd'],
  ['application/pdf', 0, '%PDF-'],
  ['application/zip', 0, 'PK\x03\x04'],
  ['application/gzip', 0, '\x1f\x8b'],
]

/** Synonyms, or containers that hold both audio and video. */
const SAME: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/apng': 'image/png',
  'image/heif': 'image/heic',
  'image/vnd.microsoft.icon': 'image/x-icon',
  'audio/x-wav': 'audio/wav',
  'audio/wave': 'audio/wav',
  'audio/vnd.wave': 'audio/wav',
  'audio/mp3': 'audio/mpeg',
  'audio/x-mp3': 'audio/mpeg',
  'audio/x-flac': 'audio/flac',
  'audio/x-m4a': 'audio/mp4',
  'audio/m4a': 'audio/mp4',
  'audio/opus': 'audio/ogg',
  'application/ogg': 'audio/ogg',
  'video/ogg': 'audio/ogg',
  'video/mp4': 'audio/mp4',
  'video/quicktime': 'audio/mp4',
  'video/webm': 'audio/webm',
  'audio/x-matroska': 'audio/webm',
  'application/x-gzip': 'application/gzip',
}

/** Types whose files are ZIP archives. */
const ZIPPED = /^application\/(vnd\.|epub\+zip|java-archive|x-zip)/

/** The MIME type detected from the bytes; `undefined` if they match no signature. */
export const sniff = (bytes: Uint8Array): string | undefined => {
  const head = String.fromCharCode(...bytes.subarray(0, 32))
  for (const [mime, at, pattern] of SIGNATURES) if (head.startsWith(pattern, at)) return mime
  const start = new TextDecoder()
    .decode(bytes.subarray(0, 1024))
    .replace(/^\uFEFF/, '')
    .trimStart()
  if (/^(<\?xml[^>]*>\s*)?(<!--[^]*?-->\s*)*(<!DOCTYPE svg[^>]*>\s*)?<svg[\s/>]/i.test(start)) return 'image/svg+xml'
  if (/^<(!doctype html|html)[\s>]/i.test(start)) return 'text/html'
  return undefined
}

/** `image/PNG; foo=bar` -> `image/png` */
export const essenceOf = (mime: string): string => mime.split(';', 1)[0]!.trim().toLowerCase()

/** True if a declared type clearly contradicts the bytes. */
export const contradicts = (declared: string, found: string): boolean => {
  const essence = essenceOf(declared)
  if (essence === '' || essence === 'application/octet-stream') return false
  if (found === 'application/zip' && ZIPPED.test(essence)) return false
  // SVG and HTML are also XML and plain text.
  if (/^(text\/|application\/(.*\+)?xml)/.test(essence) && /svg|html/.test(found)) return false
  return !isSame(declared, found)
}

/** Whether two type names mean the same type. */
export const isSame = (declared: string, found: string): boolean => {
  const essence = essenceOf(declared)
  return (Object.hasOwn(SAME, essence) ? SAME[essence] : essence) === found
}

export interface Dimensions {
  readonly width: number
  readonly height: number
}

/** Most pixels shown automatically: 40 million, which is 160 MB decoded. */
export const MOST_PIXELS = 40_000_000

/** Most bytes shown automatically for image formats whose dimensions aren't parsed here. */
export const MOST_BYTES_UNMEASURED = 4_000_000

/** @returns `undefined` if the bytes don't begin with a known image header, or the header is truncated */
export const dimensionsOf = (bytes: Uint8Array): Dimensions | undefined => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    for (const read of [png, gif, jpeg, webp, bmp, avif]) {
      const found = read(view)
      if (found) return found
    }
  } catch (error) {
    // The header claims more bytes than there are.
    if (!(error instanceof RangeError)) throw error
  }
  return undefined
}

type Read = (view: DataView) => Dimensions | undefined

const says = (view: DataView, at: number, text: string): boolean => {
  if (at + text.length > view.byteLength) return false
  for (let index = 0; index < text.length; index++) {
    if (view.getUint8(at + index) !== text.charCodeAt(index)) return false
  }
  return true
}

/** PNG, third edition, 11.2.1: IHDR is the first chunk. */
const png: Read = (view) =>
  says(view, 0, '\x89PNG\r\n\x1a\n') ? { width: view.getUint32(16), height: view.getUint32(20) } : undefined

/** GIF89a, 18: the logical screen. */
const gif: Read = (view) =>
  says(view, 0, 'GIF8') ? { width: view.getUint16(6, true), height: view.getUint16(8, true) } : undefined

/** ITU-T T.81, B.1.1.3: segments up to the first frame header. */
const jpeg: Read = (view) => {
  if (!says(view, 0, '\xff\xd8\xff')) return undefined
  let at = 2
  for (;;) {
    if (view.getUint8(at) !== 0xff) return undefined
    const marker = view.getUint8(at + 1)
    // Fill bytes, and markers without a segment.
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) {
      at += 2
      continue
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
    if (marker === 0xda || marker === 0xd9) return undefined
    at += 2 + Math.max(2, view.getUint16(at + 2))
  }
}

/** RFC 9649, 2.5 … 2.7. */
const webp: Read = (view) => {
  if (!says(view, 0, 'RIFF') || !says(view, 8, 'WEBP')) return undefined
  const uint24 = (at: number) => view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
  if (says(view, 12, 'VP8X')) return { width: uint24(24) + 1, height: uint24(27) + 1 }
  if (says(view, 12, 'VP8 ')) {
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
  }
  if (!says(view, 12, 'VP8L')) return undefined
  const bits = view.getUint32(21, true)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

/** BITMAPINFOHEADER. A negative height means top-down row order. */
const bmp: Read = (view) =>
  says(view, 0, 'BM')
    ? { width: Math.abs(view.getInt32(18, true)), height: Math.abs(view.getInt32(22, true)) }
    : undefined

/** ISO/IEC 23008-12, 6.5.3: the largest `ispe` property among the first 64 kB. */
const avif: Read = (view) => {
  if (!says(view, 4, 'ftyp')) return undefined
  let largest: Dimensions | undefined
  const end = Math.min(view.byteLength, 65_536) - 16
  for (let at = 8; at <= end; at++) {
    if (view.getUint8(at) !== 0x69 || !says(view, at, 'ispe')) continue
    const found = { width: view.getUint32(at + 8), height: view.getUint32(at + 12) }
    if (!largest || found.width * found.height > largest.width * largest.height) largest = found
  }
  return largest
}
