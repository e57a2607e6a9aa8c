/**
 * Pending sign-ins of this tab, in session storage, so that they survive a full-page redirect or a reload. They contain
 * what the response is checked against (issuer, verifier, state; AU-FLOW-07), so they are secret and are removed when
 * the response arrives, or after ten minutes.
 */
import { keysOf, WAIT_LIMIT, type ReturnStorage } from './return.ts'

const PREFIX = 'periscope.oauth.pending.'
/** Maximum characters of the route within the page, and of a record. */
const LONGEST_ROUTE = 2048
const LONGEST_RECORD = 262_144

export interface Pending {
  readonly state: string
  /** `redirect`: this tab itself went to the authorization server, and the callback page returns here. */
  readonly mode: 'popup' | 'redirect'
  /** The route to return to: a fragment with its `#`. */
  readonly returnTo: string
  /** What the sign-in needs to resume, as plain JSON. */
  readonly data: unknown
}

/**
 * Never throws: the size of the data and the user's route may be influenced by a server. A `returnTo` that isn't a
 * short fragment becomes `#/`.
 *
 * @param storage `sessionStorage`
 * @returns `false` if the browser can't store it; a full-page redirect would then lose the sign-in
 */
export const savePending = (storage: ReturnStorage, pending: Pending, now = Date.now()): boolean => {
  const { state, mode, returnTo, data } = pending
  const text = JSON.stringify({ mode, returnTo: isRoute(returnTo) ? returnTo : '#/', at: now, data })
  if (text.length > LONGEST_RECORD) return false
  try {
    storage.setItem(PREFIX + state, text)
    return storage.getItem(PREFIX + state) === text
  } catch {
    return false
  }
}

/** All pending sign-ins of the last ten minutes, newest first; the others are removed. Never throws. */
export const listPending = (storage: ReturnStorage, now = Date.now()): Pending[] => {
  try {
    const found: (Pending & { at: number })[] = []
    for (const key of keysOf(storage, PREFIX)) {
      const pending = parse(key.slice(PREFIX.length), storage.getItem(key))
      // Also removes records from the future: the clock was changed, so their age is unknown.
      if (pending && pending.at > now - WAIT_LIMIT && pending.at <= now) found.push(pending)
      else storage.removeItem(key)
    }
    return found.sort((a, b) => b.at - a.at).map(({ at: _, ...pending }) => pending)
  } catch {
    return []
  }
}

export const dropPending = (storage: ReturnStorage, state: string): void => {
  try {
    storage.removeItem(PREFIX + state)
  } catch {
    // Access was denied, so nothing was stored either.
  }
}

/** The callback page has the same rule: after its `../`, a fragment can only lead to Periscope. */
const isRoute = (text: unknown): text is string =>
  typeof text === 'string' &&
  text.startsWith('#') &&
  text.length <= LONGEST_ROUTE &&
  Array.from(text).every((character) => character >= ' ' && character !== '\x7f')

const parse = (state: string, text: string | null): (Pending & { at: number }) | undefined => {
  if (text === null || text.length > LONGEST_RECORD) return undefined
  try {
    const { mode, returnTo, at, data } = JSON.parse(text) as Record<string, unknown>
    if ((mode !== 'popup' && mode !== 'redirect') || !isRoute(returnTo) || typeof at !== 'number') return undefined
    return { state, mode, returnTo, at, data }
  } catch {
    return undefined
  }
}
