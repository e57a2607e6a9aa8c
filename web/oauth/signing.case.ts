/**
 * A sign-in as a page has it, against the authorization peers of the tests: a SignIn, a Session over Streamable HTTP that
 * it signs for, a user who follows the forms, and a recorder on the wire.
 *
 * After each test all of them are held to what is true of every sign-in, whatever its story: the frames are complete and
 * in order, and no secret that was seen on the wire is in any frame, or in any address that was asked.
 */
import { afterEach, expect, inject } from 'vitest'
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

/** A page is bound by CORS, and Node is not. */
export const inPage = 'document' in globalThis

/** Known clients may come back there. */
export const REDIRECT = 'http://127.0.0.1:40123/oauth/callback.html'

/** Of the proxy that runs beside the tests. */
export const realRelay = (): typeof fetch => relayFetch({ base: `${inject('proxyUrl')}/`, token: inject('proxyToken') })

export const issuerAt = (kind: IssuerKindName): string =>
  kind === 'plain' ? inject('oauthIssuerUrl') : `${inject('oauthIssuerUrl')}/${kind}`

/** What an authorization server says it was asked; `fits` as in `request-log.ts`. */
export const logOf = (issuer: string, fits: object): Promise<Logged[]> => control<Logged[]>(issuer, 'log', fits)

export const placeOf = (variant: VariantName, server: keyof typeof behind = 'v1'): string =>
  `${inject('oauthUrl')}/${server}/${variant}/${crypto.randomUUID()}`

export interface Story {
  readonly variant?: VariantName
  readonly behind?: keyof typeof behind
  /** Instead of a variant. */
  readonly url?: string
  readonly pinned?: Revision
  readonly options?: SignInOptions
  /** How the user answers the forms; may be changed later. */
  readonly choice?: Choice
  /** Nobody helps when a step fails, and step-ups begin by themselves. Default: nobody is there. */
  readonly attended?: true
  readonly relay?: typeof fetch
  /** The user is asked before anything is relayed to the authorization server. Default: agreed to it before. */
  readonly asksToRelay?: true
  /** Credentials by hand, with each request to the server. */
  readonly headers?: readonly (readonly [string, string])[]
  /** Takes the place of an answer, for what no peer does wrong by itself. */
  readonly alter?: (url: string, response: Response, relayed: boolean) => Promise<Response> | Response
  /** The query with which the browser comes back, changed on its way. */
  readonly back?: (query: URLSearchParams) => void
  readonly vault?: Vault
  readonly host?: Partial<SignInHost>
  /** ms that a call may take without an answer. */
  readonly idle?: number
}

/** A request that left, with its secrets. */
export interface Sent {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: string
  readonly relayed: boolean
  /** Absent: no answer that could be read. */
  status?: number
}

const open: Signing[] = []

export const signing = (story: Story = {}): Signing => {
  const made = new Signing(story)
  open.push(made)
  return made
}

