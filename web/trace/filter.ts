/**
 * The query language of the trace: words and `key:value` terms, all of which must match.
 *
 *     echo "two words"  kind:message,http  method:tools/*  status:error  dir:sent  server:files
 *     dur:>500  size:>10kB  id:7  finding:must  rule:BP-07  level:must,should  -kind:stream
 *     type:request  at:>2s  at:<3s
 *     note:slow  is:noted  step:token  flow:f2  is:failed  is:waiting,forced  is:relayed  status:tool-error  status:violation
 *
 * A half-typed query is the normal case: parsing never throws, and invalid terms are ignored and reported in a hint.
 */
import type { AuthStep, Frame } from '../mcp/index.ts'
import {
  directionOf,
  hasFailed,
  methodOf,
  pairOf,
  sizeOf,
  statusOf,
  stepOf,
  textOf,
  tookOf,
  violationsOf,
} from './facts.ts'
import type { Surroundings } from './facts.ts'
import { findingsOf } from './found.ts'
import { isLarge, LargeTexts } from './large-texts.ts'

/** A mistake in a query. `known` are the existing keys or values. */
export interface Hint {
  readonly problem: 'unknown-key' | 'unknown-value' | 'no-number'
  readonly word: string
  readonly known: readonly string[]
}

export type Test = (frame: Frame, around: Surroundings) => boolean

export interface Filter {
  readonly text: string
  readonly hints: readonly Hint[]
  readonly matches: Test
  /** The texts that a frame must contain, in lower case: what to mark in its row. */
  readonly words: readonly string[]
  /** All texts that are looked for in frames, in lower case. */
  readonly texts: readonly string[]
  /** Every frame matches. */
  readonly all: boolean
  /** Whether an exchange with this main frame is hidden whatever else belongs to it: `-method:ping`. */
  readonly hides?: Test
  /** Whether a frame matches may change with its exchange. */
  readonly settles: boolean
  /** Whether a frame matches depends on its findings. */
  readonly finds: boolean
  /** Whether a frame matches depends on the servers' names. */
  readonly named: boolean
}

/** Longest query to parse; the rest is ignored. */
const LONGEST = 2_000

export const VALUES = {
  kind: ['message', 'http', 'stream', 'process', 'transport', 'session', 'auth', 'fault'],
  type: ['request', 'notification', 'result', 'error', 'batch', 'invalid'],
  dir: ['sent', 'received'],
  finding: ['must', 'should', 'may', 'advice', 'any'],
  level: ['must', 'should', 'may', 'advice'],
  status: [
    'ok', 'tool-error', 'error', 'pending', 'waiting', 'cancelled', 'timed-out', 'lost', 'unexpected', 'violation', 'invalid',
    'probe', 'resumed', 'gap', 'forced', 'undone',
  ],
  step: [
    'challenge', 'resource-metadata', 'authorization-server', 'server-metadata', 'registration', 'preparation',
    'authorization', 'callback', 'assertion', 'token', 'use', 'refresh', 'revocation',
  ] satisfies readonly AuthStep[],
  is: ['failed', 'running', 'waiting', 'forced', 'undone', 'relayed', 'again', 'by-hand', 'noted'],
} as const // prettier-ignore

export const KEYS = [
  'kind',
  'type',
  'method',
  'status',
  'dir',
  'server',
  'at',
  'dur',
  'size',
  'id',
  'finding',
  'rule',
  'level',
  'step',
  'flow',
  'is',
  'note',
] as const
type Key = (typeof KEYS)[number]

/** Former words, and the words on screen: `status:"waiting for you"`. */
const STATUS_ALIASES: Readonly<Record<string, (typeof VALUES.status)[number]>> = {
  timeout: 'timed-out',
  unasked: 'unexpected',
  'waiting-for-you': 'waiting',
  violations: 'violation',
}

const SETTLING: readonly string[] = ['status', 'dur', 'is']
const FINDING: readonly string[] = ['finding', 'rule', 'level']

