/**
 * Sign-in for one server: its flow while one runs, its credential, and what its user chose. What the screen shows of it
 * beyond the Trace is here, and all that it can do.
 */
import type { AuthStep, JsonObject, Link, Revision, Trace } from '../mcp/index.ts'
import { refreshTokens, revokeTokens, type AfterwardsHost } from './afterwards.ts'
import {
  Consent,
  pendingOf,
  type ConsentHost,
  type ConsentWindow,
  type FlowWhy,
  type PendingSignIn,
} from './consent.ts'
import { Credential, type StepUp } from './credential.ts'
import type { Registration, TokenSet } from './credentials.ts'
import { AuthError, fault } from './fault.ts'
import { Flow, type Act, type FlowHost, type Mode } from './flow.ts'
import type { Known, Refused, SignInOptions } from './known.ts'
import type { Popup } from './popup.ts'
import { profileFor } from './profile.ts'
import { Secrets } from './redact.ts'
import { Wire } from './request.ts'
import { StepUps, type AskedStepUp } from './step-ups.ts'
import type { Vault } from './vault.ts'

export type { ConsentWindow, FlowWhy, PendingSignIn } from './consent.ts'
export type { AskedStepUp } from './step-ups.ts'

export interface SignInHost extends ConsentHost {
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
  /** ms since the epoch. */
  readonly now?: () => number
  /** Nobody is there: failures end the flow, and step-ups begin by themselves. */
  readonly unattended?: true
  /** New tokens are there: whoever is connected goes on with them, else this connects. @throws {AuthError} not taken */
  authorized(why: FlowWhy): Promise<void>
}

/** How a flow is begun. */
interface Run {
  readonly mode: Mode
  readonly why: FlowWhy
  readonly held?: string
  readonly known?: Known
  readonly from?: AuthStep
  readonly refused?: Refused
}

export class SignIn {
  readonly credential: Credential
  readonly #host: SignInHost
  readonly #secrets = new Secrets()
  readonly #consent: Consent
  readonly #stepUps = new StepUps(() => this.#changed())
  readonly #listeners = new Set<() => void>()
  #wire: Wire | undefined
  #flow: Flow | undefined
  #options: SignInOptions = {}
  #refused: Refused | undefined
  #registration: Registration | undefined
  #error: AuthError | undefined
  #busy: 'refresh' | 'revocation' | undefined

