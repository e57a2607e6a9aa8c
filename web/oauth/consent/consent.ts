/** The user's consent, in a window of the authorization server or by a redirect of the whole page. */
import type { Link } from '../../mcp/index.ts'
import { parsedUrl } from '../../mcp/url.ts'
import {
  AuthError,
  type FlowWhy,
  type GivenClient,
  type Mode,
  type Registration,
  type SignInOptions,
  type SignInState,
  fault,
  isLoopback,
} from '../model/index.ts'
import { type Astray, NoReturn, attempt } from './return.ts'

/** What a reloaded page needs to resume the sign-in. It is stored without the secrets that the user typed. */
export interface PendingSignIn {
  readonly link: Link
  readonly server: string
  readonly known: SignInState
  readonly options: SignInOptions
  readonly mode: Mode
  readonly why: FlowWhy
  readonly held?: string
}

/** State of the window in which the user signs in; `resumed`: it was opened before the page was reloaded. */
export type ConsentWindow = 'sent' | 'blocked' | 'gone' | 'resumed'

export interface ConsentHost {
  /** The query with which the browser returns for this state. @throws the signal's reason, or why none arrived */
  awaitReturn(state: string, signal: AbortSignal, onAstray: (why: Astray) => void): Promise<string>
  /** Stores what is needed to resume after the page is reloaded. @returns false if nothing can be stored */
  keepPending?(state: string, mode: 'popup' | 'redirect', data: PendingSignIn): boolean
  dropPending?(state: string): void
  /** Navigates the whole page there. */
  leave?(url: string): void
  /** Leaving the page loses no other connection. */
  mayLeave?(): boolean
}

interface ConsentRequest {
  readonly url: string
  readonly pending: PendingSignIn
  readonly signal: AbortSignal
  /** A response arrived that can't be assigned to a sign-in. */
  readonly onAstray?: (why: Astray) => void
}

export class Consent {
  readonly #host: ConsentHost
  readonly #changed: () => void
  #popup: Popup | undefined
  #window: ConsentWindow | undefined
  #request: ConsentRequest | undefined
  #astray: Astray | undefined
  #resumed: { readonly state: string; readonly returned?: string } | undefined

  constructor(host: ConsentHost, changed: () => void) {
    this.#host = host
    this.#changed = changed
  }

  get window(): ConsentWindow | undefined {
    return this.#window
  }
  get url(): string | undefined {
    return this.#request?.url
  }

  /** A response arrived that can't be assigned to a sign-in: it may be for this sign-in, or invalid. */
  get astray(): Astray | undefined {
    return this.#astray
  }

  /** The window of the next sign-in, or a replacement window if one is already waiting. */
  useWindow(popup: Popup | undefined): void {
    this.#popup = popup
    if (popup && this.#request) this.#send(this.#request.url)
  }

  closeWindow(): void {
    this.#popup?.close()
    this.#popup = undefined
  }

  /** The next wait is for this state, and opens no window. */
  resume(state: string, returned?: string): void {
    this.#resumed = { state, returned }
  }

  /** Navigates the whole page there; the callback page returns to it. */
  redirect(): void {
    const host = this.#host
    if (!host.leave || !this.#request) return
    const { pending, url } = this.#request
    if (host.keepPending?.(pending.known.state!, 'redirect', storable(pending)) !== false) host.leave(url)
  }

  /**
   * Lets the user sign in at this URL; resolves with the query that was returned for this state.
   * @throws {AuthError} `no-answer`; or the signal's reason
   */
  async ask(request: ConsentRequest): Promise<string> {
    const { url, pending, signal } = request
    const state = pending.known.state!
    const resumed = this.#resumed?.state === state ? this.#resumed : undefined
    this.#resumed = undefined
    if (resumed?.returned !== undefined) {
      this.#host.dropPending?.(state)
      return resumed.returned
    }
    this.#request = request
    this.#host.keepPending?.(state, 'popup', storable(pending))
    try {
      if (resumed) this.#window = 'resumed'
      else this.#send(url)
      this.#changed()
      // Don't require a second click if redirecting would lose nothing else.
      if (this.#window === 'blocked' && pending.mode === 'automatic' && this.#host.mayLeave?.()) this.redirect()
      return await this.#host.awaitReturn(state, signal, (why) => {
        this.#astray = why
        request.onAstray?.(why)
        this.#changed()
      })
    } catch (error) {
      if (signal.aborted || error instanceof AuthError) throw error
      const message = error instanceof Error ? error.message : String(error)
      const code = error instanceof NoReturn ? error.code : 'no-answer'
      throw new AuthError('authorization', fault(code, message), { cause: error })
    } finally {
      this.#host.dropPending?.(state)
      this.#request = undefined
      this.#window = undefined
      this.#astray = undefined
      this.#changed()
    }
  }

  #send(url: string): void {
    const popup = this.#popup
    const sent = popup === undefined || popup.blocked ? 'blocked' : popup.go(url)
    this.#window = sent === 'refused' ? 'gone' : sent
    this.#changed()
  }
}