export const parseFilter = (text: string): Filter => {
  const hints: Hint[] = []
  const tests: Test[] = []
  const hiders: Test[] = []
  const marked: string[] = []
  const texts: string[] = []
  let settles = false
  let finds = false
  let named = false
  for (const { negated, key, value } of words(text.slice(0, LONGEST))) {
    const test = key === undefined ? contains(value) : keyed(key, value, hints)
    if (!test) continue
    const text = key === undefined ? value : isKey(key) ? undefined : `${key}:${value}`
    if (text !== undefined) texts.push(text.toLowerCase())
    if (text !== undefined && !negated) marked.push(text.toLowerCase())
    if (negated && key === 'method') hiders.push(test)
    tests.push(negated ? (frame, around) => !test(frame, around) : test)
    settles ||= key !== undefined && SETTLING.includes(key)
    finds ||= key !== undefined && (FINDING.includes(key) || (key === 'status' && /violation/i.test(value)))
    named ||= key === 'server'
  }
  return {
    text,
    hints,
    words: marked,
    texts,
    matches: (frame, around) => tests.every((test) => test(frame, around)),
    ...(hiders.length === 0
      ? {}
      : { hides: (frame: Frame, around: Surroundings) => hiders.some((test) => test(frame, around)) }),
    all: tests.length === 0,
    settles,
    finds,
    named,
  }
}

/** The query for violations of a rule; sections of an RFC contain spaces. */
export const ruleQuery = (rule: string): string =>
  /^[\w-]+$/.test(rule) ? `rule:${rule}` : `rule:"${rule.replace(/["\\]/g, '\\$&')}"`

interface Word {
  readonly negated: boolean
  readonly key?: string
  readonly value: string
}

/** `-`, then `key:`, then a value that may be quoted; an unclosed quote extends to the end. */
const WORD = /(-)?(?:([\p{L}_][\p{L}\d_-]*):)?(?:"((?:[^"\\]|\\.)*)(?:"|$)|([^\s"]+))?/gu

const words = function* (text: string): Generator<Word> {
  for (const [whole, minus, key, quoted, bare] of text.matchAll(WORD)) {
    const value = quoted === undefined ? (bare ?? '') : quoted.replace(/\\(.)/gs, '$1')
    if (whole === '' || (key === undefined && value === '')) continue
    // A URL is text to search for, not the key `https`.
    if (key !== undefined && quoted === undefined && value.startsWith('//')) {
      yield { negated: minus !== undefined, value: `${key}:${value}` }
    } else {
      yield { negated: minus !== undefined, ...(key === undefined ? {} : { key: key.toLowerCase() }), value }
    }
  }
}

const isKey = (key: string): key is Key => (KEYS as readonly string[]).includes(key)

/** `undefined` if the term is incomplete or invalid; it is then ignored. */
const keyed = (key: string, value: string, hints: Hint[]): Test | undefined => {
  if (!isKey(key)) {
    hints.push({ problem: 'unknown-key', word: key, known: KEYS })
    return contains(`${key}:${value}`)
  }
  const wanted = value.toLowerCase()
  if (wanted === '') return undefined
  switch (key) {
    case 'server':
      return ({ link }, { names }) => link.toLowerCase() === wanted || names(link).toLowerCase().includes(wanted)
    case 'method':
      return anyOf(wanted, (word) => (frame, around) => {
        const method = methodOf(frame, around)
        return method !== undefined && startsLike(method, word)
      })
    case 'id':
      return anyOf(wanted, (word) => (frame, { exchanges }) => {
        if (frame.kind !== 'message') return false
        const id = (frame.message as { id?: unknown } | null | undefined)?.id ?? frame.released?.id
        const shown = id ?? exchanges.bySeq.get(frame.seq)?.id
        return (typeof shown === 'string' || typeof shown === 'number') && String(shown).toLowerCase() === word
      })
    case 'dur':
      return compared(key, wanted, hints, tookOf)
    case 'size':
      return compared(key, wanted, hints, sizeOf)
    case 'kind':
      return listed(VALUES.kind, wanted, hints, (kind) => (frame) => frame.kind === kind)
    case 'type':
      return listed(VALUES.type, wanted, hints, (type) => (frame) => frame.kind === 'message' && frame.type === type)
    case 'at':
      return compared(key, wanted, hints, ({ at }) => at)
    case 'dir':
      return listed(VALUES.dir, wanted, hints, (direction) => (frame) => directionOf(frame) === direction)
    case 'finding':
      return finding(wanted, hints)
    case 'rule':
      // A prefix of the ID: `TR-HTTP-` matches all of them.
      return anyOf(wanted, (word) => (frame, { findings }) =>
        findingsOf(frame, findings).some(({ rule }) => rule.toLowerCase().startsWith(word)),
      ) // prettier-ignore
    case 'level':
      return listed(VALUES.level, wanted, hints, ofKeyword)
    case 'status':
      return anyOf(wanted, (word) => status(word, hints))
    case 'step':
      return listed(VALUES.step, wanted, hints, (step) => (frame, around) => stepOf(frame, around)?.step === step)
    case 'flow':
      return anyOf(wanted, (word) => (frame, around) => flowOf(frame, around)?.toLowerCase() === word)
    case 'note':
      return ({ seq }, { notes }) => notes?.get(seq)?.toLowerCase().includes(wanted) ?? false
    case 'is':
      return listed(VALUES.is, wanted, hints, isSo)
  }
}

