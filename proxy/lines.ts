/**
 * Lines out of bytes. A pipe cuts where it likes, also in the middle of a character, so framing looks for the byte
 * 0x0A (rules 8 and 10 of the bridge; stdio framing: spec basic/transports/stdio). A line stays bytes: whoever shows it
 * decodes it, and nothing on the way there copies or escapes it.
 */
import { Buffer, isUtf8 } from 'node:buffer'

const NEWLINE = 0x0a
const SMALLEST_BLOCK = 1024
const LARGEST_BLOCK = 128 * 1024
const NO_BYTES = Buffer.alloc(0)

/** Bytes kept of either end of a line that was dropped: enough to read a JSON-RPC `id` that comes first or last. */
const EDGE_BYTES = 1024

/** One line, without the `\n` that closed it; a `\r` or a byte order mark is the server's own and stays. */
export class Line {
  /** In order. No character is spread over two of them. */
  readonly pieces: readonly Buffer[]
  /** Bytes. */
  readonly size: number

  constructor(pieces: readonly Buffer[]) {
    this.pieces = pieces
    this.size = pieces.reduce((sum, piece) => sum + piece.length, 0)
  }

  /** Some bytes are not UTF-8; decoded, they read U+FFFD. */
  get invalidUtf8(): boolean {
    return !this.pieces.every((piece) => isUtf8(piece))
  }

  /** Decoded as the WHATWG decoder does, U+FFFD included, but with its byte order mark. */
  get text(): string {
    return this.pieces.map((piece) => piece.toString('utf8')).join('')
  }

  /** At most `limit` characters from the beginning, and `…` where there are more. */
  head(limit: number): string {
    // A character has at most 3 bytes for each of its UTF-16 units, and a byte that is not UTF-8 reads as one unit.
    let missing = 3 * limit + 3
    const parts: Buffer[] = []
    for (const piece of this.pieces) {
      if (missing <= 0) break
      parts.push(piece.subarray(0, missing))
      missing -= piece.length
    }
    const text = Buffer.concat(parts).toString('utf8')
    return text.length > limit ? `${text.slice(0, limit)}…` : text
  }
}

/** What is known of a line that was dropped. */
export interface LostLine {
  /** Bytes. */
  readonly size: number
  /** Its first and last bytes, at most 1 KB each. */
  readonly head: Buffer
  readonly tail: Buffer
  /** It was not over the limit, but `drop` was called. */
  readonly early?: true
}

export interface LineReader {
  line(line: Line): void
  /** A line was over the limit and was dropped. The next one is read normally. */
  lost(line: LostLine): void
}

export class LineSplitter {
  readonly #limit: number
  readonly #reader: LineReader
  /** Full blocks of the line that is being read. In blocks, its bytes are copied once, however long it gets. */
  #blocks: Buffer[] = []
  #block: Buffer = NO_BYTES
  /** Bytes of `#block` that are in use. */
  #filled = 0
  #size = 0
  /** The line that is being read is over the limit, and was let go. */
  #dropped: { size: number; head: Buffer; tail: Buffer; early?: true } | undefined
  /** A part of this line was handed out by `flushPart`. */
  #partiallyRead = false

  /** @param limit bytes that one line may have, without its `\n` */
  constructor(limit: number, reader: LineReader) {
    this.#limit = limit
    this.#reader = reader
  }

  get pending(): boolean {
    return this.#size > 0
  }

  /** Bytes of an unfinished line. */
  get held(): number {
    return this.#dropped ? 0 : this.#size
  }

