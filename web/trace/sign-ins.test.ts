/** A sign-in in the trace: its rows, its states, and the links between a step and its requests. */
import fc from 'fast-check'
import { describe as group, expect, test } from 'vitest'
import { foldAll, nextTask, signIns, type AuthStep, type FrameDraft } from '../mcp/index.ts'
import { describe } from './describe.ts'
import type { RowModel } from './row-model.ts'
import { statusOf, tookOf } from './facts.ts'
import { parseFilter, ruleQuery } from './filter.ts'
import { append, aroundOf, drafts, source } from './frames.case.ts'
import { relationsOf } from './relations.ts'
import { RowIndex } from './rows.ts'
import chinese from './text/zh-CN.ts'
import english from './text/en.ts'

const own = { kind: 'auth', link: 's1', flow: 'f1' } as const
const step = (name: AuthStep): FrameDraft => ({ ...own, event: 'step', step: name })
const http = (seq: number, status: number, more: object = {}): FrameDraft[] => [
  { kind: 'http', phase: 'request', link: 's1', method: 'GET', url: 'https://as.example/.well-known/x', headers: [], size: 0, purpose: 'authorization', ...more },
  { kind: 'http', phase: 'response', link: 's1', request: seq, status, statusText: '', headers: [] },
  { kind: 'http', phase: 'end', link: 's1', request: seq, size: 2, body: '{}' },
] // prettier-ignore
const unsafe = { rule: 'AU-ASM-07', keyword: 'MUST', explanation: 'token_endpoint is not https' } as const

/**
 * A typical sign-in: the metadata is unsafe, the user continues, and the token is rejected. The clock advances 1 ms per
 * frame.
 */
const story: readonly FrameDraft[] = [
  { ...own, event: 'flow', grant: 'authorization-code', revision: '2025-11-25', why: 'unauthorized', steps: ['server-metadata', 'token'] }, // 0
  step('server-metadata'), // 1
  ...http(2, 404, { step: 1 }), // 2 3 4
  ...http(5, 200, { step: 1, relayed: true, again: 2 }), // 5 6 7
  { ...own, event: 'waiting', step: 'server-metadata', begun: 1, fault: { code: 'unsafe-url', rule: 'AU-ASM-07', explanation: 'token_endpoint is http' } }, // 8
  { ...own, event: 'done', step: 'server-metadata', begun: 1, outcome: 'forced', checks: [
    { rule: 'AU-ASM-06', keyword: 'MUST', ok: true, say: 'issuer-matches' },
    { rule: 'AU-ASM-07', keyword: 'MUST', ok: false, say: 'endpoint-unsafe', values: { name: 'token_endpoint' } },
    { rule: 'AU-ASM-01', keyword: 'MUST', say: 'metadata-not-there' },
  ], learned: { issuer: 'https://as.example' }, findings: [unsafe] }, // 9
  step('token'), // 10
  ...http(11, 400, { step: 10, method: 'POST', url: 'https://as.example/token', body: 'grant_type=authorization_code&code=••••', size: 60 }), // 11 12 13
  { ...own, event: 'done', step: 'token', begun: 10, outcome: 'failed', checks: [], fault: { code: 'token-refused', explanation: 'invalid_grant' }, learned: {} }, // 14
  { ...own, event: 'end', outcome: 'failed', fault: { code: 'token-refused', explanation: 'invalid_grant' } }, // 15
  { ...own, event: 'credential', what: 'refused', details: { status: 401 } }, // 16
] // prettier-ignore

const told = (list: readonly FrameDraft[]) => {
  const all = source()
  for (const draft of list) all.trace.append(draft)
  return { ...all, around: aroundOf(all) }
}

type Texts = Readonly<Record<string, string | ((...values: never[]) => string)>>
const say = (said: RowModel['details'][number], texts: object = english): string => {
  if (typeof said === 'string') return said
  if ('reason' in said) return said.reason
  const entry = (texts as Texts)[said.key]!
  return typeof entry === 'string' ? entry : entry(...(said.values as unknown as never[]))
}