/** What the user typed stays in memory only; what the server issued may be needed after a reload. */
const storable = (pending: PendingSignIn): PendingSignIn => {
  const { registration, tokens: _, assertion: __, ...known } = pending.known
  const { client, idp: ___, assertion: ____, ...options } = pending.options
  return {
    ...pending,
    known: registration ? { ...known, registration: storableClient(registration) } : known,
    options: client ? { ...options, client: withoutSecrets(client) } : options,
  }
}

const withoutSecrets = ({ secret: _, privateKey: __, ...client }: GivenClient): GivenClient => client

const storableClient = (registration: Registration): Registration => {
  if (registration.source === 'dynamic') return registration
  const { clientSecret: _, privateKey: __, ...kept } = registration
  return kept
}

/** The query, given as such or as a whole URL copied from the address bar. */
export const queryOf = (text: string): string =>
  (text.includes('?') ? text.slice(text.indexOf('?') + 1).replace(/#.*$/, '') : text).trim()

/** The members of `Window` used here. */
export interface OpenedWindow {
  opener: unknown
  readonly closed: boolean
  readonly location: { replace(url: string): void }
  close(): void
  focus(): void
}

interface PopupOptions {
  /** The page shown until the URL is known: `openingUrlOf(base)`. */
  readonly url: string
  /** The window to centre over, in CSS pixels: `screenX`, `screenY`, `outerWidth`, `outerHeight`. */
  readonly over?: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
}

export interface Popup {
  /** The browser blocked it: offer the full-page redirect, or a link. */
  readonly blocked: boolean
  /**
   * `sent`: navigation was requested; only the response shows whether it worked. `gone`: the window was closed or can't
   * be reached any more, so another must be opened in a click. `refused`: the URL is neither https nor http on
   * loopback, so nothing was done (AU-FLOW-12).
   */
  go(url: string): 'sent' | 'gone' | 'refused'
  /** Closes it while it shows our own page; browsers refuse once it shows the authorization server's. */
  close(): void
  focus(): void
}

const WIDTH = 520
const HEIGHT = 720

/**
 * The window in which a user signs in. It must be opened in the click handler, because browsers block popups opened
 * later; its URL is only known after discovery.
 *
 * @param open `window.open`, called immediately: call this in the click handler, before any `await`
 */
export const openPopup = (
  open: (url: string, name: string, features: string) => OpenedWindow | null,
  { url, over }: PopupOptions,
): Popup => {
  const opened = attempt(() => open(url, '_blank', features(over))) ?? undefined
  if (!opened) return { blocked: true, go: () => 'gone', close: () => {}, focus: () => {} }
  // The authorization server isn't trusted: with an opener, it could navigate Periscope's tab. The response returns by
  // other routes (return.ts), so the opener isn't needed.
  attempt(() => (opened.opener = null))
  return {
    blocked: false,
    go(target) {
      const wanted = parsedUrl(target)
      if (wanted?.protocol !== 'https:' && !(wanted?.protocol === 'http:' && isLoopback(wanted))) return 'refused'
      // Closed by its user, or isolated by a policy: neither can be navigated from here.
      if (opened.closed) return 'gone'
      return attempt(() => (opened.location.replace(wanted.href), true)) ? 'sent' : 'gone'
    },
    close: () => void attempt(() => opened.close()),
    focus: () => void attempt(() => opened.focus()),
  }
}

const features = (over: PopupOptions['over']): string => {
  const size = `popup=yes,width=${WIDTH},height=${HEIGHT}`
  if (!over) return size
  const left = Math.round(over.x + Math.max(0, (over.width - WIDTH) / 2))
  const top = Math.round(over.y + Math.max(0, (over.height - HEIGHT) / 2))
  return `${size},left=${left},top=${top}`
}
