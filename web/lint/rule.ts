/**
 * What a rule is: something that watches one connection, frame by frame, and says what breaks a row of the checklist.
 *
 * Rules stand in groups, one per idea (`wire/`), because the rules of an idea remember the same things. A group is begun
 * anew for each connection and keeps what it must know in its own closure, within bounds. It never looks back at the trace.
 */
import { escapeToken } from '../json/index.ts'
import type { FindingOrAdvice, Frame, FrameOf, Link, MessageFrame, Revision, Seq } from '../mcp/index.ts'
import type { TrackedRequest, Carrier, Observed, LinkView } from './link.ts'
import type { SignInRequest, SignInStep } from './sign-in.ts'

/** A violation of the specification or advice, where it was seen and by which revision. */
export interface RuleFinding extends FindingOrAdvice {
  readonly link: Link
  /** The frame that shows it. */
  readonly seq: Seq
  /** The revision in force; absent where none was known yet and every revision has the rule. */
  readonly revision?: Revision
  /** It is a fault of ours, made by hand: it counts for no server. */
  readonly by?: 'client'
  /** Another frame that belongs to it: the first use of an id, the request that was answered twice. */
  readonly related?: Seq
}

export interface Details {
  /** JSON pointer (RFC 6901) into the message. */
  readonly pointer?: string | undefined
  readonly related?: Seq | undefined
  /** The revision to go by where it is not that of the message or the connection: old transports have their own. */
  readonly revision?: Revision | undefined
  /** Say it once per connection: habits of a server that would come back with every message. */
  readonly once?: true
}

/** Cites a rule. Nothing is said where the revision in force does not have it; the keyword is that revision's. */
export interface Say<Id extends string = string> {
  (rule: Id, explanation: string, details?: Details): void
  /** A check that takes its time. The frames after this one wait for it; it must end by itself, and never reject. */
  later(check: (say: SayLater<Id>) => Promise<void>): void
}

/** As `Say`, of the frame that the check is about. */
export type SayLater<Id extends string = string> = (rule: Id, explanation: string, pointer: string) => void

/** What a group listens to. Messages are those received; of what was sent only that by hand is judged. */
export interface LintInput<Id extends string = string> {
  /** A frame that holds a message, before its parts are told one by one. */
  whole?(frame: MessageFrame, carrier: Carrier | undefined, say: Say<Id>): void
  message?(heard: Observed, say: Say<Id>): void
  /** A request of ours that was written by hand, and an earlier one with its id. What is said of it is said of the client. */
  byHand?(asked: TrackedRequest, before: TrackedRequest | undefined, say: Say<Id>): void
  http?(frame: FrameOf<'http'>, carrier: Carrier, say: Say<Id>): void
  /** The response has ended and all it brought was judged: the `end` of a JSON body comes before the message in it. */
  completed?(frame: Frame, carrier: Carrier, say: Say<Id>): void
  /** A request of a sign-in, of which `http` is not told. */
  signIn?(frame: FrameOf<'http'>, request: SignInRequest, say: Say<Id>): void
  auth?(frame: FrameOf<'auth'>, step: SignInStep | undefined, say: Say<Id>): void
  stream?(frame: FrameOf<'stream'>, carrier: Carrier, say: Say<Id>): void
  process?(frame: FrameOf<'process'>, say: Say<Id>): void
  /** A new session of the same connection: what was numbered in the old one begins anew. */
  renewed?(): void
}

export interface RuleGroup {
  /** The ids that it may cite. */
  readonly rules: readonly string[]
  watch(view: LinkView): LintInput
}

/** Groups cite the ids they name and no other: the compiler sees to it. */
export const group = <const Id extends string>(
  rules: readonly Id[],
  watch: (view: LinkView) => LintInput<Id>,
): RuleGroup => ({ rules, watch })

/** A value as an explanation may hold it: JSON, cut to 60 characters. */
export const show = (value: unknown): string => {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = JSON.stringify(typeof value === 'string' ? value.slice(0, 61) : value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

/** One more step of a JSON pointer. */
export const step = (pointer: string, key: string | number): string =>
  `${pointer}/${escapeToken(String(key).slice(0, 200))}`
