/**
 * How the answer of an authorization server comes back to the page that waits for it.
 *
 * The other end of the conversation is `public/oauth/callback.js`, the page at the redirect URI, which may stand in a
 * popup, in another tab, or (after a full-page redirect) in the tab where Periscope was. `opener` and `popup.closed`
 * have no part in it: a login page with `Cross-Origin-Opener-Policy: same-origin` takes both away.
 *
 *     callback                              the page
 *        | -- returned {state} ---------------> |   all tabs hear it; it holds no secret
 *        | <------- waiting {state, waiter} --- |   also sent by a page that begins to wait, so either may come first
 *        | -- returned {state, query, to} ----> |   to the first that asked
 *        | <--------- taken {state, waiter} --- |
 *
 * Where the BroadcastChannel leads nowhere, the callback page puts `{at, query}` into the storage that all tabs share,
 * under `periscope.oauth.returned.<state>`; who takes it writes `taken` over it and removes it.
 */

/** The file at the redirect URI, relative to the page's folder. */
const CALLBACK = 'oauth/callback.html'
export const CHANNEL = 'periscope.oauth'

/**
 * Characters of a query. Real answers have a few hundred; of more than 16 KB no usual web server takes the request, and
 * its user would see that server's error page instead of ours.
 */
export const LONGEST_QUERY = 8192
/** ms that an answer may lie in the storage all tabs share. */
const SHARED_FOR = 60_000
/** ms that a tab waits, by default. Codes live for ten minutes at most (RFC 6749 section 4.1.2). */
export const WAIT_LIMIT = 600_000
/** A timer this late was held back by the browser: what came meanwhile may still have to be read. */
const LATE = 1500
/** ms for that. */
const GRACE = 1000
/** ms; more would fire at once. */
const LONGEST_TIMER = 2_000_000_000

/** A BroadcastChannel, as far as it is used. */
export interface ReturnChannel {
  postMessage(message: unknown): void
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  removeEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
}

/** A Storage, as far as it is used. */
export interface ReturnStorage {
  readonly length: number
  key(index: number): string | null
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

/** An answer came that can be handed to nobody: why. It says nothing of whose it was. */
export type Astray = 'fragment' | 'no-state' | 'too-long'

export interface ReturnWait {
  /** The `state` of the authorization request. */
  readonly state: string
  /** `new BroadcastChannel(CHANNEL)`; stays open. */
  readonly channel?: ReturnChannel
  /** `localStorage`, the second route. */
  readonly storage?: ReturnStorage
  /** `window`: its `storage` events, and those by which a tab that slept wakes. */
  readonly events?: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>
  readonly signal?: AbortSignal
  /** ms */
  readonly timeout?: number
  /** Only a hint: anybody can open the callback page with nonsense. The wait goes on. */
  readonly onAstray?: (why: Astray) => void
}

/**
 * `no-answer`: nothing came in time. `taken-elsewhere`: another page with the same sign-in, such as a duplicate of
 * this tab, took it; a code is good for one use only, so this page must not have it too.
 */
export class NoReturn extends Error {
  override readonly name = 'NoReturn'
  readonly code: 'no-answer' | 'taken-elsewhere'
  constructor(code: NoReturn['code'], message: string) {
    super(message)
    this.code = code
  }
}

/** The redirect URI of the page in this folder. @param base address of the folder, closed by a slash (AU-REG-10) */
export const redirectUriOf = (base: string): string => new URL(CALLBACK, base).href
/** What a popup shows until there is somewhere to go: plain words instead of an empty window. */
export const openingUrlOf = (base: string): string => `${redirectUriOf(base)}#opening`

/**
 * The query (without `?`) with which the browser came back for this `state`, by whichever route is first. Nothing in it
 * is judged, except that it has this `state`, once (AU-FLOW-06). Answers for other sign-ins are left alone.
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
    /** Whether it was there. */
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
          // The computer slept, or the tab did: what the callback page said meanwhile may stand behind this timer.
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
    // The callback page may have been there first: while this page was loaded again, for example.
    wake()
  })

/** A tab that slept may have missed what was said, on either route. */
const WAKING = ['focus', 'pageshow', 'visibilitychange']

const isAstray = (reason: unknown): reason is Astray =>
  reason === 'fragment' || reason === 'no-state' || reason === 'too-long'

const reasonOf = (signal: AbortSignal): Error =>
  signal.reason instanceof Error ? signal.reason : new DOMException('The sign-in was cancelled.', 'AbortError')

/** `randomUUID` is missing where a page is not in a secure context. */
const waiterName = (): string => crypto.getRandomValues(new Uint32Array(3)).join('-')

/** Whether this is a query of bounded length that has this `state`, and no other. */
const belongs = (query: unknown, state: string): query is string => {
  if (typeof query !== 'string' || query.length > LONGEST_QUERY) return false
  const states = new URLSearchParams(query).getAll('state')
  return states.length === 1 && states[0] === state
}

const PREFIX = 'periscope.oauth.returned.'
const TAKEN = 'taken'

/** What the callback page put there, if it is for this state and not too old. */
const parseReturned = (text: string | null, state: string, oldest: number): string | undefined => {
  if (text === null || text.length > 2 * LONGEST_QUERY) return undefined
  try {
    const { at, query } = JSON.parse(text) as { at?: unknown; query?: unknown }
    return typeof at === 'number' && at >= oldest && belongs(query, state) ? query : undefined
  } catch {
    return undefined
  }
}

/** Storage throws where it is refused, and where it is full. */
const attempt = <T>(act: () => T): T | undefined => {
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
    // The callback page sees this in a storage event, which is its receipt.
    attempt(() => storage?.setItem(key, TAKEN))
    storage?.removeItem(key)
    return query
  })

/** What a callback page left behind that was killed rather than closed. */
const sweepShared = (storage: ReturnStorage | undefined): void =>
  void attempt(() => {
    for (const key of keysOf(storage, PREFIX)) {
      const state = key.slice(PREFIX.length)
      const text = storage?.getItem(key) ?? null
      if (text !== TAKEN && parseReturned(text, state, Date.now() - SHARED_FOR) === undefined) storage?.removeItem(key)
    }
  })

/** The rest of each key with this beginning, taken before anything is removed. */
export const keysOf = (storage: ReturnStorage | undefined, prefix: string): string[] => {
  if (!storage) return []
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index))
  return keys.filter((key) => key?.startsWith(prefix)) as string[]
}

/**
 * Takes what the callback page left for this tab before it went back to Periscope, and removes it.
 * @param storage `sessionStorage`
 */
export const takeReturned = (storage: ReturnStorage, state: string, now = Date.now()): string | undefined =>
  attempt(() => {
    const text = storage.getItem(PREFIX + state)
    storage.removeItem(PREFIX + state)
    return parseReturned(text, state, now - WAIT_LIMIT)
  })

/**
 * The states of all answers that lie in this tab. One without a pending sign-in was brought here by "Continue in this
 * tab": it cannot be used, and who sees it is told to start again.
 * @param storage `sessionStorage`
 */
export const listReturned = (storage: ReturnStorage): string[] =>
  attempt(() => keysOf(storage, PREFIX).map((key) => key.slice(PREFIX.length))) ?? []
