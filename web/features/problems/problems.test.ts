/** Problems: one verdict per rule, exports in which a server's text stays text, and statistics that cost the same at any length. */
import { marked, type Token } from 'marked'
import { describe, expect, test } from 'vitest'
import { Frames } from '../../../tests/sessions/frames.ts'
import type { Findings, Requirement, RuleFinding } from '../../lint/index.ts'
import { levelsOf, loadRequirements } from '../../lint/requirements.ts'
import { tallyKey } from '../../lint/rule.ts'
import { titleOf } from '../../lint/text/titles.case.ts'
import { findings } from '../../lint/run.ts'
import { shapes } from '../../lint/shapes.ts'
import { exchanges, foldAll, type Exchange, type Frame, type Json } from '../../mcp/index.ts'
import { bracketed, labelled } from '../../ui/i18n/punctuation.svelte.ts'
import { excerptOf, MutedRules, placesOf, problemsOf, sinceOf, withoutMuted } from '../findings/index.ts'
import { issueMarkdown, problemsSarif } from './problem-exports.ts'
import { sortedBy, Statistics } from './statistics.ts'
import titles from '../../lint/text/en.ts'
import fixes from './text/fixes/en.ts'

const requirements = await loadRequirements()
const rows = new Map(requirements.map((row) => [row.id, row]))

/** A session in which one tool has no schema, another is listed twice, and an icon has no source. */
const faulty = (): Frames => {
  const frames = new Frames()
  const peer = { era: 'handshake', revision: '2025-11-25', info: { name: 'faulty', version: '1' }, capabilities: { tools: {} }, evidence: [] } as const // prettier-ignore
  frames.add({ kind: 'session', phase: 'open', peer, transport: 'stdio' })
  const tool = { name: 'twice', inputSchema: { type: 'object' } }
  const listed = [{ name: 'bare' }, tool, tool]
  for (const id of [1, 2]) {
    frames.message('sent', { jsonrpc: '2.0', id, method: 'tools/list' })
    frames.message('received', { jsonrpc: '2.0', id, result: { tools: listed } })
  }
  return frames
}

const judged = (frames: readonly Frame[]): Findings =>
  foldAll(findings({ levels: levelsOf(requirements), shapes }), frames)

test('a fix belongs to a rule that can be named', () => {
  expect(Object.keys(fixes).filter((rule) => titleOf('en', rule) === undefined)).toEqual([])
})

/** Rules whose violation no server can fix. */
const WITHOUT_FIX: ReadonlySet<string> = new Set([
  // Messages of the client.
  ...['BP-11', 'BP-22', 'BP-23', 'CF-ELIC-04', 'CF-FORM-08', 'CF-ROOT-02', 'CF-SAMP-06', 'LC-10', 'MRTR-10'],
  // Decisions of the client while it signs in, and a client that the user entered.
  ...['AU-0326-01', 'AU-REG-03', 'AU-REG-08', 'AU-REG-12'],
])

test('every rule that is named says what to change, except those that no server can fix', () => {
  const lacking = Object.keys(titles).filter((rule) => !Object.hasOwn(fixes, rule) && !WITHOUT_FIX.has(rule))
  expect(lacking).toEqual([])
  expect([...WITHOUT_FIX].filter((rule) => Object.hasOwn(fixes, rule) || !Object.hasOwn(titles, rule))).toEqual([])
})