const anyOf = (value: string, test: (word: string) => Test | undefined): Test | undefined => {
  const tests = value.split(',').filter(Boolean).map(test).filter((item) => item !== undefined) // prettier-ignore
  if (tests.length <= 1) return tests[0]
  return (frame, around) => tests.some((item) => item(frame, around))
}

/** A value being typed matches everything it may become: `kind:mes`. */
const listed = <Value extends string>(
  known: readonly Value[],
  value: string,
  hints: Hint[],
  test: (value: Value) => Test,
): Test | undefined =>
  anyOf(value, (word) => {
    // `authorization` is a complete value, although `authorization-server` begins with it.
    const meant = known.filter((item) => item === word)
    if (meant.length === 0) meant.push(...known.filter((item) => item.startsWith(word)))
    if (meant.length === 0) hints.push({ problem: 'unknown-value', word, known })
    const tests = meant.map(test)
    return tests.length === 0 ? undefined : (frame, around) => tests.some((item) => item(frame, around))
  })

/** The name of the sign-in that a frame belongs to. */
const flowOf = (frame: Frame, around: Surroundings): string | undefined =>
  frame.kind === 'auth' ? frame.flow : stepOf(frame, around)?.flow

const isSo =
  (wanted: (typeof VALUES.is)[number]): Test =>
  (frame, around) => {
    if (wanted === 'noted') return around.notes?.has(frame.seq) ?? false
    if (wanted === 'by-hand') return frame.kind === 'message' && frame.byHand === true
    if (wanted === 'relayed' || wanted === 'again') {
      return frame.kind === 'http' && frame.phase === 'request' && frame[wanted] !== undefined
    }
    if (wanted === 'failed') return hasFailed(frame, around)
    const found = statusOf(frame, around)
    if (wanted === 'running') return found === 'pending' || found === 'waiting'
    return found === wanted
  }

const status = (word: string, hints: Hint[]): Test | undefined => {
  // 404, 4xx
  const digits = /^([1-5])(?:xx?|(\d{2}))?$/.exec(word)
  if (digits) {
    const [, hundreds, rest] = digits
    return (frame, around) => {
      const found = statusOf(frame, around)
      if (typeof found !== 'number') return false
      return rest === undefined ? Math.floor(found / 100) === Number(hundreds) : found === Number(hundreds + rest)
    }
  }
  // The server responded with requests of its own, whatever became of them: `asked` was once a separate status.
  if (word === 'asked') return (frame, around) => pairOf(frame, around)?.status === 'asked'
  const named = word.trim().replace(/[\s_]+/g, '-')
  const meant = Object.hasOwn(STATUS_ALIASES, named) ? STATUS_ALIASES[named]! : named
  return listed(VALUES.status, meant, hints, (wanted) => (frame, around) => {
    if (wanted === 'violation') return violationsOf(pairOf(frame, around), around) > 0
    const found = statusOf(frame, around)
    if (typeof found !== 'number') return found === wanted
    return (wanted === 'ok' && found < 400) || (wanted === 'error' && hasFailed(frame, around))
  })
}