afterEach(async () => {
  const all = open.splice(0)
  for (const each of all) await each.end()
  for (const each of all) each.check()
})

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
  /** How often the browser was sent to the authorization server, and with which address. */
  readonly asked: URL[] = []
  session: Session | undefined
  /** ms that the clock of the sign-in is ahead. */
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

  /** All that was seen on the wire and is nobody else's business. */
  get secrets(): readonly string[] {
    return [...this.#secrets]
  }

  now(): number {
    return Date.now() + this.#ahead
  }

  /** Its clock is so much later from now on. */
  pass(ms: number): void {
    this.#ahead += ms
  }

  /** Signs in, from the beginning to the end. */
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
        ...(headers ? { headers } : {}),
      }),
      clientInfo: { name: 'test', version: '0' },
      ...(pinned === undefined ? {} : { pinned }),
      ...(idle === undefined ? {} : { limits: { idle } }),
    })
    this.session = session
    const before = this.sent.length
    const { era } = await session.open()
    // It asks for itself: what a test does next must not meet it on its way.
    const listens = () => this.sent.slice(before).some(({ method, status }) => method === 'GET' && status !== undefined)
    if (era === 'handshake') await expect.poll(listens, { interval: 10 }).toBe(true)
    return session
  }

  /** Calls a tool; `echo` says what it is told. */
  async call(name: string, options?: CallOptions): Promise<JsonObject> {
    const args: JsonObject = name === 'echo' ? { text: 'hello' } : {}
    return await this.session!.request('tools/call', { name, arguments: args }, options)
  }

  /** The path of the MCP endpoint is in the addresses of its metadata too. */
  async seen(): Promise<Seen[]> {
    return await control<Seen[]>(this.url, 'seen')
  }

  /** What its authorization servers were asked for this server, as far as the requests name it. */
  async log(fits: object = {}, kind: IssuerKindName = 'plain'): Promise<Logged[]> {
    return await logOf(issuerAt(kind), { resource: this.url, ...fits })
  }

  /** Requests of the sign-in that left, in order: `GET https://…`. */
  steps(filter: (sent: Sent) => boolean = () => true): string[] {
    return this.sent.filter((each) => !this.#isMcp(each) && filter(each)).map(({ method, url }) => `${method} ${url}`)
  }

  /** Forms that were sent to a token endpoint (revocations too), as the recorder saw them. */
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

  /** What became of credentials. */
  credentials(): string[] {
    return this.auth().flatMap((frame) => (frame.event === 'credential' ? [frame.what] : []))
  }

  /** Requests of this step that went through the relay, and those that did not. */
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

  /** The last frame that tells how a step ended. */
  done(step: AuthStep): Extract<FrameOf<'auth'>, { event: 'done' }> | undefined {
    return this.auth()
      .filter((frame) => frame.event === 'done')
      .findLast((frame) => frame.step === step)
  }

  /** What a step looked at: `RULE say`, with `!` where the rule was broken. */
  checks(step: AuthStep): string[] {
    return (this.done(step)?.checks ?? []).map(({ rule, say, ok }) => `${ok === false ? '!' : ''}${rule} ${say}`)
  }

  /** What the sign-in stands still for, as soon as it does; `undefined` when it is over. Consent is the user's, and not told. */
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

  /** Answers whatever the sign-in stands still for, until it is over. @returns what it stood still for: `request token` … */
  async drive(answer: (waiting: Waiting) => Act | readonly Act[] = goOn): Promise<string[]> {
    const stood: string[] = []
    for (let waiting = await this.next(); waiting; waiting = await this.next()) {
      stood.push(`${waiting.for} ${waiting.step}`)
      const said = answer(waiting)
      for (const act of 'do' in said ? [said] : said) this.signIn.act(act)
    }
    return stood
  }

  /** As `checks`, of the refreshes and revocations. */
  checksAfterwards(): string[] {
    const all = this.record().afterwards.flatMap(({ run }) => run.checks)
    return all.map(({ rule, say, ok }) => `${ok === false ? '!' : ''}${rule} ${say}`)
  }

  async end(): Promise<void> {
    this.signIn.cancel()
    await this.session?.close()
    // A flow that was cancelled tells its end in a later turn.
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

  /** Signs in at this address. @returns what the browser brings back */
  async user(url: string): Promise<URLSearchParams> {
    this.asked.push(new URL(url))
    const back = (await signInHeadlessly(url, this.choice)).searchParams
    this.#know(back.get('code') ?? undefined)
    this.#story.back?.(back)
    return back
  }

  /** As the page does it: what is open goes on, so does what is opening with a request that waits; else it connects. */
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
    // A private key is known by its lines.
    for (const part of (secret ?? '').split('\n'))
      if (part.length > 8 && !part.startsWith('-----')) this.#secrets.add(part)
  }

  /** Notes what leaves and comes, and what of it is secret. */
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

/** Of a JWT, without a look at its signature. */
export const decodeProof = (jwt: string): Record<'header' | 'claims', Record<string, unknown>> => {
  const [header, claims] = jwt.split('.').map((part) => part.replaceAll('-', '+').replaceAll('_', '/'))
  const read = (part = '') => JSON.parse(atob(part)) as Record<string, unknown>
  return { header: read(header), claims: read(claims) }
}

/** Whatever it stands still for, it goes on as it would by itself. */
export const goOn = (waiting: Waiting): Act =>
  waiting.for === 'help' ? { do: 'cancel' } : waiting.for === 'leave' ? { do: 'leave' } : { do: 'send' }

/** Changes the JSON of answers from addresses that match. */
export const changing =
  (where: RegExp, change: (said: Record<string, unknown>) => object): NonNullable<Story['alter']> =>
  async (url, response) =>
    where.test(url)
      ? Response.json(change((await response.json()) as Record<string, unknown>), { status: response.status })
      : response

/** Addresses that match are not there. */
export const missing =
  (where: RegExp): NonNullable<Story['alter']> =>
  (url, response) =>
    where.test(url) ? new Response('Not found', { status: 404 }) : response

const SECRET_PARAMETERS = [
  'code', 'code_verifier', 'refresh_token', 'client_secret', 'assertion', 'client_assertion', 'subject_token', 'token',
] // prettier-ignore
const SECRET_MEMBERS = ['access_token', 'refresh_token', 'client_secret', 'id_token', 'registration_access_token']

/** Shown in a failure: where, and never the secret itself. */
const around = (text: string, secret: string): string =>
  text.slice(Math.max(0, text.indexOf(secret) - 200), text.indexOf(secret))

/** What is not in order, one line each: every beginning has exactly one end, after it, and nothing comes later. */
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
