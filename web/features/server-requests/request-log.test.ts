import { expect, test } from 'vitest'
import { Projection, Trace } from '../../mcp/index.ts'
import { BURST, requestsWithinMinute } from './request-log.ts'
import { serverRequestsFold } from './server-requests-fold.ts'

test('CF-ELIC-06, CF-SAMP-15: questions of one kind are counted over the last minute, for each server apart', () => {
  let now = 0
  const trace = new Trace({ now: () => now })
  const book = new Projection(trace, serverRequestsFold)
  let id = 0
  const ask = (method: string, link = 'a') => {
    const message = { jsonrpc: '2.0', id: ++id, method, params: {} }
    const { seq } = trace.append({ kind: 'message', direction: 'received', type: 'request', message, size: 1, link })
    return requestsWithinMinute(
      book.current,
      [...book.current.all.values()].find((request) => request.seq === seq)!,
    )
  }
  for (let time = 1; time <= BURST + 1; time++) {
    expect(ask('elicitation/create')).toBe(time)
    now += 1000
  }
  expect(ask('sampling/createMessage')).toBe(1)
  expect(ask('elicitation/create', 'b')).toBe(1)
  // Six of the eleven requests, those up to the fifth second, are at least a minute old.
  now = 60_000 + 5_000
  expect(ask('elicitation/create')).toBe(BURST + 1 - 6 + 1)
  now += 60_000
  expect(ask('elicitation/create')).toBe(1)
})
