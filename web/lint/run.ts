/**
 * The fold that runs all rules over all connections. It visits each frame once, and its memory is limited however many
 * mistakes a peer makes. Includes findings made when a frame was captured.
 */
import { apps } from './wire/apps.ts'
import { authorization } from './wire/authorization.ts'
import { embedded } from './wire/embedded.ts'
import { errorCodes } from './wire/error-codes.ts'
import { batches, ids } from './wire/ids-and-batches.ts'
import { caching, stateless } from './wire/stateless.ts'
import { cancellation } from './wire/cancellation.ts'
import { elicitation, rounds } from './wire/input-requests.ts'
import { httpHeads } from './wire/http-heads.ts'
import { refusals } from './wire/refusals.ts'
import { oldSse, stdio } from './wire/transports.ts'
import { streams } from './wire/event-streams.ts'
import { icons } from './wire/icons.ts'
import { injection } from './wire/injection.ts'
import { invalidParams } from './wire/invalid-params.ts'
import { lifecycle } from './wire/lifecycle.ts'
import { meta } from './wire/meta.ts'
import { progress } from './wire/progress.ts'
import { signIns } from './wire/sign-ins.ts'
import { serverFeatures } from './wire/server-features.ts'
import { stableLists } from './wire/stable-lists.ts'
import { subscriptions } from './wire/subscriptions.ts'
import { tasks } from './wire/tasks.ts'
import { isObject, judge } from '../mcp/index.ts'
import type { Fold, Frame, JsonObject, Link, MessageFrame, Seq } from '../mcp/index.ts'
import {
  tallyKey,
  type FeatureListener,
  type FeatureRules,
  type LintInput,
  type RuleFinding,
  type RuleGroup,
} from './rule.ts'
import { countEvent, observe, observeHttp, observeSent, observeSession, observeStream, partsOf } from './observe.ts'
import { isStricter, type Level, type Levels } from './requirements.ts'
import { type Carrier, LinkView, type Observed, SignInView } from './link.ts'
import type { Checker } from './shapes.ts'
import { type FindingSink, Reporter } from './reporter.ts'
import { Disturbed } from './disturbed.ts'

export const groups: readonly RuleGroup[] = [
  ids,
  batches,
  lifecycle,
  httpHeads,
  refusals,
  streams,
  oldSse,
  stdio,
  progress,
  cancellation,
  elicitation,
  errorCodes,
  invalidParams,
  stateless,
  rounds,
  subscriptions,
  caching,
  meta,
  tasks,
  serverFeatures,
  stableLists,
  embedded,
  apps,
  icons,
  injection,
  authorization,
  signIns,
]

export type Tally = { readonly [L in Level]: number }

/** How often a rule was violated on a connection, and how many of these findings are retained. */
export interface RuleTally {
  readonly link: Link
  readonly rule: string
  readonly keyword: Level
  readonly count: number
  readonly kept: number
}

export interface Findings {
  readonly bySeq: ReadonlyMap<Seq, readonly RuleFinding[]>
  /** All findings, retained or not. */
  readonly counts: Tally
  readonly byLink: ReadonlyMap<Link, Tally>
  /** By connection and rule: `tallyKey`. */
  readonly byRule: ReadonlyMap<string, RuleTally>
}

/** Findings retained per rule and connection; further ones are only counted. */
export const MOST_KEPT = 200

export interface LintOptions {
  readonly levels: Levels
  /** Checks messages against the shapes of the protocol version. Without it, only the rules run. */
  readonly shapes?: Checker | undefined
  /** The features' checks, which run after all others. */
  readonly features?: readonly FeatureRules[] | undefined
}

/** One connection with the rules that watch it. */
interface Watched {
  readonly view: LinkView
  readonly signIns: SignInView
  readonly inputs: readonly LintInput[]
  /** The inputs that want every message, so that a burst doesn't check all of them each time. */
  readonly hearers: readonly Pick<Required<LintInput>, 'message'>[]
  readonly features: readonly FeatureListener[]
  readonly reporter: Reporter
  readonly disturbed: Disturbed
}

type Counts = { -readonly [L in Level]: number }

