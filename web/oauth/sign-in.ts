/**
 * Sign-in for one server: the running flow, the credential, and the user's options. Offers all actions, and all state
 * that the screen shows beyond the Trace.
 */
import { Signal } from '../mcp/index.ts'
import type { AuthStep, JsonObject, Refused } from '../mcp/index.ts'
import { Consent, queryOf, type ConsentWindow, type PendingSignIn, type Popup, type Astray } from './consent/index.ts'
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
  type FlowWhy,
  type Mode,
  fault,
  boundTo,
  type SignInState,
  type SignInOptions,
  profileFor,
} from './model/index.ts'
import { Flow, type Act } from './flow/index.ts'
import { KnownSecrets } from '../secrets/capture.ts'
import { RelayConsent, Wire } from './wire/index.ts'
import type { SignInHost, SignInServer } from './sign-in-host.ts'

/** How to start a flow. */
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
  readonly #codes = new Map<string, string>()
  readonly #lifecycle: TokenLifecycle
  readonly #stepUps = new StepUps(() => this.#changed())
  readonly #changes = new Signal()
  /** Notifies about every change of the public state. */
  readonly subscribe = this.#changes.subscribe
  readonly #wire: Wire
  readonly #now: () => number
  #flow: Flow | undefined
  #options: SignInOptions = {}
  /** With the token it was about: a rejection of one token says nothing about another. */
  #refused: { readonly refused: Refused; readonly token: string | undefined } | undefined
  #registration: Registration | undefined
  #error: AuthError | undefined
  #busy: 'refresh' | 'revocation' | undefined
  /** The user signed in since the page was loaded. */
  #signedIn = false

  constructor(server: SignInServer, host: SignInHost) {
    this.#server = server
    this.#host = host
    const { trace, link } = server
    const { vault, relay, fetch, limits } = host
    const [now, secrets] = [(this.#now = host.now ?? Date.now), this.#secrets]
    // Kept across flows, because it knows which URLs are readable (CORS); a relay may become available later.
    const consent = new RelayConsent(() => {
      const flow = this.#flow?.over === false ? this.#flow : undefined
      return {
        server: server.url,
        known: flow?.known ?? {},
        options: flow?.options ?? this.#options,
        tokens: this.tokens,
      }
    })
    this.#wire = new Wire({ trace, link, secrets, consent, relay: (options) => relay?.(options), fetch, limits })
    this.#lifecycle = new TokenLifecycle(server, host, {
      ...{ wire: this.#wire, secrets, now },
      registration: () => this.#registration,
      again: () => (this.#isUnattendedGrant ? () => this.#repeatGrant() : undefined),
    })
    this.#consent = new Consent(host, () => this.#changed())
    this.credential = new Credential(server, {
      ...{ now, secrets, lifecycle: this.#lifecycle },
      // Signing in must never take over a connection whose own header works.
      tokens: () => (this.#signedIn || !server.authorizedByHand ? this.tokens : undefined),
      stepUp: (wanted, signal) => this.#askStepUp(wanted, signal),
      tell: (what, details) => this.#record(what, details),
      keepRefusal: (refused) => {
        this.#refused = { refused, token: this.tokens?.accessToken }
        this.#changed()
      },
    })
    vault.subscribe(() => this.#changed())
    this.#changed()
  }

  /** The running sign-in, or the last one. */
  get flow(): Flow | undefined {
    return this.#flow
  }
  get tokens(): TokenSet | undefined {
    return this.#host.vault.tokensFor(this.#server.url)
  }
  get options(): SignInOptions {
    return this.#options
  }
  /** The window, while the user's consent is pending. */
  get window(): ConsentWindow | undefined {
    return this.#consent.window
  }
  get astray(): Astray | undefined {
    return this.#consent.astray
  }
  get consentUrl(): string | undefined {
    return this.#consent.url
  }
  /** The server's rejection that couldn't be handled automatically; a sign-in may help. */
  get refused(): Refused | undefined {
    return this.#refused?.token === this.tokens?.accessToken ? this.#refused?.refused : undefined
  }
  /** A request is waiting for the user to decide whether to sign in for more scopes. */
  get stepUp(): PendingStepUp | undefined {
    return this.#stepUps.current
  }
  /** Why the last refresh, revocation or sign-in failed. */
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
  /** Whether this server's tokens are stored on this device. */
  get remembered(): boolean {
    return this.#host.vault.isRemembered(this.#server.url)
  }
  set remembered(on: boolean) {
    this.#host.vault.remember(this.#server.url, on)
    this.#changed()
  }

  /** The connection opened: what refused it before, such as a missing header, is settled. */
  connected(): void {
    if (!this.#refused) return
    this.#refused = undefined
    this.#changed()
  }

  /** Sets the options of the next sign-in. */
  set(options: SignInOptions): void {
    this.#options = options
    this.#changed()
  }

  /**
   * Signs in. Never throws: the Trace and `error` report what happened.
   * @param popup opened in the click handler; without it, the user gets a link
   * @returns whether it obtained tokens
   */
  async begin(mode: Mode, popup?: Popup, why: FlowWhy = this.refused ? 'unauthorized' : 'asked'): Promise<boolean> {
    this.#consent.useWindow(popup)
    return await this.#start({ mode, why })
  }

  /** Resumes a sign-in that started before a reload; `returned` may already be available. */
  async resume(pending: PendingSignIn, state: string, returned?: string): Promise<boolean> {
    const { known, mode, why, held, options } = pending
    this.#options = { ...options, ...this.#options }
    this.#consent.resume(state, returned)
    return await this.#start({ mode, why, known, from: 'authorization', held })
  }

  act(act: Act): void {
    this.#flow?.act(act)
  }

  /** Uses another window, opened in a click of its own. */
  openWindow(popup: Popup): void {
    this.#consent.useWindow(popup)
  }

  /** Navigates the whole page there; the callback page returns to it. */
  redirect(): void {
    this.#consent.redirect()
  }

  /** The query, or the whole URL, to which the browser returned, copied by the user. */
  returned(text: string): void {
    this.act({ do: 'returned', query: queryOf(text) })
  }

  /** The user accepts or declines to sign in for a request's scopes. @param popup opened in the click handler */
  async decideStepUp(granted: boolean, popup?: Popup): Promise<void> {
    const { current } = this.#stepUps
    if (!current) return
    if (granted) this.#consent.useWindow(popup)
    this.#stepUps.decide(granted && (await this.#stepUpNow(current)))
  }

  /** Tokens that the user got elsewhere. */
  paste(accessToken: string, refreshToken?: string): void {
    const tokens = pastedTokens(this.#server.url, accessToken, refreshToken, this.#now())
    this.#secrets.know(tokens.accessToken)
    this.#secrets.know(tokens.refreshToken)
    this.#useTokens(tokens)
    this.#changed()
  }

  /** Never throws; see `error`. */
  async refresh(): Promise<void> {
    await this.#run('refresh', async () => void (await this.#lifecycle.renew()))
  }

  /** Revokes the tokens at the server, and drops them here. Never throws; see `error`. */
  async revoke(): Promise<void> {
    await this.#run('revocation', async () => {
      const { tokens } = this
      if (!tokens) return
      await this.#lifecycle.revoke(tokens)
      this.forget()
    })
  }

  /** Drops the tokens here; they stay valid at the server. */
  forget(): void {
    if (this.tokens) this.#record('forgotten', {})
    this.#host.vault.forget(this.#server.url)
    this.#registration = undefined
    this.#changed()
  }

  /** The user agrees to relay requests to the origin of this URL if the page can't send them. */
  agreeToRelay(url: string): void {
    this.#wire.agreeToRelay(url)
  }

  /** Stops whatever is running. */
  cancel(): void {
    this.#stepUps.decide(false)
    this.#flow?.act({ do: 'cancel' })
  }

  async #start(run: Run): Promise<boolean> {
    const outer = this.#flow
    // If the outer flow is connecting with its tokens and the server requires more scopes, it
    // continues once they are granted.
    const nested = run.why === 'insufficient-scope' && outer?.step === 'use' && !outer.over && !outer.waiting
    if (!nested) outer?.act({ do: 'cancel' })
    const refused = run.refused ?? (run.why === 'asked' ? undefined : this.refused)
    const begunWith = this.#options
    const use = async (tokens: TokenSet) => {
      this.#registration = flow.known.registration
      if (this.#registration?.source === 'dynamic') this.#host.vault.putRegistration(this.#registration)
      this.#useTokens(tokens)
      if (!nested) await this.#connect(run.why)
    }
    const flow: Flow = this.#flowOf({ ...run, refused }, this.#host.unattended !== true, use)
    this.#flow = flow
    this.#error = undefined
    flow.subscribe(() => {
      // The window won't be used before the user decides, and the next click opens another.
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
      // Another flow may have started meanwhile, with its own options and window.
      if (this.#flow === flow) {
        // Options chosen meanwhile apply to the next flow.
        if (this.#options === begunWith) this.#options = boundTo(flow.options, flow.known.registration)
        this.#consent.closeWindow()
        if (nested && !outer.over) this.#flow = outer
      }
      this.#changed()
    }
  }

  /** Signs in without a user, for expired tokens. */
  async #repeatGrant(): Promise<TokenSet> {
    const { requestedScope: held } = this.tokens ?? {}
    return await this.#flowOf({ mode: 'automatic', why: 'unauthorized', held }, false, async () => {}).run()
  }

  #flowOf(run: Run, attended: boolean, use: (tokens: TokenSet) => Promise<void>): Flow {
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
        consent: this.#consent,
        codes: this.#codes,
        use,
      },
      {
        known: run.known ?? { server: url, refused },
        profile: profileFor(pinned),
        options: this.#options,
        ...{ mode, why, attended, held, from },
      },
    )
  }

  /** AU-PRM-08, AU-REG-12: credentials from another issuer must not be used here. */
  #registeredWith(issuer: string): Registration | undefined {
    const { vault, redirectUri } = this.#host
    const discarded = vault.issuerChanged(this.#server.url, issuer)
    if (discarded) this.#record('issuer-changed', { from: discarded.issuer ?? null, to: issuer })
    return vault.registrationFor(issuer, redirectUri)
  }

  /** @throws {AuthError} the server rejects the tokens */
  async #connect(why: FlowWhy): Promise<void> {
    const failure = await this.#server.authorized(why)
    if (failure?.code !== 'unauthorized') return
    const facts = { status: failure.status ?? 401 }
    throw new AuthError('use', fault('token-not-accepted', failure.why, 'AU-GEN-05', facts))
  }

  #useTokens(tokens: TokenSet): void {
    this.#signedIn = true
    this.#host.vault.putTokens(tokens)
    this.credential.reset(tokens)
  }

  /** Grants without a user can be repeated; others need a refresh token. */
  get #isUnattendedGrant(): boolean {
    const { grant = 'authorization-code' } = this.#options
    return grant !== 'authorization-code' && this.tokens?.issuer !== undefined
  }

  async #askStepUp(wanted: StepUp, signal: AbortSignal): Promise<boolean> {
    const { requestedScope, scope } = this.tokens ?? {}
    const stepUp: PendingStepUp = { ...wanted, held: requestedScope ?? scope }
    // Don't wait for a user if there is none or none is needed.
    if (this.#host.unattended || this.#isUnattendedGrant) return await this.#stepUpNow(stepUp)
    return await this.#stepUps.ask(stepUp, signal)
  }

  async #stepUpNow({ refused, held }: PendingStepUp): Promise<boolean> {
    return await this.#start({ mode: 'automatic', why: 'insufficient-scope', refused, held: held || undefined })
  }

  async #run(what: 'refresh' | 'revocation', work: () => Promise<void>): Promise<void> {
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

  #record(what: CredentialEvent, details: JsonObject): void {
    const { trace, link } = this.#server
    trace.append({ kind: 'auth', flow: 'credential', link, event: 'credential', what, details })
  }

  #changed(): void {
    // Including tokens from the device or from another tab, which are just as secret.
    this.#secrets.knowAll([this.tokens?.accessToken, this.tokens?.refreshToken])
    this.#changes.emit()
  }
}
