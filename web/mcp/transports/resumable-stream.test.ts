import { expect, test } from 'vitest'
import { until } from '../../../tests/patience.ts'
import { Session, StreamableHttpTransport, Trace, type JsonObject } from '../index.ts'

/**
 * An in-memory server: the response's stream is primed, sends a retry time of zero, and ends; the resumed one sends
 * `rest`.
 */
const begin = async (rest: string) => {
  const events = (text: string) => new Response(text, { headers: { 'content-type': 'text/event-stream' } })
  const fetchFrom = async (_: unknown, init?: RequestInit): Promise<Response> => {
    if (init?.method === 'GET')
      return new Headers(init.headers).has('last-event-id') ? events(rest) : new Response(null, { status: 405 })
    const { id, method } = JSON.parse((init?.body as string | undefined) ?? '{}') as JsonObject
    if (method === 'initialize') {
      const serverInfo = { name: 'memory', version: '1' }
      return Response.json({
        jsonrpc: '2.0',
        id,
        result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo },
      })
    }
    return method === 'tools/call' ? events('id: e1\nretry: 0\ndata:\n\n') : new Response(null, { status: 202 })
  }
  const trace = new Trace()
  const transport = new StreamableHttpTransport({ url: 'http://test.invalid/mcp', fetch: fetchFrom })
  const session = new Session({
    trace,
    link: 's1',
    transport,
    clientInfo: { name: 'test', version: '0' },
    remembered: 'handshake',
  })
  await session.open()
  return { trace, session }
}

test('BP-08: an error that lost its id ends the stream it came on, and a server that asks for no pause gets a short one', async () => {
  const { trace, session } = await begin('id: e2\ndata: {"jsonrpc":"2.0","error":{"code":-32603,"message":"no"}}\n\n')
  await expect(session.request('tools/call', { name: 't' })).rejects.toMatchObject({ code: -32603 })
  const streams = () => [...trace].flatMap((frame) => (frame.kind === 'stream' ? [frame] : []))
  const closes = () => streams().flatMap((frame) => (frame.event === 'close' ? [frame.why] : []))
  await until(() => closes().length >= 2)
  expect(closes()).toEqual(['ended', 'answered'])
  const delays = streams().flatMap((frame) => (frame.event === 'resume' ? [frame.delay] : []))
  expect(delays).toHaveLength(1)
  expect(delays[0]).toBeGreaterThanOrEqual(50)
  await session.close()
})

test('an event over the limit is not asked for again and again: its request is told that it was dropped', async () => {
  const { trace, session } = await begin(`id: e2\ndata: ${'x'.repeat(73 * 1024 * 1024)}\n\n`)
  await expect(session.request('tools/call', { name: 't' }, { idle: 60_000 })).rejects.toMatchObject({
    code: 'stream-lost',
    message: expect.stringMatching(/an event of more than \d+ characters was dropped/),
  })
  const resumes = [...trace].filter((frame) => frame.kind === 'stream' && frame.event === 'resume')
  expect(resumes).toHaveLength(1)
  await session.close()
})
