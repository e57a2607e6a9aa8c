/**
 * A client of the tests' hostile authorization servers: a SignIn, a Session that it signs requests for, and a
 * user who consents to everything. It goes on as far as the kind of server allows, and records how that ended
 * and what was sent where.
 */
import { expect, inject } from 'vitest'
import { inPage } from '../../tests/in-page.ts'
import { patient } from '../../tests/patience.ts'
import { worldOf, type WorldControl } from '../../tests/servers/hostile-oauth/control.ts'
import {
  ENDPOINTS,
  type Endpoint,
  type Expect,
  type Kind,
  type Logged,
  type Secret,
} from '../../tests/servers/hostile-oauth/kind.ts'
import { kinds } from '../../tests/servers/hostile-oauth/kinds.ts'
import {
  relayFetch,
  Session,
  StreamableHttpTransport,
  Trace,
  TransportError,
  ProtocolError,
  type Frame,
  type FrameOf,
} from '../mcp/index.ts'
import { AuthError, type Fault } from './model/fault.ts'
import type { SignInOptions } from './model/sign-in-state.ts'
import { dropPending, NoReturn, savePending, type ReturnStorage } from './consent/return.ts'
import { SignIn } from './sign-in.ts'
import type { ConnectionFailure, SignInHost, SignInServer } from './sign-in-host.ts'
import { wrongFrames } from './signing.case.ts'
import { Vault } from './vault/vault.ts'

/** Nothing listens there. */
const REDIRECT_URI = 'http://127.0.0.1:40123/oauth/callback.html'

/** ms to wait for a server that never responds. The others must respond in this time, even on a busy machine. */
const PATIENCE = patient(3_000)
/** ms that the user waits, so that the client's own timeout comes first. */
const LONG_PATIENCE = 3 * PATIENCE

/** Shared by all tests: each relay has its own connection, and the proxy limits their number. */
let relays: typeof fetch | undefined
const relay = (): typeof fetch =>
  (relays ??= relayFetch({ base: `${inject('proxyUrl')}/`, token: inject('proxyToken') }))

export interface Story {
  readonly options?: SignInOptions
  /** The local proxy is available. */
  readonly relay?: true
  /** No response can be read without the local proxy. */
  readonly blind?: true
  /** As in the app, the connection is rejected first, and the sign-in starts from that rejection. */
  readonly refusedFirst?: true
  /** A user can help. */
  readonly attended?: true
  /** Another route back for the response. @param consented the query with which the browser returns */
  readonly awaitReturn?: (consented: (signal: AbortSignal) => Promise<string>) => Pick<SignInHost, 'awaitReturn'>
}

/** How it ended, and why. */
export interface End extends Expect {
  readonly code?: string
  readonly why?: string
}

export class Client implements SignInServer {
  readonly link = 's1'
  readonly url: string
  readonly name: string
  readonly kind: Kind
  readonly world: WorldControl
  readonly trace = new Trace()
  readonly signIn: SignIn
  session: Session | undefined
  /** URLs requested, at any origin. */
  readonly asked: string[] = []
  /** Errors and messages that aren't our own error types. */
  readonly strange: unknown[] = []
  /** Storage that survives the page. */
  readonly storage = inMemory()
  readonly #story: Story
  /** Why the tokens couldn't be used. */
  #lost: Error | undefined

