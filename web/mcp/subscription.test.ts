/** `subscriptions/listen`, against the official SDK v2 and servers of one kind each (tests/servers/eras). */
import { describe, expect, inject, test } from 'vitest'
import { until } from '../../tests/patience.ts'
import { Session, StreamableHttpTransport, Trace, type JsonObject, type SessionOptions } from './index.ts'

const connected = async (url: string, options: Partial<SessionOptions> = {}) => {
  const trace = new Trace()
  const transport = new StreamableHttpTransport({ url })
  const clientInfo = { name: 'test', version: '0' }
  const session = new Session({
    trace,
    link: 's1',
    transport,
    clientInfo,
    pinned: '2026-07-28',
    autoListen: false,
    ...options,
  })
  await session.open()
  const heard = (method: string) =>
    [...trace].flatMap((frame) => {
      if (frame.kind !== 'message' || frame.direction !== 'received') return []
      const message = frame.message as JsonObject | undefined
      return message?.method === method ? [message] : []
    })
  const listens = () =>
    [...trace].filter(
      (frame) =>
        frame.kind === 'message' &&
        frame.direction === 'sent' &&
        (frame.message as JsonObject).method === 'subscriptions/listen',
    ).length
  const again = () => [...trace].filter((frame) => frame.kind === 'session' && frame.phase === 'listening-again').length
  return { session, trace, heard, listens, again }
}
const modern = (options?: Partial<SessionOptions>) =>
  connected(`${inject('modernUrl')}/${crypto.randomUUID()}`, options)
const kind = (name: string) => connected(`${inject('erasUrl')}/${name}/${crypto.randomUUID()}`)

const LISTS = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true }

// Each test has its own place at the server. Several wait for something that must not happen, so they run concurrently
// and wait only once.
describe.concurrent('subscriptions/listen', () => {
  test('SUB-01, SUB-03: what was asked for arrives, and what was granted is known', async () => {
    const { session, heard } = await modern()
    const subscription = session.listen({ ...LISTS, resourceSubscriptions: ['mem://counter'] })
    await until(() => subscription.state === 'granted')
    expect(subscription.granted).toMatchObject({ toolsListChanged: true })
    await session.request('tools/call', { name: 'add-tool', arguments: {} })
    await session.request('tools/call', { name: 'touch', arguments: {} })
    await until(() => heard('notifications/resources/updated').length > 0)
    expect(heard('notifications/tools/list_changed')).toHaveLength(1)
    await session.close()
  })

  test('one who opens a session hears of changed lists without asking', async () => {
    const { session, heard } = await modern({ autoListen: true })
    await until(() => session.subscriptions[0]?.state === 'granted')
    await session.request('tools/call', { name: 'add-tool', arguments: {} })
    await until(() => heard('notifications/tools/list_changed').length === 1)
    await session.close()
  })

  test('SUB-05, SUB-06, SUB-11: several at once are told apart by the ids of their requests', async () => {
    const { session, heard } = await modern()
    const tools = session.listen({ toolsListChanged: true })
    const prompts = session.listen({ promptsListChanged: true })
    await until(() => tools.state === 'granted' && prompts.state === 'granted')
    expect(tools.granted).not.toHaveProperty('promptsListChanged')
    await session.request('tools/call', { name: 'add-tool', arguments: {} })
    // Each on a stream of its own, so either may be first.
    const lists = ['notifications/tools/list_changed', 'notifications/prompts/list_changed']
    await until(() => lists.every((method) => heard(method).length === 1))
    const id = (method: string) =>
      (heard(method)[0]!.params as { _meta: JsonObject })._meta['io.modelcontextprotocol/subscriptionId']
    expect(id('notifications/tools/list_changed')).toBe(tools.id)
    expect(id('notifications/prompts/list_changed')).toBe(prompts.id)
    await session.close()
  })

  test('SUB-07: closing it closes its stream, and nothing more is heard', async () => {
    const { session, heard, trace } = await modern()
    const subscription = session.listen(LISTS)
    await until(() => subscription.state === 'granted')
    subscription.close()
    expect(session.subscriptions).toEqual([])
    await until(() =>
      [...trace].some((frame) => frame.kind === 'stream' && frame.event === 'close' && frame.why === 'aborted'),
    )
    await session.request('tools/call', { name: 'add-tool', arguments: {} })
    expect(heard('notifications/tools/list_changed')).toEqual([])
    await session.close()
  })

  test.each(['listen-graceful', 'listen-cancelled'])('SUB-08: %s is an end, and is not asked again', async (name) => {
    const { session, listens } = await kind(name)
    const subscription = session.listen(LISTS)
    await until(() => subscription.state === 'ended')
    await new Promise((resolve) => setTimeout(resolve, 900))
    expect(listens()).toBe(1)
    expect(session.state).toBe('open')
    await session.close()
  })

  test.each(['listen-drops-twice', 'listen-ends'])(
    'SUB-09: %s is asked for again, with growing pauses, and the gap is told',
    async (name) => {
      const { session, listens, again } = await kind(name)
      session.listen(LISTS)
      await until(() => again() >= 1 && listens() >= 3)
      expect(session.state).toBe('open')
      await session.close()
    },
  )

  test.each(['listen-refused', 'listen-limit'])('%s is taken for an answer', async (name) => {
    const { session, listens } = await kind(name)
    const subscription = session.listen(LISTS)
    await until(() => subscription.state === 'refused')
    expect(listens()).toBe(1)
    await session.close()
  })

  test('UT-TIME-05: has no limit of time', async () => {
    const { session } = await kind('listen-silent')
    const short = { idle: 300, total: 300 }
    const limited = new Session({
      trace: new Trace(),
      link: 's2',
      transport: new StreamableHttpTransport({ url: `${inject('erasUrl')}/listen-silent/${crypto.randomUUID()}` }),
      clientInfo: { name: 'test', version: '0' },
      pinned: '2026-07-28',
      limits: short,
      autoListen: false,
    })
    await limited.open()
    const subscription = limited.listen(LISTS)
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect(subscription.state).toBe('listening')
    await Promise.all([session.close(), limited.close()])
  })

  test('a flood and a second acknowledgement do no harm', async () => {
    for (const name of ['listen-flood', 'listen-ack-twice', 'listen-wrong-id', 'listen-no-ack', 'listen-progress']) {
      const { session, heard } = await kind(name)
      session.listen(LISTS)
      if (name === 'listen-flood') await until(() => heard('notifications/tools/list_changed').length === 1000)
      await session.request('tools/list')
      expect(session.state).toBe('open')
      await session.close()
    }
  })

  test('where servers speak unasked there is nothing to listen for, and that is said', async () => {
    const { session } = await connected(inject('everythingUrl'), { pinned: '2025-11-25' })
    expect(() => session.listen(LISTS)).toThrow(expect.objectContaining({ code: 'not-in-revision' }))
    await session.close()
  })
})
