/**
 * A sign-in as in a page, against the tests' authorization peers: a SignIn, a Session over Streamable HTTP that it
 * signs requests for, a user who follows the forms, and a recorder on the wire.
 *
 * After each test, the invariants of every sign-in are checked: frames are complete and in order, and no secret seen on
 * the wire is in any frame or requested URL.
 */
import { expect, inject, onTestFinished } from 'vitest'
import { control, type Seen } from '../../tests/servers/control.ts'
import { signInHeadlessly, type Choice } from '../../tests/servers/oauth/consent.ts'
import type { behind, IssuerKindName, VariantName } from '../../tests/servers/oauth/names.ts'
import type { Logged } from '../../tests/servers/oauth/request-log.ts'
import {
  foldAll,
  relayFetch,
  Session,
  StreamableHttpTransport,
  Trace,
  TransportError,
  type AuthStep,
  type CallOptions,
  type Frame,
  type FrameOf,
  type JsonObject,
  type Revision,
} from '../mcp/index.ts'
import type { Act, Waiting } from './flow/acts.ts'
import { authFold, type LinkRecord } from './flow/sign-in-records.ts'
import type { SignInOptions } from './model/sign-in-state.ts'
import { SignIn } from './sign-in.ts'
import type { ConnectionFailure, SignInHost, SignInServer } from './sign-in-host.ts'
import { Vault } from './vault/vault.ts'

/** The redirect URI of known clients. */
export const REDIRECT = 'http://127.0.0.1:40123/oauth/callback.html'

/** The relay of the proxy that runs beside the tests. */
export const realRelay = (): typeof fetch => relayFetch({ base: `${inject('proxyUrl')}/`, token: inject('proxyToken') })

export const issuerAt = (kind: IssuerKindName): string =>
  kind === 'plain' ? inject('oauthIssuerUrl') : `${inject('oauthIssuerUrl')}/${kind}`

/** The requests that an authorization server recorded; `fits` as in `request-log.ts`. */
export const logOf = (issuer: string, fits: object): Promise<Logged[]> => control<Logged[]>(issuer, 'log', fits)

export const placeOf = (variant: VariantName, server: keyof typeof behind = 'v1'): string =>
  `${inject('oauthUrl')}/${server}/${variant}/${crypto.randomUUID()}`

export interface Story {
  readonly variant?: VariantName
  readonly behind?: keyof typeof behind
  /** Used instead of a variant. */
  readonly url?: string
  readonly pinned?: Revision
  readonly options?: SignInOptions
  /** How the user answers the forms; may be changed later. */
  readonly choice?: Choice
  /** A user is present. Default: without a user, so failed steps end the flow and step-ups start automatically. */
  readonly attended?: true
  readonly relay?: typeof fetch
  /** The user must agree before anything is relayed to the authorization server. Default: already agreed. */
  readonly asksToRelay?: true
  /** Manually set credentials, sent with each request to the server. */
  readonly headers?: readonly (readonly [string, string])[]
  /** Replaces a response, to simulate mistakes that none of the peers makes. */
  readonly alter?: (url: string, response: Response, relayed: boolean) => Promise<Response> | Response
  /** Changes the query with which the browser returns. */
  readonly back?: (query: URLSearchParams) => void
  readonly vault?: Vault
  readonly host?: Partial<SignInHost>
  /** ms that a call may take without a response. */
  readonly idle?: number
}

/** A request that was sent, with its secrets. */
export interface Sent {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: string
  readonly relayed: boolean
  /** Absent: no readable response. */
  status?: number
}

const open: Signing[] = []

export const signing = (story: Story = {}): Signing => {
  const made = new Signing(story)
  // Not `afterEach`: test files share this module, and its hooks would belong to the first file that loads it.
  if (open.push(made) === 1) onTestFinished(endAll)
  return made
}

const endAll = async (): Promise<void> => {
  const all = open.splice(0)
  for (const each of all) await each.end()
  for (const each of all) each.check()
}

export class Signing implements SignInServer {
  readonly link = 's1'
  readonly url: string
  readonly pinned: Revision | undefined
  readonly authorizedByHand: boolean
  readonly trace = new Trace()
  readonly vault: Vault
  readonly signIn: SignIn
  readonly sent: Sent[] = []
  /** How the user answers the forms. */
  choice: Choice
  /** The URLs with which the browser was sent to the authorization server. */
  readonly asked: URL[] = []
  session: Session | undefined
  /** ms by which the sign-in's clock is ahead. */
  #ahead = 0
  readonly #story: Story
  readonly #secrets = new Set<string>()
  #told: Waiting | undefined