  constructor(name: string, world: WorldControl, story: Story) {
    this.name = name
    this.kind = kinds[name]!
    this.world = world
    this.#story = story
    const { slow } = this.kind
    this.url = world.mcp
    this.signIn = new SignIn(this, {
      vault: new Vault({}),
      redirectUri: REDIRECT_URI,
      fetch: story.blind ? unreadable : this.#seen(fetch),
      ...(story.relay || story.blind ? { relay: () => this.#seen(relay()) } : {}),
      ...(story.attended ? {} : { unattended: true as const }),
      limits: { time: slow ? PATIENCE : patient(20_000) },
      awaitReturn: (_, signal) => this.#consent(signal),
      keepPending: (state, mode, data) => savePending(this.storage, { state, mode, returnTo: '#/', data }),
      dropPending: (state) => dropPending(this.storage, state),
      ...story.awaitReturn?.((signal) => this.#consent(signal)),
    })
    if (story.options) this.signIn.set(story.options)
    // The user agrees to every request.
    if (story.relay || story.blind) this.signIn.agreeToRelay(world.evil)
  }

  /** Signs in, uses the tokens, and triggers this kind's fault. */
  async drive(): Promise<End> {
    if (this.#story.refusedFirst) await this.connect().catch(() => {})
    return await this.ended(await this.signIn.begin('automatic'))
  }

  /** Like `drive`, but starts after the sign-in. */
  async ended(authorized: boolean, drive = this.kind.drive): Promise<End> {
    if (!authorized) return stoppedBy(this.signIn.error!)
    if (drive === 'again') {
      await this.session?.close()
      this.signIn.forget()
      if (!(await this.signIn.begin('automatic'))) return stoppedBy(this.signIn.error!)
    }
    try {
      await this.use(drive !== undefined && drive !== 'connect')
      for (const _ of drive === 'refresh' ? [1] : drive === 'refresh-twice' ? [1, 2] : []) {
        await this.world.expire()
        await this.use(true)
      }
    } catch (error) {
      return this.unused(error)
    }
    if (drive !== 'revoke') return { outcome: 'authorized', step: 'use' }
    await this.signIn.revoke()
    return this.signIn.error ? stoppedBy(this.signIn.error) : { outcome: 'authorized', step: 'revocation' }
  }

  /** @throws {Error} whatever prevents a response */
  async use(calls: boolean): Promise<void> {
    if (this.#lost) throw this.#lost
    const { session } = this
    await this.#inTime(session!.request('tools/list', {}))
    if (calls) await this.#inTime(session!.request('tools/call', { name: 't', arguments: {} }))
  }

  /** Converts an error of the connection to an end. */
  unused(error: unknown): End {
    if (!(error instanceof TransportError) && !(error instanceof ProtocolError)) this.strange.push(error)
    const refreshed = this.auth().findLast((frame) => frame.event === 'done' && frame.step === 'refresh')
    if (refreshed?.event === 'done' && refreshed.outcome === 'failed') {
      return stoppedBy(new AuthError('refresh', refreshed.fault as Fault))
    }
    const { code, message } = error as TransportError
    return { outcome: 'stopped', step: 'use', code: String(code), why: message }
  }

  get attended(): boolean {
    return this.#story.attended === true
  }

  /** The number of runs of the step that ran most often. */
  get runsOfOneStep(): number {
    const steps = this.auth().flatMap((frame) => (frame.event === 'step' ? [frame.step] : []))
    return Math.max(...steps.map((step) => steps.filter((one) => one === step).length))
  }

  auth(): FrameOf<'auth'>[] {
    return [...this.trace].filter((frame: Frame) => frame.kind === 'auth')
  }

  async end(): Promise<void> {
    this.signIn.cancel()
    await this.session?.close()
  }

  /** Like the page: keeps an open session, otherwise connects. Only a 401 means that the tokens were rejected. */
  async authorized(): Promise<ConnectionFailure | undefined> {
    this.#lost = undefined
    if (this.session?.state === 'open') return undefined
    try {
      await this.connect()
      return undefined
    } catch (error) {
      this.#lost = error instanceof Error ? error : new Error(String(error))
      return error instanceof TransportError ? { code: error.code, why: error.message } : undefined
    }
  }

  /** @throws {Error} like the session does */
  async connect(): Promise<void> {
    const session = new Session({
      trace: this.trace,
      link: 's1',
      transport: new StreamableHttpTransport({
        url: this.world.mcp,
        authorizer: this.signIn.credential,
        fetch: this.#seen(this.#story.relay || this.#story.blind ? relay() : fetch),
        fallback: false,
      }),
      clientInfo: { name: 'test', version: '0' },
      autoListen: false,
    })
    await this.session?.close()
    this.session = session
    await this.#inTime(session.open())
  }

  /** Times out like a user who cancels a connection that hangs. */
  async #inTime<Value>(work: Promise<Value>): Promise<Value> {
    if (!this.kind.slow) return await work
    const timer = setTimeout(() => void this.session?.close('gave up'), LONG_PATIENCE)
    try {
      return await work
    } finally {
      clearTimeout(timer)
    }
  }

  /** The user signs in immediately, and the browser returns with the server's response. */
  async #consent(signal: AbortSignal): Promise<string> {
    const url = this.signIn.consentUrl!
    const noAnswer = () => new NoReturn('no-answer', 'No answer came back')
    // Not AbortSignal.timeout: if only AbortSignal.any refers to it, Node garbage-collects it, and it never fires.
    const limit = new AbortController()
    const timer = this.kind.slow ? setTimeout(() => limit.abort(), PATIENCE) : undefined
    // A page can't see the target of a redirect.
    const follow = inPage ? relay() : fetch
    let location: string | null
    try {
      const answer = await follow(url, { redirect: 'manual', signal: AbortSignal.any([signal, limit.signal]) })
      location = answer.headers.get('location')
      await answer.body?.cancel()
    } catch {
      signal.throwIfAborted()
      throw noAnswer()
    } finally {
      clearTimeout(timer)
    }
    const back = location === null ? undefined : new URL(location)
    if (!back || back.origin + back.pathname !== REDIRECT_URI || back.search === '') throw noAnswer()
    return back.search.slice(1)
  }

  #seen(send: typeof fetch): typeof fetch {
    return (input, init) => {
      this.asked.push(input instanceof Request ? input.url : input.toString())
      return send(input, init)
    }
  }
}

const unreadable: typeof fetch = () => Promise.reject(new TypeError('Failed to fetch'))

const inMemory = (): ReturnStorage => {
  const items = new Map<string, string>()
  return {
    get length() {
      return items.size
    },
    key: (index) => [...items.keys()][index] ?? null,
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  }
}

const stoppedBy = ({ step, code, fault: { rule, explanation } }: AuthError): End => ({
  outcome: 'stopped',
  step: step as Expect['step'],
  code,
  why: explanation,
  rule,
})

/** Kinds that a browser may handle in its own way: how a response arrives, and whether the page may read it. */
export const BROWSER_KINDS: readonly string[] = Object.entries(kinds).flatMap(([name, { page, slow, rules }]) =>
  /^good|redirect|body|^cors|dies|never/.test(name) || page || slow || rules.some((rule) => rule.startsWith('BR-'))
    ? [name]
    : [],
)

export const clientOf = async (name: string, story: Story = {}): Promise<Client> => {
  const world = await worldOf(inject('hostileOauthUrl'), name, crypto.randomUUID())
  return new Client(name, world, story)
}

/** The endpoints to which each kind of secret may be sent. Secrets must not be sent elsewhere, or in a URL. */
const MAY_GO: Readonly<Record<Secret['what'], readonly Endpoint[]>> = {
  code: ['token'],
  verifier: ['token'],
  'access-token': ['mcp', 'revoke'],
  'refresh-token': ['token', 'revoke'],
  'client-secret': ['token', 'revoke'],
  'registration-token': [],
}

/** What a hostile world recorded about a client. */
interface Seen {
  readonly log: readonly Logged[]
  readonly evilLog: readonly Logged[]
  readonly secrets: readonly Secret[]
}

/** Secrets that were sent to the wrong place, one line each. */
const leaksOf = ({ trace, kind }: Client, { secrets, log, evilLog }: Seen): string[] => {
  const wrong: string[] = []
  const frames = JSON.stringify([...trace])
  const known = secrets.filter(({ value }) => value.length >= 6)
  for (const { what, door, value } of known) {
    const forms = formsOf(value)
    const inFrames = forms.find((form) => frames.includes(form))
    if (inFrames !== undefined) wrong.push(`${what} in the trace: …${before(frames, inFrames)}`)
    for (const { at, path, headers, body } of log) {
      if (forms.some((form) => path.includes(form))) wrong.push(`${what} in the address ${path.slice(0, 200)}`)
      const said = saidIn(headers, body)
      const allowed: readonly string[] = MAY_GO[what]
      if (!allowed.includes(at) && forms.some((form) => said.includes(form))) wrong.push(`${what} sent to ${at}`)
    }
    if (door === 'evil' || kind.shares) continue
    for (const { at, path, headers, body } of evilLog) {
      const all = `${path}\n${saidIn(headers, body)}`
      if (forms.some((form) => all.includes(form))) wrong.push(`${what} given away at ${at}`)
    }
  }
  return [...new Set(wrong)]
}

const formsOf = (value: string): string[] => [
  ...new Set([
    value,
    encodeURIComponent(value),
    new URLSearchParams({ v: value }).toString().slice(2),
    JSON.stringify(value).slice(1, -1),
    JSON.stringify(JSON.stringify(value).slice(1, -1)).slice(1, -1),
  ]),
]

/** The headers and body of a request, with Basic credentials decoded. */
const saidIn = (headers: Logged['headers'], body: string): string => {
  const basic = /^Basic (.+)$/i.exec(headers['authorization'] ?? '')?.[1]
  return [...Object.values(headers), body, ...(basic === undefined ? [] : [atob(basic)])].join('\n')
}

/** The text before a secret, without the secret. */
const before = (text: string, secret: string): string => text.slice(0, text.indexOf(secret)).slice(-200)

/** Number of requests by endpoint, at both origins. */
const countsOf = ({ world, kind, asked }: Client, seen: Seen): Record<string, number> => {
  const counts: Record<string, number> = {}
  // A browser automatically retries broken connections, so count the requests it was told to send.
  const broke = inPage && kind.rules.includes('BR-06')
  const all = broke ? ENDPOINTS.flatMap((at) => asked.filter((url) => url === world[at]).map(() => ({ at }))) : []
  for (const { at } of broke ? all : [...seen.log, ...seen.evilLog]) counts[at] = (counts[at] ?? 0) + 1
  return counts
}

/** Endpoints that were requested more often than necessary. */
const tooOften = (client: Client, seen: Seen): string[] => {
  const { most = {}, drive, root } = client.kind
  // A root has no key and is shared with the other runtime.
  if (root) return []
  // The user may have run a step several times.
  const again = client.attended ? client.runsOfOneStep : 1
  const signIns = most.authorize ?? (drive === 'again' ? 2 : again)
  const bounds: Record<string, number> = {
    mcp: 12,
    // Three URLs each, one of which may redirect.
    'resource-metadata': 4 * signIns,
    'server-metadata': 4 * signIns,
    register: signIns,
    // Without a response, the endpoint is asked why.
    authorize: signIns + unansweredOf(client),
    token: signIns + 2,
    // One per token, plus a harmless retry if the response was unreadable.
    revoke: 3,
    elsewhere: 6 * signIns,
    ...most,
  }
  return Object.entries(countsOf(client, seen)).flatMap(([at, count]) =>
    count > bounds[at]! ? [`${at}: ${count}`] : [],
  )
}

/** How many times the browser didn't return. */
const unansweredOf = (client: Client): number => {
  const all = client.auth().flatMap((frame) => {
    const isStopped = frame.event === 'done' || frame.event === 'waiting'
    return isStopped && frame.fault?.code === 'no-answer' ? [frame.begun] : []
  })
  return new Set(all).size
}

/** Endpoints that must not be requested if the sign-in ended at this step. */
const NOT_AFTER: Readonly<Partial<Record<Expect['step'], readonly Endpoint[]>>> = {
  challenge: ['resource-metadata', 'server-metadata', 'register', 'authorize', 'token'],
  'resource-metadata': ['server-metadata', 'register', 'authorize', 'token'],
  'authorization-server': ['server-metadata', 'register', 'authorize', 'token'],
  'server-metadata': ['register', 'authorize', 'token'],
  registration: ['authorize', 'token'],
  preparation: ['authorize', 'token'],
  authorization: ['token'],
  callback: ['token'],
}

/** Ends that violate no rule, as far as the client can tell. */
const WITHOUT_RULE: ReadonlySet<string | undefined> = new Set(['no-answer'])

const ruleOf = (rule: string | undefined): string => (rule ?? '').replace(' section ', ' §')

/** The correct ends, the best one first. @param readsAll not restricted by CORS */
export const endsOf = ({ expect: right, tolerated, page }: Kind, readsAll = !inPage): readonly Expect[] => {
  const { step } = right
  if (page && readsAll) return [{ outcome: 'authorized', step: step === 'revocation' ? step : 'use' }]
  return [right, ...(tolerated?.ends ?? [])]
}

/** Checks what this kind requires of a client, and what is required everywhere. */
export const check = async (client: Client, end: End, right = endsOf(client.kind)): Promise<void> => {
  const { kind, trace, signIn, world } = client
  const [secrets, log, evilLog] = await Promise.all([world.secrets(), world.log(), world.evilLog()])
  const seen = { secrets, log, evilLog }
  const { outcome, step, code, rule, why } = end
  expect(right.map(sayEnd), `${outcome} at ${step}: ${code} ${rule} ${why}`).toContain(sayEnd(end))
  const isFirst = sayEnd(right[0]!) === sayEnd(end)
  // Connection errors have no rules: the trace shows what was received.
  const named = outcome === 'stopped' && isFirst && step !== 'use' && !WITHOUT_RULE.has(code)
  if (named) expect(kind.rules, `${code}: ${why}`).toContain(ruleOf(rule))
  if (outcome === 'stopped') {
    expect(code).not.toBe('internal')
    expect(why).toMatch(/\w/)
  }

  expect(client.strange).toEqual([])
  const frames = [...trace]
  expect(wrongFrames(frames)).toEqual([])
  const faults = client.auth().flatMap((frame) => ('fault' in frame && frame.fault ? [frame.fault] : []))
  expect(faults.filter((one) => one.code === 'internal')).toEqual([])
  if (outcome === 'stopped' && signIn.error && NOT_AFTER[step] && kind.drive !== 'again') {
    const asked = Object.keys(countsOf(client, seen))
    if (!kind.root) expect(NOT_AFTER[step].filter((endpoint) => asked.includes(endpoint))).toEqual([])
    expect(faults.at(-1)).toMatchObject({ code, explanation: why })
  }

  expect(tooOften(client, seen)).toEqual([])
  expect(leaksOf(client, seen)).toEqual([])
  const origins = [world.mcp, world.evil].map((url) => new URL(url).origin)
  expect(client.asked.filter((url) => !origins.includes(new URL(url).origin))).toEqual([])
  // Nothing stays in storage longer than needed.
  expect(client.storage.length).toBe(0)
}

const sayEnd = ({ outcome, step }: Expect): string => `${outcome} at ${step}`
