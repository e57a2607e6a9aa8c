/**
 * The live sessions that replace the recorded connections. They act like the recorded client, with its capabilities and
 * responses, so that the server behaves the same.
 */
import {
  type Answers,
  ErrorCode,
  type ErrorObject,
  type Fold,
  type Frame,
  type JsonObject,
  type Link,
  META,
  type Peer,
  ProtocolError,
  type Revision,
  type Seq,
  Session,
  Trace,
  TransportError,
  exchanges,
  foldAll,
  isErrorObject,
  isObject,
  isRevision,
  messagesIn,
} from '../../web/mcp/index.ts'
import { deferredChecks, findings, levelsOf, loadRequirements, shapes } from '../../web/lint/index.ts'
import type { Findings, RuleFinding } from '../../web/lint/index.ts'
import { featureRules } from '../../web/features/lint-rules.ts'
import type { ScriptedAnswers } from '../../web/replay/index.ts'
import { markOf } from '../../web/secrets/redaction.ts'
import type { Recording } from './recording-file.ts'
import type { Destination } from './destinations.ts'
import { nodeValidator } from './node-validator.ts'

interface RecordedClient {
  readonly capabilities: JsonObject
  /** The last negotiated version. */
  readonly revision?: Revision
  /** The recorded server's description. */
  readonly peer?: Extract<Frame, { kind: 'session'; phase: 'open' }>['peer']
}

function clientOf(frames: readonly Frame[], link: Link): RecordedClient {
  let capabilities: JsonObject = {}
  let peer: RecordedClient['peer']
  for (const frame of frames) {
    if (frame.link !== link) continue
    if (frame.kind === 'session' && frame.phase === 'open') peer = frame.peer
    if (frame.kind !== 'message' || frame.direction !== 'sent' || !isObject(frame.message)) continue
    const { method, params } = frame.message
    if (!isObject(params)) continue
    const meta = isObject(params._meta) ? params._meta[META.capabilities] : undefined
    const announced = method === 'initialize' ? params.capabilities : meta
    if (isObject(announced)) capabilities = announced
  }
  const revision = peer?.revision
  return { capabilities, revision: isRevision(revision) ? revision : undefined, peer }
}

/** The requests a server may send. The kernel responds to `ping`. */
const SERVER_REQUESTS = ['sampling/createMessage', 'elicitation/create', 'roots/list'] as const

/**
 * Responds from the recording. A server request normally belongs to the current step. Requests the server sends unprompted,
 * such as roots/list after the handshake, get their recorded response at any time.
 * @param script of the current step
 */
function answersFrom(frames: readonly Frame[], link: Link, script: () => ScriptedAnswers | undefined): Answers {
  const spontaneous = unsolicitedResponses(frames, link)
  const respond = (method: string) => (params: JsonObject, _signal: AbortSignal, asking: { readonly key?: string }) => {
    const current = script()
    if (current?.unasked.some((each) => each.method === method))
      return inThisFolder(current.answer(method, params, asking.key))
    const known = spontaneous.get(`${method} ${JSON.stringify(params)}`) ?? spontaneous.get(method)
    if (known) return resultOrThrow(known)
    // roots/list may arrive at any time, so its recorded position says nothing about a step.
    if (current && method !== 'roots/list') return inThisFolder(current.answer(method, params, asking.key))
    throw new ProtocolError(ErrorCode.InternalError, `The recording has no response to this ${method}`)
  }
  return Object.fromEntries(SERVER_REQUESTS.map((method) => [method, respond(method)]))
}

type ResponseOutcome = { readonly result: JsonObject } | { readonly error: ErrorObject }

function resultOrThrow(outcome: ResponseOutcome): JsonObject {
  if ('result' in outcome) return inThisFolder(outcome.result)
  const { code, message, data } = outcome.error
  throw new ProtocolError(code, message, data)
}

/** Roots in a recording from which local folders were removed: the current folder takes their place. */
function inThisFolder(result: JsonObject): JsonObject {
  const text = JSON.stringify(result)
  const mark = markOf('paths')
  if (!text.includes(mark)) return result
  return JSON.parse(text.replaceAll(mark, () => JSON.stringify(process.cwd()).slice(1, -1))) as JsonObject
}

/** Responses to server requests outside any call; for roots/list, responses at any time. */
function unsolicitedResponses(frames: readonly Frame[], link: Link): ReadonlyMap<string, ResponseOutcome> {
  const { all } = foldAll(exchanges, frames)
  const calls = all.filter((each) => each.link === link && each.direction === 'sent' && !NOT_STEPS.has(each.method))
  const answers = new Map<string, ResponseOutcome>()
  for (const { link: theirs, direction, method, request, response, startedAt, id } of all) {
    if (theirs !== link || direction !== 'received' || response === undefined) continue
    const during = calls.some((call) => call.startedAt <= startedAt && (call.endedAt ?? Infinity) >= startedAt)
    if (during && method !== 'roots/list') continue
    const [asked, answered] = [messageIn(frames[request], id), messageIn(frames[response], id)]
    const outcome: ResponseOutcome | undefined = isObject(answered?.result)
      ? { result: answered.result }
      : isErrorObject(answered?.error)
        ? { error: answered.error }
        : undefined
    if (!outcome) continue
    answers.set(`${method} ${JSON.stringify(isObject(asked?.params) ? asked.params : {})}`, outcome)
    answers.set(method, outcome)
  }
  return answers
}

const NOT_STEPS: ReadonlySet<string> = new Set(['initialize', 'server/discover', 'subscriptions/listen', 'ping'])

