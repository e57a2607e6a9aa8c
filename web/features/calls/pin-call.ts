/** Pins a call of the trace, or removes its pin. Loaded when the user asks for it. */
import type { Seq } from '../../mcp/index.ts'
import { loadRedaction } from '../../share/lazy.ts'
import type { ServerView } from '../feature.ts'
import { pagePins, pinOf } from './pins.ts'

/** `not-stored`: its name contains a secret, it is too large, or the browser stores nothing. */
export type Pinned = 'pinned' | 'unpinned' | 'not-stored' | { readonly dropped: number }

/** @param seq the frame of the call's request */
export const togglePin = async (server: ServerView, seq: Seq): Promise<Pinned> => {
  const sent = server.trace.at(seq)
  const identity = server.toolSafety?.server
  if (!sent || identity === undefined) return 'not-stored'
  const { redactFrames } = await loadRedaction()
  const { frames } = await redactFrames([sent], server.trace)
  const pin = pinOf(frames[0], { server: identity, serverName: server.name })
  if (!pin) return 'not-stored'
  if (pagePins.has(pin)) {
    pagePins.remove(pin)
    return 'unpinned'
  }
  if (!pagePins.add(pin)) return 'not-stored'
  return pin.dropped.length > 0 ? { dropped: pin.dropped.length } : 'pinned'
}
