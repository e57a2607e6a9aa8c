/**
 * Splits bytes into lines. Pipes cut anywhere, even within a character, so framing searches for the byte 0x0A (rules 8 and
 * 10; spec basic/transports/stdio). A line stays bytes until it is displayed, so nothing copies or escapes it on the way.
 */
import { Buffer, isUtf8 } from 'node:buffer'

const NEWLINE = 0x0a
const SMALLEST_BLOCK = 1024
const LARGEST_BLOCK = 128 * 1024
const NO_BYTES = Buffer.alloc(0)

/** Bytes kept from both ends of a dropped line: enough to find a JSON-RPC `id` that comes first or last. */
const EDGE_BYTES = 1024

/** One line without its `\n`. A `\r` or byte order mark comes from the server and stays. */
export class Line {
  /** In order. No character spans two of them. */
  readonly pieces: readonly Buffer[]
  /** Bytes. */
  readonly size: number

  constructor(pieces: readonly Buffer[]) {
    this.pieces = pieces
    this.size = pieces.reduce((sum, piece) => sum + piece.length, 0)
  }

  /** Whether some bytes aren't UTF-8. They decode to U+FFFD. */
  get invalidUtf8(): boolean {
    return !this.pieces.every((piece) => isUtf8(piece))
  }

  /** Decoded like the WHATWG decoder, including U+FFFD, but keeps the byte order mark. */
  get text(): string {
    return this.pieces.map((piece) => piece.toString('utf8')).join('')
  }

  /** The first `limit` characters, followed by `…` if there are more. */
  head(limit: number): string {
    // UTF-8 uses at most 3 bytes per UTF-16 unit, and each invalid byte decodes to one unit.
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

/** A dropped line. */
export interface LostLine {
  /** Bytes. */
  readonly size: number
  /** The first and last bytes, at most 1 KB each. */
  readonly head: Buffer
  readonly tail: Buffer
  /** Dropped by `drop`, not by the limit. */
  readonly early?: true
}

export interface LineReader {
  line(line: Line): void
  /** A line exceeded the limit and was dropped. The next one is read normally. */
  lost(line: LostLine): void
}

export class LineSplitter {
  readonly #limit: number
  readonly #reader: LineReader
  /** Full blocks of the current line. Blocks avoid copying the line again as it grows. */
  #blocks: Buffer[] = []
  #block: Buffer = NO_BYTES
  /** Used bytes of `#block`. */
  #filled = 0
  #size = 0
  /** The current line, if it was dropped. */
  #dropped: { size: number; head: Buffer; tail: Buffer; early?: true } | undefined
  /** `flushPart` has delivered a part of this line. */
  #partiallyRead = false

  /** @param limit bytes per line, without the `\n` */
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

  /** The first `limit` characters of the unfinished line. */
  peek(limit: number): string {
    return new Line([...this.#blocks, this.#block.subarray(0, this.#filled)]).head(limit)
  }

  /** Drops the unfinished line; `lost` is called at its end. */
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

  /** Delivers the unfinished line so far, except for an incomplete character. */
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

  /** At the end of the stream, delivers the rest as a line. */
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

  /** @param last the newest bytes, which aren't buffered yet */
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
    // Not from Node's pool, so that the block's memory can be freed on its own.
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

/** How many bytes at the end belong to an incomplete character: 0 to 3. */
function incompleteTail(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? back : 0
  }
  return 0
}