describe('the list', () => {
  test('one row per rule, with the first occurrence first, and the most severe rule at the top', () => {
    const all = judged(faulty().all)
    const problems = problemsOf(all, 's1')
    const byRule = new Map(problems.map((problem) => [problem.rule, problem]))
    expect(byRule.size).toBe(problems.length)
    expect(byRule.get('SF-TOOL-04')).toMatchObject({ count: 2, keyword: 'SHOULD' })
    expect(byRule.get('SF-TOOL-04')!.found.map(({ seq }) => seq)).toEqual([2, 4])
    expect(placesOf(byRule.get('SF-TOOL-04')!)).toEqual([2, 4])
    const weights = problems.map(({ keyword }) => ['MUST', 'SHOULD', 'MAY', 'ADVICE'].indexOf(keyword))
    expect(weights).toEqual(weights.toSorted((one, other) => one - other))
    expect(weights[0]).toBe(0)
    expect(problemsOf(all, 's2')).toEqual([])
  })

  test("a mistake in a message written by hand isn't the server's", () => {
    const own: RuleFinding = { rule: 'BP-01', keyword: 'MUST', explanation: 'x', link: 's1', seq: 1, by: 'client' }
    const found = { rule: 'BP-01', link: 's1', keyword: 'MUST', count: 1, kept: 1 } as const
    const all: Findings = {
      bySeq: new Map([
        [1, [own]],
        [2, [{ ...own, seq: 2, by: undefined } as unknown as RuleFinding]],
      ]),
      byRule: new Map([[tallyKey('s1', 'BP-01'), found]]),
      byLink: new Map(),
      counts: { MUST: 1, SHOULD: 0, MAY: 0, ADVICE: 0 },
    }
    expect(problemsOf(all, 's1')[0]!.found.map(({ seq }) => seq)).toEqual([2])
  })

  test('a rule of all protocol versions has no first one', () => {
    expect(sinceOf(rows.get('BP-01'))).toBeUndefined()
    expect(sinceOf(undefined)).toBeUndefined()
    expect(sinceOf(rows.get('BP-40'))).toBe('2026-07-28')
  })

  test('the excerpt marks the value that was found, within its object', () => {
    const frame = faulty().all[2]
    expect(excerptOf(frame, '/result/tools/1/name')).toEqual({
      before: '{ "name": ',
      marked: '"twice"',
      after: ', "inputSchema": { "type": "object" } }',
    })
    expect(excerptOf(frame, '/result/none/at/all')).toBeUndefined()
    expect(excerptOf(frame, undefined)?.before).toMatch(/^\{ "jsonrpc": "2.0"/)
    expect(excerptOf(undefined, '/result')).toBeUndefined()
  })

  test('a message of megabytes has no excerpt', () => {
    const frames = new Frames()
    frames.message('received', { jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(300_000) } })
    expect(excerptOf(frames.all[0], '/result/text')).toBeUndefined()
  })
})

describe('muted rules', () => {
  test('are left out of every count, and come back', () => {
    const all = judged(faulty().all)
    const source = { current: all, reached: 4, subscribe: () => () => {} }
    const key = tallyKey('s1', 'SF-TOOL-04')
    const quiet = withoutMuted(source, new Set([key])).current
    expect(quiet.byRule.has(key)).toBe(false)
    expect(quiet.counts.SHOULD).toBe(all.counts.SHOULD - 2)
    expect(quiet.byLink.get('s1')!.SHOULD).toBe(all.byLink.get('s1')!.SHOULD - 2)
    expect([...quiet.bySeq.values()].flat().some(({ rule }) => rule === 'SF-TOOL-04')).toBe(false)
    expect(withoutMuted(source, new Set()).current).toBe(all)
  })

  test('are remembered, whatever else was stored there', () => {
    const store = new Map<string, Json>([['muted-rules', ['BP-01', 7, null]]])
    const kept = { get: (key: string) => store.get(key), set: (key: string, value: Json) => void store.set(key, value) }
    const muted = new MutedRules({ kept })
    expect([...muted.current]).toEqual(['BP-01'])
    muted.set('LC-09', true)
    muted.set('BP-01', false)
    expect(store.get('muted-rules')).toEqual(['LC-09'])
    store.set('muted-rules', 'no list')
    expect(new MutedRules({ kept }).current.size).toBe(0)
  })
})

const hostile = '```\n# heading <script>alert(1)</script> [a](javascript:1) \uD800'

const problem = {
  rule: 'BP-07',
  keyword: 'MUST',
  count: 3,
  found: [{ rule: 'BP-07', keyword: 'MUST', link: 's1', seq: 4, explanation: hostile, pointer: '/result' }],
} as const

