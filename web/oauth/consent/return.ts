/**
 * How the authorization response returns to the waiting page.
 *
 * The other side is `public/oauth/callback.js`, the page at the redirect URI. It may be in a popup, in another tab, or
 * (after a full-page redirect) in Periscope's own tab. It doesn't use `opener` or `popup.closed`: a login page with
 * `Cross-Origin-Opener-Policy: same-origin` breaks both.
 *
 *     callback                              the page
 *        | -- returned {state} ---------------> |   received by all tabs; contains no secret
 *        | <------- waiting {state, waiter} --- |   also sent when a page starts to wait, so either may come first
 *        | -- returned {state, query, to} ----> |   to the first page that sent `waiting`
 *        | <--------- taken {state, waiter} --- |
 *
 * If the BroadcastChannel doesn't work, the callback page stores `{at, query}` in the storage that all tabs share,
 * under `periscope.oauth.returned.<state>`; the page that takes it overwrites it with `taken` and removes it.
 */

/** The file at the redirect URI, relative to the page's directory. */
const CALLBACK = 'oauth/callback.html'
export const CHANNEL = 'periscope.oauth'

/**
 * Maximum characters of a query. Real responses have a few hundred; common web servers reject requests over 16 KB, so
 * the user would see their error page instead of ours.
 */
export const LONGEST_QUERY = 8192
/** ms for which a response may stay in the storage that all tabs share. */
const SHARED_FOR = 60_000
/** Default time limit of the wait, in ms. Codes are valid for ten minutes at most (RFC 6749 section 4.1.2). */
export const WAIT_LIMIT = 600_000
/** ms. If a timer fires this late, the browser suspended it, and messages may still be queued behind it. */
const LATE = 1500
/** ms to process those messages. */
const GRACE = 1000
/** ms; longer timers would fire immediately. */
const LONGEST_TIMER = 2_000_000_000

/** The members of `BroadcastChannel` used here. */
export interface ReturnChannel {
  postMessage(message: unknown): void
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  removeEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
}

