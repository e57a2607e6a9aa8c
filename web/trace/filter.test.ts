import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FrameDraft, JsonObject } from '../mcp/index.ts'
import { describe } from './describe.ts'
import { KEYS, parseFilter } from './filter.ts'
import type { FindingSource, Found } from './found.ts'
import { append, aroundOf, drafts, everyKind, source } from './frames.case.ts'

/** The frames that match a query. */
const found = (list: readonly FrameDraft[], query: string, names?: (link: string) => string): number[] => {
  const all = source(names)
  for (const draft of list) append(all.trace, draft)
  const { matches } = parseFilter(query)
  const around = aroundOf(all)
  return [...all.trace].filter((frame) => matches(frame, around)).map(({ seq }) => seq)
}

const word = fc.oneof(
  fc.constantFrom(...KEYS.map((key) => `${key}:`), '-', '"', '\\', ' ', '*', '>', '5', 'x', ',', 'tools/call', 'must'),
  fc.string({ unit: 'binary', maxLength: 8 }),
)
const queries = fc.array(word, { maxLength: 12 }).map((words) => words.join(''))
const terms = fc.constantFrom(
  'echo', 'kind:message', 'kind:http,stream', 'method:tools/', 'method:*list', 'status:ok', 'status:pending', 'status:404',
  'status:4xx', 'dir:sent', 'server:s2', 'dur:>3', 'size:<100', 'id:3', 'finding:must', 'finding:BP-01', '"jsonrpc"',
  'step:token', 'flow:f1', 'is:running', 'is:relayed',
) // prettier-ignore
const traces = fc.array(drafts, { maxLength: 60 })

test('no query, however broken, makes reading or matching throw', () => {
  const frames = everyKind.slice(0, 8)
  fc.assert(
    fc.property(fc.oneof(queries, fc.string({ unit: 'binary' })), (query) => {
      found(frames, query)
    }),
  )
})

test('a minus before a term lets through exactly the frames that the term does not', () => {
  fc.assert(
    fc.property(traces, terms, (frames, term) => {
      const all = [...found(frames, term), ...found(frames, `-${term}`)].sort((a, b) => a - b)
      expect(all).toEqual(frames.map((_, seq) => seq))
    }),
  )
})

test('all terms must hold, in any order', () => {
  fc.assert(
    fc.property(traces, terms, terms, (frames, one, two) => {
      const second = new Set(found(frames, two))
      const both = found(frames, one).filter((seq) => second.has(seq))
      expect(found(frames, `${one} ${two}`)).toEqual(both)
      expect(found(frames, `${two}  ${one}`)).toEqual(both)
    }),
  )
})

test('any text in quotes is found as it stands in a message', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
      const message = { jsonrpc: '2.0', method: 'x', params: { deep: [{ text }] } }
      const frame: FrameDraft = {
        kind: 'message',
        link: 's',
        direction: 'sent',
        type: 'notification',
        message,
        size: 1,
      }
      // As JSON writes it, without its quotes; characters with a meaning in queries are escaped.
      const written = JSON.stringify(text).slice(1, -1)
      fc.pre(written.length < 900)
      expect(found([frame], `"${written.replace(/["\\]/g, '\\$&')}"`)).toEqual([0])
    }),
  )
})

const ask = (id: number, method: string, name?: string): FrameDraft => {
  const params: JsonObject = name === undefined ? {} : { name }
  const message: JsonObject = { jsonrpc: '2.0', id, method, params }
  return {
    kind: 'message',
    link: 's1',
    direction: 'sent',
    type: 'request',
    message,
    size: JSON.stringify(message).length,
  }
}
const answer = (id: number): FrameDraft => {
  const message = { jsonrpc: '2.0', id, result: {} }
  return { kind: 'message', link: 's1', direction: 'received', type: 'result', message, size: 40 }
}

