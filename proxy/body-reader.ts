/**
 * The body of an answer, read as fast as it is asked for. Bytes that arrived are kept even when the connection breaks
 * right behind them, where a stream's own iterator would drop what nobody had asked for yet.
 */
import type { IncomingMessage } from 'node:http'
import { pipeline, type Duplex, type Readable } from 'node:stream'
import { createBrotliDecompress, createUnzip } from 'node:zlib'

/** Bytes held before the connection is no longer read. */
const HIGH_WATER_MARK = 256 * 1024

/** Codings of one body that are decoded. Each costs a decoder, and a response header has room for 80,000 names. */
export const MAX_CODINGS = 5

/**
 * Between two decoders of a chain: bytes that may pass in any case, and further ones for each byte that came. What one
 * coding made does not shrink much in the next, so more than that is a bomb, which could keep a decoder busy for hours
 * without a byte at its end.
 */
const INTERMEDIATE_BYTES = 1024 * 1024
const INTERMEDIATE_RATIO = 64

/** The `code` of a body with too many codings, and of one that grows beyond measure between two of them. */
export const TOO_MANY_CODINGS = 'TOO_MANY_CODINGS'
export const DECODED_TOO_LARGE = 'DECODED_TOO_LARGE'

const DECODERS: Readonly<Record<string, () => Duplex>> = {
  gzip: createUnzip,
  'x-gzip': createUnzip,
  deflate: createUnzip,
  br: createBrotliDecompress,
}

export class BodyReader {
  /** The bytes come without their Content-Encoding. */
  readonly decodes: boolean
  readonly #source: Readable
  #chunks: Uint8Array[] = []
  #bytes = 0
  #ended = false
  #fault: Error | undefined
  #wake: () => void = () => {}

  /** @param encoding a Content-Encoding to undo; one that is not known stays as it is, and a chain over the bound is a fault */
  constructor(incoming: IncomingMessage, encoding?: string) {
    let decoders: readonly (() => Duplex)[] = []
    try {
      decoders = decodersFor(encoding)
    } catch (error) {
      this.#fault = error as Error
    }
    this.decodes = decoders.length > 0
    let size = 0
    this.#source = this.decodes ? decodeBody(incoming, decoders, () => size) : incoming
    if (this.decodes) incoming.on('data', (chunk: Uint8Array) => (size += chunk.length))
    this.#source.on('error', (error) => {
      // Nothing at all is no packed body, but it is one.
      if (this.decodes && size === 0 && incoming.complete) this.#ended = true
      this.#fail(error)
    })
    // What cannot be decoded is not read either.
    if (this.#fault) return
    this.#source.on('data', (chunk: Uint8Array) => {
      this.#chunks.push(chunk)
      this.#bytes += chunk.length
      if (this.#bytes >= HIGH_WATER_MARK) this.#source.pause()
      this.#wake()
    })
    this.#source.on('end', () => {
      this.#ended = true
      this.#wake()
    })
    this.#source.on('close', () => this.#fail(new Error('The connection was closed')))
  }

  /**
   * All that has arrived, as soon as there is anything; `undefined` at the end. One call at a time.
   * @throws {Error} once all that arrived is read, when the body broke off or has too many codings
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
 * In the order in which they are to be undone; none at all when one of them is not known.
 * @param encoding all values of the header, joined by commas (RFC 9110 section 8.4)
 * @throws {Error} `TOO_MANY_CODINGS`; `identity` and empty elements do not count
 */
export function decodersFor(encoding = ''): (() => Duplex)[] {
  const names = encoding.split(',').map((name) => name.trim().toLowerCase())
  const wanted = names.filter((name) => name !== '' && name !== 'identity').reverse()
  if (wanted.length > MAX_CODINGS) {
    const why = `its Content-Encoding lists ${wanted.length} codings, and the limit is ${MAX_CODINGS}`
    throw Object.assign(new Error(why), { code: TOO_MANY_CODINGS })
  }
  const found = wanted.flatMap((name) => (Object.hasOwn(DECODERS, name) ? [DECODERS[name]!] : []))
  return found.length === wanted.length ? found : []
}

function decodeBody(incoming: IncomingMessage, makers: readonly (() => Duplex)[], came: () => number): Readable {
  const decoders = makers.map((make) => make())
  limitIntermediate(decoders, came)
  // Types of `pipeline` know lists of streams of one kind only; its faults reach the last stream by themselves.
  pipeline([incoming, ...decoders] as unknown as Duplex[], () => {})
  return decoders.at(-1)!
}

/**
 * Breaks a chain off whose middle grows beyond measure. The last decoder needs no bound: it is read as fast as it is asked for.
 * @param came bytes of the encoded body so far
 */
export function limitIntermediate(decoders: readonly Duplex[], came: () => number): void {
  for (const decoder of decoders.slice(0, -1)) {
    let passed = 0
    decoder.on('data', (chunk: Uint8Array) => {
      passed += chunk.length
      if (passed <= INTERMEDIATE_BYTES + INTERMEDIATE_RATIO * came()) return
      const why = `${came()} bytes grew to more than ${passed} between two codings`
      decoder.destroy(Object.assign(new Error(why), { code: DECODED_TOO_LARGE }))
    })
  }
}
