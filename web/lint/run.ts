/**
 * The fold that watches the wire: all rules over all connections, one look per frame, and memory that is bounded however
 * much a peer gets wrong. What was found when a frame was captured is among it.
 */
import {
  isObject,
  judge,
  type Fold,
  type Frame,
  type JsonObject,
  type Link,
  type MessageFrame,
  type Seq,
} from '../mcp/index.ts'
import type { FeatureListener, FeatureRules } from './feature-rules.ts'
import { countEvent, hear, meetHttp, meetSent, meetSession, meetStream, partsOf } from './hear.ts'
import type { Level, Levels } from './levels.ts'
import { LinkView, type Carrier, type Heard } from './link.ts'
import type { Ears, RuleFinding } from './rule.ts'
import type { Checker } from './shapes.ts'
import { SignInView } from './sign-in.ts'
import { Voice, type FindingSink } from './voice.ts'
import { groups } from './wire/groups.ts'

export type Tally = { readonly [L in Level]: number }

/** How often a rule was broken on a connection, and how many of these are kept. */
export interface RuleTally {
  readonly link: Link
  readonly rule: string
  readonly keyword: Level
  readonly count: number
  readonly kept: number
}

export interface Findings {
  readonly bySeq: ReadonlyMap<Seq, readonly RuleFinding[]>
  /** All that were found, kept or not. */
  readonly counts: Tally
  readonly byLink: ReadonlyMap<Link, Tally>
  /** By connection and rule: `tallyKey`. */
  readonly byRule: ReadonlyMap<string, RuleTally>
}

export const tallyKey = (link: Link, rule: string): string => `${link} ${rule}`

/** Findings that are kept of one rule on one connection; more are only counted. */
export const MOST_KEPT = 200

export interface LintOptions {
  readonly levels: Levels
  /** Holds messages against the shapes of the revision. Without it the rules stand alone. */
  readonly shapes?: Checker | undefined
  /** Checks of the features, after all others. */
  readonly features?: readonly FeatureRules[] | undefined
}

/** One connection with the rules that watch it. */
interface Watched {
  readonly view: LinkView
  readonly signIns: SignInView
  readonly ears: readonly Ears[]
  /** Those of the ears that want every message: a burst must not ask the others again and again. */
  readonly hearers: readonly Pick<Required<Ears>, 'message'>[]
  readonly features: readonly FeatureListener[]
  readonly voice: Voice
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
    if (entry.kept >= MOST_KEPT) return
    entry.kept++
    this.#keep(seq, found)
  }

  /** Our own faults stand at their frames, and in no count: the counts are about servers. */
  #addOwn(found: RuleFinding): void {
    if (this.#own++ < MOST_KEPT) this.#keep(found.seq, found)
  }

  #keep(seq: Seq, found: RuleFinding): void {
    const list = this.bySeq.get(seq)
    if (list) list.push(found)
    else this.bySeq.set(seq, [found])
  }
}

/** @returns the fold; its state is `Findings` and more that only the fold reads */
export const findings = (options: LintOptions): Fold<Findings> => ({
  initial: () => new State(),
  step(state, frame) {
    const own = state as State
    const before = own.total
    watch(own, frame, options)
    return own.total === before ? false : undefined
  },
})

/** Makes the checks that take their time. @returns `undefined` where there are none */
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
  signIns = new SignInView(),
): Watched => {
  let entry = state.links.get(link)
  if (!entry) {
    const view = new LinkView(link)
    const ears = groups.map((each) => each.watch(view))
    const hearers = ears.filter((ear): ear is Ears & Pick<Required<Ears>, 'message'> => ear.message !== undefined)
    entry = {
      view,
      signIns,
      ears,
      hearers,
      features: features.map((each) => each.watch(view)),
      voice: new Voice(state, levels),
    }
    state.links.set(link, entry)
  }
  return entry
}

const watch = (state: State, frame: Frame, options: LintOptions): void => {
  let entry = watched(state, frame.link, options)
  // A connection that was left may be made again under its name: all begins anew, but for a sign-in under way.
  if (entry.view.closed && ((frame.kind === 'session' && frame.phase === 'opening') || isSpawn(frame))) {
    state.links.delete(frame.link)
    entry = watched(state, frame.link, options, entry.signIns)
  }
  const { view, voice } = entry
  const left = view.closed
  voice.about(frame, view.revision)
  judgeFrame(entry, frame, options.shapes)
  if (left) return
  voice.by(view.revision)
  for (const listener of entry.features) listener.frame?.(frame, voice.feature)
}

