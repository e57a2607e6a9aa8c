/**
 * The user's consent: the window of the authorization server, and which parts of the
 * authorization response may be shown.
 */
import type { Link } from '../../mcp/index.ts'
import { AuthError, type GivenClient, type SignInOptions, type SignInState, fault } from '../model/index.ts'
import type { Flow, FlowRecord, Mode, RunRecord } from '../flow/index.ts'
import type { Popup } from './popup.ts'
import { type Astray, NoReturn } from './return.ts'

export type FlowWhy = 'asked' | 'unauthorized' | 'insufficient-scope'

/** What a reloaded page needs to resume the sign-in; secrets that the user typed are excluded. */
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

export interface ConsentRequest {
  readonly url: string
  readonly state: string
  readonly data: PendingSignIn
  readonly signal: AbortSignal
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

  /** A response arrived that can't be assigned to a sign-in: it may be this sign-in's, or nonsense. */
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
    this.#resumed = { state, ...(returned === undefined ? {} : { returned }) }
  }

  /** Navigates the whole page there; the callback page returns to it. */
  redirect(): void {
    const host = this.#host
    if (!host.leave || !this.#request) return
    const { state, data, url } = this.#request
    if (host.keepPending?.(state, 'redirect', data) !== false) host.leave(url)
  }

  /** @throws {AuthError} `no-answer`; or the signal's reason */
  async ask(request: ConsentRequest): Promise<string> {
    const { url, state, data, signal } = request
    const resumed = this.#resumed?.state === state ? this.#resumed : undefined
    this.#resumed = undefined
    if (resumed?.returned !== undefined) {
      this.#host.dropPending?.(state)
      return resumed.returned
    }
    this.#request = request
    this.#host.keepPending?.(state, 'popup', data)
    try {
      if (resumed) this.#window = 'resumed'
      else this.#send(url)
      this.#changed()
      // Don't require a second click if redirecting would lose nothing else.
      if (this.#window === 'blocked' && data.mode === 'automatic' && this.#host.mayLeave?.()) this.redirect()
      return await this.#host.awaitReturn(state, signal, (why) => {
        this.#astray = why
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

export const pendingOf = (
  flow: Flow,
  known: SignInState,
  more: { readonly link: Link; readonly why: FlowWhy; readonly held: string | undefined },
): PendingSignIn => ({
  link: more.link,
  server: known.server,
  known: storable(known),
  options: withoutSecrets(flow.options),
  mode: flow.mode,
  why: more.why,
  ...(more.held === undefined ? {} : { held: more.held }),
})

const withoutSecrets = ({ client, idp: _, assertion: __, ...rest }: SignInOptions): SignInOptions => {
  if (!client) return rest
  const { secret: ___, privateKey: ____, ...kept } = client
  return { ...rest, client: kept satisfies GivenClient }
}

/** What the user typed stays in memory only; what the server issued may be needed after a reload. */
const storable = ({ registration, tokens: _, assertion: __, ...known }: SignInState): SignInState => {
  if (!registration) return known
  if (registration.source === 'dynamic') return { ...known, registration }
  const { clientSecret: ___, privateKey: ____, ...kept } = registration
  return { ...known, registration: kept }
}

/** The query, given as such or as a whole URL copied from the address bar. */
export const queryOf = (text: string): string =>
  (text.includes('?') ? text.slice(text.indexOf('?') + 1).replace(/#.*$/, '') : text).trim()

/** AU-FLOW-10: codes that mean the response may belong to another sign-in, or come from an issuer that wasn't asked. */
const STRANGE: ReadonlySet<string> = new Set(['iss-mismatch', 'iss-missing', 'state-mismatch', 'repeated-parameter'])

/** The response may have been written by someone else. */
export const isStrange = ({ stops, fault, checks }: RunRecord): boolean =>
  [...stops, ...(fault ? [fault] : [])].some(({ code }) => STRANGE.has(code)) ||
  checks.some(
    ({ ok, say }) => ok === false && (say === 'iss-differs' || say === 'iss-missing' || say === 'state-differs'),
  )

type Returned =
  | { readonly shown: true; readonly parameters: readonly (readonly [name: string, value: string])[] }
  /** `judged`: not checked yet; `strange`: it may be someone else's. */
  | { readonly shown: false; readonly why: 'judged' | 'strange' }

/** @returns `undefined` if nothing has come back yet */
export const returnedOf = ({ steps }: FlowRecord): Returned | undefined => {
  const run = steps.find(({ step }) => step === 'authorization')?.run
  const query = run?.learned.returned
  if (typeof query !== 'string') return undefined
  const callback = steps.find(({ step }) => step === 'callback')?.run
  if (callback && isStrange(callback)) return { shown: false, why: 'strange' }
  // The frame with the results of the checks is recorded at the end of the step. A later fault
  // also means that they passed.
  const passed = callback && (callback.endedAt !== undefined || callback.fault !== undefined)
  if (!passed) return { shown: false, why: 'judged' }
  return { shown: true, parameters: [...new URLSearchParams(query)].slice(0, 50) }
}
