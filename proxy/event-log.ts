/**
 * The events of one page as frames, numbered from 1, with the stream's cursor.
 * Frames that the stream hasn't taken are never dropped: writers check `queued` and stop reading their source.
 * Frames it has taken stay, up to a number of bytes, for a page that resumes with `Last-Event-ID`.
 */
import { Buffer } from 'node:buffer'
import type { FrameFlags, FrameTypes } from './wire.ts'

// Encodes the frames of a page's stream (`wire.ts`).

export const FRAME: FrameTypes = {
  line: 0x4c,
  stderr: 0x53,
  unfinished: 0x55,
  ending: 0x4e,
  exit: 0x58,
  closed: 0x43,
  lost: 0x4f,
  gap: 0x47,
  files: 0x57,
  idle: 0x49,
  head: 0x48,
  data: 0x44,
  end: 0x45,
  failed: 0x46,
}
type FrameType = FrameTypes[keyof FrameTypes]

export const FLAG: FrameFlags = { more: 1, continued: 2, invalidUtf8: 4 }

/** Bytes of a frame's header. */
const HEAD = 16
/** Bytes of a frame's payload. */
const LARGEST_PAYLOAD = 256 * 1024
/** Payloads up to this size are copied after the header: two small buffers cost more than the copy. */
const COPIED = 8 * 1024

/** An event to send, before it has an ID. */
export interface Outgoing {
  readonly type: FrameType
  /** Which child or relayed request it belongs to; 0 for none. */
  readonly subject: number
  /** In pieces, so that a long line needn't be in one buffer. */
  readonly payload: readonly Uint8Array[]
  readonly invalidUtf8?: boolean
}

/** JSON as a frame's payload. */
export function jsonPayload(value: object): readonly Uint8Array[] {
  return [Buffer.from(JSON.stringify(value))]
}

/**
 * The frames of one event. Each has its own ID, so that a stream can resume in the middle of a long event.
 * @param id of the first frame
 * @returns the buffers of each frame
 */
export function encode({ type, subject, payload, invalidUtf8 = false }: Outgoing, id: number): Buffer[][] {
  const pieces = payload.flatMap((piece) => cut(piece))
  if (pieces.length === 0) pieces.push(Buffer.alloc(0))
  return pieces.map((piece, index) => {
    const copied = piece.length <= COPIED || piece.buffer.byteLength > 2 * piece.length
    const head = Buffer.allocUnsafe(copied ? HEAD + piece.length : HEAD)
    head[0] = type
    head[1] =
      (index < pieces.length - 1 ? FLAG.more : 0) |
      (index > 0 ? FLAG.continued : 0) |
      (invalidUtf8 ? FLAG.invalidUtf8 : 0)
    head.writeUIntBE(id + index, 2, 6)
    head.writeUInt32BE(subject, 8)
    head.writeUInt32BE(piece.length, 12)
    if (!copied) return [head, piece]
    // Copied, because a view would keep the whole larger buffer in memory.
    piece.copy(head, HEAD)
    return [head]
  })
}

function cut(bytes: Uint8Array): Buffer[] {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const pieces: Buffer[] = []
  for (let from = 0; from < whole.length; from += LARGEST_PAYLOAD) {
    pieces.push(whole.subarray(from, from + LARGEST_PAYLOAD))
  }
  return pieces
}

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