const judgeFrame = (entry: Watched, frame: Frame, shapes: Checker | undefined): void => {
  const { view, signIns, ears, voice } = entry
  switch (frame.kind) {
    case 'message':
      if (frame.direction === 'sent') {
        meetSent(view, frame, (asked, before) =>
          voice.ofClient(() => {
            for (const ear of ears) ear.byHand?.(asked, before, voice.say)
          }),
        )
      } else received(entry, frame, shapes)
      return
    case 'http': {
      const request = signIns.meetHttp(frame)
      if (request) {
        voice.by(request.step?.revision ?? view.revision)
        for (const ear of ears) ear.signIn?.(frame, request, voice.say)
        return
      }
      const carrier = meetHttp(view, frame)
      if (!carrier || view.closed) return
      for (const ear of ears) ear.http?.(frame, carrier, voice.say)
      if (frame.phase === 'end' && !carrier.bodyDue) completed(entry, frame, carrier)
      return
    }
    case 'stream': {
      const carrier = meetStream(view, frame)
      if (carrier && !view.closed) for (const ear of ears) ear.stream?.(frame, carrier, voice.say)
      return
    }
    case 'process':
      for (const ear of ears) ear.process?.(frame, voice.say)
      return
    case 'session':
      if (meetSession(view, frame)) for (const ear of ears) ear.renewed?.()
      return
    case 'auth': {
      const step = signIns.meetAuth(frame)
      voice.by(signIns.revisionOf(frame) ?? view.revision)
      for (const ear of ears) ear.auth?.(frame, step, voice.say)
      for (const finding of frame.findings ?? []) voice.keep(finding)
      return
    }
    default:
      return
  }
}

const completed = ({ ears, voice, view }: Watched, frame: Frame, carrier: Carrier): void => {
  carrier.bodyDue = false
  voice.by(view.revision)
  for (const ear of ears) ear.completed?.(frame, carrier, voice.say)
}

const isSpawn = (frame: Frame): boolean => frame.kind === 'process' && frame.event === 'spawn'

const received = (entry: Watched, frame: MessageFrame, shapes: Checker | undefined): void => {
  judgeReceived(entry, frame, shapes)
  const carrier = entry.view.carrierOf(frame.carrier)
  if (!carrier?.bodyDue) return
  // Without its text nobody knows what it held.
  if (frame.message === undefined && frame.released) carrier.bodyDue = false
  else if (!entry.view.closed) completed(entry, frame, carrier)
}

const judgeReceived = (
  { view, ears, hearers, features, voice }: Watched,
  frame: MessageFrame,
  shapes: Checker | undefined,
): void => {
  if (view.closed || (frame.message === undefined && frame.released)) {
    view.received.missed()
    for (const finding of frame.findings ?? []) voice.pass(finding)
    return
  }
  const carrier = view.carrierOf(frame.carrier)
  if (carrier) countEvent(carrier, frame.eventId)
  for (const ear of ears) ear.whole?.(frame, carrier, voice.say)
  let first: Heard | undefined
  const all: Heard[] = []
  const isBatch = Array.isArray(frame.message)
  for (const [message, at] of partsOf(frame)) {
    const heard = hear(view, frame, message, at)
    first ??= heard
    if (heard) all.push(heard)
    voice.by(heard ? heard.revision : view.revision)
    if (isBatch) judgePart(message, at, voice)
    if (heard) for (const ear of hearers) ear.message(heard, voice.say)
  }
  const revision = first ? first.revision : view.revision
  voice.by(revision)
  // With a status that refuses, a body may be anything that is no message.
  const isBody = (carrier?.response?.status ?? 0) >= 400 && isObject(frame.message) && !('jsonrpc' in frame.message)
  if (isBody) return
  // The rules say it in better words than the shapes: what they cited is not told twice.
  const own = new Set(voice.said.keys())
  for (const finding of frame.findings ?? []) {
    own.add(finding.rule)
    voice.pass(finding)
  }
  if (shapes && revision !== undefined) {
    for (const finding of shapes(view, frame, first, revision)) if (!own.has(finding.rule)) voice.pass(finding)
  }
  if (features.length === 0) return
  for (const heard of all) {
    voice.by(heard.revision)
    const report = voice.feature
    for (const listener of features) listener.message?.(heard, report)
  }
}

/** What the kernel says of a message it says of each part of a batch here. */
const judgePart = (message: JsonObject, at: string, voice: Voice): void => {
  for (const finding of judge(message).findings) voice.pass({ ...finding, pointer: at + (finding.pointer ?? '') })
}
