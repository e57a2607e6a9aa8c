/** Compares a server's outcome with the corpus. Pure: expectations and observations in, differences in words out. */
import type { Count, HttpExpected, StdioExpected, Truth } from './corpus.ts'
import type { ListSeen, Seen } from './drive.ts'
import { LISTS, type ListName } from './lists.ts'

export type Sight = Pick<Seen, 'peer' | 'failure' | 'lists' | 'ping' | 'unknownTool' | 'unanswered'>

/** HTTP details beside the messages; `undefined` if none were visible. */
export interface HttpSight {
  /** CORS lets a page send its requests and read the responses. */
  readonly cors: boolean
  readonly session?: boolean
  readonly exposesSessionId?: boolean
  readonly get?: number
  readonly eventIds?: boolean
}

/** The error code that each kind of failure must have. */
const CODES = { exit: 'process-exited', timeout: 'timeout', error: 'bad-handshake' } as const

/**
 * @param revision the expected protocol version, which may be newer than the one an older client observed
 * @returns one line per difference; empty if everything is as expected
 */
export const judgeStdio = (expected: StdioExpected, revision: string, truth: Truth['stdio'], seen: Sight): string[] => {
  if (expected.fails !== undefined) return judgeFailure(expected.fails, seen)
  return [
    ...judgeOpening(revision, seen),
    ...LISTS.flatMap((list) => judgeList(list, expected[list], truth[list], seen.lists[list])),
    ...judgeAsides(truth, seen),
    ...judgeAnswers(seen),
  ]
}

export const judgeHttp = (
  expected: HttpExpected,
  revision: string,
  counts: Readonly<Partial<Record<ListName, Count>>>,
  seen: Sight,
  http: HttpSight,
): string[] => {
  const broken = expected.brokenAfterInitialize
  if (broken !== undefined) return judgeBroken(broken, seen)
  return [
    ...judgeOpening(revision, seen),
    ...LISTS.flatMap((list) => {
      const count = list === 'tools' ? expected.tools : counts[list]
      return count === undefined ? [] : judgeList(list, count, undefined, seen.lists[list])
    }),
    ...judgeAnswers(seen),
    ...judgeFacts(expected, http),
  ]
}

const judgeFailure = (fails: keyof typeof CODES, { failure, peer }: Sight): string[] => {
  if (!failure) return [`opened at ${peer?.revision} instead of failing (${fails})`]
  const code = CODES[fails]
  if (failure.code !== code) return [`failed with ${failure.code} instead of ${code}: ${failure.message}`]
  if (fails === 'exit' && !('stderr' in failure.details)) return ['does not tell the end of stderr']
  return []
}

const judgeOpening = (revision: string, { failure, peer }: Sight): string[] => {
  if (failure) return [`failed with ${failure.code}: ${failure.message}`]
  return peer?.revision === revision ? [] : [`revision ${peer?.revision} instead of ${revision}`]
}

const judgeList = (list: ListName, expected: Count, truth: readonly string[] | undefined, seen: ListSeen): string[] => {
  if (expected === 'ERR') {
    if (seen && 'error' in seen && seen.error === 'server') return []
    return [`${list} do not show the server's error: ${sum(seen)}`]
  }
  if (seen && 'error' in seen) return [`${list} failed: ${sum(seen)}`]
  const names = seen?.names ?? []
  if (names.length !== expected) return [`${names.length} ${list} instead of ${expected}`]
  const missing = truth?.filter((name) => !names.includes(name)) ?? []
  return missing.length === 0 ? [] : [`${list} without ${missing.join(', ')}`]
}

const sum = (seen: ListSeen): string => {
  if (!seen) return 'not asked for'
  return 'error' in seen ? `${seen.code} ${seen.message}` : `${seen.names.length} of them`
}

/** Only the first response succeeds. A probe may use it up, and then the session can't open at all. */
const judgeBroken = (status: number, { failure, lists }: Sight): string[] => {
  if (failure) {
    return failure.details.status === status ? [] : [`failed with ${failure.code}: ${failure.message}`]
  }
  return LISTS.flatMap((list) => {
    const seen = lists[list]
    if (!seen || ('error' in seen && seen.status === status)) return []
    return [`${list} do not show HTTP ${status}: ${sum(seen)}`]
  })
}

/**
 * Rejecting a ping is allowed, and calling an unknown tool may have any outcome; it only has to be reported correctly.
 */
const judgeAsides = ({ ping, unknownTool }: Truth['stdio'], seen: Sight): string[] => {
  const due = { ping: typeof ping === 'object' ? `error ${ping.code}` : ping, unknownTool }
  return (['ping', 'unknownTool'] as const).flatMap((aside) => {
    if (due[aside] === undefined || seen[aside] === undefined || due[aside] === seen[aside]) return []
    return [`${aside} gives ${seen[aside]} instead of ${due[aside]}`]
  })
}

const judgeAnswers = ({ unanswered }: Sight): string[] =>
  unanswered === 0 ? [] : [`${unanswered} of the server's questions got no answer`]

const FACTS = ['cors', 'session', 'exposesSessionId', 'get', 'eventIds'] as const

const judgeFacts = (expected: HttpExpected, seen: HttpSight): string[] =>
  FACTS.flatMap((fact) => {
    if (expected[fact] === undefined || seen[fact] === undefined || expected[fact] === seen[fact]) return []
    return [`${fact} is ${seen[fact]} instead of ${expected[fact]}`]
  })
