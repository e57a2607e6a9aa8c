/**
 * Sign-in for one server: its flow while one runs, its credential, and what its user chose. What the screen shows of it
 * beyond the Trace is here, and all that it can do.
 */
import { Signal } from '../mcp/index.ts'
import type { AuthStep, JsonObject } from '../mcp/index.ts'
import {
  Consent,
  pendingOf,
  queryOf,
  type ConsentWindow,
  type FlowWhy,
  type PendingSignIn,
  type Popup,
  type Astray,
} from './consent/index.ts'
import {
  Credential,
  type CredentialEvent,
  type StepUp,
  StepUps,
  type PendingStepUp,
  TokenLifecycle,
} from './tokens/index.ts'
import {
  pastedTokens,
  type Registration,
  type TokenSet,
  AuthError,
  fault,
  boundTo,
  type SignInState,
  type Refused,
  type SignInOptions,
  profileFor,
} from './model/index.ts'
import { Flow, type Act, type FlowHost, type Mode } from './flow/index.ts'
import { KnownSecrets } from '../secrets/capture.ts'
import { RelayPolicy, Wire } from './wire/index.ts'
import type { SignInHost, SignInServer } from './sign-in-host.ts'

/** How a flow is begun. */
interface Run {
  readonly mode: Mode
  readonly why: FlowWhy
  readonly held?: string
  readonly known?: SignInState
  readonly from?: AuthStep
  readonly refused?: Refused
}

export class SignIn {
  readonly credential: Credential
  readonly #server: SignInServer
  readonly #host: SignInHost
  readonly #secrets = new KnownSecrets()
  readonly #consent: Consent
  readonly #lifecycle: TokenLifecycle
  readonly #stepUps = new StepUps(() => this.#changed())
  readonly #changes = new Signal()
  /** Told of each change of what can be read here. */
  readonly subscribe = this.#changes.subscribe
  readonly #wire: Wire
  readonly #now: () => number
  #flow: Flow | undefined
  #options: SignInOptions = {}
  /** With the token that it was about: a refusal of another one says nothing of this one. */
  #refused: { readonly refused: Refused; readonly token: string | undefined } | undefined
  #registration: Registration | undefined
  #error: AuthError | undefined
  #busy: 'refresh' | 'revocation' | undefined
  /** In this life of the page, by an act of its user. */
  #signedIn = false

