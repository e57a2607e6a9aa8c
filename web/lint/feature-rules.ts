/**
 * Checks of the features, made of every message: what a panel shows as a violation is the same function's finding here. The
 * lint stands below the features, so they hand their checks in (`LintOptions.features`).
 */
import type { Finding, Frame, Seq } from '../mcp/index.ts'
import type { Observed, LinkView } from './link.ts'

export interface FeatureFinding {
  readonly rule: string
  /** As the panel has it. */
  readonly keyword: Finding['keyword'] | 'MUST NOT' | 'SHOULD NOT'
  readonly explanation: string
  /** JSON pointer (RFC 6901) into the message of the frame. */
  readonly pointer?: string | undefined
  readonly related?: Seq | undefined
  /** Once per connection: what would come back with every message. */
  readonly once?: true
}

export interface FeatureReport {
  /** Adds nothing where the protocol version does not have the rule, or the lint reported it at that place already. */
  (finding: FeatureFinding): void
  /** A check that takes its time. The frames after this one wait for it; it must end by itself, and never reject. */
  later(check: () => Promise<readonly FeatureFinding[]>): void
}

export interface FeatureListener {
  /** Every frame, after the rules of the lint. */
  frame?(frame: Frame, report: FeatureReport): void
  /** Every message that was received; a part of a batch stands by itself. */
  message?(heard: Observed, report: FeatureReport): void
}

export interface FeatureRules {
  /** The ids that it may cite. */
  readonly rules: readonly string[]
  watch(view: LinkView): FeatureListener
}

/** Loads them once there is something to judge. */
export type LoadFeatureRules = () => Promise<readonly FeatureRules[]>

/** `SHOULD NOT` asks as strongly as `SHOULD`. */
export const levelOfKeyword = (keyword: FeatureFinding['keyword']): Finding['keyword'] =>
  keyword.startsWith('MUST') ? 'MUST' : keyword.startsWith('SHOULD') ? 'SHOULD' : 'MAY'

/** Whether one of two places is the other, or lies within it. Without a pointer a finding is about the whole message. */
export const samePlace = (one = '', other = ''): boolean => {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  return long.startsWith(short) && (long.length === short.length || long[short.length] === '/')
}
