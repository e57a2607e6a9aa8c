/**
 * A lookup table for folds: pending requests by id, with what the fold needs once the response arrives. Requests are sent,
 * cancelled and kept alive in `outgoing-requests.ts`; `jsonrpc-exchange.ts` holds the state of each.
 */
import type { Seq } from './frame.ts'
import { idKey, isRequestId, keyAmong, type RequestId } from './jsonrpc.ts'
import { setBounded } from './maps.ts'

/** A peer that never responds must not fill the memory, so the oldest requests beyond this are dropped. */
const MOST = 2000

/** Of one connection and one direction: the two sides number their requests independently. */
export class RequestsById<Request extends { readonly seq: Seq }> {
  // No `#`: states of folds are compared by their members.
  private readonly byId = new Map<string, Request>()

  get size(): number {
    return this.byId.size
  }

  /** If several have the same ID, the newest counts. */
  add(id: unknown, request: Request): void {
    if (!isRequestId(id)) return
    const key = idKey(id)
    this.byId.delete(key)
    setBounded(this.byId, key, request, MOST)
  }

  get(id: unknown): Request | undefined {
    return isRequestId(id) ? this.byId.get(keyAmong(this.byId, id)) : undefined
  }

  /** Removes the request that a response with this ID belongs to. */
  take(id: unknown): Request | undefined {
    const request = this.get(id)
    if (request) this.byId.delete(keyAmong(this.byId, id as RequestId))
    return request
  }

  /** Removes the requests of a frame that was given up: a batch holds several. */
  takeSent(seq: Seq): Request[] {
    const found = [...this.byId].filter(([, request]) => request.seq === seq)
    for (const [key] of found) this.byId.delete(key)
    return found.map(([, request]) => request)
  }

  /** Removes all requests: the connection is gone. */
  takeAll(): Request[] {
    const all = [...this.byId.values()]
    this.byId.clear()
    return all
  }

  values(): Iterable<Request> {
    return this.byId.values()
  }
}