/** The members of `Storage` used here. */
export interface ReturnStorage {
  readonly length: number
  key(index: number): string | null
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

/** Why a response can't be assigned to a sign-in. It doesn't tell whose it was. */
export type Astray = 'fragment' | 'no-state' | 'too-long'

interface ReturnWait {
  /** The `state` of the authorization request. */
  readonly state: string
  /** `new BroadcastChannel(CHANNEL)`; stays open. */
  readonly channel?: ReturnChannel
  /** `localStorage`, the second route. */
  readonly storage?: ReturnStorage
  /** `window`: its `storage` events, and the events that fire when a suspended tab wakes. */
  readonly events?: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>
  readonly signal?: AbortSignal
  /** ms */
  readonly timeout?: number
  /** Only a hint, because anyone can open the callback page with nonsense. The wait continues. */
  readonly onAstray?: (why: Astray) => void
}

/**
 * `no-answer`: no response arrived in time. `taken-elsewhere`: another page with the same sign-in, such as a duplicate
 * of this tab, took it; a code works only once, so this page must not use it as well.
 */
export class NoReturn extends Error {
  override readonly name = 'NoReturn'
  readonly code: 'no-answer' | 'taken-elsewhere'
  constructor(code: NoReturn['code'], message: string) {
    super(message)
    this.code = code
  }
}

/** The redirect URI of the page in this directory. @param base URL of the directory, ending in a slash (AU-REG-10) */
export const redirectUriOf = (base: string): string => new URL(CALLBACK, base).href
/** What a popup shows until the URL is known: a short text instead of an empty window. */
export const openingUrlOf = (base: string): string => `${redirectUriOf(base)}#opening`

/**
 * The query (without `?`) with which the browser returned for this `state`, by whichever route is first. Nothing in it
 * is checked except that it has this `state` exactly once (AU-FLOW-06). Responses for other sign-ins are left alone.
 *
 * @throws {NoReturn} see there
 * @throws the signal's reason
 */
export const awaitReturn = (wait: ReturnWait): Promise<string> =>
  new Promise((resolve, reject) => {
    const { state, channel, storage, events, signal, timeout = WAIT_LIMIT, onAstray } = wait
    if (signal?.aborted) return reject(reasonOf(signal))
    const me = waiterName()
    const end = Date.now() + timeout
    let timer: ReturnType<typeof setTimeout>

    const settle = (finish: () => void) => {
      clearTimeout(timer)
      channel?.removeEventListener('message', hear)
      events?.removeEventListener('storage', look)
      for (const name of WAKING) events?.removeEventListener(name, wake)
      signal?.removeEventListener('abort', abort)
      finish()
    }
    const take = (query: string) => {
      takeShared(storage, state)
      channel?.postMessage({ type: 'taken', state, waiter: me })
      settle(() => resolve(query))
    }
    const hear = ({ data }: { readonly data: unknown }) => {
      if (typeof data !== 'object' || data === null) return
      const message = data as Record<string, unknown>
      if (message['type'] === 'astray') return isAstray(message['reason']) ? onAstray?.(message['reason']) : undefined
      if (message['state'] !== state) return
      if (message['type'] === 'taken' && typeof message['waiter'] === 'string') {
        settle(() =>
          reject(new NoReturn('taken-elsewhere', 'Another tab with the same sign-in received the response.')),
        )
      } else if (message['type'] === 'returned') {
        const { query, to } = message
        if (query === undefined) ask()
        else if ((to === undefined || to === me) && belongs(query, state)) take(query)
      }
    }
    const ask = () => channel?.postMessage({ type: 'waiting', state, waiter: me })
    /** @returns whether the response was there */
    const look = (): boolean => {
      const query = takeShared(storage, state)
      if (query === undefined) return false
      take(query)
      return true
    }
    const wake = () => {
      if (!look()) ask()
    }
    const abort = () => settle(() => reject(reasonOf(signal!)))
    const schedule = (delay: number) => {
      const due = Date.now() + delay
      timer = setTimeout(
        () => {
          const now = Date.now()
          if (now < end) return schedule(end - now)
          if (look()) return
          // The computer or the tab was suspended: messages of the callback page may be queued behind this timer.
          if (now - due > LATE) {
            ask()
            return schedule(GRACE)
          }
          settle(() =>
            reject(new NoReturn('no-answer', `No response came back within ${Math.round(timeout / 1000)} s.`)),
          )
        },
        Math.min(delay, LONGEST_TIMER),
      )
    }

    channel?.addEventListener('message', hear)
    events?.addEventListener('storage', look)
    for (const name of WAKING) events?.addEventListener(name, wake)
    signal?.addEventListener('abort', abort)
    schedule(Math.max(0, timeout))
    sweepShared(storage)
    // The callback page may have been first, for example while this page was reloading.
    wake()
  })

/** Events after which a suspended tab checks again, because it may have missed messages on either route. */
const WAKING = ['focus', 'pageshow', 'visibilitychange']

const isAstray = (reason: unknown): reason is Astray =>
  reason === 'fragment' || reason === 'no-state' || reason === 'too-long'

const reasonOf = (signal: AbortSignal): Error =>
  signal.reason instanceof Error ? signal.reason : new DOMException('The sign-in was cancelled.', 'AbortError')

/** `randomUUID` is missing outside secure contexts. */
const waiterName = (): string => crypto.getRandomValues(new Uint32Array(3)).join('-')

/** Whether this is a query of limited length with this `state` exactly once. */
const belongs = (query: unknown, state: string): query is string => {
  if (typeof query !== 'string' || query.length > LONGEST_QUERY) return false
  const states = new URLSearchParams(query).getAll('state')
  return states.length === 1 && states[0] === state
}

const PREFIX = 'periscope.oauth.returned.'
const TAKEN = 'taken'

/** The query that the callback page stored, if it is for this state and not too old. */
const parseReturned = (text: string | null, state: string, oldest: number): string | undefined => {
  if (text === null || text.length > 2 * LONGEST_QUERY) return undefined
  try {
    const { at, query } = JSON.parse(text) as { at?: unknown; query?: unknown }
    return typeof at === 'number' && at >= oldest && belongs(query, state) ? query : undefined
  } catch {
    return undefined
  }
}

/** For what may throw: storage if access is denied or it is full, and every member of a cross-origin window. */
export const attempt = <T>(act: () => T): T | undefined => {
  try {
    return act()
  } catch {
    return undefined
  }
}

const takeShared = (storage: ReturnStorage | undefined, state: string): string | undefined =>
  attempt(() => {
    const key = PREFIX + state
    const query = parseReturned(storage?.getItem(key) ?? null, state, Date.now() - SHARED_FOR)
    if (query === undefined) return undefined
    // The callback page sees this in a storage event, as a receipt.
    attempt(() => storage?.setItem(key, TAKEN))
    storage?.removeItem(key)
    return query
  })

/** Removes what terminated callback pages left behind. */
const sweepShared = (storage: ReturnStorage | undefined): void =>
  void attempt(() => {
    for (const key of keysOf(storage, PREFIX)) {
      const state = key.slice(PREFIX.length)
      const text = storage?.getItem(key) ?? null
      if (text !== TAKEN && parseReturned(text, state, Date.now() - SHARED_FOR) === undefined) storage?.removeItem(key)
    }
  })

/** The remainders of all keys with this prefix, collected before anything is removed. */
export const keysOf = (storage: ReturnStorage | undefined, prefix: string): string[] => {
  if (!storage) return []
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index))
  return keys.filter((key) => key?.startsWith(prefix)) as string[]
}

