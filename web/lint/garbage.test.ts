/** Servers that respond with garbage: each oddity causes a finding that cites a row of the checklist. */
import { afterAll, describe, expect, inject, test } from 'vitest'
import { patient } from '../../tests/patience.ts'
import { garbageKinds } from '../../tests/servers/garbage-kinds.ts'
import { Bridge, foldAll, Session, StdioBridgeTransport, StreamableHttpTransport, Trace } from '../mcp/index.ts'
import { validator } from '../../tests/validator.ts'
import { featureRules } from '../features/lint-rules.ts'
import { findings, MOST_KEPT, type Findings } from './run.ts'
import { shapes } from './shapes.ts'
import { levels, listed } from './talk.case.ts'

/** Includes the checks of the features, as in the page. */
const all = findings({ levels, shapes, features: featureRules(validator) })

const ERAS = ['handshake', 'modern'] as const
type Era = (typeof ERAS)[number]

/** ms. Every kind is followed by a response, which a busy machine may take seconds for. */
const HANGS = patient(20_000)

const meet = async (kind: string, era: Era): Promise<Findings> => {
  const trace = new Trace()
  const session = new Session({
    trace,
    link: 's1',
    patience: HANGS,
    transport: new StreamableHttpTransport({ url: `${inject('garbageUrl')}/lint?kind=${kind}&then=answer&era=${era}` }),
    clientInfo: { name: 'test', version: '0' },
    autoListen: false,
  })
  await session.open()
  const limits = { idle: HANGS, total: HANGS, progress: true }
  await session.request('tools/list', {}, limits).catch(() => {})
  await session.request('tools/call', { name: 't' }, limits).catch(() => {})
  await session.close()
  return foldAll(all, trace)
}

/** Kinds that violate no rule, at least not in this lifecycle or not in what the page sees of them. */
const NO_BREACH: Readonly<Record<string, readonly Era[]>> = {
  // In an event stream, an event without data isn't dispatched.
  empty: ERAS,
  // Each of the many is valid: no row limits how often a list may change.
  'list-changed-flood': ['handshake'],
  // Each side numbers its own requests.
  'request-same-id': ['handshake'],
}

/** Findings that every connection to this server causes, whatever the kind. */
const HABITS = new Set(['TR-HTTP-21', 'META-13'])

describe.each(ERAS)('garbage over HTTP, %s', (era) => {
  const kinds = Object.keys(garbageKinds).filter((kind) => !NO_BREACH[kind]?.includes(era))

  test.each(kinds)('%s is a finding that cites a row', async (kind) => {
    const found = listed(await meet(kind, era)).filter(({ rule }) => !HABITS.has(rule))
    expect(found.length).toBeGreaterThan(0)
    for (const { rule } of found) expect(levels.has(rule), rule).toBe(true)
  })

  test(
    '10,000 progress notifications are counted, and what is kept of them has a bound',
    { timeout: patient(60_000) },
    async () => {
      const { bySeq, byRule } = await meet('progress-flood', era)
      for (const { kept } of byRule.values()) expect(kept).toBeLessThanOrEqual(MOST_KEPT)
      expect(bySeq.size).toBeLessThanOrEqual(MOST_KEPT * byRule.size)
    },
  )
})

describe('garbage over stdio', () => {
  const bridge = new Bridge({ base: `${inject('proxyUrl')}/`, token: inject('proxyToken') })
  afterAll(() => bridge.leave())

  /** One of each file of kinds: only how a text arrives differs from HTTP. */
  const KINDS = ['log-line', 'half-json', 'two-in-one', 'crlf-inside', 'invalid-utf8', 'result-and-error', 'id-other', 'batch-mixed', 'unknown-notification'] // prettier-ignore

  test.each(KINDS)('%s is a finding that cites a row', async (kind) => {
    const trace = new Trace()
    const args = [`${inject('root')}/tests/servers/garbage-stdio.mjs`, kind, 'then=answer', 'era=handshake']
    const transport = new StdioBridgeTransport({ bridge, spawn: { command: inject('nodePath'), args } })
    const clientInfo = { name: 'test', version: '0' }
    const session = new Session({ trace, link: 's1', transport, clientInfo, remembered: 'handshake' })
    await session.open()
    await session.request('tools/list', {}, { idle: HANGS, total: HANGS }).catch(() => {})
    await session.close()
    const found = listed(foldAll(all, trace))
    expect(found.length).toBeGreaterThan(0)
    for (const { rule } of found) expect(levels.has(rule), rule).toBe(true)
  })
})
