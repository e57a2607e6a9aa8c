/** Builds conversations frame by frame for tests of rules, and lists the findings. */
import {
  foldAll,
  isObject,
  judge,
  Trace,
  type AuthStep,
  type Finding,
  type FrameDraft,
  type HeaderList,
  type Json,
  type JsonObject,
  type MessageDraft,
  type Peer,
  type Revision,
  type Seq,
} from '../mcp/index.ts'
import { levelsOf, loadRequirements } from './requirements.ts'
import type { RuleFinding } from './rule.ts'
import { findings, type Findings } from './run.ts'
import { shapes } from './shapes.ts'

export const requirements = await loadRequirements()
export const levels = levelsOf(requirements)
/** The rules alone, so that a test sees only the findings of the rule under test. */
export const rulesAlone = findings({ levels })
export const rulesAndShapes = findings({ levels, shapes })

export const META = 'io.modelcontextprotocol/'

export type Draft = FrameDraft extends infer D ? (D extends FrameDraft ? Omit<D, 'link'> : never) : never

type Auth = Extract<FrameDraft, { kind: 'auth' }>
type AuthEvent = Auth extends infer D ? (D extends Auth ? Omit<D, 'kind' | 'flow' | 'link'> : never) : never

export interface Post {
  readonly seq: Seq
  readonly id: number
  /** The head of its response. */
  head(status?: number, type?: string, headers?: HeaderList): Seq
  /** A message in its response. */
  says(message: Json, more?: Partial<MessageDraft>): Seq
  end(size?: number, body?: string): Seq
}

export class Talk {
  readonly trace: Trace
  readonly link: string
  #id = 0
  #at = 0