/**
 * Takes the response that the callback page left for this tab before it returned to Periscope, and removes it.
 * @param storage `sessionStorage`
 */
export const takeReturned = (storage: ReturnStorage, state: string, now = Date.now()): string | undefined =>
  attempt(() => {
    const text = storage.getItem(PREFIX + state)
    storage.removeItem(PREFIX + state)
    return parseReturned(text, state, now - WAIT_LIMIT)
  })

/**
 * The states of all responses stored in this tab. One without a pending sign-in was brought here by "Continue in this
 * tab": it can't be used, so the user is told to start again.
 * @param storage `sessionStorage`
 */
export const listReturned = (storage: ReturnStorage): string[] =>
  attempt(() => keysOf(storage, PREFIX).map((key) => key.slice(PREFIX.length))) ?? []

/*
 * Pending sign-ins of this tab, in session storage, so that they survive a full-page redirect or a reload. They contain
 * what the response is checked against (issuer, verifier, state; AU-FLOW-07), so they are secret and are removed when
 * the response arrives, or after ten minutes.
 */

const PENDING = 'periscope.oauth.pending.'
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
  const stored = attempt(() => {
    storage.setItem(PENDING + state, text)
    return storage.getItem(PENDING + state) === text
  })
  return stored ?? false
}

/** All pending sign-ins of the last ten minutes, newest first; the others are removed. Never throws. */
export const listPending = (storage: ReturnStorage, now = Date.now()): Pending[] =>
  attempt(() => {
    const found: (Pending & { at: number })[] = []
    for (const key of keysOf(storage, PENDING)) {
      const pending = parsePending(key.slice(PENDING.length), storage.getItem(key))
      // Also removes records from the future: the clock was changed, so their age is unknown.
      if (pending && pending.at > now - WAIT_LIMIT && pending.at <= now) found.push(pending)
      else storage.removeItem(key)
    }
    return found.sort((a, b) => b.at - a.at).map(({ at: _, ...pending }) => pending)
  }) ?? []

export const dropPending = (storage: ReturnStorage, state: string): void =>
  void attempt(() => storage.removeItem(PENDING + state))

/** The callback page has the same rule: after its `../`, a fragment can only lead to Periscope. */
const isRoute = (text: unknown): text is string =>
  typeof text === 'string' &&
  text.startsWith('#') &&
  text.length <= LONGEST_ROUTE &&
  Array.from(text).every((character) => character >= ' ' && character !== '\x7f')

const parsePending = (state: string, text: string | null): (Pending & { at: number }) | undefined => {
  if (text === null || text.length > LONGEST_RECORD) return undefined
  try {
    const { mode, returnTo, at, data } = JSON.parse(text) as Record<string, unknown>
    if ((mode !== 'popup' && mode !== 'redirect') || !isRoute(returnTo) || typeof at !== 'number') return undefined
    return { state, mode, returnTo, at, data }
  } catch {
    return undefined
  }
}
