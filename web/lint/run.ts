/**
 * The fold that watches the wire: all rules over all connections, one look per frame, and memory that is bounded however
 * much a peer gets wrong. What was found when a frame was captured is among it.
 */
import {
  isObject,
  judge,
  type Finding,
  type Fold,
  type Frame,
  type JsonObject,
  type Link,
  type MessageFrame,
  type Revision,
  type Seq,
} from '../mcp/index.ts'
import { countEvent, hear, meetHttp, meetSent, meetSession, meetStream, partsOf } from './hear.ts'
import type { Level, Levels } from './levels.ts'
import { LinkView, type Carrier, type Heard } from './link.ts'
import type { Ears, RuleFinding, Say } from './rule.ts'
import type { Checker } from './shapes.ts'
import { SignInView } from './sign-in.ts'
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
}

/** One connection with the rules that watch it. */
interface Watched {
  readonly view: LinkView
  readonly signIns: SignInView
  readonly ears: readonly Ears[]
  /** Those of the ears that want every message: a burst must not ask the others again and again. */
  readonly hearers: readonly Pick<Required<Ears>, 'message'>[]
  readonly voice: Voice
}

type Counts = { -readonly [L in Level]: number }

class State implements Findings {
  readonly bySeq = new Map<Seq, RuleFinding[]>()
  readonly counts: Counts = { MUST: 0, SHOULD: 0, MAY: 0 }
  readonly byLink = new Map<Link, Counts>()
  readonly byRule = new Map<string, { -readonly [K in keyof RuleTally]: RuleTally[K] }>()
  readonly links = new Map<Link, Watched>()

  total = 0
  #own = 0

  add(found: RuleFinding): void {
    const { link, rule, keyword, seq } = found
    this.total++
    if (found.by === 'client') return this.#addOwn(found)
    this.counts[keyword]++
    let tally = this.byLink.get(link)
    if (!tally) this.byLink.set(link, (tally = { MUST: 0, SHOULD: 0, MAY: 0 }))
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

/** Says the findings of one frame at a time: none that the revision does not have, each as strongly as it asks. */
class Voice {
  readonly #state: State
  readonly #levels: Levels
  readonly #once = new Set<string>()
  /** The rules cited for the frame so far. */
  readonly said = new Set<string>()
  #frame!: Frame
  #client = false
  #revision: Revision | undefined

  constructor(state: State, levels: Levels) {
    this.#state = state
    this.#levels = levels
  }

  /** From here on all is said of this frame, and by this revision where nothing else is named. */
  about(frame: Frame, revision: Revision | undefined): void {
    this.#frame = frame
    this.#revision = revision
    if (this.said.size > 0) this.said.clear()
  }

  by(revision: Revision | undefined): void {
    this.#revision = revision
  }

  /** What is said within is said of the client. */
  ofClient(judge: () => void): void {
    this.#client = true
    judge()
    this.#client = false
  }

  readonly say: Say = (rule, explanation, details = {}) => {
    const { pointer, related, revision = this.#revision, once } = details
    const keyword = this.#levels(rule, revision)
    if (!keyword) return
    if (once) {
      if (this.#once.has(rule)) return
      this.#once.add(rule)
    }
    this.#add(rule, keyword, explanation, revision, pointer, related)
  }

  /** What somebody else found, as strongly as the revision has it. A note keeps its own keyword. */
  pass({ rule, keyword, explanation, pointer }: Finding): void {
    const level = keyword === 'MAY' ? keyword : this.#levels(rule, this.#revision)
    if (!level && this.#revision !== undefined && this.#levels.has(rule)) return
    this.#add(rule, level ?? keyword, explanation, this.#revision, pointer === '' ? undefined : pointer, undefined)
  }

  /** What a sign-in found, which knows its own rules, RFCs among them: all of it stands. */
  keep({ rule, keyword, explanation }: Finding): void {
    const level = keyword === 'MAY' ? keyword : (this.#levels(rule, this.#revision) ?? keyword)
    this.#add(rule, level, explanation, this.#revision)
  }

  #add(rule: string, keyword: Level, explanation: string, revision?: Revision, pointer?: string, related?: Seq): void {
    this.said.add(rule)
    const { link, seq } = this.#frame
    this.#state.add({
      rule,
      keyword,
      explanation,
      link,
      seq,
      ...(this.#client ? { by: 'client' as const } : {}),
      ...(revision === undefined ? {} : { revision }),
      ...(pointer === undefined ? {} : { pointer }),
      ...(related === undefined ? {} : { related }),
    })
  }
}

/** @returns the fold; its state is `Findings` and more that only the fold reads */
export const findings = ({ levels, shapes }: LintOptions): Fold<Findings> => ({
  initial: () => new State(),
  step(state, frame) {
    const own = state as State
    const before = own.total
    watch(own, frame, levels, shapes)
    return own.total === before ? false : undefined
  },
})

const watched = (state: State, link: Link, levels: Levels, signIns = new SignInView()): Watched => {
  let entry = state.links.get(link)
  if (!entry) {
    const view = new LinkView(link)
    const ears = groups.map((each) => each.watch(view))
    const hearers = ears.filter((ear): ear is Ears & Pick<Required<Ears>, 'message'> => ear.message !== undefined)
    entry = { view, signIns, ears, hearers, voice: new Voice(state, levels) }
    state.links.set(link, entry)
  }
  return entry
}

const watch = (state: State, frame: Frame, levels: Levels, shapes: Checker | undefined): void => {
  let entry = watched(state, frame.link, levels)
  // A connection that was left may be made again under its name: all begins anew, but for a sign-in under way.
  if (entry.view.closed && ((frame.kind === 'session' && frame.phase === 'opening') || isSpawn(frame))) {
    state.links.delete(frame.link)
    entry = watched(state, frame.link, levels, entry.signIns)
  }
  const { view, signIns, ears, voice } = entry
  voice.about(frame, view.revision)
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
  { view, ears, hearers, voice }: Watched,
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
  const isBatch = Array.isArray(frame.message)
  for (const [message, at] of partsOf(frame)) {
    const heard = hear(view, frame, message, at)
    first ??= heard
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
  const own = new Set(voice.said)
  for (const finding of frame.findings ?? []) {
    own.add(finding.rule)
    voice.pass(finding)
  }
  if (!shapes || revision === undefined) return
  for (const finding of shapes(view, frame, first, revision)) if (!own.has(finding.rule)) voice.pass(finding)
}

/** What the kernel says of a message it says of each part of a batch here. */
const judgePart = (message: JsonObject, at: string, voice: Voice): void => {
  for (const finding of judge(message).findings) voice.pass({ ...finding, pointer: at + (finding.pointer ?? '') })
}