  constructor(story: Story) {
    this.#story = story
    this.url = story.url ?? placeOf(story.variant ?? 'plain', story.behind)
    this.vault = story.vault ?? new Vault({})
    this.choice = story.choice ?? {}
    const { relay, pinned, headers, attended, options = {} } = story
    this.pinned = pinned
    this.authorizedByHand = headers?.some(([name]) => name.toLowerCase() === 'authorization') === true
    this.signIn = new SignIn(this, {
      vault: this.vault,
      redirectUri: REDIRECT,
      fetch: this.#recorded(fetch, false),
      ...(relay ? { relay: () => this.#recorded(relay, true) } : {}),
      now: () => this.now(),
      ...(attended ? {} : { unattended: true as const }),
      awaitReturn: async () => (await this.user(this.signIn.consentUrl!)).toString(),
      ...story.host,
    })
    this.signIn.set(options)
    if (relay && !story.asksToRelay) this.signIn.agreeToRelay(`${inject('oauthIssuerUrl')}/`)
    const { client, idp, assertion } = options
    for (const secret of [client?.secret, client?.privateKey, idp?.clientSecret, idp?.idToken, assertion]) {
      this.#know(secret)
    }
  }

  /** All secrets seen on the wire. */
  get secrets(): readonly string[] {
    return [...this.#secrets]
  }

  now(): number {
    return Date.now() + this.#ahead
  }

  /** Advances the clock. */
  pass(ms: number): void {
    this.#ahead += ms
  }

  /** Runs a complete sign-in. */
  async begin(mode: 'automatic' | 'stepwise' = 'automatic'): Promise<boolean> {
    return await this.signIn.begin(mode)
  }

  /** @throws {TransportError} */
  async connect(): Promise<Session> {
    await this.session?.close()
    const { headers, pinned, idle } = this.#story
    const session = new Session({
      trace: this.trace,
      link: 's1',
      transport: new StreamableHttpTransport({
        url: this.url,
        authorizer: this.signIn.credential,
        fetch: this.#recorded(fetch, false),
        fallback: false,
        headers,
      }),
      clientInfo: { name: 'test', version: '0' },
      pinned,
      ...(idle === undefined ? {} : { limits: { idle } }),
    })
    this.session = session
    const before = this.sent.length
    const { era } = await session.open()
    // The session opens its GET stream automatically; wait, so that it doesn't interfere with the
    // next action of the test.
    const listens = () => this.sent.slice(before).some(({ method, status }) => method === 'GET' && status !== undefined)
    if (era === 'handshake') await expect.poll(listens, { interval: 10 }).toBe(true)
    return session
  }

  /** Calls a tool; `echo` returns its argument. */
  async call(name: string, options?: CallOptions): Promise<JsonObject> {
    const args: JsonObject = name === 'echo' ? { text: 'hello' } : {}
    return await this.session!.request('tools/call', { name, arguments: args }, options)
  }

  /** Requests recorded by the server. Metadata URLs contain the endpoint's path, so they are included. */
  async seen(): Promise<Seen[]> {
    return await control<Seen[]>(this.url, 'seen')
  }

  /** Requests for this server that its authorization servers recorded, if the requests name it. */
  async log(fits: object = {}, kind: IssuerKindName = 'plain'): Promise<Logged[]> {
    return await logOf(issuerAt(kind), { resource: this.url, ...fits })
  }

  /** Requests of the sign-in that were sent, in order: `GET https://…`. */
  steps(filter: (sent: Sent) => boolean = () => true): string[] {
    return this.sent.filter((each) => !this.#isMcp(each) && filter(each)).map(({ method, url }) => `${method} ${url}`)
  }

  /** Forms that were sent to a token endpoint (including revocations), as recorded. */
  forms(grant?: string): URLSearchParams[] {
    return this.sent
      .filter(({ headers }) => headers.get('content-type')?.startsWith('application/x-www-form-urlencoded'))
      .map(({ body }) => new URLSearchParams(body))
      .filter((form) => grant === undefined || form.get('grant_type') === grant)
  }

  frames(): Frame[] {
    return [...this.trace]
  }

  auth(): FrameOf<'auth'>[] {
    return this.frames().filter((frame) => frame.kind === 'auth')
  }

  /** The credential events. */
  credentials(): string[] {
    return this.auth().flatMap((frame) => (frame.event === 'credential' ? [frame.what] : []))
  }

  /** Whether each request of this step was direct or relayed. */
  wayOf(step: AuthStep): ('direct' | 'relayed')[] {
    const begun = new Set(
      this.auth().flatMap((frame) => (frame.event === 'step' && frame.step === step ? [frame.seq] : [])),
    )
    return this.frames().flatMap((frame) =>
      frame.kind === 'http' && frame.phase === 'request' && frame.step !== undefined && begun.has(frame.step)
        ? [frame.relayed ? 'relayed' : 'direct']
        : [],
    )
  }

  record(): LinkRecord {
    return foldAll(authFold, this.trace).get('s1')!
  }

  /** The last frame with the outcome of a step. */
  done(step: AuthStep): Extract<FrameOf<'auth'>, { event: 'done' }> | undefined {
    return this.auth()
      .filter((frame) => frame.event === 'done')
      .findLast((frame) => frame.step === step)
  }

  /** The checks of a step: `RULE say`, with `!` if the rule was violated. */
  checks(step: AuthStep): string[] {
    return (this.done(step)?.checks ?? []).map(({ rule, say, ok }) => `${ok === false ? '!' : ''}${rule} ${say}`)
  }

  /** The next wait of the sign-in; `undefined` when it has ended. Doesn't include the user's consent. */
  async next(): Promise<Waiting | undefined> {
    const { signIn } = this
    const here = (): Waiting | 'over' | undefined => {
      const { over, waiting } = signIn.flow ?? {}
      if (over) return 'over'
      return waiting?.for === 'consent' || waiting === this.#told ? undefined : waiting
    }
    const found = await new Promise<Waiting | 'over'>((resolve) => {
      const look = () => {
        const what = here()
        if (what === undefined) return
        stop()
        resolve(what)
      }
      const stop = signIn.subscribe(() => queueMicrotask(look))
      queueMicrotask(look)
    })
    if (found === 'over') return undefined
    return (this.#told = found)
  }

  /** Responds to each wait until the sign-in has ended. @returns the waits: `request token` … */
  async drive(answer: (waiting: Waiting) => Act | readonly Act[] = goOn): Promise<string[]> {
    const stood: string[] = []
    for (let waiting = await this.next(); waiting; waiting = await this.next()) {
      stood.push(`${waiting.for} ${waiting.step}`)
      const said = answer(waiting)
      for (const act of 'do' in said ? [said] : said) this.signIn.act(act)
    }
    return stood
  }

  /** Like `checks`, for refreshes and revocations. */
  checksAfterwards(): string[] {
    const all = this.record().afterwards.flatMap(({ run }) => run.checks)
    return all.map(({ rule, say, ok }) => `${ok === false ? '!' : ''}${rule} ${say}`)
  }

  async end(): Promise<void> {
    this.signIn.cancel()
    await this.session?.close()
    // A cancelled flow records its end in a later task.
    await new Promise((resolve) => setTimeout(resolve))
  }

  check(): void {
    expect(wrongFrames(this.frames())).toEqual([])
    const text = JSON.stringify(this.frames())
    for (const secret of this.#secrets) {
      for (const form of new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])) {
        expect(text.includes(form), `a secret is in the frames: ${around(text, form)}`).toBe(false)
      }
      for (const { url } of this.sent) expect(url).not.toContain(secret)
    }
  }

  /** Signs in at this URL. @returns the query with which the browser returns */
  async user(url: string): Promise<URLSearchParams> {
    this.asked.push(new URL(url))
    const back = (await signInHeadlessly(url, this.choice)).searchParams
    this.#know(back.get('code') ?? undefined)
    this.#story.back?.(back)
    return back
  }

  /** Like the page: keeps an open session, or one that is opening with a waiting request; otherwise connects. */
  async authorized(): Promise<ConnectionFailure | undefined> {
    if (this.session?.state === 'open' || this.session?.state === 'opening') return undefined
    try {
      await this.connect()
      return undefined
    } catch (error) {
      return error instanceof TransportError ? { code: error.code, why: error.message } : undefined
    }
  }

  #isMcp({ url, headers }: Sent): boolean {
    return url === this.url && (headers.has('authorization') || this.session !== undefined)
  }

  #know(secret: string | undefined): void {
    // Search for a private key by its lines.
    for (const part of (secret ?? '').split('\n'))
      if (part.length > 8 && !part.startsWith('-----')) this.#secrets.add(part)
  }

  /** Records requests and responses, and the secrets in them. */
  #recorded(send: typeof fetch, relayed: boolean): typeof fetch {
    return async (input, init = {}) => {
      const url = input instanceof Request ? input.url : String(input)
      const { method = 'GET', body } = init
      const sent: Sent = {
        method,
        url,
        headers: new Headers(init.headers),
        body: typeof body === 'string' ? body : '',
        relayed,
      }
      this.sent.push(sent)
      this.#learnSent(sent)
      const answer = await send(input, init)
      sent.status = answer.status
      await this.#learnAnswer(answer)
      return (await this.#story.alter?.(url, answer, relayed)) ?? answer
    }
  }

  #learnSent({ headers, body }: Sent): void {
    const [scheme, credentials = ''] = (headers.get('authorization') ?? '').split(' ')
    if (scheme === 'Basic') this.#know(decodeURIComponent(atob(credentials).replace(/^[^:]*:/, '')))
    this.#know(credentials)
    if (!headers.get('content-type')?.startsWith('application/x-www-form-urlencoded')) return
    const form = new URLSearchParams(body)
    for (const name of SECRET_PARAMETERS) this.#know(form.get(name) ?? undefined)
  }

