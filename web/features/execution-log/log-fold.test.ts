import { describe, expect, onTestFinished, test } from 'vitest'
import {
  exchanges,
  foldAll,
  isObject,
  LoopbackTransport,
  messagesIn,
  notAllowed,
  Session,
  Trace,
  type CallGate,
  type Clearance,
  type Frame,
  type JsonObject,
} from '../../mcp/index.ts'
import { createSampleServer } from '../../sample/index.ts'
import { headOf, readSession, sessionText } from '../../session-file/index.ts'
import { csvOf, logCsv } from './log-export.ts'
import { argumentsOf, executionLogFold, resultOf } from './log-fold.ts'

/** A session of 30 calls of all kinds with the sample server, three of which are held back. */
const thirtyCalls = async () => {
  const trace = new Trace({ begunAt: Date.UTC(2026, 0, 2) })
  let turn = 0
  const hows: readonly Clearance['by'][] = ['policy', 'approved', 'user', 'run', 'retry']
  const gate: CallGate = {
    clear: ({ calls, origin }) => {
      if (calls.some(({ tool }) => tool === 'forget-tools')) throw notAllowed('declined', 'always')
      return calls.map(({ tool }) => ({
        ...(tool === undefined ? {} : { tool }),
        origin,
        policy: 'always',
        by: hows[turn++ % hows.length]!,
      }))
    },
  }
  const session = new Session({
    trace,
    link: 's1',
    transport: new LoopbackTransport(createSampleServer(), 'in this page'),
    clientInfo: { name: 'test', version: '0' },
    pinned: '2025-03-26',
    gate,
  })
  await session.open()
  onTestFinished(() => session.close())
  const call = (name: string, args: JsonObject = {}) => ({ method: 'tools/call', params: { name, arguments: args } })
  const made: Promise<unknown>[] = []
  const make = (work: Promise<unknown>) => void made.push(work.catch(() => {}))
  const request = (name: string, args: JsonObject = {}, origin: 'form' | 'test' | 'page' = 'form') =>
    make(session.request('tools/call', call(name, args).params, { origin }))
  for (let at = 0; at < 10; at++) request('echo', { message: `number ${at}` }, at % 2 === 0 ? 'form' : 'test')
  for (let at = 0; at < 4; at++) request('fail')
  for (let at = 0; at < 3; at++) request('break', {}, 'page')
  for (let at = 0; at < 3; at++) request('there is no such tool')
  for (let at = 0; at < 3; at++) request('forget-tools')
  await Promise.all(made)
  await Promise.all(session.batch([call('echo', { message: 'a' }), { method: 'ping' }, call('fail')]).map(({ result }) => result.catch(() => {}))) // prettier-ignore
  await session.notify('tools/call', call('echo').params, 'page')
  for (const text of [
    JSON.stringify({ jsonrpc: '2.0', id: 901, ...call('echo', { message: 'by hand' }) }),
    JSON.stringify({ jsonrpc: '2.0', id: 902, ...call('fail') }),
    '{"jsonrpc":"2.0","id":903,"method":"tools/call","params":{"name":"echo","name":"fail"}}',
  ])
    await session.raw(text)
  const slow = session.call('tools/call', call('count-slowly', { n: 50, ms: 1000 }).params, { origin: 'form' })
  slow.cancel()
  await slow.result.catch(() => {})
  await expect.poll(() => foldAll(exchanges, trace).pending).toBe(0)
  return [...trace]
}

/** Calls in a trace, found without the fold. */
const callsIn = (frames: readonly Frame[]) =>
  frames.flatMap((frame) => {
    if (frame.kind === 'session' && frame.phase === 'held-back') return [{ seq: frame.seq, tool: frame.tool }]
    if (frame.kind !== 'message' || frame.direction !== 'sent') return []
    return messagesIn(frame.message).flatMap(({ method, params }) => {
      if (method !== 'tools/call' || !isObject(params)) return []
      return [{ seq: frame.seq, tool: params.name }]
    })
  })

const logOf = (frames: readonly Frame[]) => foldAll(executionLogFold, frames).get('s1') ?? []
const outcomesOf = (frames: readonly Frame[]) => {
  const state = foldAll(exchanges, frames)
  return logOf(frames).map((call) => ({ ...call, outcome: resultOf(call, state).outcome }))
}

