/** Omits large bodies from exports: their size and SHA-256 stay, so that they can be compared with the originals. */
import { isObject, isRequestId, pacer } from '../mcp/index.ts'
import { hexOf, sha256 } from '../mcp/web-crypto.ts'
import type { Frame, Seq } from '../mcp/index.ts'

export interface Omission {
  readonly seq: Seq
  /** UTF-8 bytes. */
  readonly size: number
}

export interface WithoutBodies {
  readonly frames: readonly Frame[]
  readonly omitted: readonly Omission[]
}

/** @param above UTF-8 bytes: larger bodies are omitted. Hashes are of the text as exported, after redaction. */
export const withoutBodies = async (frames: readonly Frame[], above: number): Promise<WithoutBodies> => {
  const omitted: Omission[] = []
  const pause = pacer()
  const rest: Frame[] = []
  for (const frame of frames) {
    const text = 'size' in frame && (frame.size ?? 0) > above ? bodyOf(frame) : undefined
    if (text !== undefined) omitted.push({ seq: frame.seq, size: (frame as { readonly size: number }).size })
    rest.push(text === undefined ? frame : without(frame, hexOf(await sha256(text))))
    await pause()
  }
  return { frames: rest, omitted }
}

/** The text of a message, an HTTP body, or the data of a stream. */
export const bodyOf = (frame: Frame): string | undefined => {
  if (frame.kind === 'message')
    return frame.raw ?? (frame.message === undefined ? undefined : JSON.stringify(frame.message))
  if (frame.kind === 'http' && 'body' in frame) return frame.body
  return frame.kind === 'stream' && frame.event === 'data' ? frame.data : undefined
}

const without = (frame: Frame, digest: string): Frame => {
  if (frame.kind === 'message') {
    const { message, raw: _, ...rest } = frame
    const { id, method } = isObject(message) ? message : {}
    const known = { ...(isRequestId(id) ? { id } : {}), ...(typeof method === 'string' ? { method } : {}) }
    return { ...rest, released: known, omitted: { sha256: digest } }
  }
  const { body: _, data: __, ...rest } = frame as Frame & { readonly body?: string; readonly data?: string }
  return { ...rest, omitted: { sha256: digest } } as Frame
}