test('each key asks what its name says', () => {
  const frames: FrameDraft[] = [
    ask(1, 'tools/call', 'echo'), // 0, at 1 ms
    ask(2, 'tools/list'), // 1
    answer(1), // 2: took 2 ms
    { kind: 'http', phase: 'request', link: 's2', method: 'POST', url: 'http://h/mcp', headers: [], size: 20_000, purpose: 'message' },
    { kind: 'http', phase: 'response', link: 's2', request: 3, status: 404, statusText: '', headers: [] },
    { kind: 'message', link: 's1', direction: 'received', type: 'invalid', raw: 'Oops', size: 4, findings: [{ rule: 'BP-01', keyword: 'MUST', explanation: 'x' }] },
  ] // prettier-ignore
  const names = (link: string) => ({ s1: 'Everything', s2: 'files' })[link]!
  const cases: Record<string, number[]> = {
    'method:tools/call': [0, 2],
    'method:TOOLS/': [0, 1, 2],
    'method:*/list': [1],
    'method:list': [],
    'status:ok': [0, 2],
    'status:pending': [1],
    'status:404': [3, 4],
    'status:error': [3, 4],
    'status:4xx': [3, 4],
    'status:500': [],
    'status:inv': [5],
    'dir:received': [2, 4, 5],
    'server:every': [0, 1, 2, 5],
    'server:s2': [3, 4],
    'id:1': [0, 2],
    'dur:2': [0, 2],
    'dur:>2': [],
    'dur:<1s': [0, 2, 4],
    'size:>10kB': [3],
    'finding:must': [5],
    'finding:any': [5],
    'finding:bp-01': [5],
    'finding:should': [],
    'kind:http,message -finding:any': [0, 1, 2, 3, 4],
    echo: [0, 2],
    OOPS: [5],
    'http://h': [3],
    'kind:': [0, 1, 2, 3, 4, 5],
    'dur:>': [0, 1, 2, 3, 4, 5],
  }
  const results = Object.fromEntries(Object.keys(cases).map((query) => [query, found(frames, query, names)]))
  expect(results).toEqual(cases)
})

const says = (id: number, body: JsonObject): FrameDraft => {
  const message = { jsonrpc: '2.0', id, ...body }
  const type = 'error' in body ? 'error' : 'result'
  return { kind: 'message', link: 's1', direction: 'received', type, message, size: 40 }
}
const gaveUp = (request: number, why: 'timeout' | 'cancelled' | 'lost'): FrameDraft => ({
  kind: 'session',
  phase: 'gave-up',
  link: 's1',
  request,
  why,
  explanation: 'x',
})
/** One call for each verdict. */
const verdicts: readonly FrameDraft[] = [
  ask(1, 'tools/call', 'fine'), // 0
  says(1, { result: { content: [] } }),
  ask(2, 'tools/call', 'fails'), // 2
  says(2, { result: { content: [], isError: true } }),
  ask(3, 'tools/call', 'none'), // 4
  says(3, { error: { code: -32602, message: 'no' } }),
  ask(4, 'tools/call', 'asks'), // 6
  says(4, { result: { resultType: 'input_required', requestState: 'x' } }),
  ask(5, 'tools/call', 'late'), // 8
  gaveUp(4, 'timeout'), // the fifth request: see `append`
  says(9, { result: {} }), // 10: unexpected
]

test('SF-TOOL-18: a tool error has a status of its own, on screen and in the filter', () => {
  expect(found(verdicts, 'status:ok')).toEqual([0, 1])
  expect(found(verdicts, 'status:tool-error')).toEqual([2, 3])
  expect(found(verdicts, 'status:"tool error"')).toEqual([2, 3])
  expect(found(verdicts, 'status:error')).toEqual([4, 5])
  expect(found(verdicts, 'status:waiting')).toEqual([6, 7])
  expect(found(verdicts, 'status:"waiting for you"')).toEqual([6, 7])
  expect(found(verdicts, 'status:"timed out"')).toEqual([8, 9])
  expect(found(verdicts, 'status:unexpected')).toEqual([10])
  expect(found(verdicts, 'is:failed')).toEqual([2, 3, 4, 5, 8, 9])
  for (const query of ['status:tool-error', 'status:"waiting for you"']) {
    expect(parseFilter(query).hints, query).toEqual([])
  }
})

test('the words that the filter had before still mean the same', () => {
  const carriedOn: FrameDraft[] = [...verdicts, { ...ask(6, 'tools/call', 'asks'), follows: 6 } as FrameDraft]
  expect(found(carriedOn, 'status:asked')).toEqual([6, 7])
  expect(found(carriedOn, 'status:waiting')).toEqual([])
  expect(found(verdicts, 'status:timeout')).toEqual([8, 9])
  expect(found(verdicts, 'status:unasked')).toEqual([10])
  for (const query of ['asked', 'timeout', 'unasked']) expect(parseFilter(`status:${query}`).hints).toEqual([])
})

