/**
 * Rules for irrelevant differences between two responses, such as IDs, times and cursors. Users see and edit them.
 * Nothing is hidden: accepted differences are listed with the rule's name.
 */
import type { Json } from '../mcp/index.ts'

/**
 * `any`: any value, present or absent. `same-type`: the same JSON type. The others: both values are of that kind, or
 * differ only in parts of that kind.
 */
export type Accept = 'any' | 'same-type' | 'time' | 'id' | 'duration' | 'address'

export interface VolatileRule {
  /** The name in reports. */
  readonly id: string
  /**
   * Where it applies: a JSON pointer in which `*` stands for one segment and `**` for any number of segments; the last
   * segment may begin or end with `*`. Absent: everywhere.
   */
  readonly where?: string
  /** Only for responses to this method. */
  readonly method?: string
  readonly accept: Accept
  readonly off?: boolean
}

/** Values that public servers change from one run to the next. */
export const DEFAULT_RULES: readonly VolatileRule[] = [
  { id: 'times', accept: 'time' },
  { id: 'ids', accept: 'id' },
  { id: 'addresses', accept: 'address' },
  { id: 'cursors', where: '/nextCursor', accept: 'any' },
  { id: 'named-ids', where: '/**/*Id', accept: 'same-type' },
  { id: 'named-times', where: '/**/*At', accept: 'same-type' },
  { id: 'timestamps', where: '/**/timestamp', accept: 'same-type' },
  { id: 'durations', accept: 'duration' },
  { id: 'meta-of-the-protocol', where: '/_meta/io.modelcontextprotocol~1*', accept: 'any' },
  { id: 'task-ids', where: '/task/**', accept: 'same-type' },
  { id: 'caching', where: '/ttlMs', accept: 'same-type' },
]

const TIMES = [
  // ISO 8601 and RFC 3339, with or without fractions and time zones.
  /\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:\s?(?:Z|[+-]\d\d:?\d\d))?)?/g,
  /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? (?:\d{1,2} )?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*(?: \d{1,2})?,? \d{4}(?:,? \d{1,2}:\d\d(?::\d\d)?)?(?: (?:GMT|UTC)(?:[+-]\d{4})?(?: \([^)]*\))?)?/g,
  /\b\d{1,2}:\d\d:\d\d(?:[.,]\d+)?(?: ?[AP]M)?\b/g,
  /\b\d{1,2}\/\d{1,2}\/\d{4}\b/g,
]
const IDS = [
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi,
  /\b[0-9a-f]{16,128}\b/gi,
  /\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/g,
]
const DURATIONS = [/\b\d+(?:[.,]\d+)? ?(?:ns|µs|us|ms|s|sec|seconds|milliseconds|min|minutes)\b/g]
const ADDRESSES = [
  // Ports and temporary folders differ with each run.
  /\b(?:127\.0\.0\.1|localhost|\[::1\]):\d{2,5}\b/g,
  /(?:\/private)?\/(?:tmp|var\/folders)\/[^\s"'`,;)]+/g,
]

const PATTERNS: Readonly<Partial<Record<Accept, readonly RegExp[]>>> = {
  time: TIMES,
  id: IDS,
  duration: DURATIONS,
  address: ADDRESSES,
}

/** Longer texts are compared exactly: patterns over megabytes would block the thread. */
const LONGEST = 200_000

/** Milliseconds or seconds since the epoch, from 2001 to 2100. */
const isEpoch = (value: number): boolean =>
  (value > 978_307_200 && value < 4_102_444_800) || (value > 978_307_200_000 && value < 4_102_444_800_000)

/**
 * The rule that accepts the difference; `undefined` if it counts.
 * @param pointer of the values in their responses
 */
export const acceptedBy = (
  rules: readonly VolatileRule[],
  method: string,
  pointer: string,
  was: Json | undefined,
  is: Json | undefined,
): VolatileRule | undefined => {
  const applying = rules.filter(
    (rule) =>
      !rule.off && (rule.method ?? method) === method && (rule.where === undefined || covers(rule.where, pointer)),
  )
  const alone = applying.find(({ accept }) => accepts(accept, was, is))
  if (alone || typeof was !== 'string' || typeof is !== 'string') return alone
  // One text may contain a time and an ID: together, rules may explain a difference that neither explains alone.
  const several = applying.filter(({ accept }) => PATTERNS[accept])
  if (several.length < 2 || was.length > LONGEST || is.length > LONGEST) return undefined
  const bare = (text: string) => several.reduce((left, { accept }) => without(left, PATTERNS[accept]!), text)
  return bare(was) === bare(is) ? several[0] : undefined
}

const accepts = (accept: Accept, was: Json | undefined, is: Json | undefined): boolean => {
  if (accept === 'any') return true
  if (was === undefined || is === undefined) return false
  if (accept === 'same-type') return typeOf(was) === typeOf(is)
  if (typeof was === 'number' && typeof is === 'number') return accept === 'time' && isEpoch(was) && isEpoch(is)
  if (typeof was !== 'string' || typeof is !== 'string') return false
  if (was.length > LONGEST || is.length > LONGEST) return false
  return without(was, PATTERNS[accept]!) === without(is, PATTERNS[accept]!)
}

/** U+FFFC OBJECT REPLACEMENT CHARACTER replaces each removed part. */
const without = (text: string, patterns: readonly RegExp[]): string =>
  patterns.reduce((left, pattern) => left.replace(pattern, '\uFFFC'), text)

const typeOf = (value: Json): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)

/** Whether a pointer is within the scope of a rule. */
const covers = (where: string, pointer: string): boolean => stepsMatch(where.split('/'), pointer.split('/'))

const stepsMatch = (wanted: readonly string[], steps: readonly string[]): boolean => {
  const [first, ...rest] = wanted
  if (first === undefined) return steps.length === 0
  if (first === '**') {
    // More than one `**` would multiply the combinations to try.
    if (rest.includes('**')) return stepsMatch(rest, steps)
    return steps.length >= rest.length && stepsMatch(rest, steps.slice(steps.length - rest.length))
  }
  const [step, ...others] = steps
  return step !== undefined && stepMatches(first, step) && stepsMatch(rest, others)
}

const stepMatches = (wanted: string, step: string): boolean => {
  if (wanted === '*') return true
  if (wanted.startsWith('*')) return step.endsWith(wanted.slice(1))
  if (wanted.endsWith('*')) return step.startsWith(wanted.slice(0, -1))
  return wanted === step
}