function messageIn(frame: Frame | undefined, id: string | number): JsonObject | undefined {
  return frame?.kind === 'message' ? messagesIn(frame.message).find((part) => part.id === id) : undefined
}

export interface ConnectedServer {
  readonly session: Session
  readonly peer: Peer
  readonly recorded: RecordedClient
  readonly destination: Destination
}

/** All connections share one trace, as in a recording. */
export class Connections {
  readonly trace = new Trace()
  readonly #recording: Recording
  readonly #open = new Map<Link, ConnectedServer>()
  readonly #scripts = new Map<Link, ScriptedAnswers>()
  #closed = false

  constructor(recording: Recording) {
    this.#recording = recording
  }

  get all(): ReadonlyMap<Link, ConnectedServer> {
    return this.#open
  }

  /** Prefers the recorded protocol version: responses may differ between versions. @throws as `Session.open` */
  async open(link: Link, destination: Destination, signal?: AbortSignal): Promise<ConnectedServer> {
    const recorded = clientOf(this.#recording.frames, link)
    let session = this.#session(link, destination, recorded, true)
    const stop = () => void session.close('stopped')
    signal?.addEventListener('abort', stop)
    try {
      let peer: Peer
      try {
        peer = await session.open()
      } catch (error) {
        const other = error instanceof TransportError && error.code === 'unsupported-revision'
        if (!other || recorded.revision === undefined) throw error
        session = this.#session(link, destination, recorded, false)
        peer = await session.open()
      }
      const connected = { session, peer, recorded, destination }
      this.#open.set(link, connected)
      if (this.#closed) await session.close()
      return connected
    } finally {
      signal?.removeEventListener('abort', stop)
    }
  }

  /** Server requests belong to this step from now on; `undefined` for none. */
  script(answers: ScriptedAnswers | undefined, link: Link): void {
    if (answers) this.#scripts.set(link, answers)
    else this.#scripts.delete(link)
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all(Array.from(this.#open.values(), ({ session }) => session.close()))
  }

  #session(link: Link, destination: Destination, recorded: RecordedClient, pinned: boolean): Session {
    return new Session({
      trace: this.trace,
      link,
      transport: destination.transport(),
      clientInfo: { name: 'mcp-periscope', title: 'Periscope', version: __VERSION__ },
      capabilities: () => recorded.capabilities,
      answers: answersFrom(this.#recording.frames, link, () => this.#scripts.get(link)),
      pinned: pinned ? recorded.revision : undefined,
    })
  }
}

/** Runs the specification's rules and the features' checks over a growing trace. */
export class SpecRules {
  readonly #fold: Fold<Findings>
  readonly #trace: Trace
  readonly #state: Findings
  #reached: Seq = 0

  private constructor(fold: Fold<Findings>, trace: Trace) {
    this.#fold = fold
    this.#trace = trace
    this.#state = fold.initial()
  }

  static async over(trace: Trace): Promise<SpecRules> {
    const levels = levelsOf(await loadRequirements())
    return new SpecRules(findings({ levels, shapes, features: featureRules(nodeValidator) }), trace)
  }

  async current(): Promise<Findings> {
    while (this.#reached < this.#trace.length) {
      this.#fold.step(this.#state, this.#trace.at(this.#reached++)!)
      await deferredChecks(this.#state)
    }
    return this.#state
  }

  /** Violations of a MUST on a connection, starting at frame `from`. */
  async musts(link: Link, from: Seq): Promise<number> {
    let count = 0
    for (const [seq, list] of (await this.current()).bySeq) {
      if (seq >= from) count += list.filter((each) => each.link === link && isMust(each)).length
    }
    return count
  }

  /** The purpose of the HTTP request that a frame belongs to. */
  #purposeAt(seq: Seq): string | undefined {
    const frame = this.#trace.at(seq)
    if (frame?.kind === 'message')
      return frame.carrier === undefined ? undefined : purposeOf(this.#trace.at(frame.carrier))
    return frame && 'request' in frame ? purposeOf(this.#trace.at(frame.request ?? -1)) : purposeOf(frame)
  }

  /** Violations of a MUST that the recording doesn't have: the first one of each rule. */
  async newMusts(recorded: readonly Frame[]): Promise<Must[]> {
    const before = this.#fold.initial()
    for (const frame of recorded) {
      this.#fold.step(before, frame)
      await deferredChecks(before)
    }
    const known = new Set(Array.from(before.byRule.values(), ({ rule }) => rule))
    const made = new Set(recorded.flatMap((frame) => purposeOf(frame) ?? []))
    const found = new Map<string, Must>()
    for (const list of (await this.current()).bySeq.values()) {
      for (const finding of list) {
        if (!isMust(finding) || known.has(finding.rule) || found.has(finding.rule)) continue
        // A request that the recorded client never made, such as a GET stream, says nothing about a change.
        const purpose = this.#purposeAt(finding.seq)
        if (purpose !== undefined && purpose !== 'message' && !made.has(purpose)) continue
        found.set(finding.rule, finding)
      }
    }
    return [...found.values()]
  }
}

/** What an HTTP request is for. */
const purposeOf = (frame: Frame | undefined): string | undefined =>
  frame?.kind === 'http' && frame.phase === 'request' ? frame.purpose : undefined

/** Only the server's violations: those of the client come from the recording. */
const isMust = (finding: RuleFinding): finding is Must => finding.keyword === 'MUST' && finding.by !== 'client'

type Must = RuleFinding & { readonly keyword: 'MUST' }
