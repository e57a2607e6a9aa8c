import fc from 'fast-check'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { eventually } from '../../../tests/patience.ts'
import {
  Bridge,
  foldAll,
  META,
  Session,
  StdioBridgeTransport,
  StreamableHttpTransport,
  Trace,
  type FrameDraft,
  type Json,
  type JsonObject,
  type Transport,
} from '../../mcp/index.ts'
import { plainOf, spansOf } from './ansi.ts'
import { requestLevel, storedLevel } from './level.ts'
import { lineText, LogMatches, textOf, type LogFilter } from './log-view.svelte.ts'
import { LEVELS, LOGGERS_KEPT, logsFold, type Log } from './logs-fold.ts'

const bridge = new Bridge({ base: `${inject('proxyUrl')}/`, token: inject('proxyToken') })
afterAll(() => bridge.leave())

const open = async (transport: Transport) => {
  const trace = new Trace()
  const session = new Session({ trace, link: 'a', transport, clientInfo: { name: 'test', version: '1' } })
  await session.open()
  const book = new Map<string, unknown>()
  const kept = { get: (name: string) => book.get(name), set: (name: string, value: Json) => void book.set(name, value) }
  const server = { session, peer: session.peer, kept }
  const log = (): Log => foldAll(logsFold, trace).get('a')!
  /** Over HTTP, the response to a later request may arrive before that to `logging/setLevel`. */
  const settled = async () => {
    await session.request('tools/list')
    await eventually(() => expect(log().set?.state).not.toBe('pending'))
  }
  return { trace, session, server, log, settled }
}
const rich = (way: 'v1' | 'v2') =>
  open(new StreamableHttpTransport({ url: `${inject('richUrl')}/${way}/${crypto.randomUUID()}` }))
const write = { name: 'log', arguments: { text: 'hello' } }

const levelsOf = ({ lines }: Log) => lines.map(({ level }) => LEVELS[level])
const marksOf = ({ lines }: Log) => lines.flatMap(({ marks }) => marks.map(({ code, rule }) => `${code} ${rule}`))

describe('of real servers', () => {
  test('up to 2025-11-25 the level is the session’s: two levels, and what the server accepted is told (SF-LOG-02)', async () => {
    const { session, server, log, settled } = await rich('v1')
    requestLevel(server, 'critical')
    await settled()
    expect(log().set).toMatchObject({ level: 'critical', state: 'ok' })
    await session.request('tools/call', write)
    expect(levelsOf(log())).toEqual(['critical', 'alert', 'emergency'])
    requestLevel(server, 'warning')
    await settled()
    await session.request('tools/call', write)
    expect(levelsOf(log()).slice(3)).toEqual(['warning', 'error', 'critical', 'alert', 'emergency'])
    expect([marksOf(log()), [...log().loggers]]).toEqual([[], [['rich.log', 8]]])
    await session.close()
  })

  test('in 2026-07-28 each request asks; without the key there are no logs, and each belongs to its request (SF-LOG-03)', async () => {
    const { trace, session, server, log } = await rich('v2')
    await session.request('tools/call', write)
    expect(log()).toMatchObject({ lines: [], stateless: true })
    requestLevel(server, 'error')
    const call = session.call('tools/call', write)
    await call.result
    expect([levelsOf(log()), log().asks]).toEqual([['error', 'critical', 'alert', 'emergency'], 'error'])
    expect(new Set(log().lines.map(({ request }) => request))).toEqual(new Set([call.seq]))
    expect(marksOf(log())).toEqual([])
    requestLevel(server, undefined)
    await session.request('tools/call', write)
    expect([log().lines.length, log().asks]).toEqual([4, undefined])
    expect(
      [...trace].every(
        (frame) => frame.kind !== 'message' || !JSON.stringify(frame.message).includes('logging/setLevel'),
      ),
    ).toBe(true)
    await session.close()
  })

  test('a level the server refuses is told with its code (SF-LOG-07)', async () => {
    const { session, log } = await rich('v1')
    await session.request('logging/setLevel', { level: 'loud' }).catch(() => {})
    expect(log().set).toMatchObject({
      level: 'loud',
      state: 'refused',
      error: { message: expect.any(String) as string },
    })
    await session.close()
  })

  test('what was chosen is asked for again in the next session of the same server', async () => {
    const { server, session } = await rich('v2')
    requestLevel(server, 'notice')
    expect([storedLevel(server), session.requestMeta.get(META.logLevel)]).toEqual(['notice', 'notice'])
    const next = await rich('v2')
    requestLevel({ ...next.server, kept: server.kept }, storedLevel(server))
    expect(next.session.requestMeta.get(META.logLevel)).toBe('notice')
    requestLevel(server, undefined)
    expect([storedLevel(server), session.requestMeta.size]).toEqual([undefined, 0])
    await Promise.all([session.close(), next.session.close()])
  })

  test('stderr of a process stands among the messages in the order of time', async () => {
    const args = [`${inject('root')}/node_modules/@modelcontextprotocol/server-everything/dist/index.js`, 'stdio']
    const { trace, session, log } = await open(
      new StdioBridgeTransport({ bridge, spawn: { command: inject('nodePath'), args } }),
    )
    const lines = log().lines.filter(({ source }) => source === 'stderr')
    expect(lines.length).toBeGreaterThan(0)
    expect(log().stderr).toBe(lines.length)
    expect(textOf(lines[0]!, (seq) => trace.at(seq))).toMatch(/\S/)
    await session.close()
  })
})