  constructor(server: SignInServer, host: SignInHost) {
    this.#server = server
    this.#host = host
    const { trace, link } = server
    const { vault, relay, fetch, limits } = host
    const [now, secrets] = [(this.#now = host.now ?? Date.now), this.#secrets]
    // What it finds out of each address, CORS above all, is worth keeping; a relay may come later.
    const policy = new RelayPolicy(() => {
      const flow = this.#flow?.over === false ? this.#flow : undefined
      return {
        server: server.url,
        known: flow?.known ?? {},
        options: flow?.options ?? this.#options,
        tokens: this.tokens,
      }
    })
    this.#wire = new Wire({ trace, link, secrets, policy, relay: (options) => relay?.(options), fetch, limits })
    this.#lifecycle = new TokenLifecycle(server, host, {
      ...{ wire: this.#wire, secrets, now },
      registration: () => this.#registration,
      again: () => (this.#needsNobody ? () => this.#again() : undefined),
    })
    this.#consent = new Consent(host, () => this.#changed())
    this.credential = new Credential({
      server: () => server.url,
      now,
      // An offer to sign in never hijacks a connection that works without it.
      tokens: () => (this.#signedIn || !server.authorizedByHand ? this.tokens : undefined),
      renews: () => this.#lifecycle.renews,
      refresh: () => this.#lifecycle.renew(),
      stepUp: (wanted, signal) => this.#steppedUp(wanted, signal),
      tell: (what, details) => this.#tell(what, details),
      masked: (text, sent) => secrets.without(text, sent),
      refusedFor: (refused) => {
        this.#refused = { refused, token: this.tokens?.accessToken }
        this.#changed()
      },
    })
    vault.subscribe(() => this.#changed())
    this.#changed()
  }

  /** The sign-in under way, or the last one. */
  get flow(): Flow | undefined {
    return this.#flow
  }
  get tokens(): TokenSet | undefined {
    return this.#host.vault.tokensFor(this.#server.url)
  }
  get options(): SignInOptions {
    return this.#options
  }
  /** The window, while the user's consent is waited for. */
  get window(): ConsentWindow | undefined {
    return this.#consent.window
  }
  get astray(): Astray | undefined {
    return this.#consent.astray
  }
  get consentUrl(): string | undefined {
    return this.#consent.url
  }
  /** The server refused, and nothing here could answer: a sign-in would. */
  get refused(): Refused | undefined {
    return this.#refused?.token === this.tokens?.accessToken ? this.#refused?.refused : undefined
  }
  /** A request stands still until its user decides whether to sign in for more. */
  get stepUp(): PendingStepUp | undefined {
    return this.#stepUps.current
  }
  /** Why the last refresh, revocation or sign-in came to nothing. */
  get error(): AuthError | undefined {
    return this.#error
  }
  get busy(): 'refresh' | 'revocation' | undefined {
    return this.#busy
  }
  get hasRelay(): boolean {
    return this.#host.relay?.({ publicOnly: true }) !== undefined
  }
  get canRedirect(): boolean {
    return this.#host.leave !== undefined
  }
  /** Whether the tokens of this server outlive the page, on this device. */
  get remembered(): boolean {
    return this.#host.vault.isRemembered(this.#server.url)
  }
  set remembered(on: boolean) {
    this.#host.vault.remember(this.#server.url, on)
    this.#changed()
  }

  /** For the next sign-in. */
  set(options: SignInOptions): void {
    this.#options = options
    this.#changed()
  }

  /**
   * Signs in. Never throws: what happens is told by the Trace and by `error`.
   * @param popup opened in the click; without it the user is given a link
   * @returns whether it came to tokens
   */
  async begin(mode: Mode, popup?: Popup, why: FlowWhy = this.refused ? 'unauthorized' : 'asked'): Promise<boolean> {
    this.#consent.useWindow(popup)
    return await this.#begin({ mode, why })
  }

  /** Takes up what another life of this page began; `returned` may be there already. */
  async resume(pending: PendingSignIn, state: string, returned?: string): Promise<boolean> {
    const { known, mode, why, held, options } = pending
    this.#options = { ...options, ...this.#options }
    this.#consent.resume(state, returned)
    return await this.#begin({ mode, why, known, from: 'authorization', ...(held === undefined ? {} : { held }) })
  }

  act(act: Act): void {
    this.#flow?.act(act)
  }

  /** Another window, opened in a click of its own. */
  openWindow(popup: Popup): void {
    this.#consent.useWindow(popup)
  }

  /** Goes there with the whole page; the callback page brings it back. */
  redirect(): void {
    this.#consent.redirect()
  }

  /** The query, or the whole address, to which the browser came back; for a user who copies it by hand. */
  returned(text: string): void {
    this.act({ do: 'returned', query: queryOf(text) })
  }

  /** The user signs in for what a request wants, or does not. @param popup opened in the click */
  async decideStepUp(granted: boolean, popup?: Popup): Promise<void> {
    const { current } = this.#stepUps
    if (!current) return
    if (granted) this.#consent.useWindow(popup)
    this.#stepUps.decide(granted && (await this.#stepUpNow(current)))
  }

  /** Tokens that its user has from elsewhere. */
  paste(accessToken: string, refreshToken?: string): void {
    const tokens = pastedTokens(this.#server.url, accessToken, refreshToken, this.#now())
    this.#secrets.know(tokens.accessToken)
    this.#secrets.know(tokens.refreshToken)
    this.#take(tokens)
    this.#changed()
  }

  /** Never throws; see `error`. */
  async refresh(): Promise<void> {
    await this.#do('refresh', async () => void (await this.#lifecycle.renew()))
  }

  /** Ends the tokens at the server, and here. Never throws; see `error`. */
  async revoke(): Promise<void> {
    await this.#do('revocation', async () => {
      const { tokens } = this
      if (!tokens) return
      await this.#lifecycle.revoke(tokens)
      this.forget()
    })
  }

  /** Drops the tokens here; at the server they stay good. */
  forget(): void {
    if (this.tokens) this.#tell('forgotten', {})
    this.#host.vault.forget(this.#server.url)
    this.#registration = undefined
    this.#changed()
  }

  /** The user agrees to requests through the local proxy to the origin of this URL, where the page cannot send them. */
  agreeToRelay(url: string): void {
    this.#wire.agreeToRelay(url)
  }

  /** Stops what is under way. */
  cancel(): void {
    this.#stepUps.decide(false)
    this.#flow?.act({ do: 'cancel' })
  }

  async #begin(run: Run): Promise<boolean> {
    const outer = this.#flow
    // It connects with its tokens, and what it connects to wants more: it goes on once that is granted.
    const nested = run.why === 'insufficient-scope' && outer?.step === 'use' && !outer.over && !outer.waiting
    if (!nested) outer?.act({ do: 'cancel' })
    const refused = run.refused ?? (run.why === 'asked' ? undefined : this.refused)
    const begunWith = this.#options
    const flow: Flow = this.#flowOf({ ...run, ...(refused ? { refused } : {}) }, this.#host.unattended !== true, {
      consent: (url, state, known, signal) => {
        const data = pendingOf(flow, known, { link: this.#server.link, why: run.why, held: run.held })
        return this.#consent.ask({ url, state, signal, data })
      },
      use: async (tokens) => {
        this.#registration = flow.known.registration
        if (this.#registration?.source === 'dynamic') this.#host.vault.putRegistration(this.#registration)
        this.#take(tokens)
        if (!nested) await this.#connect(run.why)
      },
    })
    this.#flow = flow
    this.#error = undefined
    flow.subscribe(() => {
      // It will lead nowhere before its user has decided; the next click opens another.
      if (flow.waiting?.for === 'help') this.#consent.closeWindow()
      this.#changed()
    })
    try {
      await flow.run()
      return true
    } catch (error) {
      if (!(error instanceof AuthError)) throw error
      if (this.#flow === flow) this.#error = error
      return false
    } finally {
      // Another one may have begun meanwhile, with options and a window of its own.
      if (this.#flow === flow) {
        // What was chosen meanwhile counts for the next one.
        if (this.#options === begunWith) this.#options = boundTo(flow.options, flow.known.registration)
        this.#consent.closeWindow()
        if (nested && !outer.over) this.#flow = outer
      }
      this.#changed()
    }
  }

  /** A sign-in that asks nobody, for tokens that ran out. */
  async #again(): Promise<TokenSet> {
    const flow = this.#flowOf({ mode: 'automatic', why: 'unauthorized', held: this.tokens?.requestedScope }, false, {
      consent: () => Promise.reject(new AuthError('authorization', fault('no-answer', 'This grant needs no user'))),
      use: async () => {},
    })
    return await flow.run()
  }

  #flowOf(run: Run, attended: boolean, ends: Pick<FlowHost, 'consent' | 'use'>): Flow {
    const { trace, link, url, pinned } = this.#server
    const { redirectUri, clientDocument, vault } = this.#host
    const { mode, why, held, from, refused } = run
    return new Flow(
      {
        trace,
        link,
        wire: this.#wire,
        secrets: this.#secrets,
        redirectUri,
        clientDocument: async () => await clientDocument?.(),
        now: this.#now,
        registrationFor: (issuer) => this.#registeredWith(issuer),
        keep: (registration) => vault.putRegistration(registration),
        ...ends,
      },
      {
        known: run.known ?? { server: url, ...(refused ? { refused } : {}) },
        profile: profileFor(pinned),
        options: this.#options,
        ...{ mode, why, attended },
        ...(held === undefined ? {} : { held }),
        ...(from === undefined ? {} : { from }),
      },
    )
  }

  /** AU-PRM-08, AU-REG-12: what another issuer gave out is worth nothing here. */
  #registeredWith(issuer: string): Registration | undefined {
    const { vault, redirectUri } = this.#host
    const discarded = vault.issuerChanged(this.#server.url, issuer)
    if (discarded) this.#tell('issuer-changed', { from: discarded.issuer ?? null, to: issuer })
    return vault.registrationFor(issuer, redirectUri)
  }

  /** @throws {AuthError} the server does not take the tokens */
  async #connect(why: FlowWhy): Promise<void> {
    const failure = await this.#server.authorized(why)
    if (failure?.code !== 'unauthorized') return
    const facts = { status: failure.status ?? 401 }
    throw new AuthError('use', fault('token-not-accepted', failure.why, 'AU-GEN-05', facts))
  }

