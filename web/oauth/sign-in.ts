/**
 * Sign-in for one server: its flow while one runs, its credential, and what its user chose. What the screen shows of it
 * beyond the Trace is here, and all that it can do.
 */
import type { AuthStep, JsonObject, Link, Revision, Trace } from '../mcp/index.ts'
import { refreshTokens, revokeTokens, type AfterwardsHost } from './afterwards.ts'
import { Credential, type StepUp } from './credential.ts'
import type { Registration, TokenSet } from './credentials.ts'
import { AuthError, fault } from './fault.ts'
import { Flow, type Act, type Mode } from './flow.ts'
import type { GivenClient, Known, Refused, SignInOptions } from './known.ts'
import type { Popup } from './popup.ts'
import { profileFor } from './profile.ts'
import { Secrets } from './redact.ts'
import { Wire } from './request.ts'
import type { Vault } from './vault.ts'

export interface SignInHost {
  readonly trace: Trace
  readonly link: Link
  /** The MCP endpoint. */
  readonly server: () => string
  /** The only revision to speak, where the user chose one. */
  readonly pinned: () => Revision | undefined
  readonly vault: Vault
  readonly redirectUri: string
  readonly clientDocument?: string
  /** Default: the runtime's own. */
  readonly fetch?: typeof fetch
  /** Through the local proxy, where there is one. */
  readonly relay?: () => typeof fetch | undefined
  readonly now?: () => number
  /** Nobody is there: failures end the flow, and step-ups begin by themselves. */
  readonly unattended?: true
  /** The query with which the browser comes back for this state. @throws the signal's reason, or why none came */
  awaitReturn(state: string, signal: AbortSignal): Promise<string>
  /** Keeps what is needed to go on in another life of this page. @returns false where nothing can be kept */
  keepPending?(state: string, mode: 'popup' | 'redirect', data: PendingSignIn): boolean
  dropPending?(state: string): void
  /** Sends the whole page there. */
  leave?(url: string): void
  /** Leaving costs nothing: no other connection would be lost. */
  mayLeave?(): boolean
  /** New tokens are there: whoever is connected goes on with them, else this connects. @throws {AuthError} not taken */
  authorized(why: FlowWhy): Promise<void>
}

export type FlowWhy = 'asked' | 'unauthorized' | 'insufficient-scope'

/** What a reloaded page needs; secrets that its user typed in are not among it. */
export interface PendingSignIn {
  readonly link: Link
  readonly server: string
  readonly known: Known
  readonly options: SignInOptions
  readonly mode: Mode
  readonly why: FlowWhy
  readonly held?: string
}

/** How it stands with the window in which the user signs in. */
export type ConsentWindow = 'sent' | 'blocked' | 'gone' | 'resumed'

export interface AskedStepUp extends StepUp {
  readonly held: string | undefined
}

export class SignIn {
  readonly credential: Credential
  readonly #host: SignInHost
  readonly #secrets = new Secrets()
  readonly #listeners = new Set<() => void>()
  #wire: Wire | undefined
  #flow: Flow | undefined
  #options: SignInOptions = {}
  #popup: Popup | undefined
  #window: ConsentWindow | undefined
  #consentUrl: string | undefined
  #refused: Refused | undefined
  #registration: Registration | undefined
  #asked:
    | { readonly stepUp: AskedStepUp; readonly decide: (granted: boolean) => void; readonly over: Promise<boolean> }
    | undefined
  #error: AuthError | undefined
  #busy: 'refresh' | 'revocation' | undefined

  constructor(host: SignInHost) {
    this.#host = host
    const { trace, link } = host
    this.credential = new Credential({
      server: host.server,
      now: () => this.#now(),
      tokens: () => this.tokens,
      renews: () => this.tokens?.refreshToken !== undefined || this.#needsNobody,
      refresh: () => this.#renewed(),
      stepUp: (wanted, signal) => this.#steppedUp(wanted, signal),
      tell: (what, details) =>
        void trace.append({ kind: 'auth', flow: 'credential', link, event: 'credential', what, details }),
      refusedFor: (refused) => {
        this.#refused = refused
        this.#changed()
      },
    })
  }

