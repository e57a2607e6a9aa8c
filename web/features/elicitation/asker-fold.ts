/** The URL or command of a server, shown to the user when the server requests input (CF-ELIC-03). */
import type { Fold, Link } from '../../mcp/index.ts'

export const askerFold: Fold<Map<Link, string>> = {
  initial: () => new Map(),
  step(state, frame) {
    const where =
      frame.kind === 'http' && frame.phase === 'request' && frame.purpose === 'message'
        ? frame.url
        : frame.kind === 'process' && frame.event === 'spawn'
          ? [frame.command, ...frame.args].join(' ')
          : undefined
    if (where === undefined || state.get(frame.link) === where) return false
    state.set(frame.link, where)
  },
}