describe('the log of a session with 30 calls of all kinds', () => {
  test('equals the trace, call by call, and so does the log of its recording', async () => {
    const frames = await thirtyCalls()
    const log = outcomesOf(frames)
    expect(log).toHaveLength(30)
    expect(log.map(({ seq }) => seq)).toEqual(callsIn(frames).map(({ seq }) => seq))
    const unclear = log.filter(({ tool }) => tool === undefined)
    expect(unclear).toHaveLength(1)
    for (const [at, { tool }] of callsIn(frames).entries())
      if (log[at]!.tool !== undefined) expect(log[at]!.tool).toBe(tool)
    expect(new Set(log.map(({ outcome }) => outcome))).toEqual(
      new Set(['ok', 'tool-error', 'error', 'held-back', 'no-response', 'cancelled']),
    )
    expect(log.filter(({ held }) => held === 'declined')).toHaveLength(3)
    expect(new Set(log.map(({ by }) => by))).toEqual(new Set(['policy', 'approved', 'user', 'run', 'retry', undefined]))
    expect(new Set(log.map(({ origin }) => origin))).toEqual(new Set(['form', 'test', 'console', 'page']))

    const head = headOf({ begunAt: '2026-01-02T00:00:00.000Z', tool: { name: 'x', version: '0' }, servers: [] })
    const text = [...sessionText(head, frames)].join('')
    const reopened = await readSession(text)
    expect(outcomesOf(reopened.frames)).toEqual(log)
  })

  test('is a table in which each call has its arguments and its outcome', async () => {
    const frames = await thirtyCalls()
    const csv = logCsv({
      calls: logOf(frames),
      exchanges: foldAll(exchanges, frames),
      server: 'Sample, “the” server',
      begunAt: Date.UTC(2026, 0, 2),
      frames: new Map(frames.map((frame) => [frame.seq, frame])),
    })
    const lines = csv.split('\r\n')
    expect(lines).toHaveLength(32)
    expect(lines[0]).toBe('time,server,tool,arguments,started by,policy,approved,outcome,error code,duration ms,frame')
    expect(lines[1]).toMatch(
      /^2026-01-02T00:00:\d\d\.\d{3}Z,"Sample, “the” server",echo,"{""message"":""number 0""}",form,always,policy,ok,,\d+,\d+$/,
    )
    expect(lines.filter((line) => line.includes(',held-back,'))).toHaveLength(3)
    expect(lines.filter((line) => line.includes(',declined,'))).toHaveLength(3)
  })
})

test('numbers of arguments are in the table as they were sent, even if JavaScript cannot hold them', () => {
  const raw =
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"id":9007199254740993,"price":1.10}}}'
  const frame: Frame = { seq: 0, at: 1, link: 's1', kind: 'message', direction: 'sent', type: 'request', size: raw.length, message: JSON.parse(raw) as JsonObject, raw } // prettier-ignore
  const calls = logOf([frame])
  const csv = logCsv({ calls, exchanges: foldAll(exchanges, [frame]), server: 's', begunAt: 0, frames: new Map([[0, frame]]) }) // prettier-ignore
  expect(csv).toContain('"{""id"":9007199254740993,""price"":1.10}"')
})

test('a recording of another tool has its calls, without how they were allowed', () => {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x', arguments: { a: 1 } } }
  const frame: Frame = {
    seq: 0,
    at: 1,
    link: 's1',
    kind: 'message',
    direction: 'sent',
    type: 'request',
    message,
    size: 9,
  }
  const [call] = logOf([frame])
  expect(call).toEqual({ seq: 0, at: 1, index: 0, tool: 'x', id: 1 })
  expect(argumentsOf(call!, frame)).toEqual({ a: 1 })
  const { message: _, ...rest } = frame
  const released: Frame = { ...rest, kind: 'message', direction: 'sent', type: 'request', size: 9, released: { id: 1, method: 'tools/call' } } // prettier-ignore
  expect(logOf([released])).toEqual([{ seq: 0, at: 1, index: 0, id: 1 }])
  const cleared: readonly Clearance[] = [{ tool: 'x', origin: 'form', policy: 'never', by: 'policy' }]
  expect(logOf([{ ...released, cleared }])).toMatchObject([{ tool: 'x', id: 1, by: 'policy' }])
})

describe('a cell', () => {
  test.each([
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "x"', '"say ""x"""'],
    ['two\nlines', '"two\nlines"'],
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    [' =1', "' =1"],
    ['=HYPERLINK("http://a.example","x")', `"'=HYPERLINK(""http://a.example"",""x"")"`],
    ['', ''],
  ])('%j becomes %j, so that it is one cell and no formula', (cell, expected) => {
    expect(csvOf([[cell]])).toBe(`${expected}\r\n`)
  })

  test('that is a number stays one, and one that is absent is empty', () => {
    expect(csvOf([[-5, undefined, 1.5]])).toBe('-5,,1.5\r\n')
  })
})