test('status:violation is a request, and its response, that breaks a MUST and is ok all the same', () => {
  const all = source()
  for (const draft of verdicts) append(all.trace, draft)
  const violation: Found = { rule: 'SF-TOOL-14', keyword: 'MUST', explanation: 'x' }
  const bySeq = new Map<number, Found[]>([
    [1, [violation]],
    [3, [{ ...violation, keyword: 'SHOULD' }]],
    [5, [{ ...violation, by: 'client' }]],
  ])
  const findings = {
    current: { bySeq, counts: { MUST: 1, SHOULD: 1, MAY: 0, ADVICE: 0 }, byRule: new Map() },
    reached: 11,
    subscribe: () => () => {},
  }
  const around = { ...aroundOf(all), findings }
  const filter = parseFilter('status:violation')
  expect(filter.finds).toBe(true)
  expect([...all.trace].filter((frame) => filter.matches(frame, around)).map(({ seq }) => seq)).toEqual([0, 1])
  const words = [0, 1, 3, 5].map((seq) => describe(all.trace.at(seq)!, around).status?.text)
  expect(words).toEqual([
    { key: 'okViolations', values: [1] },
    { key: 'okViolations', values: [1] },
    { key: 'toolError' },
    { key: 'errorCode', values: ['-32602'] },
  ])
})

test('what makes no sense is named, and takes no part', () => {
  expect(parseFilter('verb:GET').hints).toEqual([{ problem: 'unknown-key', word: 'verb', known: KEYS }])
  expect(parseFilter('kind:frame').hints).toMatchObject([{ problem: 'unknown-value', word: 'frame' }])
  expect(parseFilter('dur:soon size:>3parsec').hints.map(({ word }) => word)).toEqual(['dur:soon', 'size:>3parsec'])
  expect(parseFilter('kind:frame').all).toBe(true)
  // Incomplete, or not a key at all: no hint.
  for (const query of ['kind:', 'kind:mes', 'dur:>', '-', '"open', 'https://host/mcp', '']) {
    expect(parseFilter(query).hints, query).toEqual([])
  }
})

test('rule: and level: ask for what was found by whoever judges the frames, and only where it was judged', () => {
  const all = source()
  const { trace } = all
  for (const id of [1, 2, 3, 4]) trace.append(ask(id, 'ping'))
  const finding = (rule: string, keyword: Found['keyword']): Found => ({ rule, keyword, explanation: 'x' })
  const bySeq = new Map([
    [0, [finding('BP-07', 'MUST')]],
    [1, [finding('TR-HTTP-04', 'MUST'), finding('LC-09', 'SHOULD')]],
    [2, [finding('ADV-01', 'ADVICE')]],
    [3, [finding('BP-07', 'MUST')]],
  ])
  const current = { bySeq, counts: { MUST: 3, SHOULD: 1, MAY: 0, ADVICE: 1 }, byRule: new Map() }
  const findings: FindingSource = { current, reached: 3, subscribe: () => () => {} }
  const around = { ...aroundOf(all), findings }
  const lets = (query: string) => {
    const filter = parseFilter(query)
    expect(filter.finds, query).toBe(true)
    return [...trace].filter((frame) => filter.matches(frame, around)).map(({ seq }) => seq)
  }
  expect(lets('rule:BP-07')).toEqual([0])
  expect(lets('rule:tr-http-')).toEqual([1])
  expect(lets('rule:BP,LC-09')).toEqual([0, 1])
  expect(lets('-rule:bp')).toEqual([1, 2, 3])
  expect(lets('level:should')).toEqual([1])
  expect(lets('level:must,should')).toEqual([0, 1])
  expect(lets('level:must,should,may')).toEqual([0, 1])
  expect(lets('level:advice')).toEqual([2])
  expect(lets('finding:advice')).toEqual([2])
  expect(lets('finding:any')).toEqual([0, 1, 2])
  expect(parseFilter('level:shall').hints).toMatchObject([{ problem: 'unknown-value', word: 'shall' }])
  expect(parseFilter('method:x').finds).toBe(false)
})