  async #learnAnswer(answer: Response): Promise<void> {
    if (!answer.headers.get('content-type')?.startsWith('application/json')) return
    const said = (await answer
      .clone()
      .json()
      .catch(() => ({}))) as Record<string, unknown>
    for (const name of SECRET_MEMBERS) {
      const value = said[name]
      if (typeof value === 'string') this.#know(value)
    }
  }
}

/** Decodes a JWT without checking its signature. */
export const decodeProof = (jwt: string): Record<'header' | 'claims', Record<string, unknown>> => {
  const [header, claims] = jwt.split('.').map((part) => part.replaceAll('-', '+').replaceAll('_', '/'))
  const read = (part = '') => JSON.parse(atob(part)) as Record<string, unknown>
  return { header: read(header), claims: read(claims) }
}

/** Responds to each wait as automatic mode would. */
export const goOn = (waiting: Waiting): Act =>
  waiting.for === 'help' ? { do: 'cancel' } : waiting.for === 'leave' ? { do: 'leave' } : { do: 'send' }

/** Changes the JSON of responses from matching URLs. */
export const changing =
  (where: RegExp, change: (said: Record<string, unknown>) => object): NonNullable<Story['alter']> =>
  async (url, response) =>
    where.test(url)
      ? Response.json(change((await response.json()) as Record<string, unknown>), { status: response.status })
      : response

