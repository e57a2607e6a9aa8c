/**
 * Detects types from the first bytes. A declared MIME type is only the server's claim.
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