  constructor(host: SignInHost) {
    this.#host = host
    this.#consent = new Consent(host, () => this.#changed())
    this.credential = new Credential({
      server: host.server,
      now: () => this.#now(),
      tokens: () => this.tokens,
      renews: () => this.tokens?.refreshToken !== undefined || this.#needsNobody,
      refresh: () => this.#renewed(),
      stepUp: (wanted, signal) => this.#steppedUp(wanted, signal),
      tell: (what, details) => this.#tell(what, details),
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
    return this.#consent.window
  }
  get consentUrl(): string | undefined {
    return this.#consent.url
  }
  /** The server refused, and nothing here could answer: a sign-in would. */
  get refused(): Refused | undefined {
    return this.#refused
  }
  /** A request stands still until its user decides whether to sign in for more. */
  get stepUp(): AskedStepUp | undefined {
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
    return this.#host.relay?.() !== undefined
  }
  get canRedirect(): boolean {
    return this.#host.leave !== undefined
  }
  /** Whether the tokens of this server outlive the page, on this device. */
  get remembered(): boolean {
    return this.#host.vault.isRemembered(this.#host.server())
  }
  set remembered(on: boolean) {
    this.#host.vault.remember(this.#host.server(), on)
    this.#changed()
  }

  /** Told of each change of the properties above. @returns the way to stop it */
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
   * @returns whether it came to tokens
   */
  async begin(mode: Mode, popup?: Popup, why: FlowWhy = this.#refused ? 'unauthorized' : 'asked'): Promise<boolean> {
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
    const query = text.includes('?') ? text.slice(text.indexOf('?') + 1).replace(/#.*$/, '') : text
    this.act({ do: 'returned', query: query.trim() })
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
    const refresh = refreshToken?.trim() ?? ''
    const tokens: TokenSet = {
      server: this.#host.server(),
      accessToken: accessToken.trim().replace(/^Bearer\s+/i, ''),
      tokenType: 'Bearer',
      receivedAt: this.#now(),
      ...(refresh === '' ? {} : { refreshToken: refresh }),
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
    if (this.tokens) this.#tell('forgotten', {})
    this.#host.vault.forget(this.#host.server())
    this.#registration = undefined
    this.#changed()
  }

  /** Stops what is under way. */
  cancel(): void {
    this.#stepUps.decide(false)
    this.#flow?.act({ do: 'cancel' })
  }

  async #begin(run: Run): Promise<boolean> {
    this.#flow?.act({ do: 'cancel' })
    const refused = run.refused ?? (run.why === 'asked' ? undefined : this.#refused)
    const flow: Flow = this.#flowOf({ ...run, ...(refused ? { refused } : {}) }, this.#host.unattended !== true, {
      consent: (url, state, known, signal) => {
        const data = pendingOf(flow, known, { link: this.#host.link, why: run.why, held: run.held })
        return this.#consent.ask({ url, state, signal, data })
      },
      use: async (tokens) => {
        this.#registration = flow.known.registration
        this.#take(tokens)
        await this.#host.authorized(run.why)
      },
    })
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
      // Another one may have begun meanwhile, and its window with it.
      if (this.#flow === flow) this.#consent.closeWindow()
      this.#changed()
    }
  }

  /** A sign-in that asks nobody, for tokens that ran out. */
  async #again(): Promise<TokenSet> {
    const nobody = new AuthError('authorization', fault('no-answer', 'This grant asks nobody'))
    const flow = this.#flowOf({ mode: 'automatic', why: 'unauthorized' }, false, {
      consent: () => Promise.reject(nobody),
      use: async () => {},
    })
    return await flow.run()
  }

  #flowOf(run: Run, attended: boolean, ends: Pick<FlowHost, 'consent' | 'use'>): Flow {
    const { trace, link, server, redirectUri, clientDocument, vault, pinned } = this.#host
    const { mode, why, held, from, refused } = run
    return new Flow(
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
        ...ends,
      },
      {
        known: run.known ?? { server: server(), ...(refused ? { refused } : {}) },
        profile: profileFor(pinned()),
        options: this.#options,
        mode,
        why,
        attended,
        ...(held === undefined ? {} : { held }),
        ...(from === undefined ? {} : { from }),
      },
    )
  }

  /** AU-PRM-08, AU-REG-12: what another issuer gave out is worth nothing here. */
  #registeredWith(issuer: string): Registration | undefined {
    const { vault, server, redirectUri } = this.#host
    const discarded = vault.issuerChanged(server(), issuer)
    if (discarded) this.#tell('issuer-changed', { from: discarded.issuer ?? null, to: issuer })
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
    return await vault.exchange(server(), async (current: TokenSet) => {
      if (current.refreshToken !== undefined) {
        const registration = this.#registrationOf(current)
        return await refreshTokens(this.#afterwards(), current, registration, AbortSignal.timeout(60_000))
      }
      if (this.#needsNobody) return await this.#again()
      throw new AuthError('refresh', fault('token-refused', 'There is no refresh token', 'AU-TOK-03'))
    })
  }

  #registrationOf(tokens: TokenSet): Registration {
    const { issuer = '', clientId = '' } = tokens
    const { vault, redirectUri } = this.#host
    const own = [this.#registration, vault.registrationFor(issuer, redirectUri)]
    const known = own.find((one) => one?.issuer === issuer && one.clientId === clientId)
    return known ?? { issuer, clientId, source: 'by-hand', method: 'none' }
  }

  async #steppedUp(wanted: StepUp, signal: AbortSignal): Promise<boolean> {
    const { requestedScope, scope } = this.tokens ?? {}
    const stepUp: AskedStepUp = { ...wanted, held: requestedScope ?? scope }
    // Without a user, or a need for one, there is nobody to wait for.
    if (this.#host.unattended || this.#needsNobody) return await this.#stepUpNow(stepUp)
    return await this.#stepUps.ask(stepUp, signal)
  }

  async #stepUpNow({ refused, held }: AskedStepUp): Promise<boolean> {
    const why = 'insufficient-scope'
    return await this.#begin({ mode: 'automatic', why, refused, ...(held === undefined ? {} : { held }) })
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
    const { trace, link } = this.#host
    trace.append({ kind: 'auth', flow: 'credential', link, event: 'credential', what, details })
  }

  #afterwards(): AfterwardsHost {
    const { trace, link } = this.#host
    return { trace, link, wire: this.#wireNow(), secrets: this.#secrets, now: () => this.#now() }
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

type CredentialEvent = Extract<Parameters<Trace['append']>[0], { event: 'credential' }>['what']

/** AU-REG-13: a client that was entered by hand belongs to the issuer that it was used with first. */
const boundTo = ({ options, known }: Flow): SignInOptions => {
  const { client } = options
  const { registration } = known
  if (!client || registration?.source !== 'by-hand' || registration.clientId !== client.id) return options
  return { ...options, client: { ...client, issuer: registration.issuer } }
}
