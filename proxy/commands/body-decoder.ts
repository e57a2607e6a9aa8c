/** Decodes recorded bodies for reading; the bytes themselves pass by it unchanged. */
import { PassThrough, type Duplex } from 'node:stream'
import { limitIntermediate, decodersFor } from '../body-reader.ts'

/** Decoded bytes held before the decoder waits for them to be taken. */
const ENOUGH = 256 * 1024

/** Undoes a Content-Encoding, chunk by chunk. What a chunk becomes is handed out in pieces: a bomb has no end that fits in memory. */
export class BodyDecoder {
  /** What comes is no text. */
  failed = false
  readonly #first: Duplex
  readonly #last: Duplex
  #pieces: Buffer[] = []
  #bytes = 0
  /** Bytes that were pushed. */
  #came = 0
  #wake: () => void = () => {}

  constructor(makers: readonly (() => Duplex)[]) {
    const decoders = makers.map((make) => make())
    this.#first = decoders[0]!
    this.#last = decoders.at(-1)!
    for (const decoder of decoders) {
      decoder.on('error', () => {
        this.failed = true
        this.#wake()
      })
    }
    limitIntermediate(decoders, () => this.#came)
    decoders.reduce((from, to) => from.pipe(to))
    this.#last.on('data', (piece: Buffer) => {
      this.#pieces.push(piece)
      this.#bytes += piece.length
      if (this.#bytes >= ENOUGH) this.#last.pause()
      this.#wake()
    })
  }

  push(chunk: Buffer): AsyncGenerator<Uint8Array, void> {
    this.#came += chunk.length
    return this.#after((settled) => this.#first.write(chunk, settled))
  }

  /** What was held back. */
  end(): AsyncGenerator<Uint8Array, void> {
    return this.#after((settled) => {
      this.#last.once('end', settled)
      this.#first.end()
    })
  }

  /** Yields what is decoded until the work has settled. */
  async *#after(work: (settled: () => void) => void): AsyncGenerator<Uint8Array, void> {
    let settled = false
    if (!this.failed) {
      work(() =>
        // What a write made is told behind its callback.
        setImmediate(() => {
          settled = true
          this.#wake()
        }),
      )
    }
    for (;;) {
      if (this.#bytes > 0) {
        const bytes = Buffer.concat(this.#pieces, this.#bytes)
        const paused = this.#last.isPaused()
        this.#pieces = []
        this.#bytes = 0
        yield bytes
        if (!paused) continue
        this.#last.resume()
        await new Promise(setImmediate)
      } else if (settled || this.failed) return
      else await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }
}

export function decoderFor(encoding: string | undefined): BodyDecoder | undefined {
  if (encoding === undefined || /^\s*(?:identity)?\s*$/i.test(encoding)) return undefined
  const makers = makersFor(encoding)
  const decoder = new BodyDecoder(makers.length > 0 ? makers : [() => new PassThrough()])
  // What cannot be undone is not kept: it would be no text.
  if (makers.length === 0) decoder.failed = true
  return decoder
}

/** None for a chain over the bound, as for a coding that is not known. */
function makersFor(encoding: string): ReturnType<typeof decodersFor> {
  try {
    return decodersFor(encoding)
  } catch {
    return []
  }
}