group('the rows of a sign-in', () => {
  const { trace, around } = told(story)
  const rows = [...trace].map((frame) => describe(frame, around))

  test('say what each step is, how it ended, how many checks are broken, and why it stopped', () => {
    const lines = rows.map((row) => [row.what, ...row.details].map((part) => say(part)).join(' | '))
    expect(lines.filter((_, seq) => trace.at(seq)?.kind === 'auth')).toEqual([
      'sign-in started: authorization code | the server responded with 401 | 2025-11-25',
      'sign-in: authorization server metadata',
      'waiting for you: authorization server metadata | token_endpoint is http (AU-ASM-07)',
      'failed, continued anyway: authorization server metadata | 1 of 3 checks failed | {"issuer":"https://as.example"}',
      'sign-in: token request',
      'failed: token request | invalid_grant',
      'sign-in failed | invalid_grant',
      'token rejected by the server | {"status":401}',
    ])
    expect(lines[5]).toBe(
      'GET as.example/.well-known/x | sign-in: authorization server metadata | through the relay | sent again after the response to #2',
    )
  })

  test('in Chinese say as much', () => {
    for (const row of rows.filter(({ seq }) => trace.at(seq)?.kind === 'auth')) {
      expect(say(row.what, chinese)).toMatch(/[一-鿿]/)
    }
  })

  test('have the state of their step, its duration, and a tone that shows what is wrong', () => {
    const auth = rows.filter(({ seq }) => trace.at(seq)?.kind === 'auth')
    expect(auth.map(({ seq, status, took, tone }) => [seq, status && say(status.text), took, tone])).toEqual([
      [0, 'error', 15, 'plain'],
      [1, 'forced', 8, 'quiet'],
      [8, undefined, 7, 'warn'],
      [9, 'forced', 8, 'warn'],
      [10, 'error', 4, 'quiet'],
      [14, 'error', 4, 'bad'],
      [15, 'error', 15, 'bad'],
      [16, 'error', undefined, 'warn'],
    ])
  })

  test('count what was found when they were captured, as messages do', async () => {
    expect(rows[9]?.findings).toEqual({ keyword: 'MUST', count: 1 })
    const index = new RowIndex(told(story), ruleQuery('AU-ASM-07'))
    await index.settled()
    expect(index.current.findings).toEqual({ MUST: 1, SHOULD: 0, MAY: 0, ADVICE: 0 })
    expect(index.current.seqs).toEqual([9])
    index.close()
  })
})

test('while it goes on, a step is pending, then waits for its user, and its row runs', () => {
  const states = [2, 8, 9, 10].map((length) => {
    const { trace, around } = told(story.slice(0, length))
    const row = describe(trace.at(1)!, around)
    const stands = trace.at(8) && statusOf(trace.at(8)!, around)
    return [statusOf(trace.at(1)!, around), stands, row.running, tookOf(trace.at(1)!, around), around.signIns.open]
  })
  expect(states).toEqual([
    ['pending', undefined, true, undefined, 2],
    ['pending', undefined, true, undefined, 2],
    ['waiting', 'waiting', true, undefined, 2],
    ['forced', undefined, false, 8, 1],
  ])
})

test('a sign-in that its user leaves takes the steps with it that are under way', () => {
  const { trace, around } = told([...story.slice(0, 3), { ...own, event: 'end', outcome: 'cancelled' }])
  expect([0, 1, 3].map((seq) => statusOf(trace.at(seq)!, around))).toEqual(['cancelled', 'cancelled', 'cancelled'])
  expect(around.signIns.open).toBe(0)
})

test('a step leads to its requests, a request to its step, and both to the whole sign-in', () => {
  const { trace, around } = told(story)
  const of = (seq: number) => relationsOf(trace.at(seq)!, trace, around)
  expect(of(1)).toMatchObject({
    step: { requests: [{ seq: 2 }, { seq: 5 }], done: 9 },
    flow: { begun: 0 },
    caused: [2, 5, 8, 9],
  })
  expect(of(0)).toMatchObject({ step: undefined, flow: { end: 15 }, caused: [1, 10, 15] })
  expect(of(15)).toMatchObject({ step: undefined, flow: { begun: 0 }, caused: [] })
  for (const seq of [5, 6, 7, 8, 9]) expect(of(seq).step?.begun, String(seq)).toBe(1)
  expect(of(5)).toMatchObject({ again: 2, run: { request: 5, status: 200 } })
  expect(of(2).caused).toEqual([3, 4, 5])
  expect(of(16)).toMatchObject({ step: undefined, flow: undefined })
})