  constructor(link = 's1', trace?: Trace) {
    this.link = link
    this.trace = trace ?? new Trace({ now: () => this.#at++ })
  }

  add(draft: Draft): Seq {
    return this.trace.append({ ...draft, link: this.link }).seq
  }

  sent(message: Json, more: Partial<MessageDraft> = {}): Seq {
    return this.add(draftOf('sent', message, more))
  }

  received(message: Json, more: Partial<MessageDraft> = {}): Seq {
    return this.add(draftOf('received', message, more))
  }

  /** A request without HTTP. @returns its ID */
  ask(method: string, params?: JsonObject, more: Partial<MessageDraft> = {}): number {
    const id = ++this.#id
    this.sent({ jsonrpc: '2.0', id, method, ...(params ? { params } : {}) }, more)
    return id
  }

  answer(id: Json, result: JsonObject): Seq {
    return this.received({ jsonrpc: '2.0', id, result })
  }

  refuse(id: Json, code: number, message = 'no', data?: Json): Seq {
    return this.received({ jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } })
  }

  tells(method: string, params?: JsonObject): Seq {
    return this.received({ jsonrpc: '2.0', method, ...(params ? { params } : {}) })
  }

  http(
    method: 'GET' | 'POST' | 'DELETE',
    purpose: 'message' | 'listen' | 'resume' | 'end-session' | 'authorization',
    more: object = {},
  ): Seq {
    return this.add({
      kind: 'http',
      phase: 'request',
      method,
      url: 'http://h/mcp',
      headers: [],
      size: 0,
      purpose,
      ...more,
    })
  }

  auth(draft: AuthEvent): Seq {
    return this.add({ kind: 'auth', flow: 'f1', ...draft })
  }

  /** A sign-in under the rules of this protocol version. */
  flow(revision: Revision): Seq {
    return this.auth({ event: 'flow', grant: 'authorization-code', revision, why: 'asked', steps: [] })
  }

  /** A step with one request. @returns the frames of the step's start and of the request */
  step(step: AuthStep, url: string, body?: string, status = 200): { begun: Seq; request: Seq; end: Seq } {
    const begun = this.auth({ event: 'step', step })
    const request = this.http('GET', 'authorization', { url, step: begun })
    this.head(request, status)
    const end = this.add({ kind: 'http', phase: 'end', request, size: body?.length ?? 0, ...(body ? { body } : {}) })
    return { begun, request, end }
  }

  done(begun: Seq, step: AuthStep, learned: JsonObject = {}, findings: readonly Finding[] = []): Seq {
    const found = findings.length === 0 ? {} : { findings }
    return this.auth({ event: 'done', step, begun, outcome: 'ok', checks: [], learned, ...found })
  }

  head(request: Seq, status = 200, type = 'application/json', headers: HeaderList = []): Seq {
    const healthy: HeaderList = type.startsWith('text/event-stream') ? [['x-accel-buffering', 'no']] : []
    const all: HeaderList = type === '' ? headers : [['content-type', type], ...healthy, ...headers]
    return this.add({ kind: 'http', phase: 'response', request, status, statusText: '', headers: all })
  }

  /** A message in its own POST. */
  post(message: Json, headers: HeaderList = []): Post {
    const seq = this.http('POST', 'message', { headers })
    this.sent(message, { carrier: seq })
    return {
      seq,
      id: isObject(message) && typeof message.id === 'number' ? message.id : 0,
      head: (...head) => this.head(seq, ...head),
      says: (each, more) => this.received(each, { carrier: seq, ...more }),
      end: (size = 0, body?: string) =>
        this.add({ kind: 'http', phase: 'end', request: seq, size, ...(body === undefined ? {} : { body }) }),
    }
  }

  request(method: string, params: JsonObject = {}): JsonObject {
    return { jsonrpc: '2.0', id: ++this.#id, method, params }
  }

  open(revision: Revision, peer: Partial<Peer> = {}, transport = 'test'): Seq {
    const era = revision === '2026-07-28' ? ('stateless' as const) : ('handshake' as const)
    const whole: Peer = { era, revision, info: {}, capabilities: {}, evidence: [], ...peer }
    return this.add({ kind: 'session', phase: 'open', peer: whole, transport })
  }

  /** `initialize`, its response, `notifications/initialized`. */
  shakeHands(revision: Revision, server: JsonObject = ALL_SERVER, client: JsonObject = {}): this {
    const serverInfo = { name: 's', version: '1' }
    const params = { protocolVersion: revision, capabilities: client, clientInfo: { name: 'c', version: '1' } }
    const id = this.ask('initialize', params)
    this.answer(id, { protocolVersion: revision, capabilities: server, serverInfo })
    this.sent({ jsonrpc: '2.0', method: 'notifications/initialized' })
    this.open(revision, { capabilities: server })
    return this
  }

  /** The stateless lifecycle, with the client's capabilities for each request. */
  discover(server: JsonObject = ALL_SERVER, client: JsonObject = {}): this {
    const id = this.ask('server/discover', this.envelope({}, client))
    const hints = { ttlMs: 0, cacheScope: 'private' }
    this.answer(id, modern({ supportedVersions: ['2026-07-28'], capabilities: server, ...hints }))
    this.open('2026-07-28', { capabilities: server, supported: ['2026-07-28'] })
    return this
  }

  /** Parameters of a 2026-07-28 request (META-10). */
  envelope(params: JsonObject = {}, capabilities: JsonObject = {}, meta: JsonObject = {}): JsonObject {
    const own = { [`${META}protocolVersion`]: '2026-07-28', [`${META}clientCapabilities`]: capabilities, ...meta }
    return { ...params, _meta: own }
  }
}

/** Every server capability, so that rules about missing declarations stay silent. */
const ALL_SERVER: JsonObject = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  logging: {},
  completions: {},
  tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
}

/** A result in the form of 2026-07-28. */
export const modern = (result: JsonObject = {}, meta: JsonObject = {}): JsonObject => ({
  resultType: 'complete',
  ...result,
  _meta: { [`${META}serverInfo`]: { name: 's', version: '1' }, ...meta },
})

const draftOf = (direction: 'sent' | 'received', message: Json, more: Partial<MessageDraft>): Draft => {
  const { type, findings: found } = judge(message)
  const size = JSON.stringify(message).length
  const own = direction === 'received' && found.length > 0 ? { findings: found } : {}
  return { kind: 'message', direction, type, message, size, ...own, ...more }
}

export const judged = (talk: Talk, fold = rulesAlone): Findings => foldAll(fold, talk.trace)

/** All findings, in the order of the frames. */
export const listed = ({ bySeq }: Findings): readonly RuleFinding[] => [...bySeq.values()].flat()

/** Formats each finding as `BP-04 MUST`. */
export const cites = (talk: Talk, fold = rulesAlone): string[] =>
  listed(judged(talk, fold)).map(({ rule, keyword }) => `${rule} ${keyword}`)
