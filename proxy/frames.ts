/** Encodes the frames of a page's stream (`wire.ts`). */
import { Buffer } from 'node:buffer'
import type { FrameFlags, FrameTypes } from './wire.ts'

export const FRAME: FrameTypes = {
  line: 0x4c,
  stderr: 0x53,
  ending: 0x4e,
  exit: 0x58,
  lost: 0x4f,
  gap: 0x47,
  idle: 0x49,
  head: 0x48,
  data: 0x44,
  end: 0x45,
  failed: 0x46,
}
export type FrameType = FrameTypes[keyof FrameTypes]

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
