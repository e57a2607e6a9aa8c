/**
 * The events of one page as blocks of Server-Sent Events, numbered from 1, with a cursor where its stream stands.
 * What the stream has not taken yet is never dropped: whoever appends looks at `queued` and stops reading its source.
 * What it has taken stays up to a number of bytes, for a page that comes back with `Last-Event-ID`.
 */
import { Buffer } from 'node:buffer'
import type { PageEvent } from './wire.ts'

export class EventLog {
  readonly #replay: number
  /** Blocks from the id `#first` on; `#skip` of them at the front are let go already. */
  #blocks: (Buffer | undefined)[] = []
  #skip = 0
  #first = 1
  #bytes = 0
  #next = 1
  /** The id that the stream takes next. */
  #cursor = 1
  /** Blocks from here on were handed to the connection by the last `take` and may still be on their way out of here. */
  #onTheWay = 1
  #queued = 0

  /** @param replay bytes of taken events that are kept */
  constructor(replay: number) {
    this.#replay = replay
  }

  /** Bytes that the stream has still to take. */
  get queued(): number {
    return this.#queued
  }

  /** The newest id, 0 for none. */
  get last(): number {
    return this.#next - 1
  }

  append(event: PageEvent): void {
    const block = sseBlock(this.#next++, event)
    this.#blocks.push(block)
    this.#bytes += block.length
    this.#queued += block.length
  }

  /**
   * Moves the cursor behind `id`, wherever it stood.
   * @returns the block of a `gap` event where events behind `id` are no longer held
   */
  resumeAfter(id: number): Buffer | undefined {
    if (id >= this.#next) {
      // An id that was never given: the page was forgotten, or this is another proxy than the one that gave it.
      this.#moveTo(this.#first)
      return sseBlock(this.#first - 1, { type: 'gap', lost: 0, reset: true })
    }
    this.#moveTo(Math.max(id + 1, this.#first))
    const lost = this.#first - id - 1
    return lost > 0 ? sseBlock(this.#first - 1, { type: 'gap', lost }) : undefined
  }

  /** The next blocks, as one piece of at least one block and otherwise at most `limit` bytes. */
  take(limit: number): Buffer | undefined {
    const pieces: Buffer[] = []
    let bytes = 0
    this.#onTheWay = this.#cursor
    while (this.#cursor < this.#next) {
      const block = this.#block(this.#cursor)
      if (pieces.length > 0 && bytes + block.length > limit) break
      pieces.push(block)
      bytes += block.length
      this.#cursor++
    }
    this.#queued -= bytes
    this.#forget()
    return pieces.length > 1 ? Buffer.concat(pieces, bytes) : pieces[0]
  }

  #block(id: number): Buffer {
    return this.#blocks[id - this.#first + this.#skip]!
  }

  #moveTo(id: number): void {
    this.#cursor = id
    this.#onTheWay = id
    this.#queued = 0
    for (let each = id; each < this.#next; each++) this.#queued += this.#block(each).length
  }

  #forget(): void {
    while (this.#bytes > this.#replay && this.#first < this.#onTheWay) {
      this.#bytes -= this.#blocks[this.#skip]!.length
      this.#blocks[this.#skip++] = undefined
      this.#first++
    }
    // Moving the rest costs as much as the rest is long: only when the front is the longer part.
    if (this.#skip > 1024 && this.#skip * 2 > this.#blocks.length) {
      this.#blocks = this.#blocks.slice(this.#skip)
      this.#skip = 0
    }
  }
}

/** JSON never holds a raw line break, so one event is always one `data` line. */
function sseBlock(id: number, event: PageEvent): Buffer {
  return Buffer.from(`id: ${id}\ndata: ${JSON.stringify(event)}\n\n`)
}
