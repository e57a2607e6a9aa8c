/**
 * The events of one page as frames, numbered from 1, with the stream's cursor.
 * Frames that the stream hasn't taken are never dropped: writers check `queued` and stop reading their source.
 * Frames it has taken stay, up to a number of bytes, for a page that resumes with `Last-Event-ID`.
 */
import { Buffer } from 'node:buffer'
import { encode, FRAME, jsonPayload, type Outgoing } from './frames.ts'

/** The buffers of one frame. */
type Block = readonly Buffer[]

export class EventLog {
  readonly #replay: number
  /** Frames from the ID `#first` on, after `#skip` released entries. */
  #blocks: (Block | undefined)[] = []
  #skip = 0
  #first = 1
  #bytes = 0
  #next = 1
  /** The ID that the stream takes next. */
  #cursor = 1
  /** Frames from here on were returned by the last `take` and may still be in transit. */
  #inFlight = 1
  #queued = 0

  /** @param replay bytes of taken frames to retain */
  constructor(replay: number) {
    this.#replay = replay
  }

  /** Bytes that the stream hasn't taken. */
  get queued(): number {
    return this.#queued
  }

  /** Bytes of all retained frames, taken or not. */
  get held(): number {
    return this.#bytes
  }

  /** Releases the frames that the stream has taken. A page that resumes before them gets a gap. */
  release(): void {
    this.#evict(0)
  }

  /** Releases everything. */
  clear(): void {
    this.#moveTo(this.#next)
    this.#evict(0)
  }

  /** The newest ID, 0 for none. */
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
   * Moves the cursor after `id`.
   * @returns a `gap` frame if frames after `id` were released
   */
  resumeAfter(id: number): Buffer | undefined {
    if (id >= this.#next) {
      // An unknown ID: the page was forgotten, or another proxy issued the ID.
      this.#moveTo(this.#first)
      return this.#gap({ lost: 0, reset: true })
    }
    this.#moveTo(Math.max(id + 1, this.#first))
    const lost = this.#first - id - 1
    return lost > 0 ? this.#gap({ lost }) : undefined
  }

  /** The next frames in one buffer: at least one frame, otherwise up to `limit` bytes. */
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

  /** Uses the ID of the last missing frame, so that the next frame follows it. */
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
    // Copying the rest takes time proportional to its length, so wait until it is the shorter part.
    if (this.#skip > 1024 && this.#skip * 2 > this.#blocks.length) {
      this.#blocks = this.#blocks.slice(this.#skip)
      this.#skip = 0
    }
  }
}

function lengthOf(block: Block): number {
  return block.length === 1 ? block[0]!.length : block[0]!.length + block[1]!.length
}
