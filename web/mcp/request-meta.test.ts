import { describe, expect, inject, test } from 'vitest'
import { isObject, Session, StreamableHttpTransport, Trace, type JsonObject } from './index.ts'

const LEVEL = 'io.modelcontextprotocol/logLevel'

const connected = async (url: string) => {
  const trace = new Trace()
  const transport = new StreamableHttpTransport({ url })
  const session = new Session({ trace, link: 'a', transport, clientInfo: { name: 'test', version: '1' } })
  await session.open()
  const bodies = (direction: 'sent' | 'received', method: string): readonly JsonObject[] =>
    [...trace].flatMap((frame) =>
      frame.kind === 'message' &&
      frame.direction === direction &&
      isObject(frame.message) &&
      frame.message.method === method
        ? [isObject(frame.message.params) ? frame.message.params : {}]
        : [],
    )
  return { session, bodies }
}

const log = { name: 'log', arguments: { text: 'x' } }

describe('members for the `_meta` of each request', () => {
  test('SF-LOG-03: a server of 2026-07-28 logs from the level that the request asks for, and nothing without it', async () => {
    const { session, bodies } = await connected(`${inject('richUrl')}/v2/${crypto.randomUUID()}`)
    const levels = () => bodies('received', 'notifications/message').map(({ level }) => level)

    await session.request('tools/call', log)
    expect(levels()).toEqual([])
    session.requestMeta.set(LEVEL, 'alert')
    await session.request('tools/call', log)
    expect(levels()).toEqual(['alert', 'emergency'])
    session.requestMeta.delete(LEVEL)
    await session.request('tools/call', log)
    expect(levels()).toEqual(['alert', 'emergency'])
    const asked = bodies('sent', 'tools/call').map(({ _meta }) => (_meta as JsonObject)[LEVEL])
    expect(asked).toEqual([undefined, 'alert', undefined])
    await session.close()
  })

  test('what the call itself says wins, and everything else of it stays', async () => {
    const { session, bodies } = await connected(`${inject('richUrl')}/v2/${crypto.randomUUID()}`)
    session.requestMeta.set(LEVEL, 'debug')
    session.requestMeta.set('example.com/trip', 7)
    await session.request('tools/call', { ...log, _meta: { [LEVEL]: 'emergency' } }, { progress: false })
    const [sent] = bodies('sent', 'tools/call')
    expect(sent).toMatchObject({ ...log, _meta: { [LEVEL]: 'emergency', 'example.com/trip': 7 } })
    expect(bodies('received', 'notifications/message')).toHaveLength(1)
    await session.close()
  })

  test('they are in requests of the handshake era, too, also in those without parameters and in exact texts', async () => {
    const { session, bodies } = await connected(`${inject('richUrl')}/v1/${crypto.randomUUID()}`)
    session.requestMeta.set('example.com/trip', 7)
    await session.request('tools/list')
    const paramsText = '{"name":"rows","arguments":{"n":1.0}}'
    await session.request('tools/call', JSON.parse(paramsText) as JsonObject, { paramsText })
    expect(bodies('sent', 'tools/list')).toEqual([{ _meta: { 'example.com/trip': 7 } }])
    expect(bodies('sent', 'tools/call')).toMatchObject([{ name: 'rows', _meta: { 'example.com/trip': 7 } }])
    await session.close()
  })

  test('SF-LOG-04: a stream that listens is asked for no log messages', async () => {
    const { session, bodies } = await connected(`${inject('richUrl')}/v2/${crypto.randomUUID()}`)
    session.requestMeta.set(LEVEL, 'debug')
    session.listen({ toolsListChanged: true })
    await session.request('tools/list')
    const listens = bodies('sent', 'subscriptions/listen')
    expect(listens.length).toBeGreaterThan(0)
    for (const { _meta } of listens) expect(_meta).not.toHaveProperty(LEVEL)
    await session.close()
  })
})
