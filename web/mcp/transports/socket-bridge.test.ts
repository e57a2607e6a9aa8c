import { afterAll, describe, expect, inject, test } from 'vitest'
import { Bridge, Session, SocketBridgeTransport, Trace, TransportError, type Frame, type FrameOf } from '../index.ts'

const bridge = new Bridge({ base: `${inject('proxyUrl')}/`, token: inject('proxyToken') })
afterAll(() => bridge.leave())

const begin = (target: string) => {
  const trace = new Trace()
  const transport = new SocketBridgeTransport({ bridge, target, name: 'Unix socket' })
  const session = new Session({ trace, link: 's1', transport, clientInfo: { name: 'test', version: '0' } })
  return { trace, session }
}

const socket = (name: string) => `unix:${inject('socketFolder')}/${name}.sock`

const framesOf = (trace: Trace) =>
  [...trace].filter((frame: Frame): frame is FrameOf<'transport'> => frame.kind === 'transport')

const errorOf = async (promise: Promise<unknown>): Promise<TransportError> => {
  try {
    await promise
  } catch (error) {
    if (error instanceof TransportError) return error
    throw error
  }
  throw new Error('It succeeded')
}

describe('a Unix socket through the proxy', () => {
  test('is opened, called and closed, and the trace shows each of these', async () => {
    const { trace, session } = begin(socket('v1-2025-11-25'))
    expect(await session.open()).toMatchObject({ revision: '2025-11-25', info: { name: 'versed' } })
    const called = await session.request('tools/call', { name: 'echo', arguments: { text: 'Grüße 🎈' } })
    expect(called).toMatchObject({ content: [{ text: 'Grüße 🎈' }] })
    await session.close()
    expect(framesOf(trace)).toMatchObject([
      { event: 'opening', transport: 'Unix socket', url: socket('v1-2025-11-25') },
      { event: 'opened' },
      { event: 'closing' },
      { event: 'closed' },
    ])
    expect([...trace].some(({ kind }) => kind === 'process')).toBe(false)
  })

  test.each([
    ['missing', 'socket-missing', /^There is no socket at .*missing\.sock\.$/],
    ['file', 'not-a-socket', /file\.sock isn't a socket\.$/],
  ])('%s is refused with its cause', async (name, proxyCode, message) => {
    const { trace, session } = begin(socket(name))
    const error = await errorOf(session.open())
    expect(error).toMatchObject({ code: 'not-opened', details: { proxyCode } })
    expect(error.details.remedy).toBeTypeOf('string')
    expect(error.message).toMatch(message)
    expect(framesOf(trace).map(({ event }) => event)).toEqual(['opening', 'refused'])
  })

  test('an HTTP server behind it is recognized, and not asked again', async () => {
    const { trace, session } = begin(socket('http'))
    const error = await errorOf(session.open())
    expect(error).toMatchObject({ code: 'not-mcp', details: { speaks: 'http' } })
    expect(framesOf(trace).filter(({ event }) => event === 'opening')).toHaveLength(1)
  })

  test('a connection that is cut during a call fails the call', async () => {
    const { trace, session } = begin(socket('cut'))
    await session.open()
    const error = await errorOf(session.request('tools/call', { name: 'any', arguments: {} }))
    expect(error.code).toBe('connection-closed')
    expect([...trace].at(-1)).toMatchObject({ kind: 'session', phase: 'closed', code: 'connection-closed' })
  })

  test('a line that is no message is shown as invalid, one without an end as unusable, and the call succeeds', async () => {
    const { trace, session } = begin(socket('noisy'))
    await session.open()
    expect(await session.request('tools/call', { name: 'any', arguments: {} })).toMatchObject({
      content: [{ text: 'done' }],
    })
    expect([...trace].filter((frame) => frame.kind === 'message' && frame.type === 'invalid')).toMatchObject([
      { raw: 'not a message' },
    ])
    expect(framesOf(trace).filter(({ event }) => event === 'unusable')).toHaveLength(1)
    await session.close()
  })
})
