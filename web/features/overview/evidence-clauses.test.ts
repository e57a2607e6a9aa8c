import fc from 'fast-check'
import { expect, test } from 'vitest'
import { REVISIONS, type Evidence, type ProbeOutcome } from '../../mcp/index.ts'
import { clausesOf, type EvidenceTexts } from './evidence-clauses.ts'
import en from './text/en.ts'
import zh from './text/zh-CN.ts'

const english: EvidenceTexts = { t: en, ms: (ms) => `${ms / 1000} s`, reason: (why) => why }
const chinese: EvidenceTexts = { t: zh, ms: (ms) => `${ms / 1000} s`, reason: (why) => why }
const read = (...evidence: Evidence[]) =>
  clausesOf(evidence, english).map(({ saw, so }) => (so === undefined ? saw : `${saw} → ${so}`))

const revision = '2026-07-28'

test('each clause says what was done, what came of it and what follows (VN-21, VN-24)', () => {
  expect(
    read(
      { saw: 'probe', revision, outcome: 'status', facts: { status: 400 } },
      { saw: 'offered', revision: '2025-11-25' },
      { saw: 'answered', revision: '2025-06-18' },
    ),
  ).toEqual([
    'Sent server/discover: HTTP 400, without an error that only stateless servers return → an older server',
    'Sent initialize and offered 2025-11-25',
    'The server responded with 2025-06-18 → using 2025-06-18',
  ])
  expect(read({ saw: 'probe', revision, outcome: 'answered', facts: { supported: [revision, '2025-11-25'] } })).toEqual(
    ['Sent server/discover: response lists 2026-07-28, 2025-11-25 → a stateless server'],
  )
  expect(
    read({
      saw: 'probe',
      revision,
      outcome: 'modern-error',
      facts: { status: 400, code: -32022, message: 'no', supported: [revision] },
    }),
  ).toEqual([
    'Sent server/discover: an error that only stateless servers return (HTTP 400, -32022 “no”, supports 2026-07-28) → a stateless server',
  ])
})

test('what a gateway may respond to everything is never told as an older server (VN-31)', () => {
  const probe = (status: number, outcome: ProbeOutcome = 'status') =>
    read({ saw: 'probe', revision, outcome, facts: { status } })[0]
  for (const status of [401, 403, 407, 408, 429, 500, 502]) expect(probe(status)).toMatch(/→ protocol version unknown$/)
  for (const status of [400, 404, 405, 406]) expect(probe(status)).toMatch(/→ an older server$/)
  // JSON-RPC comes from the server itself.
  expect(probe(500, 'error')).toMatch(/→ an older server$/)
})

test('LC-06: a version that was refused is never told as one that is used', () => {
  const offered: Evidence = { saw: 'offered', revision: '2025-11-25' }
  for (const other of ['2099-01-01', 'constructor', '2026-07-28']) {
    expect(read(offered, { saw: 'answered', revision: other })[1]).toMatch(/ → Periscope doesn't support it/)
  }
  const pinned = read({ saw: 'pinned', revision: '2025-11-25' }, offered, { saw: 'answered', revision: '2025-06-18' })
  expect(pinned[2]).toMatch(/ → not the pinned version/)
})

test('the list of versions decides, not that the probe was answered', () => {
  const facts = { supported: ['2025-11-25'] }
  for (const outcome of ['answered', 'modern-error'] as const) {
    expect(read({ saw: 'probe', revision, outcome, facts })[0]).toContain('→ an older server')
  }
})

test('a code of stateless servers is never told next to the verdict that it contradicts', () => {
  const facts = { code: -32022, supported: ['2025-11-25'] }
  const [clause] = read({ saw: 'probe', revision, outcome: 'modern-error', facts })
  expect(clause).toBe('Sent server/discover: rejected (-32022, supports 2025-11-25) → an older server')
})

test('a handshake is mentioned only where one followed the probe', () => {
  const silence: Evidence = { saw: 'probe', revision, outcome: 'silence', facts: { limit: 5000 } }
  expect(read(silence)[0]).toMatch(/→ protocol version unknown$/)
  expect(read(silence, { saw: 'offered', revision: '2025-11-25' })[0]).toMatch(/→ tried the handshake$/)
})

test('a pinned version is not told as connected after a refusal that ended the attempt', () => {
  const refused = { code: -32000, status: 401 }
  const clauses = read({ saw: 'pinned', revision }, { saw: 'probe', revision, outcome: 'error', facts: refused })
  expect(clauses[1]).toMatch(/→ protocol version unknown$/)
})

test('reasons of the kernel are told in the current language', () => {
  const words: EvidenceTexts = { ...chinese, reason: (why) => `译：${why}` }
  const evidence: Evidence[] = [
    { saw: 'forgotten', era: 'handshake', why: 'a' },
    { saw: 'probe', revision, outcome: 'unusable', facts: { message: 'b' } },
  ]
  expect(clausesOf(evidence, words).map(({ saw }) => saw)).toEqual([
    expect.stringContaining('译：a'),
    expect.stringContaining('译：b'),
  ])
})

test('a pinned revision is never told as something that was found out', () => {
  const clauses = read(
    { saw: 'pinned', revision },
    { saw: 'probe', revision, outcome: 'error', facts: { code: -32601 } },
  )
  expect(clauses[1]).toContain('because the version is pinned')
  expect(clauses.join()).not.toContain('an older server')
})

const text = fc.string({ unit: fc.constantFrom('a', '“', '<', ' '), maxLength: 20 })
const spoken = fc.constantFrom(...REVISIONS)
const era = fc.constantFrom('handshake' as const, 'stateless' as const)
const outcomes: readonly ProbeOutcome[] = [
  'answered',
  'answered-late',
  'modern-error',
  'no-such-method',
  'error',
  'status',
  'silence',
  'process-exited',
  'opaque',
  'unusable',
]
const anyEvidence: fc.Arbitrary<Evidence> = fc.oneof(
  fc.record({ saw: fc.constant('pinned' as const), revision: spoken }),
  fc.record({ saw: fc.constant('remembered' as const), era }),
  fc.record({ saw: fc.constant('forgotten' as const), era, why: text }),
  fc.record(
    {
      saw: fc.constant('probe' as const),
      revision: spoken,
      outcome: fc.constantFrom(...outcomes),
      facts: fc.record(
        { code: fc.integer(), message: text, status: fc.nat(599), supported: fc.array(text), limit: fc.nat() },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: ['saw', 'revision', 'outcome'] },
  ),
  fc.record({ saw: fc.constant('offered' as const), revision: spoken }),
  fc.record({ saw: fc.constant('refused' as const), supported: fc.array(text) }),
  fc.record({ saw: fc.constant('answered' as const), revision: text }),
  fc.record({ saw: fc.constant('initialized-refused' as const), status: fc.nat(599) }),
  fc.record({ saw: fc.constant('initialized-refused' as const), status: fc.nat(599) }),
  fc.record({ saw: fc.constant('restarted' as const) }),
  fc.record(
    { saw: fc.constant('transport' as const), transport: text, status: fc.nat(599), failed: text },
    { requiredKeys: ['saw', 'transport'] },
  ),
)

test('whatever was seen has words, one clause each, in every language', () => {
  fc.assert(
    fc.property(fc.array(anyEvidence, { maxLength: 8 }), (evidence) => {
      for (const words of [english, chinese]) {
        const clauses = clausesOf(evidence, words)
        expect(clauses).toHaveLength(evidence.length)
        for (const { saw, so } of clauses) expect(`${saw}${so ?? ''}`).not.toMatch(/^$|undefined|\[object/)
      }
    }),
  )
})
