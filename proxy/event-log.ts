/**
 * The events of one page as frames, numbered from 1, with a cursor where its stream stands.
 * What the stream has not taken yet is never dropped: whoever appends looks at `queued` and stops reading its source.
 * What it has taken stays up to a number of bytes, for a page that comes back with `Last-Event-ID`.
 */
import { Buffer } from 'node:buffer'
import { encode, FRAME, jsonPayload, type Outgoing } from './frames.ts'

/** The buffers of one frame. */
type Block = readonly Buffer[]

export class EventLog {
  readonly #replay: number
  /** Frames from the id `#first` on; `#skip` of them at the front are let go already. */
  #blocks: (Block | undefined)[] = []
  #skip = 0
  #first = 1
  #bytes = 0
  #next = 1
  /** The id that the stream takes next. */
  #cursor = 1
  /** Frames from here on were handed to the connection by the last `take` and may still be on their way out of here. */
  #inFlight = 1
  #queued = 0

  /** @param replay bytes of taken frames that are kept */
  constructor(replay: number) {
    this.#replay = replay
  }

  /** Bytes that the stream has still to take. */
  get queued(): number {
    return this.#queued
  }

  /** Bytes of all that is held, taken or not. */
  get held(): number {
    return this.#bytes
  }

  /** Lets go what the stream has taken: a page that resumes before it hears of a gap. */
  release(): void {
    this.#evict(0)
  }

  /** Lets go everything. */
  clear(): void {
    this.#moveTo(this.#next)
    this.#evict(0)
  }

  /** The newest id, 0 for none. */
  get last(): number {
    return this.#next - 1
  }

  append(event: Outgoing): void {
    for (const block of encode(event, this.#next)) {
      this.#blocks.push(block)
      this.#next++
      this.#bytes += lengthOf(block)
      this.#queued += lengthOf(block)
    }
  }

  /**
   * Moves the cursor behind `id`, wherever it stood.
   * @returns a `gap` frame where frames behind `id` are no longer held
   */
  resumeAfter(id: number): Buffer | undefined {
    if (id >= this.#next) {
      // An id that was never given: the page was forgotten, or this is another proxy than the one that gave it.
      this.#moveTo(this.#first)
      return this.#gap({ lost: 0, reset: true })
    }
    this.#moveTo(Math.max(id + 1, this.#first))
    const lost = this.#first - id - 1
    return lost > 0 ? this.#gap({ lost }) : undefined
  }

  /** The next frames, as one piece of at least one frame and otherwise at most `limit` bytes. */
  take(limit: number): Buffer | undefined {
    const pieces: Buffer[] = []
    let bytes = 0
    this.#inFlight = this.#cursor
    while (this.#cursor < this.#next) {
      const block = this.#block(this.#cursor)
      const length = lengthOf(block)
      if (pieces.length > 0 && bytes + length > limit) break
      pieces.push(...block)
      bytes += length
      this.#cursor++
    }
    this.#queued -= bytes
    this.#evict()
    return pieces.length > 1 ? Buffer.concat(pieces, bytes) : pieces[0]
  }

  /** Its id is that of the last missing frame, which the next one follows. */
  #gap(gap: { lost: number; reset?: true }): Buffer {
    const [frame] = encode({ type: FRAME.gap, subject: 0, payload: jsonPayload(gap) }, this.#first - 1)
    return frame![0]!
  }

  #block(id: number): Block {
    return this.#blocks[id - this.#first + this.#skip]!
  }

  #moveTo(id: number): void {
    this.#cursor = id
    this.#inFlight = id
    this.#queued = 0
    for (let each = id; each < this.#next; each++) this.#queued += lengthOf(this.#block(each))
  }

  #evict(keep = this.#replay): void {
    while (this.#bytes > keep && this.#first < this.#inFlight) {
      this.#bytes -= lengthOf(this.#blocks[this.#skip]!)
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

function lengthOf(block: Block): number {
  return block.length === 1 ? block[0]!.length : block[0]!.length + block[1]!.length
}
