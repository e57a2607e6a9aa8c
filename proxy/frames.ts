/** The bytes of the frames that a page's stream is made of (`wire.ts`). */
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

/** Bytes of a frame before its payload. */
const HEAD = 16
/** Bytes of the payload of one frame. */
const LARGEST_PAYLOAD = 256 * 1024
/** A payload up to this size is copied behind its header: two small buffers cost more than the copy. */
const COPIED = 8 * 1024

/** What is to be sent, before it has an id. */
export interface Outgoing {
  readonly type: FrameType
  /** Which child or relayed request it belongs to; 0 for none. */
  readonly subject: number
  /** In pieces, so that a long line need not lie in one buffer. */
  readonly payload: readonly Uint8Array[]
  readonly invalidUtf8?: boolean
}

/** JSON as the payload of a frame. */
export function jsonPayload(value: object): readonly Uint8Array[] {
  return [Buffer.from(JSON.stringify(value))]
}

/**
 * The frames of one event. Each has an id of its own, so that a stream can be resumed in the middle of a long event.
 * @param id of the first frame
 * @returns for each frame the buffers that it is made of
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
    // A view of a larger buffer would keep all of it for as long as the frame is held.
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
