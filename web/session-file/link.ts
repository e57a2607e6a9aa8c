/**
 * A session as a link: deflated, in base64url, in the fragment of a URL, which browsers never send to a server. Opening
 * a link only reads it.
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
const LINK_VERSION = 1

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
  const url = `${base.replace(/#.*$/s, '')}#share=${LINK_VERSION}.${base64url(bytes)}`
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

/**
 * @param fragment of a URL, with or without `#`; damage by chats and mail programs (spaces, line breaks, `%`) is undone
 * @throws {ShareLinkError | SessionFileError}
 */
export const sessionFrom = async (fragment: string): Promise<OpenedSession> => {
  const [, version, data = ''] = /^#?share=(\d{1,9})\.([^&]*)/s.exec(fragment) ?? []
  if (version === undefined) throw new ShareLinkError('no-link', 'The address holds no session')
  if (Number(version) !== LINK_VERSION)
    throw new ShareLinkError(
      'unknown-version',
      `This page opens links of version ${LINK_VERSION}, but this link has version ${version}`,
    )
  if (data.length > LONGEST_READ)
    throw new ShareLinkError('too-large', `The link has more than ${LONGEST_READ} characters`)
  const bytes = bytesOf(data)
  return await readSession(inflated(bytes))
}

const bytesOf = (data: string): Uint8Array<ArrayBuffer> => {
  const text = data
    .replace(/\s/g, '')
    .replace(/%[\da-f]{2}/gi, (escape) => String.fromCharCode(Number.parseInt(escape.slice(1), 16)))
  const plain = text.replace(/[\s=]/g, '').replaceAll('-', '+').replaceAll('_', '/')
  try {
    // If cut in mid-group, the preceding groups are still valid.
    const binary = atob(plain.length % 4 === 1 ? plain.slice(0, -1) : plain)
    if (binary === '') throw new SyntaxError('empty')
    return Uint8Array.from(binary, (unit) => unit.charCodeAt(0))
  } catch {
    throw new ShareLinkError('damaged', 'The link is damaged: it holds characters that are not its own, or nothing')
  }
}

/** Pieces as they arrive; a stream that breaks off has still delivered something. */
async function* inflated(bytes: Uint8Array<ArrayBuffer>): AsyncGenerator<Uint8Array> {
  const stream = new DecompressionStream('deflate-raw')
  const writer = stream.writable.getWriter()
  // Errors surface where the stream is read.
  void writer.write(bytes).catch(() => {})
  void writer.close().catch(() => {})
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
  if (size === 0) throw new ShareLinkError('damaged', 'The link is damaged, and nothing of it can be unpacked')
}
