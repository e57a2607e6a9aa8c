/**
 * Defines a rule: code that watches one connection, frame by frame, and reports violations of a checklist row.
 *
 * Rules are grouped by topic (`wire/`), because the rules of a topic need the same state. Each connection gets a new
 * instance of a group, which keeps its state in a closure, within limits. It never looks back at the trace.
 */
import { escapeToken } from '../json/index.ts'
import type { Finding, FindingOrAdvice, Frame, FrameOf, Link, MessageFrame, Revision, Seq } from '../mcp/index.ts'
import type { Carrier, LinkView, Observed, SignInRequest, SignInStep, TrackedRequest } from './link.ts'

/** A violation or advice, with its frame and the protocol version. */
export interface RuleFinding extends FindingOrAdvice {
  readonly link: Link
  /** The frame that shows it. */
  readonly seq: Seq
  /** The protocol version in force; absent if it wasn't known and every version has the rule. */
  readonly revision?: Revision
  /** A mistake in a message written manually: never counted against the server. */
  readonly by?: 'client'
  /** A related frame: the first use of an ID, or the request that got two responses. */
  readonly related?: Seq
  /** Other rules that say the same: the section of the RFC behind a row of the checklist. */
  readonly also?: readonly string[]
}

/** The key under which a connection's findings of a rule are counted: `Findings.byRule`. */
export const tallyKey = (link: Link, rule: string): string => `${link} ${rule}`

export interface Details {
  /** JSON pointer (RFC 6901) into the message. */
  readonly pointer?: string | undefined
  readonly related?: Seq | undefined
  /** The protocol version to apply if it isn't that of the message or the connection: old transports have their own. */
  readonly revision?: Revision | undefined
  /**
   * Report once per connection: server habits that would recur with every message. A string names one of several habits
   * that a rule covers.
   */
  readonly once?: true | string | undefined
  /** The level of an RFC that binds the server, if the row's level is that of the client's half, or of another case. */
  readonly keyword?: Finding['keyword'] | undefined
}

/**
 * A section of an RFC or of OpenID Connect. Needs a keyword of its own (`Details.keyword`) if no row of the checklist is
 * cited before it.
 */
export type RfcSection =
  | `RFC ${number} ${'section' | 'appendix'} ${string}`
  | `OpenID Connect ${'Core' | 'Discovery'} section ${string}`

/**
 * Cites a rule, or the first of several that the protocol version in force has, and the others beside it
 * (`RuleFinding.also`). Reports nothing if it has none of them; the keyword comes from that version.
 */
export interface Say<Id extends string = string> {
  (rule: Id | RfcSection | readonly (Id | RfcSection)[], explanation: string, details?: Details): void
  /** An asynchronous check. Later frames wait for it; it must always complete, and never reject. */
  later(check: (say: SayLater<Id>) => Promise<void>): void
}

/** Like `Say`, for the frame being checked. */
export type SayLater<Id extends string = string> = (rule: Id, explanation: string, pointer: string) => void

/**
 * The callbacks of a group. They receive the server's messages; of the client's, only those written manually are
 * judged.
 */
export interface LintInput<Id extends string = string> {
  /** A frame with a message, before each of its parts is passed on. */
  whole?(frame: MessageFrame, carrier: Carrier | undefined, say: Say<Id>): void
  message?(heard: Observed, say: Say<Id>): void
  /** A manually written request, and an earlier one with the same ID. Findings are about the client. */
  byHand?(asked: TrackedRequest, before: TrackedRequest | undefined, say: Say<Id>): void
  http?(frame: FrameOf<'http'>, carrier: Carrier, say: Say<Id>): void
  /** The response has ended and all its messages were judged: the `end` of a JSON body comes before its message. */
  completed?(frame: Frame, carrier: Carrier, say: Say<Id>): void
  /** A sign-in request, which isn't passed to `http`. */
  signIn?(frame: FrameOf<'http'>, request: SignInRequest, say: Say<Id>): void
  auth?(frame: FrameOf<'auth'>, step: SignInStep | undefined, say: Say<Id>): void
  stream?(frame: FrameOf<'stream'>, carrier: Carrier, say: Say<Id>): void
  process?(frame: FrameOf<'process'>, say: Say<Id>): void
  /** The client stopped waiting for the response to a request. */
  gaveUp?(frame: FrameOf<'session'> & { readonly phase: 'gave-up' }, asked: TrackedRequest, say: Say<Id>): void
  /** A new session on the same connection: numbering starts again. */
  renewed?(): void
}

export interface RuleGroup {
  /** The IDs that it may cite. */
  readonly rules: readonly string[]
  watch(view: LinkView): LintInput
}

/** The compiler ensures that a group cites only the IDs it lists. */
export const group = <const Id extends string>(
  rules: readonly Id[],
  watch: (view: LinkView) => LintInput<Id>,
): RuleGroup => ({ rules, watch })

/** Formats a value for an explanation: JSON, cut to 60 characters. */
export const show = (value: unknown): string => {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = JSON.stringify(typeof value === 'string' ? value.slice(0, 61) : value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

/** Appends a step to a JSON pointer. */
export const step = (pointer: string, key: string | number): string =>
  `${pointer}/${escapeToken(String(key).slice(0, 200))}`

/**
 * The checks of the features run on every message too: a violation shown in a panel and a finding here come from the same
 * function. The lint is below the features, so they pass their checks in (`LintOptions.features`).
 */
export interface FeatureFinding {
  readonly rule: string
  /** As the panel shows it. */
  readonly keyword: Finding['keyword'] | 'MUST NOT' | 'SHOULD NOT'
  readonly explanation: string
  /** JSON pointer (RFC 6901) into the message of the frame. */
  readonly pointer?: string | undefined
  readonly related?: Seq | undefined
  /** Report once per connection, for violations that would recur with every message. */
  readonly once?: true
}

export interface FeatureReport {
  /** Adds nothing if the protocol version doesn't have the rule, or if the lint already reported it at that place. */
  (finding: FeatureFinding): void
  /** An asynchronous check. Later frames wait for it; it must always complete, and never reject. */
  later(check: () => Promise<readonly FeatureFinding[]>): void
}

export interface FeatureListener {
  /** Called with every frame, after the lint's own rules. */
  frame?(frame: Frame, report: FeatureReport): void
  /** Called with every received message, and with each message of a batch. */
  message?(heard: Observed, report: FeatureReport): void
}

export interface FeatureRules {
  /** The IDs that it may cite. */
  readonly rules: readonly string[]
  watch(view: LinkView): FeatureListener
}

/** Loads the checks once there is something to judge. */
export type LoadFeatureRules = () => Promise<readonly FeatureRules[]>
