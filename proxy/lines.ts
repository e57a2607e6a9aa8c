/**
 * Lines out of bytes. A pipe cuts where it likes, also in the middle of a character, so framing looks for the byte
 * 0x0A and only whole lines are decoded (rules 8 and 10 of the bridge; stdio framing: spec basic/transports/stdio).
 */
import { Buffer, isUtf8 } from 'node:buffer'

const NEWLINE = 0x0a
const SPARE = 64 * 1024

export interface Line {
  /** Without the `\n` that closed it; a `\r` or a byte order mark is the server's own and stays. */
  readonly text: string
  /** Some bytes were no UTF-8 and read U+FFFD now. */
  readonly invalidUtf8?: true
}

export interface LineReader {
  /** @param size bytes of the line as they came */
  line(line: Line, size: number): void
  /** A line of `size` bytes was over the limit and was dropped. The next one is read normally. */
  lost(size: number): void
}

export class LineSplitter {
  readonly #limit: number
  readonly #reader: LineReader
  /** Grows by doubling, so that a line of n bytes costs O(n) however small its chunks are. */
  #held: Buffer = Buffer.alloc(0)
  #size = 0
  /** Bytes of a line over the limit that were let go; -1 when the line is still held. */
  #dropped = -1
  /** A part of this line was handed out by `flushPart`. */
  #begun = false

  /** @param limit bytes that one line may have, without its `\n` */
  constructor(limit: number, reader: LineReader) {
    this.#limit = limit
    this.#reader = reader
  }

  get pending(): boolean {
    return this.#size > 0
  }

  push(chunk: Buffer): void {
    let from = 0
    for (;;) {
      const end = chunk.indexOf(NEWLINE, from)
      if (end === -1) break
      this.#close(chunk.subarray(from, end))
      from = end + 1
    }
    if (from < chunk.length) this.#hold(from === 0 ? chunk : chunk.subarray(from))
  }

  /** Hands out what is held of an unfinished line, save a character that is still incomplete. */
  flushPart(): void {
    const whole = this.#size - incompleteTail(this.#held.subarray(0, this.#size))
    if (whole <= 0 || this.#dropped >= 0) return
    this.#emit(this.#held.subarray(0, whole))
    this.#held.copyWithin(0, whole, this.#size)
    this.#size -= whole
    this.#begun = true
  }

  /** The stream is over: what is left is a line although nothing closed it. */
  end(): void {
    if (this.#size > 0 || this.#dropped >= 0) this.#close(Buffer.alloc(0))
  }

  #close(rest: Buffer): void {
    if (this.#dropped >= 0 || this.#size + rest.length > this.#limit) {
      this.#reader.lost(Math.max(this.#dropped, 0) + this.#size + rest.length)
    } else if (this.#size > 0) {
      this.#hold(rest)
      this.#emit(this.#held.subarray(0, this.#size))
    } else if (rest.length > 0 || !this.#begun) {
      this.#emit(rest)
    }
    this.#size = 0
    this.#dropped = -1
    this.#begun = false
    if (this.#held.length > SPARE) this.#held = Buffer.alloc(0)
  }

  #hold(bytes: Buffer): void {
    if (this.#dropped >= 0) {
      this.#dropped += bytes.length
      return
    }
    const size = this.#size + bytes.length
    if (size > this.#limit) {
      this.#dropped = size
      this.#size = 0
      this.#held = Buffer.alloc(0)
      return
    }
    if (size > this.#held.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(size, this.#held.length * 2, 1024))
      this.#held.copy(grown, 0, 0, this.#size)
      this.#held = grown
    }
    bytes.copy(this.#held, this.#size)
    this.#size = size
  }

  #emit(bytes: Buffer): void {
    // Buffer decodes as the WHATWG decoder does, U+FFFD included, but keeps a byte order mark.
    const text = bytes.toString('utf8')
    this.#reader.line(isUtf8(bytes) ? { text } : { text, invalidUtf8: true }, bytes.length)
  }
}

/** How many bytes at the end belong to a character whose rest has not come yet: 0 to 3. */
function incompleteTail(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? back : 0
  }
  return 0
}
