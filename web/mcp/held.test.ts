/** The time a user takes for a request isn't the server's: the timer of the waiting call is paused. */
import { afterEach, describe, expect, test } from 'vitest'
import { LoopbackTransport, ProtocolError, Session, Trace, type JsonObject, type SessionOptions } from './index.ts'

/** ms. A busy machine may take a while to pass a message on. */
const IDLE = 500
const HELLO = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'asks', version: '1' } }
const CALL = { name: 't', arguments: {} }

const sessions: Session[] = []
afterEach(async () => void (await Promise.all(sessions.splice(0).map((session) => session.close()))))

/** Sends the given number of requests when a tool is called, then answers the call with the last response; or never. */
const asking = async (
  questions: number,
  answers: SessionOptions['answers'],
  { then = 'answer', withdrawn = false }: { then?: 'answer' | 'silence'; withdrawn?: boolean } = {},
) => {
  const trace = new Trace()
  const transport = new LoopbackTransport({
    connect: (reply) => {
      const say = (message: JsonObject) => reply(JSON.stringify({ jsonrpc: '2.0', ...message }))
      let call: number
      let open = questions
      return {
        receive: (text) => {
          const { id, method, result } = JSON.parse(text) as { id: number; method?: string; result?: JsonObject }
          if (method === 'initialize') return say({ id, result: HELLO })
          if (method === 'tools/call') {
            call = id
            for (let n = 0; n < questions; n++) say({ id: `q${n}`, method: 'roots/list' })
            if (withdrawn) say({ method: 'notifications/cancelled', params: { requestId: 'q0' } })
          } else if (method === undefined && --open === 0 && then === 'answer') say({ id: call, result: result ?? {} })
        },
        close: () => {},
      }
    },
  })
  const session = new Session({
    trace,
    link: 's1',
    transport,
    clientInfo: { name: 'test', version: '0' },
    remembered: 'handshake',
    limits: { idle: IDLE },
    ...(answers ? { answers } : {}),
  })
  sessions.push(session)
  await session.open()
  return session
}

const after = (ms: number, result: JsonObject = { roots: [] }) =>
  new Promise<JsonObject>((resolve) => setTimeout(() => resolve(result), ms))

describe('while a question waits for its user', () => {
  test('BP-13, UT-TIME-01: the call behind it does not time out, however long its user thinks', async () => {
    const session = await asking(1, { 'roots/list': () => after(3 * IDLE) })
    await expect(session.request('tools/call', CALL)).resolves.toEqual({ roots: [] })
  })

  test('of several questions the last one counts', async () => {
    let n = 0
    const session = await asking(2, { 'roots/list': () => after(++n === 1 ? IDLE / 3 : 3 * IDLE, { n }) })
    await expect(session.request('tools/call', CALL)).resolves.toEqual({ n: 2 })
  })

  test('UT-TIME-01: its time goes on with the answer, or the refusal', async () => {
    for (const answer of [() => after(2 * IDLE), () => Promise.reject(new ProtocolError(-1, 'No'))]) {
      const session = await asking(1, { 'roots/list': answer }, { then: 'silence' })
      await expect(session.request('tools/call', CALL)).rejects.toMatchObject({ code: 'timeout' })
    }
  })

  test('UT-CANC-07: … and when the server takes its question back, though nobody has noticed', async () => {
    const session = await asking(1, { 'roots/list': () => new Promise(() => {}) }, { withdrawn: true })
    await expect(session.request('tools/call', CALL)).rejects.toMatchObject({ code: 'timeout' })
  })

  test('its user can still cancel the call', async () => {
    const session = await asking(1, { 'roots/list': () => new Promise(() => {}) })
    const call = session.call('tools/call', CALL)
    setTimeout(() => call.cancel(), 2 * IDLE)
    await expect(call.result).rejects.toMatchObject({ code: 'cancelled' })
  })

  test('of two calls at once each stands still for every question that may be its own, until its last one is settled', async () => {
    const answers: ((result: JsonObject) => void)[] = []
    const transport = new LoopbackTransport({
      connect: (reply) => {
        const say = (message: JsonObject) => reply(JSON.stringify({ jsonrpc: '2.0', ...message }))
        const calls: number[] = []
        return {
          receive: (text) => {
            const { id, method, result } = JSON.parse(text) as {
              id: number | string
              method?: string
              result?: JsonObject
            }
            if (method === 'initialize') return say({ id, result: HELLO })
            // Each call sends a request at once: the first can only belong to the first call, the second to either.
            if (method === 'tools/call') say({ id: `q${calls.push(id as number)}`, method: 'roots/list' })
            else if (method === undefined && result) say({ id: calls[Number(String(id).slice(1)) - 1]!, result })
          },
          close: () => {},
        }
      },
    })
    const session = new Session({
      trace: new Trace(),
      link: 's1',
      transport,
      clientInfo: { name: 'test', version: '0' },
      remembered: 'handshake',
      limits: { idle: IDLE },
      answers: { 'roots/list': () => new Promise((resolve) => answers.push(resolve)) },
    })
    sessions.push(session)
    await session.open()
    const first = session.request('tools/call', CALL)
    const second = session.request('tools/call', CALL)
    await after(3 * IDLE)
    answers[0]!({ roots: [], n: 1 })
    await expect(first).resolves.toMatchObject({ n: 1 })
    await after(3 * IDLE)
    answers[1]!({ roots: [], n: 2 })
    await expect(second).resolves.toMatchObject({ n: 2 })
  })
})