const peer = (era: 'handshake' | 'stateless') =>
  ({ era, revision: '2025-11-25', info: {}, capabilities: {}, evidence: [] }) as const
const opened = (era: 'handshake' | 'stateless'): FrameDraft => ({
  kind: 'session',
  phase: 'open',
  link: 'a',
  transport: 't',
  peer: peer(era),
})
const message = (direction: 'sent' | 'received', body: Json, carrier?: number): FrameDraft => ({
  kind: 'message',
  direction,
  type: 'notification',
  message: body,
  size: 1,
  link: 'a',
  ...(carrier === undefined ? {} : { carrier }),
})
const told = (params: Json, carrier?: number) =>
  message('received', { jsonrpc: '2.0', method: 'notifications/message', params }, carrier)
const stderr = (text: string): FrameDraft => ({ kind: 'process', event: 'stderr', text, link: 'a' })
const traceOf = (...drafts: readonly FrameDraft[]) => {
  const trace = new Trace({ now: () => 0 })
  for (const draft of drafts) trace.append(draft)
  return trace
}
const logOf = (...drafts: readonly FrameDraft[]): Log => foldAll(logsFold, traceOf(...drafts)).get('a')!

describe('findings', () => {
  const set = (id: number, level: string) =>
    message('sent', { jsonrpc: '2.0', id, method: 'logging/setLevel', params: { level } })
  const ok = (id: number) => message('received', { jsonrpc: '2.0', id, result: {} })

  test('an unknown level, missing data and a logger that is no string are marked, and the line is there (SF-LOG-05)', () => {
    const log = logOf(
      told({ level: 'loud', data: 1 }),
      told({ level: 'info' }),
      told({ level: 'info', data: null, logger: 7 }),
      told([]),
    )
    expect(log.lines.map(({ marks }) => marks.map(({ code }) => code))).toEqual([
      ['unknown-level'],
      ['no-data'],
      ['bad-logger'],
      ['no-params'],
    ])
    expect([log.unknown, log.counts[1]]).toEqual([2, 2])
  })

  test('a message below the accepted level is marked; while a level is being set, either may come (SF-LOG-02)', () => {
    const info = told({ level: 'info', data: 1 })
    expect(marksOf(logOf(opened('handshake'), info, set(1, 'error'), info, ok(1), info))).toEqual(['below SF-LOG-02'])
    expect(marksOf(logOf(opened('handshake'), set(1, 'error'), ok(1), set(2, 'debug'), info, ok(2), info))).toEqual([])
    expect(marksOf(logOf(opened('handshake'), set(1, 'error'), ok(1), opened('handshake'), info))).toEqual([])
  })

  test('2026-07-28: below what its request asked for, or for a request that asked for none (SF-LOG-03)', () => {
    const ask = (id: number, carrier?: number, level?: string) =>
      message(
        'sent',
        { jsonrpc: '2.0', id, method: 'tools/call', params: { _meta: level ? { [META.logLevel]: level } : {} } },
        carrier,
      )
    const info = (carrier?: number) => told({ level: 'info', data: 1 }, carrier)
    expect(
      marksOf(
        logOf(opened('stateless'), ask(1, 10, 'error'), ask(2, 11), ask(3, 12, 'info'), info(10), info(11), info(12)),
      ),
    ).toEqual(['below SF-LOG-03', 'unasked SF-LOG-03'])
    expect(
      marksOf(logOf(opened('stateless'), ask(1), info(), ask(2, undefined, 'info'), info(), ok(2), info())),
    ).toEqual(['unasked SF-LOG-03', 'unasked SF-LOG-03'])
  })
})

