/**
 * Runs the checks of the features on every message: a violation shown in a panel and a finding here come from the same
 * function. The lint is below the features, so they pass their checks in (`LintOptions.features`).
 */
import type { Finding, Frame, Seq } from '../mcp/index.ts'
import type { Observed, LinkView } from './link.ts'

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

/** `SHOULD NOT` is as strong as `SHOULD`. */
export const levelOfKeyword = (keyword: FeatureFinding['keyword']): Finding['keyword'] =>
  keyword.startsWith('MUST') ? 'MUST' : keyword.startsWith('SHOULD') ? 'SHOULD' : 'MAY'

/** Whether two places are equal or one contains the other. Without a pointer, a finding is about the whole message. */
export const samePlace = (one = '', other = ''): boolean => {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  return long.startsWith(short) && (long.length === short.length || long[short.length] === '/')
}
