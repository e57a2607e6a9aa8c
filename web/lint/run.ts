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
  type FrameOf,
  type Json,
  type Link,
  type MessageFrame,
  type Revision,
  type Seq,
} from '../mcp/index.ts'
import { countEvent, hear, meetHttp, meetSent, meetSession, meetStream, partsOf } from './hear.ts'
import type { Level, Levels } from './levels.ts'
import { LinkView, type Heard } from './link.ts'
import type { Ears, RuleFinding, Say } from './rule.ts'
import type { Checker } from './shapes.ts'
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

interface Watched {
  readonly view: LinkView
  readonly ears: readonly Ears[]
  readonly once: Set<string>
}

type Counts = { -readonly [L in Level]: number }

class State implements Findings {
  readonly bySeq = new Map<Seq, RuleFinding[]>()
  readonly counts: Counts = { MUST: 0, SHOULD: 0, MAY: 0 }
  readonly byLink = new Map<Link, Counts>()
  readonly byRule = new Map<string, { -readonly [K in keyof RuleTally]: RuleTally[K] }>()
  readonly links = new Map<Link, Watched>()

  add(found: RuleFinding): void {
    const { link, rule, keyword, seq } = found
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
    const before = own.counts.MUST + own.counts.SHOULD + own.counts.MAY
    watch(own, frame, options)
    return own.counts.MUST + own.counts.SHOULD + own.counts.MAY === before ? false : undefined
  },
})

const watched = (state: State, link: Link): Watched => {
  let entry = state.links.get(link)
  if (!entry) {
    const view = new LinkView(link)
    entry = { view, ears: groups.map((each) => each.watch(view)), once: new Set() }
    state.links.set(link, entry)
  }
  return entry
}

const watch = (state: State, frame: Frame, options: LintOptions): void => {
  let entry = watched(state, frame.link)
  // A connection that was left may be made again under its name: all begins anew.
  if (entry.view.closed && ((frame.kind === 'session' && frame.phase === 'opening') || isSpawn(frame))) {
    state.links.delete(frame.link)
    entry = watched(state, frame.link)
  }
  const { view, ears } = entry
  const say = speaker(state, entry, frame, options.levels, () => view.revision)
  switch (frame.kind) {
    case 'message':
      if (frame.direction === 'sent') meetSent(view, frame)
      else received(state, entry, frame, say, options)
      return
    case 'http': {
      const carrier = meetHttp(view, frame)
      if (carrier && !view.closed) for (const ear of ears) ear.http?.(frame, carrier, say)
      return
    }
    case 'stream': {
      const carrier = meetStream(view, frame)
      if (carrier && !view.closed) for (const ear of ears) ear.stream?.(frame, carrier, say)
      return
    }
    case 'process':
      for (const ear of ears) ear.process?.(frame, say)
      return
    case 'session':
      if (meetSession(view, frame)) for (const ear of ears) ear.renewed?.()
      return
    default:
      return
  }
}

const isSpawn = (frame: Frame): frame is FrameOf<'process'> => frame.kind === 'process' && frame.event === 'spawn'

/** Says findings of one frame: none that the revision does not have, each as strongly as it asks. */
const speaker =
  (state: State, { once }: Watched, frame: Frame, levels: Levels, inForce: () => Revision | undefined): Say =>
  (rule, explanation, { pointer, related, revision = inForce(), once: onlyOnce } = {}) => {
    const keyword = levels(rule, revision)
    if (!keyword) return
    if (onlyOnce) {
      if (once.has(rule)) return
      once.add(rule)
    }
    state.add({
      rule,
      keyword,
      explanation,
      link: frame.link,
      seq: frame.seq,
      ...(revision === undefined ? {} : { revision }),
      ...(pointer === undefined ? {} : { pointer }),
      ...(related === undefined ? {} : { related }),
    })
  }

const received = (state: State, entry: Watched, frame: MessageFrame, say: Say, options: LintOptions): void => {
  const { view, ears } = entry
  if (view.closed || (frame.message === undefined && frame.released)) {
    view.received.missed()
    captured(state, frame, view.revision, options.levels)
    return
  }
  const carrier = view.carrierOf(frame.carrier)
  if (carrier) countEvent(carrier, frame.eventId)
  const parts = partsOf(frame)
  const isBatch = Array.isArray(frame.message)
  let first: Heard | undefined
  const said = new Set<string>()
  const mark: Say = (rule, ...rest) => {
    said.add(rule)
    say(rule, ...rest)
  }
  for (const ear of ears) ear.whole?.(frame, carrier, mark)
  for (const [message, at] of parts) {
    const heard = hear(view, frame, message, at)
    first ??= heard
    if (isBatch) inBatch(message, at, mark)
    if (!heard) continue
    const sayHeard: Say = (rule, explanation, details) => {
      said.add(rule)
      say(rule, explanation, { ...details, revision: details?.revision ?? heard.revision })
    }
    for (const ear of ears) ear.message?.(heard, sayHeard)
  }
  const revision = first ? first.revision : view.revision
  // With a status that refuses, a body may be anything that is no message.
  const isBody = (carrier?.response?.status ?? 0) >= 400 && isObject(frame.message) && !('jsonrpc' in frame.message)
  if (isBody) return
  for (const rule of captured(state, frame, revision, options.levels)) said.add(rule)
  if (options.shapes && revision !== undefined) {
    for (const finding of options.shapes(view, frame, first, revision)) {
      // The rules that stand by themselves say it in better words.
      if (!said.has(finding.rule)) add(state, frame, finding, revision, options.levels)
    }
  }
}

/** What the kernel says of a message it says of each part of a batch here. */
const inBatch = (message: Json, at: string, say: Say): void => {
  if (!isObject(message)) return
  for (const { rule, explanation, pointer = '' } of judge(message).findings)
    say(rule, explanation, { pointer: at + pointer })
}

/** What was found when the frame was captured. @returns the rules */
const captured = (state: State, frame: MessageFrame, revision: Revision | undefined, levels: Levels): string[] => {
  const own = frame.findings ?? []
  for (const finding of own) add(state, frame, finding, revision, levels)
  return own.map(({ rule }) => rule)
}

const add = (state: State, frame: Frame, found: Finding, revision: Revision | undefined, levels: Levels): void => {
  const { rule, explanation, pointer } = found
  // A note keeps its own keyword, and so does what is told while no revision is known.
  const keyword = found.keyword === 'MAY' ? 'MAY' : levels(rule, revision)
  if (!keyword && revision !== undefined && levels.has(rule)) return
  state.add({
    rule,
    keyword: keyword ?? found.keyword,
    explanation,
    link: frame.link,
    seq: frame.seq,
    ...(revision === undefined ? {} : { revision }),
    ...(pointer === undefined || pointer === '' ? {} : { pointer }),
  })
}