describe('the fold', () => {
  const anyDraft: fc.Arbitrary<FrameDraft> = fc.oneof(
    fc.constantFrom(opened('handshake'), opened('stateless')),
    fc.string().map(stderr),
    fc
      .record({ level: fc.constantFrom(...LEVELS, 'loud', 7), data: fc.jsonValue(), logger: fc.constantFrom('a', 'b') })
      .map((params) => told(params as JsonObject)),
    (fc.jsonValue() as fc.Arbitrary<Json>).map((params) => told(params)),
    fc
      .record({ id: fc.nat(3), level: fc.constantFrom(...LEVELS) })
      .map(({ id, level }) => message('sent', { jsonrpc: '2.0', id, method: 'logging/setLevel', params: { level } })),
    fc.nat(3).map((id) => message('received', { jsonrpc: '2.0', id, result: {} })),
  )

  test('of a part and then of the rest is the fold of all, and every message and line of stderr is in it once', () => {
    fc.assert(
      fc.property(fc.array(anyDraft, { maxLength: 30 }), fc.nat(30), (drafts, cut) => {
        const frames = [...traceOf(...drafts)]
        const whole = foldAll(logsFold, frames)
        expect(foldAll(logsFold, frames.slice(cut), foldAll(logsFold, frames.slice(0, cut)))).toEqual(whole)
        const due = frames.filter(
          (frame) =>
            frame.kind === 'process' ||
            (frame.kind === 'message' && JSON.stringify(frame.message).includes('"notifications/message"')),
        )
        const log = whole.get('a')
        expect(log?.lines.map(({ seq }) => seq) ?? []).toEqual(due.map(({ seq }) => seq))
        const counted = log ? log.counts.reduce((sum, count) => sum + count, 0) + log.unknown + log.stderr : 0
        expect(counted).toBe(due.length)
      }),
    )
  })

  test('each part of a batch is a line of its own', () => {
    const note = (data: number) => ({
      jsonrpc: '2.0',
      method: 'notifications/message',
      params: { level: 'info', data },
    })
    const trace = traceOf(message('received', [note(1), { jsonrpc: '2.0', id: 1, result: {} }, note(2)]))
    const { lines } = foldAll(logsFold, trace).get('a')!
    expect(lines.map((line) => textOf(line, (seq) => trace.at(seq)))).toEqual(['1', '2'])
  })

  test('loggers without end are counted as far as they are useful', () => {
    const log = logOf(
      ...Array.from({ length: LOGGERS_KEPT + 5 }, (_, at) => told({ level: 'info', data: 1, logger: `l${at}` })),
    )
    expect([log.loggers.size, log.moreLoggers, log.lines.length]).toEqual([LOGGERS_KEPT, true, LOGGERS_KEPT + 5])
  })
})

describe('the filter', () => {
  const every: LogFilter = { text: '', least: 0, logger: undefined, source: 'all' }
  const trace = traceOf(
    told({ level: 'debug', data: 'begin', logger: 'db' }),
    stderr('listening on 3000'),
    told({ level: 'error', data: { why: 'Disk FULL' }, logger: 'db' }),
    told({ level: 'loud', data: 'x' }),
  )
  const { lines } = foldAll(logsFold, trace).get('a')!
  const found = (filter: Partial<LogFilter>, from = 0) => {
    const matches = new LogMatches(lines, { ...every, ...filter }, (seq) => trace.at(seq), from)
    matches.advance(lines.length, Infinity)
    return matches.found
  }

  test('goes by level, logger, source and words; what has no level that is known stays', () => {
    expect(found({})).toEqual([0, 1, 2, 3])
    expect(found({ least: 3 })).toEqual([1, 2, 3])
    expect(found({ logger: 'db' })).toEqual([0, 2])
    expect([found({ source: 'stderr' }), found({ source: 'message' })]).toEqual([[1], [0, 2, 3]])
    expect([found({ text: 'full DISK' }), found({ text: 'db' }), found({}, 2)]).toEqual([[2], [0, 2], [2, 3]])
  })

  test('finds the same bit by bit as at once, and looks at no line that came after a pause', () => {
    const many = traceOf(...Array.from({ length: 3000 }, (_, at) => told({ level: LEVELS[at % 8]!, data: at })))
    const all = foldAll(logsFold, many).get('a')!.lines
    const matches = new LogMatches(all, { ...every, least: 4 }, (seq) => many.at(seq))
    let steps = 1
    while (!matches.advance(2000, 0)) steps++
    expect(steps).toBeGreaterThan(1)
    expect(matches.found).toEqual(all.flatMap(({ level }, at) => (level >= 4 && at < 2000 ? [at] : [])))
  })

  test('lines are copied with time, level, logger and text', () => {
    expect(lines.map((line) => lineText(line, (seq) => trace.at(seq)))).toEqual([
      '0.000\tdebug\tdb\tbegin',
      '0.000\tstderr\tlistening on 3000',
      '0.000\terror\tdb\t{"why":"Disk FULL"}',
      '0.000\t?\tx',
    ])
  })
})

describe('colours of a terminal', () => {
  const ESC = '\u001b'
  test('become names, and other sequences go', () => {
    expect(spansOf(`${ESC}[1;31mred${ESC}[0m plain ${ESC}[38;5;2mgreen${ESC}[39;4mline`)).toEqual([
      { text: 'red', styles: ['bold', 'red'] },
      { text: ' plain ', styles: [] },
      { text: 'green', styles: ['green'] },
      { text: 'line', styles: ['underline'] },
    ])
    expect(plainOf(`${ESC}[2K${ESC}]0;title\u0007a${ESC}7b${ESC}(Bc\u009b1md`)).toBe('abcd')
  })

  test('what is no whole sequence is shown, and nothing else is lost', () => {
    expect(plainOf(`a${ESC}[31`)).toBe('a␛[31')
    expect(plainOf('a\u0000b\r\u007f')).toBe('a␀b␍␡')
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        if (!/[\p{Cc}]/u.test(text)) expect(plainOf(text)).toBe(text)
        expect(plainOf(plainOf(text))).toBe(plainOf(text))
      }),
    )
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(ESC, '[', ']', ';', 'm', '3', '1', '8', 'a', '\u0007')),
        (parts) => void spansOf(parts.join('')),
      ),
    )
  })
})