  #take(tokens: TokenSet): void {
    this.#signedIn = true
    this.#host.vault.putTokens(tokens)
    this.credential.reset(tokens)
  }

  /** Grants without a user are gone through again; the others have a refresh token, or nothing. */
  get #needsNobody(): boolean {
    const { grant = 'authorization-code' } = this.#options
    return grant !== 'authorization-code' && this.tokens?.issuer !== undefined
  }

  async #steppedUp(wanted: StepUp, signal: AbortSignal): Promise<boolean> {
    const { requestedScope, scope } = this.tokens ?? {}
    const stepUp: PendingStepUp = { ...wanted, held: requestedScope ?? scope }
    // Without a user, or a need for one, there is nobody to wait for.
    if (this.#host.unattended || this.#needsNobody) return await this.#stepUpNow(stepUp)
    return await this.#stepUps.ask(stepUp, signal)
  }

  async #stepUpNow({ refused, held }: PendingStepUp): Promise<boolean> {
    return await this.#begin({ mode: 'automatic', why: 'insufficient-scope', refused, ...(held ? { held } : {}) })
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

  #tell(what: CredentialEvent, details: JsonObject): void {
    const { trace, link } = this.#server
    trace.append({ kind: 'auth', flow: 'credential', link, event: 'credential', what, details })
  }

  #changed(): void {
    // From the device or another tab, too: they are secrets like those that were got here.
    this.#secrets.knowAll([this.tokens?.accessToken, this.tokens?.refreshToken])
    this.#changes.emit()
  }
}
