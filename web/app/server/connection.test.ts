import { expect, test } from 'vitest'
import { IDLE, shownStateOf, type Connection } from './connection.ts'

const open: Connection = { ...IDLE, state: 'open' }
const trouble = { seq: 3, at: 5, last: 4, why: 'Failed to fetch', failures: 1 }

test('an open connection is degraded while its server can’t be reached', () => {
  expect(shownStateOf('open', open, undefined)).toBe('open')
  expect(shownStateOf('open', open, trouble)).toBe('degraded')
})

test('what ended is lost unless its user ended it, and reconnecting while it is tried again', () => {
  const lost: Connection = {
    ...IDLE,
    state: 'closed',
    closed: { seq: 1, at: 1, why: 'x', code: 'unreachable', details: {} },
  }
  const ended: Connection = { ...IDLE, state: 'closed', closed: { seq: 1, at: 1, why: 'ended', details: {} } }
  expect(shownStateOf('closed', lost, undefined)).toBe('lost')
  expect(shownStateOf('closed', ended, undefined)).toBe('closed')
  for (const status of ['closed', 'connecting', 'failed'] as const)
    expect(shownStateOf(status, lost, undefined, true)).toBe('reconnecting')
})

test('a server that wants a sign-in has not failed', () => {
  const failure = { seq: 1, at: 1, explanation: '', details: {}, evidence: [] }
  const refused = (code: string): Connection => ({ ...IDLE, state: 'failed', failure: { ...failure, code } })
  expect(shownStateOf('failed', refused('unauthorized'), undefined)).toBe('sign-in')
  expect(shownStateOf('failed', refused('unreachable'), undefined)).toBe('failed')
})
