/**
 * A client of the hostile authorization servers of the tests: a SignIn, a Session that it signs for, and a user who
 * consents to everything. It goes on as far as the kind lets it, and writes down how that ended and what went where.
 */
import { expect, inject } from 'vitest'
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
import { dropPending, savePending } from './consent/pending.ts'
import { NoReturn, type ReturnStorage } from './consent/return.ts'
import { SignIn } from './sign-in.ts'
import type { ConnectionFailure, SignInHost, SignInServer } from './sign-in-host.ts'
import { wrongFrames } from './signing.case.ts'
import { Vault } from './vault/vault.ts'

/** A page is bound by CORS, and Node is not. */
export const inPage = 'document' in globalThis

/** Nobody listens there. */
const REDIRECT_URI = 'http://127.0.0.1:40123/oauth/callback.html'

/** ms of patience with whoever never answers. */
const PATIENCE = 700
/** ms of a user's patience, who sees what the client itself gave up before. */
const LONG_PATIENCE = 3 * PATIENCE

/** One for all: each has a connection of its own, and the proxy takes so many only. */
let relays: typeof fetch | undefined
const relay = (): typeof fetch =>
  (relays ??= relayFetch({ base: `${inject('proxyUrl')}/`, token: inject('proxyToken') }))

export interface Story {
  readonly options?: SignInOptions
  /** The local proxy is there. */
  readonly relay?: true
  /** Nothing that is asked without the local proxy can be read. */
  readonly blind?: true
  /** The connection is refused first, as in the app, and the sign-in begins with its refusal. */
  readonly refusedFirst?: true
  /** Somebody is there who can help. */
  readonly attended?: true
  /** Another way back for the answer. @param consented what the browser comes back with */
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
  /** Addresses that were asked, of any origin. */
  readonly asked: string[] = []
  /** What was thrown or told that is no error of ours. */
  readonly strange: unknown[] = []
  /** What outlives the page. */
  readonly storage = inMemory()
  readonly #story: Story
  /** Why the tokens were of no use. */
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
      limits: { time: slow ? PATIENCE : 10_000 },
      awaitReturn: (_, signal) => this.#consent(signal),
      keepPending: (state, mode, data) => savePending(this.storage, { state, mode, returnTo: '#/', data }),
      dropPending: (state) => dropPending(this.storage, state),
      ...story.awaitReturn?.((signal) => this.#consent(signal)),
    })
    if (story.options) this.signIn.set(story.options)
    // Its user agrees to all that is asked.
    if (story.relay || story.blind) this.signIn.agreeToRelay(world.evil)
  }

  /** Signs in, uses what comes of it, and does what leads to the fault of the kind. */
  async drive(): Promise<End> {
    if (this.#story.refusedFirst) await this.connect().catch(() => {})
    return await this.ended(await this.signIn.begin('automatic'))
  }

  /** As `drive`, from the end of the sign-in on. */
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

  /** @throws {Error} whatever stands in the way of an answer */
  async use(calls: boolean): Promise<void> {
    if (this.#lost) throw this.#lost
    const { session } = this
    await this.#inTime(session!.request('tools/list', {}))
    if (calls) await this.#inTime(session!.request('tools/call', { name: 't', arguments: {} }))
  }

  /** The end that this error of the connection is. */
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

  /** How often the step was begun that was begun most often. */
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

  /** As the page does it: what is open goes on, else it connects; only a 401 says that the tokens are not taken. */
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

  /** @throws {Error} as the session does */
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

  /** Whoever looks at a connection that hangs ends it. */
  async #inTime<Value>(work: Promise<Value>): Promise<Value> {
    if (!this.kind.slow) return await work
    const timer = setTimeout(() => void this.session?.close('gave up'), LONG_PATIENCE)
    try {
      return await work
    } finally {
      clearTimeout(timer)
    }
  }

  /** The user signs in at once, and the browser comes back with what the server says. */
  async #consent(signal: AbortSignal): Promise<string> {
    const url = this.signIn.consentUrl!
    const noAnswer = () => new NoReturn('no-answer', 'No answer came back')
    const limit = this.kind.slow ? [AbortSignal.timeout(PATIENCE)] : []
    // A page may not see where a redirect leads.
    const follow = inPage ? relay() : fetch
    let location: string | null
    try {
      const answer = await follow(url, { redirect: 'manual', signal: AbortSignal.any([signal, ...limit]) })
      location = answer.headers.get('location')
      await answer.body?.cancel()
    } catch {
      signal.throwIfAborted()
      throw noAnswer()
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
  ...(rule === undefined ? {} : { rule }),
})

