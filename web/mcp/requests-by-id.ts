/**
 * A lookup table for folds: pending requests by id, with what the fold needs once the response arrives. Requests are sent,
 * cancelled and kept alive in `outgoing-requests.ts`; `jsonrpc-exchange.ts` holds the state of each.
 */
import type { Seq } from './frame.ts'
import { idInOtherType, idKey, isRequestId } from './jsonrpc.ts'
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
    const key = this.keyFor(id)
    return key === undefined ? undefined : this.byId.get(key)
  }

  /** Of the request with exactly this ID, otherwise of the one with the same ID in the other type (BP-06). */
  private keyFor(id: unknown): string | undefined {
    if (!isRequestId(id)) return undefined
    const other = this.byId.has(idKey(id)) ? undefined : idInOtherType(id)
    return idKey(other ?? id)
  }

  /** Removes the request that a response with this ID belongs to. */
  take(id: unknown): Request | undefined {
    const key = this.keyFor(id)
    const request = key === undefined ? undefined : this.byId.get(key)
    if (request) this.byId.delete(key!)
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