/** Matching URLs return 404. */
export const missing =
  (where: RegExp): NonNullable<Story['alter']> =>
  (url, response) =>
    where.test(url) ? new Response('Not found', { status: 404 }) : response

const SECRET_PARAMETERS = [
  'code', 'code_verifier', 'refresh_token', 'client_secret', 'assertion', 'client_assertion', 'subject_token', 'token',
] // prettier-ignore
const SECRET_MEMBERS = ['access_token', 'refresh_token', 'client_secret', 'id_token', 'registration_access_token']

/** For failure messages: the text before a secret, without the secret. */
const around = (text: string, secret: string): string =>
  text.slice(Math.max(0, text.indexOf(secret) - 200), text.indexOf(secret))

/** Violations of frame order, one line each: every start has exactly one end after it, and nothing follows. */
export const wrongFrames = (frames: readonly Frame[]): string[] => {
  const wrong: string[] = []
  const flows = new Map<string, 'open' | 'over'>()
  const steps = new Map<number, { readonly flow: string; readonly step: string; over: boolean }>()
  const requests = new Map<number, { readonly step: number | undefined; head: boolean; over: boolean }>()
  for (const frame of frames) {
    const say = (what: string) => wrong.push(`${frame.seq}: ${what}`)
    if (frame.kind === 'auth') {
      switch (frame.event) {
        case 'flow':
          if (flows.has(frame.flow)) say('a flow begins twice')
          flows.set(frame.flow, 'open')
          break
        case 'end':
          if (flows.get(frame.flow) !== 'open') say('a flow ends that is not under way')
          flows.set(frame.flow, 'over')
          for (const { flow, step, over } of steps.values())
            if (flow === frame.flow && !over) say(`${step} outlives its flow`)
          break
        case 'step':
          if (flows.get(frame.flow) === 'over') say(`${frame.step} begins after the end of its flow`)
          for (const { flow, step, over } of steps.values())
            if (flow === frame.flow && !over) say(`${step} is still under way`)
          steps.set(frame.seq, { flow: frame.flow, step: frame.step, over: false })
          break
        case 'waiting':
        case 'done': {
          const begun = steps.get(frame.begun)
          if (!begun || begun.over || begun.step !== frame.step || begun.flow !== frame.flow)
            say(`${frame.event} belongs to no step`)
          else if (frame.event === 'done') begun.over = true
          break
        }
        case 'credential':
          break
      }
    }
    if (frame.kind !== 'http') continue
    if (frame.phase === 'request') {
      const begun = frame.step === undefined ? undefined : steps.get(frame.step)
      if (frame.purpose === 'authorization' && (!begun || begun.over)) say('a request belongs to no step')
      if (frame.purpose === 'authorization') requests.set(frame.seq, { step: frame.step, head: false, over: false })
      continue
    }
    const request = requests.get(frame.request)
    if (!request) continue
    if (request.over) say('a request ends twice')
    if (frame.phase === 'response') request.head = true
    else request.over = true
    if (frame.phase === 'end' && !request.head) say('a body without a head')
  }
  for (const [flow, state] of flows) if (state === 'open') wrong.push(`flow ${flow} has no end`)
  for (const [seq, { step, over }] of steps) if (!over) wrong.push(`${seq}: ${step} has no end`)
  for (const [seq, { over }] of requests) if (!over) wrong.push(`${seq}: the request has no end`)
  return wrong
}
