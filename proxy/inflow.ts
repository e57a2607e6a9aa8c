/**
 * The body of an answer, read as fast as it is asked for. Bytes that arrived are kept even when the connection breaks
 * right behind them, where a stream's own iterator would drop what nobody had asked for yet.
 */
import type { IncomingMessage } from 'node:http'
import { pipeline, type Duplex, type Readable } from 'node:stream'
import { createBrotliDecompress, createUnzip } from 'node:zlib'

/** Bytes held before the connection is no longer read. */
const ENOUGH = 256 * 1024

const DECODERS: Readonly<Record<string, () => Duplex>> = {
  gzip: createUnzip,
  'x-gzip': createUnzip,
  deflate: createUnzip,
  br: createBrotliDecompress,
}

export class Inflow {
  /** The bytes come without their Content-Encoding. */
  readonly decodes: boolean
  readonly #source: Readable
  #held: Uint8Array[] = []
  #bytes = 0
  #ended = false
  #fault: Error | undefined
  #wake: () => void = () => {}

  /** @param encoding a Content-Encoding to undo; one that is not known stays as it is */
  constructor(incoming: IncomingMessage, encoding?: string) {
    const decoders = decodersFor(encoding)
    this.decodes = decoders.length > 0
    this.#source = this.decodes ? decoded(incoming, decoders) : incoming
    let size = 0
    if (this.decodes) incoming.on('data', (chunk: Uint8Array) => (size += chunk.length))
    this.#source.on('data', (chunk: Uint8Array) => {
      this.#held.push(chunk)
      this.#bytes += chunk.length
      if (this.#bytes >= ENOUGH) this.#source.pause()
      this.#wake()
    })
    this.#source.on('end', () => {
      this.#ended = true
      this.#wake()
    })
    this.#source.on('error', (error) => {
      // Nothing at all is no packed body, but it is one.
      if (this.decodes && size === 0 && incoming.complete) this.#ended = true
      this.#break(error)
    })
    this.#source.on('close', () => this.#break(new Error('The connection was closed')))
  }

  /**
   * All that has arrived, as soon as there is anything; `undefined` at the end. One call at a time.
   * @throws {Error} once all that arrived is read, when the body broke off
   */
  async next(): Promise<Uint8Array | undefined> {
    while (this.#bytes === 0 && !this.#ended && !this.#fault) {
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
    if (this.#bytes > 0) {
      const bytes = this.#held.length === 1 ? this.#held[0]! : Buffer.concat(this.#held, this.#bytes)
      this.#held = []
      this.#bytes = 0
      this.#source.resume()
      return bytes
    }
    if (this.#ended) return undefined
    throw this.#fault!
  }

  #break(fault: Error): void {
    if (!this.#ended) this.#fault ??= fault
    this.#wake()
  }
}

/** In the order in which they are to be undone; none at all when one of them is not known. */
export function decodersFor(encoding = ''): (() => Duplex)[] {
  const names = encoding.split(',').map((name) => name.trim().toLowerCase())
  const wanted = names.filter((name) => name !== '' && name !== 'identity').reverse()
  const found = wanted.flatMap((name) => (Object.hasOwn(DECODERS, name) ? [DECODERS[name]!] : []))
  return found.length === wanted.length ? found : []
}

function decoded(incoming: IncomingMessage, decoders: (() => Duplex)[]): Readable {
  const [first, ...others] = decoders.map((make) => make())
  // Types of `pipeline` know lists of streams of one kind only; its faults reach the last stream by themselves.
  pipeline([incoming, first!, ...others] as unknown as Duplex[], () => {})
  return others.at(-1) ?? first!
}
