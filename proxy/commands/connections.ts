/** The live sessions that replace the recorded connections. */
import { Session, Trace, TransportError } from '../../web/mcp/index.ts'
import type { Link, Peer, Seq } from '../../web/mcp/index.ts'
import {
  levelsOf,
  loadRequirements,
  deferredChecks,
  findings,
  type Findings,
  type RuleFinding,
  shapes,
} from '../../web/lint/index.ts'
import { featureRules } from '../../web/features/lint-rules.ts'
import type { Fold, Frame } from '../../web/mcp/index.ts'
import type { ScriptedAnswers } from '../../web/replay/index.ts'
import { answersFrom, clientOf, type RecordedClient } from './recorded-client.ts'
import type { Recording } from './recording-file.ts'
import type { Destination } from './destinations.ts'

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
      ...(pinned && recorded.revision ? { pinned: recorded.revision } : {}),
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
    return new SpecRules(findings({ levels, shapes, features: featureRules() }), trace)
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

  /** Violations of a MUST that the recording doesn't have: the first one of each rule. */
  async newMusts(recorded: readonly Frame[]): Promise<Must[]> {
    const before = this.#fold.initial()
    for (const frame of recorded) {
      this.#fold.step(before, frame)
      await deferredChecks(before)
    }
    const known = new Set(Array.from(before.byRule.values(), ({ rule }) => rule))
    const found = new Map<string, Must>()
    for (const list of (await this.current()).bySeq.values()) {
      for (const finding of list) {
        if (!isMust(finding) || known.has(finding.rule) || found.has(finding.rule)) continue
        found.set(finding.rule, finding)
      }
    }
    return [...found.values()]
  }
}

/** Only the server's violations: those of the client come from the recording. */
const isMust = (finding: RuleFinding): finding is Must => finding.keyword === 'MUST' && finding.by !== 'client'

type Must = RuleFinding & { readonly keyword: 'MUST' }
