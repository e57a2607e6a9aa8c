/**
 * The caller's `_meta` and the protocol's own keys are sent together, in every form of request (META-01, META-10,
 * META-16).
 */
import { describe, expect, test } from 'vitest'
import { LoopbackTransport, Session, Trace, type JsonObject, type LoopbackServer, type Revision } from './index.ts'

const VERSION = 'io.modelcontextprotocol/protocolVersion'

const server: LoopbackServer = {
  connect: (reply) => ({
    receive: (text) => {
      const { id, method } = JSON.parse(text) as JsonObject
      if (id === undefined) return
      const hello = {
        protocolVersion: '2025-11-25',
        capabilities: {},
        serverInfo: {},
        supportedVersions: ['2026-07-28'],
      }
      const result = method === 'initialize' || method === 'server/discover' ? hello : {}
      reply(JSON.stringify({ jsonrpc: '2.0', id: id ?? null, result }))
    },
    close: () => {},
  }),
}

const sentBy = async (pinned: Revision, params: JsonObject, paramsText?: string): Promise<JsonObject> => {
  const trace = new Trace()
  const transport = new LoopbackTransport(server)
  const session = new Session({ trace, link: 's1', transport, clientInfo: { name: 'test', version: '0' }, pinned })
  await session.open()
  const call = session.call('tools/call', params, { progress: true, ...(paramsText ? { paramsText } : {}) })
  await call.result
  await session.close()
  const frame = trace.at(call.seq!)
  return ((frame?.kind === 'message' ? frame.message : {}) as { params: { _meta: JsonObject } }).params._meta
}

describe.each(['2025-11-25', '2026-07-28'] as const)('at %s', (revision) => {
  test('what the caller wrote stands beside the progress token and what the revision asks for', async () => {
    const meta = await sentBy(revision, { name: 't', arguments: {}, _meta: { 'com.example/x': { deep: [1] } } })
    expect(meta).toMatchObject({ 'com.example/x': { deep: [1] }, progressToken: expect.anything() as unknown })
    expect(meta[VERSION]).toBe(revision === '2026-07-28' ? revision : undefined)
  })

  test('also where the exact text of the params is sent', async () => {
    const params = { name: 't', arguments: { big: 1 }, _meta: { 'com.example/x': 1 } }
    const text = '{"name":"t","arguments":{"big":12345678901234567890},"_meta":{"com.example/x":1}}'
    expect(await sentBy(revision, params, text)).toMatchObject({
      'com.example/x': 1,
      progressToken: expect.anything() as unknown,
    })
  })

  test('and wins where it names a key of ours: an inspector must be able to send it', async () => {
    const meta = await sentBy(revision, { name: 't', _meta: { progressToken: 'mine', [VERSION]: 'wrong' } })
    expect(meta).toMatchObject({ progressToken: 'mine', [VERSION]: 'wrong' })
  })
})