test('a sign-in is found by its step, its name, its states, and how its requests were sent', () => {
  const { trace, around } = told(story)
  const found = (query: string) => {
    const { matches, hints } = parseFilter(query)
    expect(hints, query).toEqual([])
    return [...trace].filter((frame) => matches(frame, around)).map(({ seq }) => seq)
  }
  expect(found('kind:auth')).toEqual([0, 1, 8, 9, 10, 14, 15, 16])
  expect(found('step:token')).toEqual([10, 11, 12, 13, 14])
  expect(found('step:server')).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect(found('flow:F1 -kind:auth')).toEqual([2, 3, 4, 5, 6, 7, 11, 12, 13])
  expect(found('flow:f2')).toEqual([])
  expect(found('is:failed')).toEqual([0, 2, 3, 10, 11, 12, 14, 15, 16])
  expect(found('is:forced')).toEqual([1, 9])
  expect(found('is:waiting')).toEqual([])
  expect(found('is:running')).toEqual([])
  expect(found('is:relayed')).toEqual([5])
  expect(found('is:again')).toEqual([5])
  expect(found('status:forced dur:>5')).toEqual([1, 9])
  expect(found('grant_type=')).toEqual([11])
  // One step's name is a prefix of another's.
  expect(parseFilter('step:authorization').hints).toEqual([])
  expect(parseFilter('step:consent').hints).toMatchObject([{ problem: 'unknown-value' }])
})

test('a rule that is a section of an RFC can be asked for', () => {
  expect(ruleQuery('AU-ASM-07')).toBe('rule:AU-ASM-07')
  const rule = 'RFC 9110 section 11.6.1'
  const frame: FrameDraft = { ...own, event: 'done', step: 'challenge', begun: 0, outcome: 'ok', checks: [], learned: {}, findings: [{ ...unsafe, rule }] } // prettier-ignore
  const { trace, around } = told([step('challenge'), frame])
  const { matches, hints } = parseFilter(ruleQuery(rule))
  expect(hints).toEqual([])
  expect([...trace].filter((each) => matches(each, around)).map(({ seq }) => seq)).toEqual([1])
})

test('a list that asks for states follows the steps as they go on', async () => {
  const all = source()
  const index = new RowIndex(all, 'is:running kind:auth')
  const seen: (readonly number[])[] = []
  for (const [at, draft] of story.entries()) {
    all.trace.append(draft)
    if (![1, 8, 9, 10, 15].includes(at)) continue
    await nextTask()
    await index.settled()
    seen.push([...index.current.seqs])
  }
  expect(seen).toEqual([[0, 1], [0, 1, 8], [0], [0, 10], []])
  index.close()
})

test('a step that its sign-in takes with it is looked at again, also where the trace lacks its beginning', async () => {
  const all = source()
  const index = new RowIndex(all, 'status:cancelled')
  all.trace.append(step('authorization'))
  await nextTask()
  await index.settled()
  expect(index.current.seqs).toEqual([])
  all.trace.append({ ...own, event: 'end', outcome: 'cancelled' })
  await index.settled()
  expect(index.current.seqs).toEqual([0, 1])
  index.close()
})

test('frames in any order, with names that lead nowhere, are folded without harm, and in parts as at once', () => {
  fc.assert(
    fc.property(fc.array(drafts, { maxLength: 60 }), fc.nat(60), (list, cut) => {
      const all = source()
      for (const draft of list) append(all.trace, draft)
      const frames = [...all.trace]
      const parts = foldAll(signIns, frames.slice(cut), foldAll(signIns, frames.slice(0, cut)))
      expect(parts).toEqual(all.signIns.current)
      const { steps, flows, open } = parts
      const without = [...steps.values(), ...new Set(flows.values())].filter(({ endedAt }) => endedAt === undefined)
      expect(open).toBe(without.length)
    }),
  )
})
