/** Decodes bodies for the recording. The forwarded bytes stay unchanged. */
import { PassThrough, type Duplex } from 'node:stream'
import { limitIntermediate, decodersFor } from '../body-reader.ts'

/** Decoded bytes held before the decoder pauses. */
const HIGH_WATER_MARK = 256 * 1024

/** Undoes a Content-Encoding chunk by chunk, in pieces: a decompression bomb must not have to fit in memory. */
export class BodyDecoder {
  /** Decoding failed, so the output isn't the body. */
  failed = false
  readonly #first: Duplex
  readonly #last: Duplex
  #pieces: Buffer[] = []
  #bytes = 0
  /** Bytes pushed so far. */
  #received = 0
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
    limitIntermediate(decoders, () => this.#received)
    decoders.reduce((from, to) => from.pipe(to))
    this.#last.on('data', (piece: Buffer) => {
      this.#pieces.push(piece)
      this.#bytes += piece.length
      if (this.#bytes >= HIGH_WATER_MARK) this.#last.pause()
      this.#wake()
    })
  }

  push(chunk: Buffer): AsyncGenerator<Uint8Array, void> {
    this.#received += chunk.length
    return this.#after((settled) => this.#first.write(chunk, settled))
  }

  /** Yields the remaining output. */
  end(): AsyncGenerator<Uint8Array, void> {
    return this.#after((settled) => {
      this.#last.once('end', settled)
      this.#first.end()
    })
  }

  /** Yields decoded bytes until the work has settled. */
  async *#after(work: (settled: () => void) => void): AsyncGenerator<Uint8Array, void> {
    let settled = false
    if (!this.failed) {
      work(() =>
        // A write's output arrives after its callback.
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
  // An unknown encoding isn't recorded: the bytes aren't text.
  if (makers.length === 0) decoder.failed = true
  return decoder
}

/** Empty for unknown or too many codings. */
function makersFor(encoding: string): ReturnType<typeof decodersFor> {
  try {
    return decodersFor(encoding)
  } catch {
    return []
  }
}
