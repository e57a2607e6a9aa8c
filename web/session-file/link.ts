/**
 * A session as a link: deflated, in base64url, with a checksum, in the fragment of a URL, which browsers never send to a
 * server. Opening a link only reads it.
 *
 *     #share=2.DATA.CHECK    CHECK: the CRC-32 of DATA as text, in base64url
 *     #share=1.DATA          links of earlier versions
 */
import type { Frame } from '../mcp/index.ts'
import { readSession } from './read.ts'
import type { OpenedSession, SessionHead } from './file.ts'
import { sessionText } from './write.ts'

/** Characters of a link. Browsers accept more, but chats, mail programs and issue trackers cut it. */
export const LONGEST_LINK = 32_000
/** Bytes that a link may inflate to. */
const LARGEST = 20 * 1024 * 1024
/** Characters to read: a manually made link longer than `LONGEST_LINK` is also opened. */
const LONGEST_READ = 8 * 1024 * 1024
const LINK_VERSION = 2
/** Links without a checksum. */
const UNCHECKED = 1
/** Bytes inflated at once: what comes before a fault has then been delivered. */
const SLICE = 512

/**
 * Why a link couldn't be opened. `code` is for catalogues; if its content is invalid, there is a `SessionFileError`
 * instead.
 */
export class ShareLinkError extends Error {
  readonly code: 'no-link' | 'unknown-version' | 'damaged' | 'too-large'
  constructor(code: ShareLinkError['code'], message: string) {
    super(message)
    this.name = 'ShareLinkError'
    this.code = code
  }
}

export interface SharedSession {
  readonly head: SessionHead
  readonly frames: Iterable<Frame>
}

export interface ShareLink {
  readonly url: string
  /** Characters of the whole URL. */
  readonly size: number
  readonly fits: boolean
}

/** @param base the page's URL; its fragment, which may contain a launch token, is dropped */
export const linkOf = async (base: string, { head, frames }: SharedSession): Promise<ShareLink> => {
  const stream = new CompressionStream('deflate-raw')
  const written = write(stream.writable, sessionText(head, frames))
  const bytes = new Uint8Array(await new Response(stream.readable).arrayBuffer())
  await written
  const data = base64url(bytes)
  const url = `${base.replace(/#.*$/s, '')}#share=${LINK_VERSION}.${data}.${checkOf(data)}`
  return { url, size: url.length, fits: url.length <= LONGEST_LINK }
}

const write = async (stream: WritableStream<BufferSource>, pieces: Iterable<string>): Promise<void> => {
  const writer = stream.getWriter()
  const encoder = new TextEncoder()
  for (const piece of pieces) await writer.write(encoder.encode(piece))
  await writer.close()
}

const base64url = (bytes: Uint8Array): string => {
  const parts: string[] = []
  // A multiple of three bytes, so that the base64 pieces can be joined.
  for (let at = 0; at < bytes.length; at += 0x6000)
    parts.push(btoa(String.fromCharCode(...bytes.subarray(at, at + 0x6000))))
  return parts.join('').replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** The CRC-32 (ISO 3309, as in gzip, RFC 1952 section 8) of a text of ASCII characters. */
const checkOf = (text: string): string => {
  let crc = 0xffff_ffff
  for (let at = 0; at < text.length; at++) crc = (crc >>> 8) ^ CRC[(crc ^ text.charCodeAt(at)) & 0xff]!
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, (crc ^ 0xffff_ffff) >>> 0)
  return base64url(bytes)
}

const CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb8_8320 : value >>> 1
  return value
})

/**
 * @param fragment of a URL, with or without `#`; damage by chats and mail programs (spaces, line breaks, `%`) is undone
 * @throws {ShareLinkError | SessionFileError}
 */
export const sessionFrom = async (fragment: string): Promise<OpenedSession> => {
  const [, version, rest = ''] = /^#?share=(\d{1,9})\.([^&]*)/s.exec(fragment) ?? []
  if (version === undefined) throw new ShareLinkError('no-link', 'The URL contains no session')
  if (Number(version) !== LINK_VERSION && Number(version) !== UNCHECKED)
    throw new ShareLinkError(
      'unknown-version',
      `This page opens links of version ${UNCHECKED} and ${LINK_VERSION}, but this link has version ${version}`,
    )
  if (rest.length > LONGEST_READ)
    throw new ShareLinkError('too-large', `The link has more than ${LONGEST_READ} characters`)
  const text = rest
    .replace(/\s/g, '')
    .replace(/%[\da-f]{2}/gi, (escape) => String.fromCharCode(Number.parseInt(escape.slice(1), 16)))
    .replace(/[\s=]/g, '')
  if (Number(version) === UNCHECKED) {
    // A full stop, a bracket or a quote behind the link isn't part of it.
    return await readSession(inflated(bytesOf(text.replace(/[^\w+/-]+$/, ''))))
  }
  const [, data = '', check = '', behind = ''] = /^([\w-]*)(?:\.([\w-]{0,6}))?([^]*)$/.exec(text) ?? []
  // Markdown may add an underscore.
  const whole = check === checkOf(data) && /^_{0,3}(?:[^\w-]|$)/.test(behind)
  try {
    const opened = await readSession(inflated(bytesOf(data)))
    if (whole) return opened
    return { ...opened, damage: [{ code: 'checksum' }, ...opened.damage], damaged: opened.damaged + 1 }
  } catch (error) {
    // An intact link may hold anything; of a damaged one, the content isn't to blame.
    if (whole || error instanceof ShareLinkError) throw error
    throw new ShareLinkError('damaged', 'The link is damaged and nothing in it can be opened')
  }
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => {
  const plain = text.replaceAll('-', '+').replaceAll('_', '/')
  try {
    // If cut in mid-group, the preceding groups are still valid.
    const binary = atob(plain.length % 4 === 1 ? plain.slice(0, -1) : plain)
    if (binary === '') throw new SyntaxError('empty')
    return Uint8Array.from(binary, (unit) => unit.charCodeAt(0))
  } catch {
    throw new ShareLinkError('damaged', 'The link is damaged: it is empty or contains invalid characters')
  }
}

const feed = async (
  writer: WritableStreamDefaultWriter<BufferSource>,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<void> => {
  for (let at = 0; at < bytes.length; at += SLICE) {
    await writer.ready
    await writer.write(bytes.subarray(at, at + SLICE))
  }
  await writer.close()
}

/** Pieces as they arrive; a stream that breaks off has still delivered something. */
async function* inflated(bytes: Uint8Array<ArrayBuffer>): AsyncGenerator<Uint8Array> {
  const stream = new DecompressionStream('deflate-raw')
  const writer = stream.writable.getWriter()
  // Errors surface where the stream is read.
  void feed(writer, bytes).catch(() => {})
  const reader = stream.readable.getReader()
  let size = 0
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => ({ done: true as const, value: undefined }))
      if (done) break
      size += value.length
      if (size > LARGEST)
        throw new ShareLinkError('too-large', `The link unpacks to more than ${LARGEST / 1024 / 1024} MB`)
      yield value
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
  if (size === 0) throw new ShareLinkError('damaged', 'The link is damaged and nothing in it can be unpacked')
}
