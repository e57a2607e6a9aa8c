/** Builds frames like the kernel's. */
import type { Frame, FrameDraft, Json, JsonObject, MessageKind } from '../../web/mcp/index.ts'

/** The part of a draft that a test provides; the link is always `s1`. */
export type Said = FrameDraft extends infer Draft ? (Draft extends unknown ? Omit<Draft, 'link'> : never) : never

export class Frames {
  readonly all: Frame[] = []

  add(draft: Said): number {
    const seq = this.all.length
    this.all.push({ ...draft, link: 's1', seq, at: seq * 3 })
    return seq
  }

  message(direction: 'sent' | 'received', message: Json, carrier?: number): number {
    const text = JSON.stringify(message)
    const { method, result } = message as JsonObject
    const type: MessageKind = method === undefined ? (result === undefined ? 'error' : 'result') : 'request'
    return this.add({
      kind: 'message',
      direction,
      type,
      message,
      size: text.length,
      ...(carrier === undefined ? {} : { carrier }),
    })
  }

  /** A call over HTTP with its response. @returns the seq of its request */
  call(
    id: number,
    params: JsonObject,
    result: JsonObject,
    url = 'http://127.0.0.1/mcp',
    headers: readonly (readonly [string, string])[] = [],
  ): number {
    const request = this.add({
      kind: 'http',
      phase: 'request',
      method: 'POST',
      url,
      headers,
      size: 10,
      purpose: 'message',
    })
    const sent = this.message('sent', { jsonrpc: '2.0', id, method: 'tools/call', params }, request)
    this.add({
      kind: 'http',
      phase: 'response',
      request,
      status: 200,
      statusText: 'OK',
      headers: [['content-type', 'application/json']],
    })
    this.message('received', { jsonrpc: '2.0', id, result }, request)
    this.add({ kind: 'http', phase: 'end', request, size: 20 })
    return sent
  }

  say(...texts: readonly string[]): JsonObject {
    return { content: texts.map((text) => ({ type: 'text', text })) }
  }
}