export const clientOf = async (name: string, story: Story = {}): Promise<Client> => {
  const world = await worldOf(inject('hostileOauthUrl'), name, crypto.randomUUID())
  return new Client(name, world, story)
}

/** Where a secret of each sort may go, and in what: nowhere else, and in no address. */
const MAY_GO: Readonly<Record<Secret['what'], readonly Endpoint[]>> = {
  code: ['token'],
  verifier: ['token'],
  'access-token': ['mcp', 'revoke'],
  'refresh-token': ['token', 'revoke'],
  'client-secret': ['token', 'revoke'],
  'registration-token': [],
}

/** What a world says of a client. */
interface Seen {
  readonly log: readonly Logged[]
  readonly evilLog: readonly Logged[]
  readonly secrets: readonly Secret[]
}

/** What is wrong with where secrets went, one line each. */
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

/** Headers and body of a request, and what Basic hides. */
const saidIn = (headers: Logged['headers'], body: string): string => {
  const basic = /^Basic (.+)$/i.exec(headers['authorization'] ?? '')?.[1]
  return [...Object.values(headers), body, ...(basic === undefined ? [] : [atob(basic)])].join('\n')
}

/** Where it stands, and never the secret itself. */
const before = (text: string, secret: string): string => text.slice(0, text.indexOf(secret)).slice(-200)

/** Requests by endpoint, at both origins. */
const countsOf = ({ world, kind, asked }: Client, seen: Seen): Record<string, number> => {
  const counts: Record<string, number> = {}
  // A browser sends by itself once more what broke: what it was asked to send counts then.
  const broke = inPage && kind.rules.includes('BR-06')
  const all = broke ? ENDPOINTS.flatMap((at) => asked.filter((url) => url === world[at]).map(() => ({ at }))) : []
  for (const { at } of broke ? all : [...seen.log, ...seen.evilLog]) counts[at] = (counts[at] ?? 0) + 1
  return counts
}

/** Endpoints that were asked more often than anybody has a reason for. */
const tooOften = (client: Client, seen: Seen): string[] => {
  const { most = {}, drive, root } = client.kind
  // A root has no key, and is shared with the other runtime.
  if (root) return []
  // Its user may have run a step more than once.
  const again = client.attended ? client.runsOfOneStep : 1
  const signIns = most.authorize ?? (drive === 'again' ? 2 : again)
  const bounds: Record<string, number> = {
    mcp: 12,
    // At three places each, one of which may lead to another.
    'resource-metadata': 4 * signIns,
    'server-metadata': 4 * signIns,
    register: signIns,
    authorize: signIns,
    token: signIns + 2,
    // One each; and once more what went unread, for there is no harm in it.
    revoke: 3,
    elsewhere: 6 * signIns,
    ...most,
  }
  return Object.entries(countsOf(client, seen)).flatMap(([at, count]) =>
    count > bounds[at]! ? [`${at}: ${count}`] : [],
  )
}

/** What comes after the end of a sign-in at this step, and must not be asked. */
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

/** Nobody's fault, as far as can be seen from here. */
const WITHOUT_RULE: ReadonlySet<string | undefined> = new Set(['no-answer'])

const ruleOf = (rule: string | undefined): string => (rule ?? '').replace(' section ', ' §')

/** The ends that are right, the best one first. @param readsAll it is bound by no CORS */
export const endsOf = ({ expect: right, tolerated, page }: Kind, readsAll = !inPage): readonly Expect[] => {
  const { step } = right
  if (page && readsAll) return [{ outcome: 'authorized', step: step === 'revocation' ? step : 'use' }]
  return [right, ...(tolerated?.ends ?? [])]
}

/** Holds a client to what is right here, and to what is right everywhere. */
export const check = async (client: Client, end: End, right = endsOf(client.kind)): Promise<void> => {
  const { kind, trace, signIn, world } = client
  const [secrets, log, evilLog] = await Promise.all([world.secrets(), world.log(), world.evilLog()])
  const seen = { secrets, log, evilLog }
  const { outcome, step, code, rule, why } = end
  expect(right.map(sayEnd), `${outcome} at ${step}: ${code} ${rule} ${why}`).toContain(sayEnd(end))
  const isFirst = sayEnd(right[0]!) === sayEnd(end)
  // Errors of the connection have no rules: what it got stands in the trace.
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
  // Nothing of it is kept longer than it takes.
  expect(client.storage.length).toBe(0)
}

const sayEnd = ({ outcome, step }: Expect): string => `${outcome} at ${step}`
