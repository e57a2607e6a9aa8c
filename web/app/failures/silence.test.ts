import { expect, test } from 'vitest'
import { IDLE, type Connection } from '../server/connection.ts'
import { silenceOf } from './silence.ts'

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
  ['a process without output', started('node'), { is: 'process', downloads: false }],
  ['a package manager', started('/usr/bin/npx'), { is: 'process', downloads: true }],
  ['a process with other lines', started('node', 3), { is: 'noise' }],
])('%s is named after two seconds, and not before', (_, connection, expected) => {
  expect(silenceOf(connection, 3000)).toEqual(expected)
  expect(silenceOf(connection, 1900)).toBeUndefined()
})

test('what the proxy found is part of it', () => {
  expect(silenceOf(connecting({ http }), 3000, 'no-tcp')).toEqual({ is: 'headers', network: 'no-tcp' })
})

test('a server that is slow but talks, one that is open, and one that ignores a probe are no case of it', () => {
  expect(silenceOf(connecting({ http: { ...answered, answeredAt: 2500 } }), 3000)).toBeUndefined()
  expect(silenceOf({ ...connecting({ http }), state: 'open' }, 3000)).toBeUndefined()
  const probing = { ...started('node'), steps: [{ ...step, step: 'probing' as const }] }
  expect(silenceOf(probing, 3000)).toBeUndefined()
})
