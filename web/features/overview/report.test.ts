/** The report card: correct numbers, and Markdown in which a server's text appears only as code. */
import fc from 'fast-check'
import { marked, type Token } from 'marked'
import { describe, expect, test } from 'vitest'
import type { Requirement } from '../../lint/requirements.ts'
import type { Findings } from '../../lint/run.ts'
import {
  foldAll,
  Trace,
  type Exchange,
  type FrameDraft,
  type Json,
  type JsonObject,
  type Peer,
} from '../../mcp/index.ts'
import { bracketed, joined, labelled } from '../../ui/i18n/punctuation.svelte.ts'
import { capabilityRows } from './capabilities.ts'
import { COUNTED, countOf, factsFold } from './facts-fold.ts'
import { violationsOf, code, reportMarkdown, timingsOf, type Report, type ReportFormat } from './report.ts'
import en from './text/en.ts'

const format: ReportFormat = {
  t: en,
  ms: (ms) => `${ms} ms`,
  count: String,
  verdict: (verdict) => verdict,
  labelled,
  bracketed,
  joined,
  titleOf: () => 'A title',
}

const requirement = { id: 'BP-07', source: '2025-06-18/basic/index' } as unknown as Requirement

const reportOf = (hostile: string, info: JsonObject = {}): Report => ({
  name: hostile,
  peer: {
    era: 'handshake',
    revision: '2025-11-25',
    info: { name: hostile, version: hostile, ...info },
    capabilities: { [hostile]: { [hostile]: true } },
    evidence: [],
  } satisfies Peer,
  client: {},
  transport: hostile,
  evidence: [hostile],
  counts: [{ kind: 'tools', tab: 'tools', count: 3, state: 'whole' }],
  found: {
    MUST: 2,
    SHOULD: 0,
    MAY: 0,
    violations: [{ rule: 'BP-07', keyword: 'MUST', count: 2, seq: 4, explanation: `found "${hostile}"` }],
    advice: [{ rule: 'ADV-01', keyword: 'ADVICE', count: 2, seq: 4, explanation: `says "${hostile}"` }],
  },
  requirements: { 'BP-07': requirement },
  timings: {
    answered: 2,
    verdicts: new Map([
      ['ok', 1],
      ['tool-error', 1],
    ]),
    median: 3,
    slowest: { method: 'tools/call', subject: hostile, seq: 5, took: 9 },
  },
  handshake: 4,
})

/** All tokens, including nested ones. */
const tokensOf = (markdown: string): Token[] => {
  const all: Token[] = []
  void marked.walkTokens(marked.lexer(markdown), (token) => void all.push(token))
  return all
}
const shapeOf = (markdown: string) => tokensOf(markdown).map(({ type }) => type)
const linksOf = (markdown: string) =>
  tokensOf(markdown).flatMap((token) => (token.type === 'link' || token.type === 'image' ? [String(token.href)] : []))

describe('as Markdown', () => {
  const plain = reportMarkdown(reportOf('plain'), format)

  test('it holds identity, revision, capabilities, counts, violations with their rule and its page, and times', () => {
    for (const part of [
      '# MCP server: `plain`',
      '- name: `plain`',
      '- `2025-11-25` (handshake)',
      '- Server: `plain` (unknown): `plain`',
      '- 3 tools',
      '- 2 MUST, 0 SHOULD',
      '- MUST **BP-07** A title (2 times): `found "plain"`',
      '([specification](https://modelcontextprotocol.io/specification/2025-06-18/basic))',
      '## Advice\n\n- **ADV-01** A title (2 times): `says "plain"`',
      '- Handshake: 4 ms',
      '- Slowest: `tools/call` `plain`, 9 ms',
    ]) {
      expect(plain).toContain(part)
    }
  })

  test.each([
    '<img src=x onerror=alert(1)>',
    '` <script>alert(1)</script> `',
    '``` \n# Not a heading\n```',
    '[click](https://evil.example)',
    '![pixel](https://evil.example/p.png)',
    'https://evil.example www.evil.example a@evil.example',
    '\n\n# Findings: none\n- **all well**',
    '**bold** _it_ ~~x~~ | a | b |',
    '\u202egnp.exe',
    '&lt;b&gt; &#60;',
    '\\` <b> \\',
    '@somebody #1',
  ])('a name such as %j stays a name', (hostile) => {
    const markdown = reportMarkdown(reportOf(hostile), format)
    expect(shapeOf(markdown)).toEqual(shapeOf(plain))
    expect(linksOf(markdown)).toEqual(linksOf(plain))
    expect(markdown).not.toContain('\u202e')
  })

  test('so does any text', () => {
    const piece = fc.constantFrom(
      '`',
      '``',
      '\n',
      ' ',
      '<b>',
      '[a](b)',
      '*',
      '#',
      '- ',
      '|',
      '\\',
      'x',
      '!',
      'http://e.x',
      '~',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const markdown = reportMarkdown(reportOf(pieces.join('')), format)
        expect(shapeOf(markdown)).toEqual(shapeOf(plain))
        expect(linksOf(markdown)).toEqual(linksOf(plain))
      }),
      { numRuns: 300 },
    )
  })

  test('what is within a span is what was written, where all of it is seen', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '`', ' ', '<', '\\', '|'), minLength: 1, maxLength: 30 }),
        (text) => {
          fc.pre(text.trim() !== '')
          const spans = tokensOf(code(text)).filter(({ type }) => type === 'codespan')
          expect(spans.map((span) => ('text' in span ? span.text : ''))).toEqual([text])
        },
      ),
    )
  })

  test('whatever stands in the identity is written down, and nothing throws', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('title', 'name', 'description', 'websiteUrl'), fc.jsonValue()),
        (info) => {
          expect(
            linksOf(reportMarkdown(reportOf('x', JSON.parse(JSON.stringify(info)) as JsonObject), format)),
          ).toHaveLength(1)
        },
      ),
    )
  })
})

