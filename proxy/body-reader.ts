/**
 * Reads a response body on demand. If the connection breaks, bytes that have already arrived are still delivered, whereas
 * a stream's own iterator drops unread bytes.
 */
import type { IncomingMessage } from 'node:http'
import { pipeline, type Duplex, type Readable } from 'node:stream'
import { createBrotliDecompress, createUnzip } from 'node:zlib'
import { errorWith } from './error-code.ts'

/** Bytes buffered before reading pauses. */
const HIGH_WATER_MARK = 256 * 1024

/** Codings to decode per body. Each needs a decoder, and a header could list 80,000. */
export const MAX_CODINGS = 5

/**
 * Limits between two chained decoders: a base, plus a multiple of the bytes received. Compressed data barely compresses
 * again, so more than this is a bomb, which could keep a decoder busy for hours without output.
 */
const INTERMEDIATE_BYTES = 1024 * 1024
const INTERMEDIATE_RATIO = 64

/** Error codes of a body with too many codings, and of one that exceeds the limit between two decoders. */
export const TOO_MANY_CODINGS = 'TOO_MANY_CODINGS'
export const DECODED_TOO_LARGE = 'DECODED_TOO_LARGE'
/** Of a body that its Content-Encoding calls compressed but isn't, and of one that is compressed once more than it says. */
export const NOT_ENCODED = 'NOT_ENCODED'
export const STILL_ENCODED = 'STILL_ENCODED'

/** The first bytes of gzip (RFC 1952 section 2.3.1). No text begins with them. */
const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b
/** The first bytes of what is read as text, which no compressed body has. */
const isText = (bytes: Uint8Array): boolean => bytes.length > 0 && bytes.subarray(0, 16).every((byte) => (byte >= 0x20 && byte < 0x7f) || (byte >= 0x09 && byte <= 0x0d)) // prettier-ignore

const DECODERS: Readonly<Record<string, () => Duplex>> = {
  gzip: createUnzip,
  'x-gzip': createUnzip,
  deflate: createUnzip,
  br: createBrotliDecompress,
}

export class BodyReader {
  /** The output is decoded. */
  readonly decodes: boolean
  readonly #source: Readable
  #chunks: Uint8Array[] = []
  #bytes = 0
  #ended = false
  #fault: Error | undefined
  #wake: () => void = () => {}

  /**
   * @param encoding a Content-Encoding to undo. Unknown ones leave the body unchanged; too many are an error
   * @param text the decoded body is text, so it is an error if it is still compressed
   */
  constructor(incoming: Readable & Pick<IncomingMessage, 'complete'>, encoding?: string, text = false) {
    let decoders: readonly (() => Duplex)[] = []
    try {
      decoders = decodersFor(encoding)
    } catch (error) {
      this.#fault = error as Error
    }
    this.decodes = decoders.length > 0
    let size = 0
    let first: Uint8Array | undefined
    // Of a coding that isn't known, nothing can be said.
    const known = this.decodes || /^(?:identity)?$/i.test(encoding?.trim() ?? '')
    let begun = false
    this.#source = this.decodes ? decodeBody(incoming, decoders, () => size) : incoming
    if (this.decodes) {
      incoming.on('data', (chunk: Uint8Array) => {
        first ??= chunk
        size += chunk.length
      })
    }
    this.#source.on('error', (error) => {
      // Decoders reject an empty body, but it is valid.
      if (this.decodes && size === 0 && incoming.complete) this.#ended = true
      const plain = this.decodes && !begun && first !== undefined && isText(first)
      this.#fail(plain ? errorWith(NOT_ENCODED, "it isn't compressed") : error)
    })
    // Don't read a body that can't be decoded.
    if (this.#fault) return
    this.#source.on('data', (chunk: Uint8Array) => {
      if (!begun && text && known && isGzip(chunk)) {
        this.#fail(errorWith(STILL_ENCODED, 'it is compressed once more'))
        // Not destroyed: that would be reported instead.
        return void this.#source.pause()
      }
      begun = true
      this.#chunks.push(chunk)
      this.#bytes += chunk.length
      if (this.#bytes >= HIGH_WATER_MARK) this.#source.pause()
      this.#wake()
    })
    this.#source.on('end', () => {
      this.#ended = this.#fault === undefined
      this.#wake()
    })
    this.#source.on('close', () => this.#fail(new Error('The connection was closed')))
  }

  /**
   * The bytes that have arrived; waits for at least one. `undefined` at the end. Don't call it concurrently.
   * @throws {Error} after the last bytes, if the body broke off or has too many codings
   */
  async next(): Promise<Uint8Array | undefined> {
    while (this.#bytes === 0 && !this.#ended && !this.#fault) {
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
    if (this.#bytes > 0) {
      const bytes = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks, this.#bytes)
      this.#chunks = []
      this.#bytes = 0
      this.#source.resume()
      return bytes
    }
    if (this.#ended) return undefined
    throw this.#fault!
  }

  #fail(fault: Error): void {
    if (!this.#ended) this.#fault ??= fault
    this.#wake()
  }
}

/**
 * Decoders in the order to apply them; empty if any coding is unknown.
 * @param encoding all values of the header, joined by commas (RFC 9110 section 8.4)
 * @throws {Error} `TOO_MANY_CODINGS`; `identity` and empty elements don't count
 */
export function decodersFor(encoding = ''): (() => Duplex)[] {
  const wanted: string[] = []
  let count = 0
  // One name at a time, because a header may list tens of thousands.
  for (let at = 0, end = 0; at < encoding.length; at = end + 1) {
    end = encoding.indexOf(',', at)
    if (end === -1) end = encoding.length
    const name = encoding.slice(at, end).trim().toLowerCase()
    if (name === '' || name === 'identity') continue
    if (count++ < MAX_CODINGS) wanted.unshift(name)
  }
  if (count > MAX_CODINGS) {
    const why = `its Content-Encoding lists ${count} codings, and the limit is ${MAX_CODINGS}`
    throw errorWith(TOO_MANY_CODINGS, why)
  }
  const found = wanted.flatMap((name) => (Object.hasOwn(DECODERS, name) ? [DECODERS[name]!] : []))
  return found.length === wanted.length ? found : []
}

function decodeBody(incoming: Readable, makers: readonly (() => Duplex)[], came: () => number): Readable {
  const decoders = makers.map((make) => make())
  limitIntermediate(decoders, came)
  // Errors of any stream reach the last one. The cast is needed because `pipeline` is typed for streams of one kind.
  pipeline([incoming, ...decoders] as unknown as Duplex[], () => {})
  return decoders.at(-1)!
}

/**
 * Destroys a chain of decoders if the data between two of them exceeds the limit. The output of the last one is limited
 * by backpressure.
 * @param came returns the number of bytes of the encoded body received so far
 */
export function limitIntermediate(decoders: readonly Duplex[], came: () => number): void {
  for (const decoder of decoders.slice(0, -1)) {
    let passed = 0
    decoder.on('data', (chunk: Uint8Array) => {
      passed += chunk.length
      if (passed <= INTERMEDIATE_BYTES + INTERMEDIATE_RATIO * came()) return
      const why = `${came()} bytes grew to more than ${passed} between two codings`
      decoder.destroy(errorWith(DECODED_TOO_LARGE, why))
    })
  }
}
