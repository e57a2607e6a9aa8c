import { describe, expect, inject, test } from 'vitest'
import {
  exchanges,
  foldAll,
  Session,
  StreamableHttpTransport,
  Trace,
  verdictOf,
  type JsonObject,
} from '../../mcp/index.ts'
import { httpExchanges } from '../../mcp/http-exchange.ts'
import { httpResponseOf, type HttpResponse } from './http-response.ts'

/** A call to a server that responds as the arguments say, and what the Trace alone shows about it. */
const called = async (args: JsonObject, behaviour = 'named-status', recorded = (text: string) => text) => {
  const key = Math.random().toString(36).slice(2)
  const session = new Session({
    trace: new Trace(),
    link: 's1',
    transport: new StreamableHttpTransport({ url: `${inject('hostileUrl')}/h/${behaviour}/${key}` }),
    clientInfo: { name: 'test', version: '0' },
    limits: { idle: 5_000, total: 5_000 },
  })
  await session.open()
  await session.request('tools/call', { name: 't', arguments: args }).catch(() => {})
  await session.close()
  // As in a reopened file.
  const frames = JSON.parse(recorded(JSON.stringify([...session.trace]))) as Trace extends Iterable<infer F>
    ? F[]
    : never
  const { all } = foldAll(exchanges, frames)
  const exchange = all.find(({ method }) => method === 'tools/call')!
  const response = httpResponseOf(exchange, (seq) => frames[seq], foldAll(httpExchanges, frames))
  return { exchange, verdict: verdictOf(exchange), response }
}

const TEXT = 'Your account may not do this'

describe('a call that was answered with an HTTP status', () => {
  test.each<[number, HttpResponse['cause']]>([
    [400, 'request'],
    [401, 'credentials'],
    [403, 'permission'],
    [404, 'url'],
    [405, 'method'],
    [406, 'accept'],
    [413, 'size'],
    [415, 'content-type'],
    [418, 'request'],
    [429, 'rate'],
    [500, 'server'],
    [503, 'gateway'],
  ])('%i: shows the status, the headers, the body and who has to act', async (status, cause) => {
    const { verdict, response } = await called({ status, body: TEXT })
    expect(verdict).toBe('lost')
    expect(response).toMatchObject({ status, cause, body: TEXT, size: TEXT.length, type: 'text/plain' })
    expect(response!.headers.map(([name]) => name)).toContain('content-type')
  })

  test('407: a proxy requires a sign-in, not the server', async () => {
    // `fetch` hides this status unless the response comes through the relay or from a recording.
    const as407 = (text: string) => text.replaceAll('"status":418', '"status":407')
    const { response } = await called({ status: 418, body: TEXT }, 'named-status', as407)
    expect(response).toMatchObject({ status: 407, cause: 'proxy', body: TEXT })
  })

  test.each(['id', 'null'] as const)(
    'a JSON-RPC error in the body is the error, whatever the status (%s)',
    async (rpc) => {
      for (const status of [400, 401, 403, 404, 500]) {
        const { exchange, verdict, response } = await called({ status, body: TEXT, rpc })
        expect([status, verdict]).toEqual([status, 'error'])
        expect(exchange.error).toMatchObject({ code: -32000, message: TEXT })
        expect(response).toMatchObject({ status })
      }
    },
  )

  test('JSON that is no JSON-RPC is shown as it came', async () => {
    const body = '{"error":"insufficient_scope","detail":"nope"}'
    const { verdict, response } = await called({ status: 400, type: 'application/json', body })
    expect([verdict, response?.body]).toEqual(['lost', body])
  })

  test('a status without a body says so', async () => {
    const { response } = await called({ status: 500, body: '' })
    expect(response).toMatchObject({ status: 500, size: 0 })
  })

  test('200 with a page, and 202 with nothing, are no results', async () => {
    expect((await called({}, 'html')).response).toMatchObject({ status: 200, cause: 'not-mcp', type: 'text/html' })
    expect((await called({}, 'html')).response?.body).toContain('Welcome')
  })

  test('what was answered with a result has none of it', async () => {
    expect((await called({}, 'good')).response).toBeUndefined()
    expect((await called({}, 'cut-no-ids')).response).toBeUndefined()
  })
})
