/** The capabilities that the client declared: in `initialize`, or with its last request (2026-07-28, META-12). */
import { isObject } from '../../mcp/index.ts'
import type { Fold, JsonObject, Link } from '../../mcp/index.ts'

const KEY = 'io.modelcontextprotocol/clientCapabilities'

export const declaredFold: Fold<Map<Link, JsonObject>> = {
  initial: () => new Map(),
  step(state, frame) {
    if (frame.kind !== 'message' || frame.direction !== 'sent' || frame.byHand || !isObject(frame.message)) return false
    const { method, params } = frame.message
    if (!isObject(params)) return false
    const declared =
      method === 'initialize' ? params.capabilities : isObject(params._meta) ? params._meta[KEY] : undefined
    if (!isObject(declared) || state.get(frame.link) === declared) return false
    state.set(frame.link, declared)
  },
}