describe('exports', () => {
  test("as an issue, a server's text is only ever code", () => {
    const texts = { rule: 'Rule', since: 'Since', fix: 'Fix', reference: 'Reference', occurrences: (count: string) => `${count} times`, foundWith: (name: string) => `Found with ${name}.`, labelled, bracketed } // prettier-ignore
    const explained = { title: 'Both', statement: 'A statement', fix: 'Do this', since: '2025-06-18', url: 'https://x.example/' } // prettier-ignore
    const markdown = issueMarkdown(problem, explained, hostile, texts, String)
    const all: Token[] = []
    void marked.walkTokens(marked.lexer(markdown), (token) => void all.push(token))
    expect(all.filter(({ type }) => type === 'code')).toHaveLength(2)
    expect(all.filter(({ type }) => type === 'heading')).toHaveLength(1)
    expect(all.some(({ type }) => type === 'html')).toBe(false)
    expect(all.flatMap((token) => (token.type === 'link' ? [token.href as string] : []))).toEqual([
      'https://x.example/',
    ])
    for (const part of ['3 times', 'Do this', '2025-06-18', 'A statement', 'Found with Periscope.'])
      expect(markdown).toContain(part)
  })

  test('as SARIF, each result has its rule and the others it violates, its level, count and place, and every text is valid Unicode', () => {
    const text = problemsSarif(
      [
        { ...problem, found: [{ ...problem.found[0], also: ['RFC 6749 section 5.2'] }] },
        { ...problem, rule: 'LC-09', keyword: 'SHOULD' },
      ],
      {
        version: '1.2.3',
        server: hostile,
        requirementOf: (rule): Requirement | undefined => rows.get(rule),
        urlOf: (rule) => (rule === 'BP-07' ? 'https://x.example/' : undefined),
      },
    )
    const { version, runs } = JSON.parse(text)
    expect(version).toBe('2.1.0')
    const [{ tool, results }] = runs
    expect(tool.driver.rules.map(({ id, helpUri }: Record<string, unknown>) => [id, helpUri])).toEqual([
      ['BP-07', 'https://x.example/'],
      ['LC-09', undefined],
    ])
    expect(results.map(({ ruleId, ruleIndex, level }: Record<string, unknown>) => [ruleId, ruleIndex, level])).toEqual([
      ['BP-07', 0, 'error'],
      ['LC-09', 1, 'warning'],
    ])
    expect(results[0].occurrenceCount).toBe(3)
    expect(results[0].properties).toEqual({ also: ['RFC 6749 section 5.2'] })
    expect(results[1].properties).toBeUndefined()
    expect(results[0].locations[0].logicalLocations[0].fullyQualifiedName).toMatch(/#4\/result$/)
    expect(text.isWellFormed()).toBe(true)
    expect(text).not.toContain('\\ud800')
  })
})

describe('statistics', () => {
  test('count requests, failures, times and bytes of each method and tool', () => {
    const frames = new Frames()
    for (const id of [1, 2, 3])
      frames.call(id, { name: 'add' }, id === 3 ? { isError: true, content: [] } : { content: [] })
    frames.message('sent', { jsonrpc: '2.0', id: 4, method: 'tools/list' })
    frames.message('sent', { jsonrpc: '2.0', id: 5, method: 'ping' })
    frames.message('received', { jsonrpc: '2.0', id: 5, error: { code: -32601, message: 'no' } })
    const sizeOf = (seq: number) => {
      const frame = frames.all[seq]
      return frame?.kind === 'message' ? frame.size : 0
    }
    const counted = new Statistics('s1', sizeOf).count(foldAll(exchanges, frames.all).all)
    const [add] = counted
    expect(add).toMatchObject({ method: 'tools/call', subject: 'add', count: 3, errors: 1, p50: 6, p95: 6, max: 6 })
    expect(add!.bytes).toBeGreaterThan(200)
    expect(counted.slice(1).map(({ method, count, errors }) => [method, count, errors])).toEqual([
      ['tools/list', 1, 0],
      ['ping', 1, 1],
    ])
    expect(counted[1]).not.toHaveProperty('p50')
    expect(sortedBy(counted, 'errors', true)[2]!.method).toBe('tools/list')
    expect(sortedBy(counted, 'method', false).map(({ method }) => method)).toEqual(['ping', 'tools/call', 'tools/list'])
    expect(sortedBy(counted, 'p95', false)[0]!.method).toBe('tools/list')
    expect(new Statistics('s2', sizeOf).count(foldAll(exchanges, frames.all).all)).toEqual([])
  })

  test('a refused probe is an error only until the session is open', () => {
    const frames = new Frames()
    frames.message('sent', { jsonrpc: '2.0', id: 1, method: 'server/discover' })
    frames.message('received', { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'no' } })
    const folded = foldAll(exchanges, frames.all)
    const statistics = new Statistics('s1', () => 1)
    expect(statistics.count(folded.all)).toMatchObject([{ method: 'server/discover', count: 1, errors: 1 }])
    const peer = { era: 'handshake', revision: '2025-11-25', info: {}, capabilities: {}, evidence: [] } as const
    frames.add({ kind: 'session', phase: 'open', peer, transport: 'stdio' })
    exchanges.step(folded, frames.all.at(-1)!)
    expect(statistics.count(folded.all)).toMatchObject([{ method: 'server/discover', count: 1, errors: 0 }])
  })

  test('counting again visits only requests that are new or waiting, and says the same as counting anew', () => {
    let visits = 0
    const all = Array.from({ length: 1000 }, (_, index) => {
      const exchange: Exchange = { link: 's1', direction: 'sent', id: index, method: 'ping', request: index, startedAt: 0, status: 'ok', response: index, endedAt: index, related: [] } // prettier-ignore
      return new Proxy(exchange, { get: (of, key) => (key === 'status' && visits++, Reflect.get(of, key)) })
    })
    all[10]!.status = 'pending'
    const statistics = new Statistics('s1', () => 1)
    statistics.count(all.slice(0, 900))
    visits = 0
    all[10]!.status = 'error'
    const counted = statistics.count(all)
    expect(visits).toBe(101)
    expect(counted).toEqual(new Statistics('s1', () => 1).count(all))
    expect(counted[0]).toMatchObject({ count: 1000, errors: 1, max: 999 })
  })
})