test('violations are those of the connection, worst first, each with its first frame; advice is none of them', () => {
  const found = (link: string, rule: string, seq: number) => ({
    link,
    rule,
    seq,
    keyword: 'MUST',
    explanation: `at ${seq}`,
  })
  const tally = (link: string, rule: string, keyword: string, count: number) =>
    [`${link} ${rule}`, { link, rule, keyword, count, kept: count }] as const
  const findings = {
    bySeq: new Map([
      [9, [found('s1', 'B', 9)]],
      [3, [found('s2', 'B', 3)]],
      [7, [found('s1', 'B', 7), found('s1', 'A', 7)]],
    ]),
    counts: { MUST: 9, SHOULD: 9, MAY: 0, ADVICE: 3 },
    byLink: new Map([['s1', { MUST: 2, SHOULD: 5, MAY: 0, ADVICE: 3 }]]),
    byRule: new Map([
      tally('s1', 'A', 'SHOULD', 5),
      tally('s2', 'B', 'MUST', 8),
      tally('s1', 'ADV-01', 'ADVICE', 3),
      tally('s1', 'B', 'MUST', 2),
    ]),
  } as unknown as Findings
  expect(violationsOf(findings, 's1')).toEqual({
    MUST: 2,
    SHOULD: 5,
    MAY: 0,
    violations: [
      { rule: 'B', keyword: 'MUST', count: 2, seq: 7, explanation: 'at 7' },
      { rule: 'A', keyword: 'SHOULD', count: 5, seq: 7, explanation: 'at 7' },
    ],
    advice: [{ rule: 'ADV-01', keyword: 'ADVICE', count: 3 }],
  })
  expect(violationsOf(findings, 's3')).toEqual({ MUST: 0, SHOULD: 0, MAY: 0, violations: [], advice: [] })
})

test('the slowest call is one of ours that was answered, and no stream that stays open on purpose', () => {
  const exchange = (seq: number, method: string, took: number, more: Partial<Exchange> = {}) =>
    ({
      link: 's1',
      direction: 'sent',
      method,
      request: seq,
      startedAt: 10,
      endedAt: 10 + took,
      response: seq + 1,
      ...more,
    }) as Exchange
  expect(
    timingsOf(
      [
        exchange(1, 'tools/list', 5),
        exchange(3, 'tools/call', 40, { subject: 'echo' }),
        exchange(5, 'subscriptions/listen', 9_000),
        exchange(7, 'tools/call', 900, { link: 's2' }),
        exchange(9, 'sampling/createMessage', 900, { direction: 'received' }),
        exchange(11, 'ping', 1),
      ],
      's1',
    ),
  ).toMatchObject({ answered: 3, median: 5, slowest: { method: 'tools/call', subject: 'echo', seq: 3, took: 40 } })
  expect(timingsOf([exchange(1, 'server/discover', 5, { status: 'error', probe: true })], 's1').verdicts).toEqual(
    new Map([['probe', 1]]),
  )
  expect(timingsOf([], 's1')).toEqual({ answered: 0, verdicts: new Map() })
})

test('counts and what the client declared are read from the trace alone', () => {
  const trace = new Trace()
  const say = (direction: 'sent' | 'received', message: Json) =>
    trace.append({ kind: 'message', link: 's1', direction, type: 'request', message, size: 1 } as unknown as FrameDraft)
  const read = () =>
    COUNTED.map(({ kind, tab, fold }) => countOf(kind, tab, foldAll(fold, trace).get('s1'))).map(
      ({ kind, count, state }) => [kind, count, state],
    )
  say('sent', { jsonrpc: '2.0', id: 1, method: 'initialize', params: { capabilities: { roots: {}, sampling: {} } } })
  expect(read().map(([, , state]) => state)).toEqual(COUNTED.map(() => 'unasked'))
  expect(foldAll(factsFold, trace).get('s1')?.client).toEqual({ roots: {}, sampling: {} })
  say('sent', { jsonrpc: '2.0', id: 2, method: 'tools/list' })
  say('received', { jsonrpc: '2.0', id: 2, result: { tools: [{}, {}, 1], nextCursor: 'x' } })
  expect(read()[0]).toEqual(['tools', 3, 'loading'])
  say('sent', { jsonrpc: '2.0', id: 3, method: 'tools/list', params: { cursor: 'x' } })
  say('received', { jsonrpc: '2.0', id: 3, result: { tools: [{}] } })
  say('sent', { jsonrpc: '2.0', id: 4, method: 'prompts/list' })
  say('received', { jsonrpc: '2.0', id: 4, error: { code: -32601, message: 'no' } })
  expect(read()).toEqual([
    ['tools', 4, 'whole'],
    ['resources', 0, 'unasked'],
    ['templates', 0, 'unasked'],
    ['prompts', 0, 'refused'],
  ])
})

test('what the client declares is judged as a client’s', () => {
  const rows = capabilityRows(
    { roots: { listChanged: true }, tools: {}, elicitation: { url: {} } },
    '2025-11-25',
    'client',
  )
  expect(rows.map(({ name, status }) => [name, status])).toEqual([
    ['roots', 'known'],
    ['tools', 'other-side'],
    ['elicitation', 'known'],
  ])
  expect(capabilityRows({ elicitation: {} }, '2025-03-26', 'client')[0]?.status).toBe('other-revision')
})