  /** Lets the unfinished line go; the reader learns of it at its end. */
  drop(): void {
    if (this.#dropped || this.#size === 0) return
    this.#drop(this.#size, NO_BYTES)
    this.#dropped!.early = true
  }

  push(chunk: Buffer): void {
    let from = 0
    for (;;) {
      const end = chunk.indexOf(NEWLINE, from)
      if (end === -1) break
      this.#endLine(chunk.subarray(from, end))
      from = end + 1
    }
    if (from < chunk.length) this.#buffer(from === 0 ? chunk : chunk.subarray(from))
  }

  /** Hands out what is held of an unfinished line, save a character that is still incomplete. */
  flushPart(): void {
    if (this.#dropped || this.#size === 0) return
    const part = this.#block.subarray(0, this.#filled)
    const tail = incompleteTail(part)
    if (tail === this.#size) return
    const rest = Buffer.from(part.subarray(part.length - tail))
    const pieces = [...this.#blocks, part.subarray(0, part.length - tail)]
    this.#reset()
    if (rest.length > 0) this.#buffer(rest)
    this.#partiallyRead = true
    this.#reader.line(new Line(pieces))
  }

  /** The stream is over: what is left is a line although nothing closed it. */
  end(): void {
    if (this.#size > 0 || this.#dropped) this.#endLine(NO_BYTES)
  }

  #endLine(rest: Buffer): void {
    if (!this.#dropped && this.#size === 0 && rest.length <= this.#limit) {
      if (rest.length > 0 || !this.#partiallyRead) this.#reader.line(new Line([rest]))
    } else {
      if (rest.length > 0) this.#buffer(rest)
      const dropped = this.#dropped
      const pieces = [...this.#blocks, this.#block.subarray(0, this.#filled)]
      this.#reset()
      if (dropped) this.#reader.lost(dropped)
      else this.#reader.line(new Line(pieces))
    }
    this.#partiallyRead = false
  }

  #buffer(bytes: Buffer): void {
    if (this.#dropped) {
      this.#dropped.size += bytes.length
      this.#dropped.head = firstBytes(this.#dropped.head, bytes)
      this.#dropped.tail = lastBytes(this.#dropped.tail, bytes)
      return
    }
    const size = this.#size + bytes.length
    if (size > this.#limit) return this.#drop(size, bytes)
    this.#size = size
    for (let from = 0; from < bytes.length;) {
      if (this.#filled === this.#block.length) this.#nextBlock()
      const copied = bytes.copy(this.#block, this.#filled, from)
      this.#filled += copied
      from += copied
    }
  }

  /** @param last the newest bytes of the line, which are not held yet */
  #drop(size: number, last: Buffer): void {
    const blocks = [...this.#blocks, this.#block.subarray(0, this.#filled)]
    const head = [...blocks, last].reduce(firstBytes, NO_BYTES)
    const tail = [...blocks.slice(-2), last].reduce(lastBytes, NO_BYTES)
    this.#reset()
    this.#dropped = { size, head, tail }
  }

  #nextBlock(): void {
    const full = this.#block
    const tail = incompleteTail(full)
    // Not out of Node's pool: its memory is to go when the block goes.
    this.#block = Buffer.allocUnsafeSlow(Math.min(Math.max(full.length * 2, SMALLEST_BLOCK), LARGEST_BLOCK))
    this.#filled = full.copy(this.#block, 0, full.length - tail)
    if (full.length > 0) this.#blocks.push(full.subarray(0, full.length - tail))
  }

  #reset(): void {
    this.#blocks = []
    this.#block = NO_BYTES
    this.#filled = 0
    this.#size = 0
    this.#dropped = undefined
  }
}

/** A copy of the first bytes of both. */
function firstBytes(first: Buffer, second: Buffer): Buffer {
  if (first.length >= EDGE_BYTES) return first
  return Buffer.concat([first, second.subarray(0, EDGE_BYTES - first.length)])
}

/** A copy of the last bytes of both. */
function lastBytes(first: Buffer, second: Buffer): Buffer {
  if (second.length >= EDGE_BYTES) return Buffer.from(second.subarray(-EDGE_BYTES))
  return Buffer.concat([first.subarray(Math.max(0, first.length + second.length - EDGE_BYTES)), second])
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
