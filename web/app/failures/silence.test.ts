import { expect, test } from 'vitest'
import { IDLE, type Connection } from '../server/connection.ts'
import { type JsonObject, Trace } from '../../mcp/index.ts'
import { heardSince, overdueOf, silenceOf } from './silence.ts'

const step = { step: 'waiting-for-answer', limit: 30_000, seq: 1, at: 0, outcome: 'running' } as const
const http = { request: 2, method: 'POST', url: 'http://x/', at: 0 }
const answered = { ...http, response: 3, answeredAt: 500, status: 200 }
const connecting = (more: Partial<Connection>): Connection => ({ ...IDLE, state: 'connecting', steps: [step], ...more })
const spawn = {
  kind: 'process',
  event: 'spawn',
  command: 'node',
  args: [],
  env: [],
  seq: 1,
  at: 0,
  link: 's1',
} as const
const started = (command: string, noise = 0) => connecting({ process: { ...IDLE.process, spawn: { ...spawn, command }, noise } }) // prettier-ignore
const probing = (connection: Connection): Connection => ({ ...connection, steps: [{ ...step, step: 'probing' }] })

test.each([
  ['no headers', connecting({ http }), { is: 'headers' }],
  ['no connection left', connecting({ http: { ...http, queued: 6 } }), { is: 'queued', open: 6 }],
  [
    'a stream without events',
    connecting({ http: { ...answered, contentType: 'text/event-stream' } }),
    { is: 'event', status: 200 },
  ],
  [
    'a body without an end',
    connecting({ http: { ...answered, contentType: 'application/json' } }),
    { is: 'body', status: 200 },
  ],
  ['a proxy that does not start the process', { ...connecting({}), steps: [{ ...step, step: 'starting-process' as const }] }, { is: 'proxy' }], // prettier-ignore
  ['a process without output', started('node'), { is: 'process', downloads: false, probed: false }],
  ['a package manager', started('/usr/bin/npx'), { is: 'process', downloads: true, probed: false }],
  ['a process with other lines', started('node', 3), { is: 'noise' }],
  ['a process that ignores the probe', probing(started('node')), { is: 'process', downloads: false, probed: true }],
])('%s is named after two seconds, and not before', (_, connection, expected) => {
  expect(silenceOf(connection, 3000)).toEqual(expected)
  expect(silenceOf(connection, 1900)).toBeUndefined()
})

test('why a process cannot be used counts more than what it may be waiting for', () => {
  const finding = { is: 'content-length' } as const
  expect(silenceOf(probing(started('node', 1)), 3000, { finding })).toEqual({ is: 'cause', finding })
})

test('what the proxy found is part of it', () => {
  expect(silenceOf(connecting({ http }), 3000, { network: 'no-tcp' })).toEqual({ is: 'headers', network: 'no-tcp' })
})

test('a server that is slow but talks, and one that is open are no case of it', () => {
  expect(silenceOf(connecting({ http: { ...answered, answeredAt: 2500 } }), 3000)).toBeUndefined()
  expect(silenceOf({ ...connecting({ http }), state: 'open' }, 3000)).toBeUndefined()
})

test('a response with another id, and another message, are named instead of silence', () => {
  const trace = new Trace()
  const message = (direction: 'sent' | 'received', body: JsonObject) =>
    trace.append({ kind: 'message', direction, type: 'invalid', message: body, size: 1, link: 's1' })
  message('sent', { jsonrpc: '2.0', id: 1, method: 'initialize' })
  message('received', { jsonrpc: '2.0', method: 'notifications/message' })
  expect(silenceOf(started('node'), 3000, { heard: heardSince(trace, 's1', 0) })).toEqual({
    is: 'other-message',
    method: 'notifications/message',
  })
  message('received', { jsonrpc: '2.0', id: '1', result: {} })
  expect(silenceOf(started('node'), 3000, { heard: heardSince(trace, 's1', 0) })).toEqual({
    is: 'other-id',
    found: '1',
    asked: 1,
  })
  expect(heardSince(trace, 's1', 3)).toEqual({})
})

test('a preflight without a response counts more than what the network shows, and less than a queue', () => {
  const known = { network: 'reachable', preflight: 7 } as const
  expect(silenceOf(connecting({ http }), 3000, known)).toEqual({ is: 'preflight', seq: 7 })
  expect(silenceOf(connecting({ http: { ...http, queued: 6 } }), 3000, known)).toEqual({ is: 'queued', open: 6 })
  expect(silenceOf(connecting({ http: answered }), 3000, known)).toMatchObject({ is: 'body' })
})

test('what is said of a process stays while the next message is sent, unless it has responded to the one before', () => {
  const finding = { is: 'terminal' } as const
  const steps = [
    { ...step, step: 'probing' as const, outcome: 'stopped' as const },
    { ...step, at: 5_000 },
  ]
  const silent = { ...started('node'), steps }
  expect(silenceOf(silent, 5_100, { finding })).toEqual({ is: 'cause', finding })
  expect(silenceOf(silent, 5_100)).toEqual({ is: 'process', downloads: false, probed: false })
  const spoke = { ...silent, process: { ...silent.process, spoke: true as const } }
  expect(silenceOf(spoke, 5_100)).toBeUndefined()
  expect(silenceOf(spoke, 7_100)).toMatchObject({ is: 'process' })
})

test('only a server that responds to other requests can be held up by the probe', () => {
  const silent = probing(connecting({ http }))
  expect(silenceOf(silent, 3000)).toEqual({ is: 'headers' })
  expect(silenceOf(silent, 3000, { responds: false })).toEqual({ is: 'headers' })
  expect(silenceOf(silent, 3000, { responds: true })).toEqual({ is: 'headers', probed: true })
  expect(silenceOf(connecting({ http }), 3000, { responds: true })).toEqual({ is: 'headers' })
})

test('a process that is active for longer than its limit gets the advice of a failure, and the attempt goes on', () => {
  const target = { kind: 'command', command: 'npx', args: [], env: {} } as const
  const page = { protocol: 'http:', host: 'localhost' }
  const remedies = (connection: Connection, now: number, finding?: Parameters<typeof overdueOf>[4]) =>
    overdueOf(connection, target, page, now, finding)?.remedies
  expect(remedies(started('npx'), 30_000)).toBeUndefined()
  expect(overdueOf(started('npx'), target, page, 30_001)).toMatchObject({ limit: 30_000, remedies: ['run-by-hand'] })
  expect(remedies(started('npx', 3), 40_000)).toEqual(['stdout-noise', 'run-by-hand'])
  // What the finding says is there already.
  expect(remedies(started('npx', 3), 40_000, { is: 'terminal' })).toEqual(['run-by-hand'])
  expect(remedies({ ...started('npx'), state: 'open' }, 40_000)).toBeUndefined()
  // Steps over HTTP end at their limit, unless the user is asked.
  expect(remedies(connecting({ http }), 40_000)).toBeUndefined()
})