class State implements Findings, FindingSink {
  readonly bySeq = new Map<Seq, RuleFinding[]>()
  readonly counts: Counts = { MUST: 0, SHOULD: 0, MAY: 0, ADVICE: 0 }
  readonly byLink = new Map<Link, Counts>()
  readonly byRule = new Map<string, { -readonly [K in keyof RuleTally]: RuleTally[K] }>()
  readonly links = new Map<Link, Watched>()
  readonly deferred: (() => Promise<void>)[] = []

  total = 0
  #own = 0

  add(found: RuleFinding): void {
    const { link, rule, keyword, seq } = found
    this.total++
    if (found.by === 'client') return this.#addOwn(found)
    this.counts[keyword]++
    let tally = this.byLink.get(link)
    if (!tally) this.byLink.set(link, (tally = { MUST: 0, SHOULD: 0, MAY: 0, ADVICE: 0 }))
    tally[keyword]++
    const key = tallyKey(link, rule)
    let entry = this.byRule.get(key)
    if (!entry) this.byRule.set(key, (entry = { link, rule, keyword, count: 0, kept: 0 }))
    entry.count++
    if (isStricter(keyword, entry.keyword)) entry.keyword = keyword
    if (entry.kept >= MOST_KEPT) return
    entry.kept++
    this.#keep(seq, found)
  }

  /** Our own mistakes appear on their frames, but in no count: counts are about servers. */
  #addOwn(found: RuleFinding): void {
    if (this.#own++ < MOST_KEPT) this.#keep(found.seq, found)
  }

  #keep(seq: Seq, found: RuleFinding): void {
    const list = this.bySeq.get(seq)
    if (list) list.push(found)
    else this.bySeq.set(seq, [found])
  }
}

/** @returns the fold; its state is `Findings`, plus private fields of the fold */
export const findings = (options: LintOptions): Fold<Findings> => ({
  initial: () => new State(),
  step(state, frame) {
    const own = state as State
    const before = own.total
    watch(own, frame, options)
    return own.total === before ? false : undefined
  },
})

/** Runs the asynchronous checks. @returns `undefined` if there are none */
export const deferredChecks = (findings: Findings): Promise<void> | undefined => {
  const { deferred } = findings as State
  if (deferred.length === 0) return undefined
  const run = async () => {
    for (let check = deferred.shift(); check; check = deferred.shift()) await check()
  }
  return run()
}

const watched = (
  state: State,
  link: Link,
  { levels, features = [] }: LintOptions,
  signInView = new SignInView(),
): Watched => {
  let entry = state.links.get(link)
  if (!entry) {
    const view = new LinkView(link, signInView.facts)
    const inputs = groups.map((each) => each.watch(view))
    const hearers = inputs.filter(
      (input): input is LintInput & Pick<Required<LintInput>, 'message'> => input.message !== undefined,
    )
    entry = {
      view,
      signIns: signInView,
      inputs,
      hearers,
      features: features.map((each) => each.watch(view)),
      reporter: new Reporter(state, levels),
      disturbed: new Disturbed(),
    }
    state.links.set(link, entry)
  }
  return entry
}

const watch = (state: State, frame: Frame, options: LintOptions): void => {
  let entry = watched(state, frame.link, options)
  // A closed connection may be reopened under the same name: reset everything except a sign-in in progress.
  if (entry.view.closed && ((frame.kind === 'session' && frame.phase === 'opening') || isSpawn(frame))) {
    state.links.delete(frame.link)
    entry = watched(state, frame.link, options, entry.signIns)
  }
  const { view, reporter } = entry
  const left = view.closed
  reporter.about(frame, view.revision, entry.disturbed.meet(frame))
  judgeFrame(entry, frame, options.shapes)
  if (left) return
  reporter.by(view.revision)
  for (const listener of entry.features) listener.frame?.(frame, reporter.feature)
}