  /** The sign-in under way, or the last one. */
  get flow(): Flow | undefined {
    return this.#flow
  }
  get tokens(): TokenSet | undefined {
    return this.#host.vault.tokensFor(this.#host.server())
  }
  get options(): SignInOptions {
    return this.#options
  }
  /** The window, while the user's consent is waited for. */
  get window(): ConsentWindow | undefined {
    return this.#window
  }
  get consentUrl(): string | undefined {
    return this.#consentUrl
  }
  /** The server refused, and nothing here could answer: a sign-in would. */
  get refused(): Refused | undefined {
    return this.#refused
  }
  /** A request stands still until its user decides whether to sign in for more. */
  get stepUp(): AskedStepUp | undefined {
    return this.#asked?.stepUp
  }
  /** Why the last refresh, revocation or sign-in came to nothing. */
  get error(): AuthError | undefined {
    return this.#error
  }
  get busy(): 'refresh' | 'revocation' | undefined {
    return this.#busy
  }
  get hasRelay(): boolean {
    return this.#host.relay?.() !== undefined
  }
  get canRedirect(): boolean {
    return this.#host.leave !== undefined
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** For the next sign-in. */
  set(options: SignInOptions): void {
    this.#options = options
    this.#changed()
  }

  /**
   * Signs in. Never throws: what happens is told by the Trace and by `error`.
   * @param popup opened in the click; without it the user is given a link
   */
  async begin(mode: Mode, popup?: Popup, why: FlowWhy = this.#refused ? 'unauthorized' : 'asked'): Promise<boolean> {
    this.#popup = popup
    return await this.#begin({ mode, why })
  }

  /** Takes up what another life of this page began; `returned` may be there already. */
  async resume(pending: PendingSignIn, state: string, returned?: string): Promise<boolean> {
    const { known, mode, why, held, options } = pending
    this.#options = { ...options, ...this.#options }
    this.#resumed = { state, ...(returned === undefined ? {} : { returned }) }
    return await this.#begin({ mode, why, known, from: 'authorization', ...(held === undefined ? {} : { held }) })
  }

  act(act: Act): void {
    this.#flow?.act(act)
  }

  /** Another window, opened in a click of its own. */
  openWindow(popup: Popup): void {
    this.#popup = popup
    if (this.#consentUrl !== undefined) this.#send(this.#consentUrl)
  }

  /** Goes there with the whole page; the callback page brings it back. */
  redirect(): void {
    const { leave } = this.#host
    const url = this.#consentUrl
    if (!leave || url === undefined || !this.#pending) return
    const { state, data } = this.#pending
    if (this.#host.keepPending?.(state, 'redirect', data) !== false) leave(url)
  }

  /** The query, or the whole address, to which the browser came back; for a user who copies it by hand. */
  returned(text: string): void {
    const query = text.includes('?') ? text.slice(text.indexOf('?') + 1).replace(/#.*$/, '') : text
    this.act({ do: 'returned', query: query.trim() })
  }

  /** The user signs in for what a request wants, or does not. @param popup opened in the click */
  async decideStepUp(granted: boolean, popup?: Popup): Promise<void> {
    const asked = this.#asked
    if (!asked) return
    if (!granted) return asked.decide(false)
    this.#popup = popup
    asked.decide(await this.#stepUpNow(asked.stepUp, 'automatic'))
  }

  /** Tokens that its user has from elsewhere. */
  paste(accessToken: string, refreshToken?: string): void {
    const tokens: TokenSet = {
      server: this.#host.server(),
      accessToken: accessToken.trim().replace(/^Bearer\s+/i, ''),
      tokenType: 'Bearer',
      receivedAt: this.#now(),
      ...(refreshToken === undefined || refreshToken.trim() === '' ? {} : { refreshToken: refreshToken.trim() }),
    }
    this.#secrets.know(tokens.accessToken)
    this.#secrets.know(tokens.refreshToken)
    this.#take(tokens)
    this.#changed()
  }

  /** Never throws; see `error`. */
  async refresh(): Promise<void> {
    await this.#do('refresh', async () => void (await this.#renewed()))
  }

  /** Ends the tokens at the server, and here. Never throws; see `error`. */
  async revoke(): Promise<void> {
    await this.#do('revocation', async () => {
      const { tokens } = this
      if (!tokens) return
      await revokeTokens(this.#afterwards(), tokens, this.#registrationOf(tokens), AbortSignal.timeout(60_000))
      this.forget()
    })
  }

  /** Drops the tokens here; at the server they stay good. */
  forget(): void {
    const { vault, server, trace, link } = this.#host
    if (this.tokens) {
      trace.append({ kind: 'auth', flow: 'credential', link, event: 'credential', what: 'forgotten', details: {} })
    }
    vault.forget(server())
    this.#registration = undefined
    this.#changed()
  }

  /** Stops what is under way. */
  cancel(): void {
    this.#asked?.decide(false)
    this.#flow?.act({ do: 'cancel' })
  }

  #pending: { readonly state: string; readonly data: PendingSignIn } | undefined
  #resumed: { readonly state: string; readonly returned?: string } | undefined

  async #begin(run: {
    readonly mode: Mode
    readonly why: FlowWhy
    readonly held?: string
    readonly known?: Known
    readonly from?: AuthStep
    readonly refused?: Refused
  }): Promise<boolean> {
    this.#flow?.act({ do: 'cancel' })
    const { trace, link, server, redirectUri, clientDocument, unattended, vault, pinned } = this.#host
    const { mode, why, held, from } = run
    const refused = run.refused ?? (why === 'asked' ? undefined : this.#refused)
    const known: Known = run.known ?? { server: server(), ...(refused ? { refused } : {}) }
    const flow: Flow = new Flow(
      {
        trace,
        link,
        wire: this.#wireNow(),
        secrets: this.#secrets,
        redirectUri,
        ...(clientDocument === undefined ? {} : { clientDocument }),
        now: () => this.#now(),
        registrationFor: (issuer) => this.#registeredWith(issuer),
        keep: (registration) => vault.putRegistration(registration),
        consent: (url, state, at, signal) => this.#consent(flow, { url, state, known: at, signal, why, held }),
        use: async (tokens) => {
          this.#registration = flow.known.registration
          this.#take(tokens)
          await this.#host.authorized(why)
        },
      },
      {
        known,
        profile: profileFor(pinned()),
        options: this.#options,
        mode,
        why,
        attended: unattended !== true,
        ...(held === undefined ? {} : { held }),
        ...(from === undefined ? {} : { from }),
      },
    )
    this.#flow = flow
    this.#error = undefined
    flow.subscribe(() => this.#changed())
    try {
      await flow.run()
      this.#refused = undefined
      return true
    } catch (error) {
      if (!(error instanceof AuthError)) throw error
      this.#error = error
      return false
    } finally {
      this.#options = boundTo(flow)
      this.#popup?.close()
      this.#popup = undefined
      this.#changed()
    }
  }

  async #consent(flow: Flow, { url, state, known, signal, why, held }: Consent): Promise<string> {
    const resumed = this.#resumed?.state === state ? this.#resumed : undefined
    this.#resumed = undefined
    if (resumed?.returned !== undefined) {
      this.#host.dropPending?.(state)
      return resumed.returned
    }
    const data: PendingSignIn = {
      link: this.#host.link,
      server: known.server,
      known: storable(known),
      options: withoutSecrets(flow.options),
      mode: flow.mode,
      why,
      ...(held === undefined ? {} : { held }),
    }
    this.#pending = { state, data }
    this.#consentUrl = url
    this.#host.keepPending?.(state, 'popup', data)
    try {
      if (resumed) this.#window = 'resumed'
      else this.#send(url)
      this.#changed()
      // One click is enough where nothing else would be lost by it.
      if (this.#window === 'blocked' && flow.mode === 'automatic' && this.#host.mayLeave?.()) this.redirect()
      return await this.#host.awaitReturn(state, signal)
    } catch (error) {
      if (signal.aborted) throw error
      if (error instanceof AuthError) throw error
      const message = error instanceof Error ? error.message : String(error)
      throw new AuthError('authorization', fault('no-answer', message), { cause: error })
    } finally {
      this.#host.dropPending?.(state)
      this.#pending = undefined
      this.#consentUrl = undefined
      this.#window = undefined
      this.#changed()
    }
  }

  #send(url: string): void {
    const popup = this.#popup
    const sent = popup === undefined || popup.blocked ? 'blocked' : popup.go(url)
    this.#window = sent === 'refused' ? 'gone' : sent
    this.#changed()
  }

  /** AU-PRM-08, AU-REG-12: what another issuer gave out is worth nothing here. */
  #registeredWith(issuer: string): Registration | undefined {
    const { vault, server, redirectUri, trace, link } = this.#host
    const discarded = vault.issuerChanged(server(), issuer)
    if (discarded) {
      const details: JsonObject = { from: discarded.issuer ?? null, to: issuer }
      trace.append({ kind: 'auth', flow: 'credential', link, event: 'credential', what: 'issuer-changed', details })
    }
    return vault.registrationFor(issuer, redirectUri)
  }

  #take(tokens: TokenSet): void {
    this.#host.vault.putTokens(tokens)
    this.credential.reset(tokens)
  }

  /** Grants without a user are gone through again; the others have a refresh token, or nothing. */
  get #needsNobody(): boolean {
    const { grant = 'authorization-code' } = this.#options
    return grant !== 'authorization-code' && this.tokens?.issuer !== undefined
  }

  async #renewed(): Promise<TokenSet> {
    const { vault, server } = this.#host
    return await vault.exchange(server(), async (current) => {
      if (current.refreshToken !== undefined) {
        const registration = this.#registrationOf(current)
        return await refreshTokens(this.#afterwards(), current, registration, AbortSignal.timeout(60_000))
      }
      if (!this.#needsNobody)
        throw new AuthError('refresh', fault('token-refused', 'There is no refresh token', 'AU-TOK-03'))
      return await this.#again()
    })
  }

  /** A sign-in that asks nobody, for tokens that ran out. */
  async #again(): Promise<TokenSet> {
    const { trace, link, server, redirectUri, pinned, vault } = this.#host
    const flow = new Flow(
      {
        trace,
        link,
        wire: this.#wireNow(),
        secrets: this.#secrets,
        redirectUri,
        now: () => this.#now(),
        registrationFor: (issuer) => vault.registrationFor(issuer, redirectUri),
        keep: (registration) => vault.putRegistration(registration),
        consent: () => Promise.reject(new AuthError('authorization', fault('no-answer', 'This grant asks nobody'))),
        use: async () => {},
      },
      {
        known: { server: server() },
        profile: profileFor(pinned()),
        options: this.#options,
        mode: 'automatic',
        why: 'unauthorized',
        attended: false,
      },
    )
    return await flow.run()
  }

  #registrationOf(tokens: TokenSet): Registration {
    const { issuer = '', clientId = '' } = tokens
    const { vault, redirectUri } = this.#host
    const own = [this.#registration, vault.registrationFor(issuer, redirectUri)]
    const known = own.find((one) => one?.issuer === issuer && one.clientId === clientId)
    return known ?? { issuer, clientId, source: 'by-hand', method: 'none' }
  }

  /** Requests that want more wait for one decision together. */
  async #steppedUp(wanted: StepUp, signal: AbortSignal): Promise<boolean> {
    const { requestedScope, scope } = this.tokens ?? {}
    const stepUp: AskedStepUp = { ...wanted, held: requestedScope ?? scope }
    if (this.#host.unattended) return await this.#stepUpNow(stepUp, 'automatic')
    if (this.#needsNobody) return await this.#stepUpNow(stepUp, 'automatic')
    if (this.#asked) return await this.#asked.over
    let decide!: (granted: boolean) => void
    const over = new Promise<boolean>((resolve) => (decide = resolve))
    const decided = (granted: boolean) => {
      signal.removeEventListener('abort', gone)
      if (this.#asked?.over === over) this.#asked = undefined
      this.#changed()
      decide(granted)
    }
    const gone = () => decided(false)
    signal.addEventListener('abort', gone)
    this.#asked = { stepUp, decide: decided, over }
    this.#changed()
    return await over
  }

  async #stepUpNow({ refused, held }: AskedStepUp, mode: Mode): Promise<boolean> {
    return await this.#begin({ mode, why: 'insufficient-scope', refused, ...(held === undefined ? {} : { held }) })
  }

  async #do(what: 'refresh' | 'revocation', work: () => Promise<void>): Promise<void> {
    this.#busy = what
    this.#error = undefined
    this.#changed()
    try {
      await work()
    } catch (error) {
      if (!(error instanceof AuthError)) throw error
      this.#error = error
    } finally {
      this.#busy = undefined
      this.#changed()
    }
  }

  #afterwards(): AfterwardsHost {
    const { trace, link, pinned } = this.#host
    const profile = profileFor(pinned())
    return { trace, link, wire: this.#wireNow(), secrets: this.#secrets, profile, now: () => this.#now() }
  }

  /** What it found out of each address, CORS above all, is worth keeping; the relay may come later. */
  #wireNow(): Wire {
    const { trace, link, fetch, relay } = this.#host
    this.#wire ??= new Wire({
      trace,
      link,
      secrets: this.#secrets,
      relay: () => relay?.(),
      ...(fetch ? { fetch } : {}),
    })
    return this.#wire
  }

  #now(): number {
    return this.#host.now?.() ?? Date.now()
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener()
  }
}

interface Consent {
  readonly url: string
  readonly state: string
  readonly known: Known
  readonly signal: AbortSignal
  readonly why: FlowWhy
  readonly held: string | undefined
}

/** AU-REG-13: a client that was entered by hand belongs to the issuer that it was used with first. */
const boundTo = ({ options, known }: Flow): SignInOptions => {
  const { client } = options
  const { registration } = known
  if (!client || registration?.source !== 'by-hand' || registration.clientId !== client.id) return options
  return { ...options, client: { ...client, issuer: registration.issuer } }
}

const withoutSecrets = ({ client, idp: _, assertion: __, ...rest }: SignInOptions): SignInOptions => {
  if (!client) return rest
  const { secret: ___, privateKey: ____, ...kept } = client
  return { ...rest, client: kept satisfies GivenClient }
}

/** What its user typed in stays in memory; what a server gave to this page may be needed in its next life. */
const storable = ({ registration, tokens: _, assertion: __, ...known }: Known): Known => {
  if (!registration) return known
  if (registration.source === 'dynamic') return { ...known, registration }
  const { clientSecret: ___, privateKey: ____, ...kept } = registration
  return { ...known, registration: kept }
}
