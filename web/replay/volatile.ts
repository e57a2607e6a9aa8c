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
  /** Not for responses that list what the server offers. */
  readonly lists?: false
  readonly off?: boolean
}

/**
 * What differs from one run of the same server to the next. In lists, nothing but the cursor is: a tool, a prompt or a
 * resource that differs has changed.
 */
export const DEFAULT_RULES: readonly VolatileRule[] = [
  { id: 'times', accept: 'time', lists: false },
  { id: 'ids', accept: 'id', lists: false },
  { id: 'addresses', accept: 'address', lists: false },
  { id: 'durations', accept: 'duration', lists: false },
  { id: 'cursors', where: '/nextCursor', accept: 'same-type' },
  { id: 'meta-of-the-protocol', where: '/_meta/io.modelcontextprotocol~1*', accept: 'any' },
  { id: 'task-ids', where: '/task/taskId', accept: 'same-type' },
]

/** When the two responses arrived, in ms since the epoch. */
export interface Clock {
  readonly was: number
  readonly is: number
}

type Kind = 'time' | 'id' | 'duration' | 'address'

interface Form {
  readonly kind: Kind
  readonly pattern: RegExp
  /** Whether the two are the same thing of two runs. Default: always. */
  readonly pairs?: (was: string, is: string, at: Place) => boolean
}

/** Where two values are. */
interface Place {
  readonly pointer: string
  readonly clock: Clock | undefined
}

const DAY = 86_400_000

/** A time of its own run, in whatever time zone. Without a clock: any time of day. */
const isNow = (was: string, is: string, { clock }: Place): boolean => {
  if (!clock) return /\d:\d\d/.test(was) && /\d:\d\d/.test(is)
  const near = (written: string, run: number) => {
    const text = written.replaceAll('%3A', ':')
    const time = Date.parse(/^\d{4}-\d\d-\d\d /.test(text) ? text.replace(' ', 'T').replace(',', '.') : text)
    return Math.abs(time - run) < 1.2 * DAY
  }
  return near(was, clock.was) && near(is, clock.is)
}

/** Minutes and seconds are the same in nearly all time zones. */
const isClockTime = (was: string, is: string, { clock }: Place): boolean => {
  if (!clock) return true
  const [wasSeconds, isSeconds] = [was, is].map((text) => {
    const [, , minutes = '', seconds = ''] = /^(\d+):(\d+):(\d+)/.exec(text) ?? []
    return Number(minutes) * 60 + Number(seconds)
  })
  const near = (value: number, run: number) => {
    const apart = Math.abs(value - (Math.floor(run / 1000) % 3600)) % 900
    return Math.min(apart, 900 - apart) < 90
  }
  return near(wasSeconds!, clock.was) && near(isSeconds!, clock.is)
}

const isEpochOfRun = (was: string, is: string, { clock }: Place): boolean => {
  const [one, other] = [was, is].map((text) => Number(text.replace(/\..*/, '').slice(0, 10)))
  return isEpoch(one!, clock?.was) && isEpoch(other!, clock?.is)
}

/** IDs that say whose something is: another one is another answer. */
const OWNERS =
  /(?:user|account|owner|author|customer|org|organi[sz]ation|tenant|project|product|team|group|parent)_?id$/i
/** Members that hold the ID of one request or run. */
const RUNS =
  /(?:request|trace|span|session|task|run|job|call|message|event|execution|correlation|invocation|operation|batch|nonce)_?-?(?:id)?$/i

const lastOf = (pointer: string): string => pointer.slice(pointer.lastIndexOf('/') + 1)

const isOwnId = (_was: string, _is: string, { pointer }: Place): boolean => !OWNERS.test(lastOf(pointer))
/** A checksum has the same form, and it says that the content changed. */
const isRunHash = (was: string, is: string, at: Place): boolean =>
  was.length === is.length &&
  (was.length < 32 || (was.length === 32 && RUNS.test(lastOf(at.pointer)))) &&
  isOwnId(was, is, at)