const finding = (wanted: string, hints: Hint[]): Test | undefined =>
  anyOf(wanted, (word) => {
    // A rule: BP-07, TR-HTTP-19.
    if (/^[a-z]+(-[a-z]+)*-\d+$/.test(word)) {
      return (frame, { findings }) => findingsOf(frame, findings).some(({ rule }) => rule.toLowerCase() === word)
    }
    return listed(VALUES.finding, word, hints, ofKeyword)
  })

const ofKeyword =
  (wanted: string): Test =>
  (frame, { findings }) =>
    findingsOf(frame, findings).some(({ keyword }) => wanted === 'any' || keyword.toLowerCase() === wanted)

const TIMES = { '': 1, ms: 1, s: 1_000, min: 60_000, m: 60_000, h: 3_600_000 }
const UNITS: Readonly<Record<'at' | 'dur' | 'size', Readonly<Record<string, number>>>> = {
  at: TIMES,
  dur: TIMES,
  size: { '': 1, b: 1, k: 1_000, kb: 1_000, m: 1_000_000, mb: 1_000_000 },
}

const COMPARISONS: Readonly<Record<string, (number: number, limit: number) => boolean>> = {
  '>': (number, limit) => number > limit,
  '>=': (number, limit) => number >= limit,
  '<': (number, limit) => number < limit,
  '<=': (number, limit) => number <= limit,
  '=': (number, limit) => number === limit,
}

/** `>500`, `<=2s`, `500` (at least). Frames without such a number don't match. */
const compared = (
  key: 'at' | 'dur' | 'size',
  value: string,
  hints: Hint[],
  read: (frame: Frame, around: Surroundings) => number | undefined,
): Test | undefined => {
  const [, sign, digits, unit = ''] = /^(>=|<=|>|<|=)?(\d*\.?\d+)?([a-z]*)$/.exec(value) ?? []
  if (digits === undefined && sign !== undefined && unit === '') return undefined
  const factor = UNITS[key][unit]
  if (digits === undefined || factor === undefined) {
    hints.push({
      problem: 'no-number',
      word: `${key}:${value}`,
      known: [`${key}:>500`, key === 'size' ? 'size:>10kB' : `${key}:>2s`],
    })
    return undefined
  }
  const limit = Number(digits) * factor
  const holds = COMPARISONS[sign ?? '>=']!
  return (frame, around) => {
    const number = read(frame, around)
    return number !== undefined && holds(number, limit)
  }
}

/**
 * Matches a prefix of the method, ignoring case; `*` stands for anything. No RegExp: a query with many stars would be
 * slow.
 */
const startsLike = (text: string, pattern: string): boolean => {
  const [head = '', ...rest] = pattern.split('*')
  const lower = text.toLowerCase()
  if (!lower.startsWith(head)) return false
  let at = head.length
  for (const part of rest) {
    const found = lower.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return true
}

const isInText = (frame: Frame, wanted: string, { large }: Surroundings): boolean => {
  if (!isLarge(frame)) return textOf(frame).toLowerCase().includes(wanted)
  const texts = large ?? new LargeTexts([wanted])
  if (!large) while (texts.awaits(frame)) texts.read(frame)
  return texts.has(frame, wanted)
}

const contains = (text: string): Test => {
  const wanted = text.toLowerCase()
  return (frame, around) => {
    if (isInText(frame, wanted, around)) return true
    if (around.notes?.get(frame.seq)?.toLowerCase().includes(wanted)) return true
    // A response is also found by its request's method.
    const pair = pairOf(frame, around)
    return [methodOf(frame, around), pair?.subject].some((part) => part?.toLowerCase().includes(wanted))
  }
}
