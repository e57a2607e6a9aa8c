import { afterEach, expect, test } from 'vitest'
import { LoopbackTransport, Session, Trace, type Answers, type Json, type JsonObject } from '../mcp/index.ts'
import { createSampleServer } from './server.ts'

const opened: Session[] = []
afterEach(async () => {
  for (const session of opened.splice(0)) await session.close()
})

const connect = async (answers: Answers = {}): Promise<Session> => {
  const session = new Session({
    trace: new Trace(),
    link: 'sample',
    transport: new LoopbackTransport(createSampleServer()),
    clientInfo: { name: 'test', version: '1' },
    capabilities: () => ({ sampling: {}, elicitation: {}, roots: {} }),
    answers,
  })
  opened.push(session)
  await session.open()
  return session
}

const run = (session: Session, name: string, args: JsonObject = {}) =>
  session.request('tools/call', { name, arguments: args })

const received = (session: Session, method: string): JsonObject[] =>
  [...session.trace].flatMap((frame) => {
    const message = frame.kind === 'message' && frame.direction === 'received' ? frame.message : undefined
    const { method: found, params } = (message ?? {}) as { method?: Json; params?: JsonObject }
    return found === method ? [params ?? {}] : []
  })

test('every resource that is listed can be read, and the template by values that complete', async () => {
  const session = await connect()
  const { resources } = await session.request('resources/list')
  for (const { uri } of resources as { uri: string }[]) {
    const { contents } = await session.request('resources/read', { uri })
    expect(contents).toHaveLength(1)
  }
  const ref = { type: 'ref/resource', uri: 'sample://notes/{shelf}/{title}' }
  const { completion } = await session.request('completion/complete', {
    ref,
    argument: { name: 'title', value: 't' },
    context: { arguments: { shelf: 'sea' } },
  })
  expect(completion).toEqual({ values: ['tides'], total: 1, hasMore: false })
  const { contents } = await session.request('resources/read', { uri: 'sample://notes/sea/tides' })
  expect(JSON.stringify(contents)).toContain('tides stands on the shelf sea')
  await expect(session.request('resources/read', { uri: 'sample://nowhere' })).rejects.toMatchObject({ code: -32002 })
})

test('who subscribed is told of changes, and nobody else', async () => {
  const session = await connect()
  await run(session, 'count-visit')
  expect(received(session, 'notifications/resources/updated')).toEqual([])
  await session.request('resources/subscribe', { uri: 'sample://visits' })
  await run(session, 'count-visit')
  expect(received(session, 'notifications/resources/updated')).toEqual([{ uri: 'sample://visits' }])
})

test('prompts say what they lack', async () => {
  const session = await connect()
  const { messages } = await session.request('prompts/get', { name: 'explain', arguments: { word: 'buoy' } })
  expect(JSON.stringify(messages)).toContain('buoy')
  await expect(session.request('prompts/get', { name: 'explain' })).rejects.toMatchObject({ code: -32602 })
})

test('it asks, and answers with what it was told; a refusal is no end', async () => {
  const accepted = { action: 'accept', content: { name: 'Nautilus' } }
  const session = await connect({ 'elicitation/create': () => accepted, 'roots/list': () => ({ roots: [] }) })
  expect(JSON.stringify(await run(session, 'ask-you'))).toContain('Nautilus')
  expect(await run(session, 'ask-for-roots')).not.toHaveProperty('isError')
  expect(await run(session, 'ask-a-model')).toHaveProperty('isError', true)
})

test('a question is taken back when its call is cancelled (UT-CANC-01)', async () => {
  let signal: AbortSignal | undefined
  const session = await connect({
    'elicitation/create': (_params, given) => {
      signal = given
      return new Promise<JsonObject>(() => {})
    },
  })
  const call = session.call('tools/call', { name: 'ask-you', arguments: {} })
  await expect.poll(() => signal).toBeDefined()
  call.cancel()
  await expect.poll(() => signal?.aborted).toBe(true)
})

test('the log has the levels that were asked for', async () => {
  const session = await connect()
  await session.request('logging/setLevel', { level: 'error' })
  await run(session, 'write-log', { words: 'land' })
  expect(received(session, 'notifications/message').map(({ level }) => level)).toEqual([
    'error',
    'critical',
    'alert',
    'emergency',
  ])
  await expect(session.request('logging/setLevel', { level: 'loud' })).rejects.toMatchObject({ code: -32602 })
})