const samePrefix = (was: string, is: string, at: Place): boolean => {
  const [one, other] = [was, is].map((id) => /^(.*?)[_-][^_-]*$/.exec(id)?.[1])
  return one === other && isOwnId(was, is, at)
}
const isLater = (was: string, is: string): boolean => Number(is) >= Number(was)
/** Ports that the system chose (RFC 6335 section 6). */
const isChosenPort = (was: string, is: string): boolean =>
  [was, is].every((text) => Number(/\d+$/.exec(text)?.[0]) >= 32_768)

const FORMS: readonly Form[] = [
  // ISO 8601 and RFC 3339, with or without fractions and time zones, and as in a URL.
  {
    kind: 'time',
    pattern: /\b\d{4}-\d\d-\d\d(?:[T ]\d\d(?::|%3A)\d\d(?:(?::|%3A)\d\d(?:[.,]\d+)?)?(?:\s?(?:Z|[+-]\d\d:?\d\d))?)?/g,
    pairs: isNow,
  },
  {
    kind: 'time',
    pattern:
      /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? (?:\d{1,2} )?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*(?: \d{1,2})?,? \d{4}(?:,? \d{1,2}:\d\d(?::\d\d)?)?(?: (?:GMT|UTC)(?:[+-]\d{4})?(?: \([^)]*\))?)?/g,
    pairs: isNow,
  },
  { kind: 'time', pattern: /\b\d{1,2}\/\d{1,2}\/\d{4}(?:,? \d{1,2}:\d\d(?::\d\d)?(?: ?[AP]M)?)?\b/g, pairs: isNow },
  { kind: 'time', pattern: /\b\d{1,2}:\d\d:\d\d(?:[.,]\d+)?(?: ?[AP]M)?\b/g, pairs: isClockTime },
  { kind: 'time', pattern: /\b(?:\d+|an?|a few|just) (?:second|minute|hour|day)s? ago\b|\bjust now\b/gi },
  // Seconds, milliseconds, microseconds or nanoseconds since the epoch.
  { kind: 'time', pattern: /(?<![\w.-])[1-4]\d{9}(?:\.\d{1,9}|\d{3}|\d{6}|\d{9})?(?![\w-])/g, pairs: isEpochOfRun },
  // UUID, ULID, cuid, nanoid, IDs with a prefix, hexadecimal ones.
  { kind: 'id', pattern: /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, pairs: isOwnId },
  { kind: 'id', pattern: /\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/g, pairs: isOwnId },
  { kind: 'id', pattern: /\bc[a-z0-9]{24}\b/g, pairs: isOwnId },
  { kind: 'id', pattern: /\b[A-Za-z]{2,16}[_-](?=[A-Za-z0-9]*\d)[A-Za-z0-9]{8,64}\b/g, pairs: samePrefix },
  { kind: 'id', pattern: /\b[0-9a-f]{16,128}\b/gi, pairs: isRunHash },
  {
    kind: 'id',
    pattern: /(?<![\w-])(?=[\w-]{0,20}\d)(?=[\w-]{0,20}[a-z])(?=[\w-]{0,20}[A-Z])[\w-]{21}(?![\w-])/g,
    pairs: isOwnId,
  },
  { kind: 'id', pattern: /(?<=\bpid[ =:#]{1,3})\d+/gi },
  { kind: 'id', pattern: /(?<=\b(?:request|call|job|run|attempt|seq|sequence)[ :=]{0,2}#)\d+/gi, pairs: isLater },
  // What was measured, not what is promised: `took 12 ms`, and not `after 30 seconds`.
  {
    kind: 'duration',
    pattern:
      /(?<=\b(?:took|elapsed|duration|latency|uptime|ran (?:for|in)|(?:completed|finished|done|ready|built|compiled|processed|executed|responded|loaded|started) (?:in|after)|time)\W{0,4})\d+(?:[.,]\d+)? ?(?:ns|µs|us|ms|s|sec|seconds|milliseconds|min|minutes)\b/gi,
  },
  { kind: 'duration', pattern: /(?<=\()\d+(?:[.,]\d+)? ?(?:ns|µs|us|ms)(?=\))/g },
  { kind: 'address', pattern: /\b(?:127\.0\.0\.1|localhost|\[::1\]):\d{2,5}\b/g, pairs: isChosenPort },
  { kind: 'address', pattern: /(?:\/private)?\/(?:tmp|var\/folders)\/[^\s"'`,;)]+/g },
]

const KINDS: ReadonlySet<string> = new Set(FORMS.map(({ kind }) => kind))

/** Longer texts are compared exactly: patterns over megabytes would block the thread. */
const LONGEST = 200_000

/** Milliseconds or seconds since the epoch: of its own run, or without a clock from 2001 to 2100. */
const isEpoch = (value: number, run: number | undefined): boolean => {
  const ms = value > 978_307_200_000 ? value : value * 1000
  return run === undefined ? ms > 978_307_200_000 && ms < 4_102_444_800_000 : Math.abs(ms - run) < DAY
}

/** Responses that list what a server offers. */
const isList = (method: string): boolean =>
  method.endsWith('/list') || method === 'server/discover' || method === 'initialize'

/**
 * The rule that accepts the difference; `undefined` if it counts.
 * @param pointer of the values in their responses
 * @param clock when they arrived; without it, any time is taken for that of its run
 */
export const acceptedBy = (
  rules: readonly VolatileRule[],
  method: string,
  pointer: string,
  was: Json | undefined,
  is: Json | undefined,
  clock?: Clock,
): VolatileRule | undefined => {
  const at = { pointer, clock }
  const applying = rules.filter(
    (rule) =>
      !rule.off &&
      (rule.method ?? method) === method &&
      !(rule.lists === false && isList(method)) &&
      (rule.where === undefined || covers(rule.where, pointer)),
  )
  const alone = applying.find(({ accept }) => accepts(accept, was, is, at))
  if (alone || typeof was !== 'string' || typeof is !== 'string') return alone
  // One text may contain a time and an ID: together, rules may explain a difference that neither explains alone.
  const several = applying.filter(({ accept }) => KINDS.has(accept))
  if (several.length < 2) return undefined
  return differsOnlyIn(new Set(several.map(({ accept }) => accept)), was, is, at) ? several[0] : undefined
}

const accepts = (accept: Accept, was: Json | undefined, is: Json | undefined, at: Place): boolean => {
  if (accept === 'any') return true
  if (was === undefined || is === undefined) return false
  if (accept === 'same-type') return typeOf(was) === typeOf(is)
  if (typeof was === 'number' && typeof is === 'number')
    return accept === 'time' && isEpoch(was, at.clock?.was) && isEpoch(is, at.clock?.is)
  if (typeof was !== 'string' || typeof is !== 'string') return false
  return differsOnlyIn(new Set([accept]), was, is, at)
}

/** Whether two texts are equal but for parts of these kinds, each of which is the same thing of two runs. */
const differsOnlyIn = (kinds: ReadonlySet<string>, was: string, is: string, at: Place): boolean => {
  if (was.length > LONGEST || is.length > LONGEST) return false
  let [left, right] = [was, is]
  for (const { kind, pattern, pairs } of FORMS) {
    if (!kinds.has(kind)) continue
    const [before, now] = [left.match(pattern) ?? [], right.match(pattern) ?? []]
    if (before.length !== now.length) return false
    if (pairs && before.some((one, index) => one !== now[index] && !pairs(one, now[index]!, at))) return false
    left = left.replace(pattern, GONE)
    right = right.replace(pattern, GONE)
  }
  return left === right
}

/** U+FFFC OBJECT REPLACEMENT CHARACTER replaces each part. */
const GONE = '\uFFFC'

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
