import { describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '../../mcp/index.ts'
import { cites, META, modern, Talk } from '../talk.case.ts'

const ID = `${META}subscriptionId`
const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged'
const ALL = { toolsListChanged: true, resourceSubscriptions: ['mem://a'] }

const listen = (how: 'http' | 'stdio', notifications: JsonObject = ALL) => {
  const talk = new Talk().discover()
  const request = talk.request('subscriptions/listen', talk.envelope({ notifications }))
  const post = how === 'http' ? talk.post(request) : undefined
  post?.head(200, 'text/event-stream')
  if (!post) talk.sent(request)
  const id = request.id!
  const says = (message: JsonObject) => (post ? post.says(message) : talk.received(message))
  const tells = (method: string, params: JsonObject = {}, subscription: Json | undefined = id) => {
    const meta: JsonObject = subscription === undefined ? {} : { _meta: { [ID]: subscription } }
    return says({ jsonrpc: '2.0', method, params: { ...params, ...meta } })
  }
  const bare = (method: string, params: JsonObject = {}) => says({ jsonrpc: '2.0', method, params })
  const ends = (meta: JsonObject) => says({ jsonrpc: '2.0', id, result: modern({}, meta) })
  return { talk, id, tells, bare, ends, post }
}

/** The same over HTTP, where the stream identifies the subscription, and over stdio, where only its id does. */
describe.each(['http', 'stdio'] as const)('a subscription over %s', (how) => {
  test('SUB-02, SUB-04, SUB-08: one that is well is told nothing of', () => {
    const { talk, id, tells, ends } = listen(how)
    tells(ACKNOWLEDGED, { notifications: { toolsListChanged: true } })
    tells('notifications/tools/list_changed')
    tells('notifications/resources/updated', { uri: 'mem://a/below' })
    ends({ [ID]: id })
    expect(cites(talk)).toEqual([])
  })

  test('SUB-02: the acknowledgement comes first', () => {
    const { talk, tells } = listen(how)
    tells('notifications/tools/list_changed')
    tells('notifications/tools/list_changed')
    expect(cites(talk)).toEqual(['SUB-02 MUST'])
  })

  test('SUB-03: what was not asked for is not granted', () => {
    const { talk, tells } = listen(how)
    tells(ACKNOWLEDGED, { notifications: { toolsListChanged: true, promptsListChanged: true } })
    expect(cites(talk)).toEqual(['SUB-03 SHOULD'])
  })

  test('SUB-03: of a list, no more is granted than was asked for', () => {
    const granted = (notifications: JsonObject) => {
      const { talk, tells } = listen(how, { resourceSubscriptions: ['mem://a', 'mem://b'], taskIds: ['k'] })
      tells(ACKNOWLEDGED, { notifications })
      return cites(talk)
    }
    expect(granted({ resourceSubscriptions: ['mem://b'], toolsListChanged: false, taskIds: [] })).toEqual([])
    expect(granted({ resourceSubscriptions: ['mem://a', 'mem://c'] })).toEqual(['SUB-03 SHOULD'])
    expect(granted({ taskIds: ['k', 'l'] })).toEqual(['SUB-03 SHOULD'])
  })

  test('SUB-04: what was not asked for is not sent', () => {
    const { talk, tells } = listen(how, { toolsListChanged: true, resourceSubscriptions: [] })
    tells(ACKNOWLEDGED, { notifications: {} })
    tells('notifications/prompts/list_changed')
    tells('notifications/resources/updated', { uri: 'mem://a' })
    expect(cites(talk)).toEqual(['SUB-04 MUST', 'SUB-04 MUST'])
  })

  test('SUB-05: the id is that of the request, type included', () => {
    const { talk, id, tells } = listen(how)
    tells(ACKNOWLEDGED)
    tells('notifications/tools/list_changed', {}, `${id as number}`)
    tells('notifications/tools/list_changed', {}, 'another')
    expect(cites(talk)).toEqual(['SUB-05 MUST', 'SUB-05 MUST'])
  })

  test('META-17: every notification names its subscription', () => {
    const { talk, tells, bare } = listen(how)
    tells(ACKNOWLEDGED)
    bare('notifications/tools/list_changed')
    expect(cites(talk)).toEqual(['META-17 MUST'])
  })

  test('SUB-08: the result that ends it names it', () => {
    const { talk, tells, ends } = listen(how)
    tells(ACKNOWLEDGED)
    ends({})
    expect(cites(talk)).toEqual(['SUB-08 SHOULD'])
  })

  test('SUB-04: of tasks, only those that were asked for are told', () => {
    const { talk, tells } = listen(how, { taskIds: ['k'] })
    const task = {
      status: 'working',
      createdAt: '2026-01-01T00:00:00Z',
      lastUpdatedAt: '2026-01-01T00:00:00Z',
      ttlMs: null,
    }
    tells(ACKNOWLEDGED, { notifications: { taskIds: ['k'] } })
    tells('notifications/tasks', { taskId: 'k', ...task })
    expect(cites(talk).filter((each) => each.startsWith('SUB'))).toEqual([])
    tells('notifications/tasks', { taskId: 'other', ...task })
    expect(cites(talk).filter((each) => each.startsWith('SUB'))).toEqual(['SUB-04 MUST'])
  })

  test('SUB-10, SF-LOG-04: progress and log messages do not come on it', () => {
    const { talk, tells } = listen(how)
    tells(ACKNOWLEDGED)
    tells('notifications/progress', { progressToken: 'x', progress: 1 })
    tells('notifications/message', { level: 'info', data: 1 })
    expect(cites(talk).filter((cite) => /^SUB|LOG-04/.test(cite))).toEqual(['SUB-10 MUST', 'SF-LOG-04 MUST'])
  })
})

test('SUB-07: a subscription that the client ended stays silent, but for what was on its way', () => {
  const { talk, id, tells } = listen('stdio')
  tells(ACKNOWLEDGED, { notifications: { toolsListChanged: true } })
  talk.sent({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } })
  tells('notifications/tools/list_changed')
  expect(cites(talk)).toEqual([])
  talk.answer(talk.ask('prompts/list', talk.envelope()), modern({ prompts: [], ttlMs: 0, cacheScope: 'private' }))
  tells('notifications/tools/list_changed')
  expect(cites(talk)).toEqual(['SUB-07 MUST'])
})

test('SUB-08: a stream that the server closes without a result is told, one that broke or was left is not', () => {
  const ends = [
    ['ended', ['SUB-08 SHOULD']],
    ['broken', []],
    ['aborted', []],
  ] as const
  for (const [why, found] of ends) {
    const { talk, tells, post } = listen('http')
    tells(ACKNOWLEDGED)
    talk.add({ kind: 'stream', event: 'close', request: post!.seq, why })
    expect(cites(talk)).toEqual(found)
  }
})
