/**
 * Sign-ins of this tab that are under way: kept in the tab's own storage, so that they outlive a full-page redirect, or
 * a reload in the middle. They hold what the answer is judged by (issuer, verifier, state; AU-FLOW-07), so they are
 * secret, and go as soon as the answer is there, or after ten minutes.
 */
import { keysOf, WAIT_LIMIT, type ReturnStorage } from './return.ts'

const PREFIX = 'periscope.oauth.pending.'
/** Characters of the address within the page, and of a record. */
const LONGEST_ROUTE = 2048
const LONGEST_RECORD = 262_144

export interface Pending {
  readonly state: string
  /** `redirect`: this tab itself went to the authorization server, and the callback page brings it back here. */
  readonly mode: 'popup' | 'redirect'
  /** Where in the page to go then: a fragment, with its `#`. */
  readonly returnTo: string
  /** What the sign-in needs to go on: plain JSON. */
  readonly data: unknown
}

/**
 * Never throws: how large it is, and where in the page the user is, may be a server's doing. A `returnTo` that is no
 * short fragment becomes `#/`.
 *
 * @param storage `sessionStorage`
 * @returns `false` where the browser keeps nothing, or not that much: then a full-page redirect would lose the sign-in
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

/** All that are not older than ten minutes, the newest first; the others are removed. Never throws. */
export const listPending = (storage: ReturnStorage, now = Date.now()): Pending[] => {
  try {
    const found: (Pending & { at: number })[] = []
    for (const key of keysOf(storage, PREFIX)) {
      const pending = parse(key.slice(PREFIX.length), storage.getItem(key))
      // Also one from the future: the clock was set, and nobody knows how old it is.
      if (pending && pending.at > now - WAIT_LIMIT && pending.at <= now) found.push(pending)
      else storage.removeItem(key)
    }
    return found.sort((a, b) => b.at - a.at).map(({ at: _, ...pending }) => pending)
  } catch {
    return []
  }
}

/** Never throws. */
export const dropPending = (storage: ReturnStorage, state: string): void => {
  try {
    storage.removeItem(PREFIX + state)
  } catch {
    // Refused: then nothing was kept either.
  }
}

/** The callback page has the same rule: behind its `../` a fragment leads nowhere but to Periscope. */
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