const judgeFrame = (entry: Watched, frame: Frame, shapes: Checker | undefined): void => {
  const { view, signIns, inputs, reporter } = entry
  switch (frame.kind) {
    case 'message':
      if (frame.direction === 'sent') {
        observeSent(view, frame, (asked, before) =>
          reporter.ofClient(() => {
            for (const input of inputs) input.byHand?.(asked, before, reporter.say)
          }),
        )
      } else received(entry, frame, shapes)
      return
    case 'http': {
      const request = signIns.meetHttp(frame)
      if (request) {
        reporter.by(request.step?.run.of?.revision ?? view.revision)
        for (const input of inputs) input.signIn?.(frame, request, reporter.say)
        return
      }
      const carrier = observeHttp(view, frame)
      if (!carrier || view.closed) return
      for (const input of inputs) input.http?.(frame, carrier, reporter.say)
      if (frame.phase === 'end' && !carrier.bodyDue) completed(entry, frame, carrier)
      return
    }
    case 'stream': {
      const carrier = observeStream(view, frame)
      if (carrier && !view.closed) for (const input of inputs) input.stream?.(frame, carrier, reporter.say)
      return
    }
    case 'process':
      for (const input of inputs) input.process?.(frame, reporter.say)
      return
    case 'session':
      if (observeSession(view, frame)) for (const input of inputs) input.renewed?.()
      if (frame.phase === 'gave-up') {
        const asked = view.sent.bySeq(frame.request)
        if (asked) for (const input of inputs) input.gaveUp?.(frame, asked, reporter.say)
      }
      return
    case 'auth': {
      const step = signIns.meetAuth(frame)
      reporter.by(signIns.revisionOf(frame) ?? view.revision)
      for (const input of inputs) input.auth?.(frame, step, reporter.say)
      for (const finding of frame.findings ?? []) {
        if (OF_CLIENT.has(finding.rule)) reporter.ofClient(() => reporter.keep(finding))
        else reporter.keep(finding)
      }
      return
    }
    default:
      return
  }
}

/** Rules about the client that the user entered: no server can follow them. */
const OF_CLIENT: ReadonlySet<string> = new Set(['AU-REG-03', 'AU-REG-13'])

const completed = ({ inputs, reporter, view }: Watched, frame: Frame, carrier: Carrier): void => {
  carrier.bodyDue = false
  reporter.by(view.revision)
  for (const input of inputs) input.completed?.(frame, carrier, reporter.say)
}

const isSpawn = (frame: Frame): boolean => frame.kind === 'process' && frame.event === 'spawn'

const received = (entry: Watched, frame: MessageFrame, shapes: Checker | undefined): void => {
  judgeReceived(entry, frame, shapes)
  const carrier = entry.view.carrierOf(frame.carrier)
  if (!carrier?.bodyDue) return
  // The body was released, so its content is unknown.
  if (frame.message === undefined && frame.released) carrier.bodyDue = false
  else if (!entry.view.closed) completed(entry, frame, carrier)
}

const judgeReceived = (
  { view, inputs, hearers, features, reporter }: Watched,
  frame: MessageFrame,
  shapes: Checker | undefined,
): void => {
  if (view.closed || (frame.message === undefined && frame.released)) {
    view.received.missed()
    for (const finding of frame.findings ?? []) reporter.pass(finding)
    return
  }
  const carrier = view.carrierOf(frame.carrier)
  if (carrier) countEvent(carrier, frame.eventId)
  for (const input of inputs) input.whole?.(frame, carrier, reporter.say)
  let first: Observed | undefined
  const all: Observed[] = []
  const isBatch = Array.isArray(frame.message)
  for (const [message, at] of partsOf(frame)) {
    const heard = observe(view, frame, message, at)
    first ??= heard
    if (heard) all.push(heard)
    reporter.by(heard ? heard.revision : view.revision)
    if (isBatch) judgePart(message, at, reporter)
    if (heard) for (const input of hearers) input.message(heard, reporter.say)
  }
  const revision = first ? first.revision : view.revision
  reporter.by(revision)
  // With an error status, the body may be anything, not just a message.
  const isBody = (carrier?.response?.status ?? 0) >= 400 && isObject(frame.message) && !('jsonrpc' in frame.message)
  if (isBody) return
  // The rules explain it better than the shapes: don't report the same violation twice.
  const own = new Set(reporter.said.keys())
  for (const finding of frame.findings ?? []) {
    own.add(finding.rule)
    reporter.pass(finding)
  }
  if (shapes && revision !== undefined) {
    for (const finding of shapes(view, frame, first, revision)) if (!own.has(finding.rule)) reporter.pass(finding, true)
  }
  if (features.length === 0) return
  for (const heard of all) {
    reporter.by(heard.revision)
    const report = reporter.feature
    for (const listener of features) listener.message?.(heard, report)
  }
}

/** Applies the kernel's own checks to each part of a batch. */
const judgePart = (message: JsonObject, at: string, reporter: Reporter): void => {
  for (const finding of judge(message).findings) reporter.pass({ ...finding, pointer: at + (finding.pointer ?? '') })
}
