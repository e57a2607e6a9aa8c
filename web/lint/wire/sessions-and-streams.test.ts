/** How servers go wrong in the course of a session: ended sessions, lingering streams, broadcast messages, silent changes. */
import { describe, expect, test } from 'vitest'
import { type JsonObject, REVISIONS, type Revision, Trace } from '../../mcp/index.ts'
import { maskHeaders } from '../../secrets/index.ts'
import { cites, META, modern, rulesAndShapes, Talk } from '../talk.case.ts'

const SESSIONS = ['2025-03-26', '2025-06-18', '2025-11-25'] as const satisfies readonly Revision[]
const SESSION = [['mcp-session-id', '0a1b2c3d… (36 characters)']] as const
const CONTENT = { content: [{ type: 'text', text: 'x' }] }
const tool = (name: string): JsonObject => ({ name, inputSchema: { type: 'object' } })

/** Without what these stories leave out. */
const about = (talk: Talk, ...rules: string[]) => cites(talk).filter((each) => rules.includes(each.split(' ')[0]!))

/** Each frame comes a second after the one before. */
const slow = (revision: Revision): Talk => {
  let at = 0
  return new Talk('s1', new Trace({ now: () => (at += 1_000) })).shakeHands(revision)
}

describe.each(SESSIONS)('over HTTP in %s', (revision) => {
  test.each([
    [400, 'Session expired', true],
    [401, 'No valid session', true],
    [410, 'The session was terminated', true],
    [400, '{"error":"session_expired"}', true],
    [404, 'Session not found', false],
    [400, 'Invalid JSON', false],
    [401, 'The token has expired', false],
  ])('TR-HTTP-26: %s with "%s"', (status, message, isWrong) => {
    for (const inBody of [false, true]) {
      const talk = new Talk().shakeHands(revision)
      const post = talk.post(talk.request('tools/list'), SESSION)
      post.head(status, inBody ? 'text/plain' : 'application/json')
      if (inBody) post.end(message.length, message)
      else post.says({ jsonrpc: '2.0', id: post.id, error: { code: -32000, message } })
      expect(about(talk, 'TR-HTTP-26')).toEqual(isWrong ? ['TR-HTTP-26 MUST'] : [])
    }
  })

  test('TR-HTTP-08: a stream that its client has to end, or that only comments keep open', () => {
    for (const [way, found] of [
      ['comment', 1],
      ['aborted', 1],
      ['ended', 0],
    ] as const) {
      const talk = slow(revision)
      const post = talk.post(talk.request('tools/call', { name: 't', arguments: {} }))
      post.head(200, 'text/event-stream')
      post.says({ jsonrpc: '2.0', id: post.id, result: CONTENT }, { eventId: 'a' })
      for (let rest = way === 'ended' ? 0 : 6; rest > 0; rest--) talk.tells('notifications/message', { level: 'info', data: 'x' })
      if (way === 'comment') talk.add({ kind: 'stream', event: 'comment', request: post.seq, text: 'alive' })
      if (way === 'ended') post.end(9)
      if (way === 'aborted') {
        talk.add({ kind: 'http', phase: 'failed', request: post.seq, stage: 'body', error: 'x', aborted: 'The client ended it' })
      }
      expect(about(talk, 'TR-HTTP-08')).toHaveLength(found)
    }
  }) // prettier-ignore

  test('TR-HTTP-18: one notification on two streams, but not two of the same kind', () => {
    const story = (second: string) => {
      const talk = new Talk().shakeHands(revision)
      const get = talk.http('GET', 'listen')
      talk.head(get, 200, 'text/event-stream')
      const post = talk.post(talk.request('tools/call', { name: 't', arguments: {} }))
      post.head(200, 'text/event-stream')
      const log = (data: string): JsonObject => ({
        jsonrpc: '2.0',
        method: 'notifications/message',
        params: { level: 'info', data },
      })
      talk.received(log('page 3 of 9'), { carrier: get })
      post.says(log(second))
      return about(talk, 'TR-HTTP-18')
    }
    expect(story('page 3 of 9')).toEqual(['TR-HTTP-18 MUST'])
    expect(story('page 4 of 9')).toEqual([])
  })

  test('TR-HTTP-18: one notification on two GET streams, unless the first was over', () => {
    const story = (over: boolean) => {
      const talk = new Talk().shakeHands(revision)
      for (const get of [talk.http('GET', 'listen'), talk.http('GET', 'listen')]) {
        talk.head(get, 200, 'text/event-stream')
        talk.received({ jsonrpc: '2.0', method: 'notifications/prompts/list_changed' }, { carrier: get })
        if (over) talk.add({ kind: 'http', phase: 'end', request: get, size: 9 })
      }
      return about(talk, 'TR-HTTP-18')
    }
    expect(story(false)).toEqual(['TR-HTTP-18 MUST'])
    expect(story(true)).toEqual([])
  })

  test('TR-HTTP-24: a stream that ends without the response, and without an event to resume from', () => {
    const story = (eventId?: string) => {
      const talk = new Talk().shakeHands(revision)
      const post = talk.post(talk.request('tools/call', { name: 't', arguments: {} }))
      post.head(200, 'text/event-stream')
      const note = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } }
      post.says(note, eventId === undefined ? {} : { eventId })
      post.end(9)
      return about(talk, 'TR-HTTP-24')
    }
    expect(story()).toEqual(['TR-HTTP-24 SHOULD'])
    expect(story('a')).toEqual([])
  })

  test('UT-CANC-04: a cancellation that comes too late is ignored, not refused', () => {
    for (const [status, found] of [
      [202, []],
      [404, []],
      [400, ['UT-CANC-04 SHOULD']],
    ] as const) {
      const talk = new Talk().shakeHands(revision)
      talk.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }, SESSION).head(status, '')
      expect(about(talk, 'UT-CANC-04')).toEqual(found)
    }
  }) // prettier-ignore

  test('BP-14: another encoding of messages than UTF-8', () => {
    for (const [charset, found] of [
      ['utf-8', []],
      ['"UTF-8"', []],
      ['iso-8859-1', ['BP-14 MUST']],
    ] as const) {
      const talk = new Talk().shakeHands(revision)
      talk.post(talk.request('tools/list')).head(200, `application/json; charset=${charset}`)
      expect(about(talk, 'BP-14')).toEqual(found)
    }
  })
})

test.each([
  ['1', true],
  ['sess-42', true],
  ['1764201600000', true],
  ['3f8a9c1d5e7b', false],
  ['0a1b2c3d… (36 characters)', false],
])('SEC-13: the session id %s can be guessed: %s', (id, isGuessable) => {
  const talk = new Talk().shakeHands('2025-11-25')
  talk.post(talk.request('tools/list')).head(200, 'application/json', [['mcp-session-id', id]])
  expect(about(talk, 'SEC-13')).toEqual(isGuessable ? ['SEC-13 SHOULD'] : [])
})

test('TR-HTTP-29: a long session id keeps the character that it may not have, wherever that is', () => {
  expect(maskHeaders([['Mcp-Session-Id', 'sitzungen-für-alle']])).toEqual([['Mcp-Session-Id', 'sitzungeü… (18 characters)']])
}) // prettier-ignore

describe('2026-07-28', () => {
  test('TR-HTTP-31: the response to server/discover begins no session', () => {
    const talk = new Talk()
    const post = talk.post({ jsonrpc: '2.0', id: 1, method: 'server/discover', params: talk.envelope() })
    post.head(200, 'application/json', SESSION)
    const hints = { ttlMs: 0, cacheScope: 'private' }
    post.says({ jsonrpc: '2.0', id: 1, result: modern({ supportedVersions: ['2026-07-28'], capabilities: {}, ...hints }) })
    expect(about(talk, 'TR-HTTP-31')).toEqual(['TR-HTTP-31 MUST'])
  }) // prettier-ignore

  test('TR-HDR-08: an encoded name that says what the body says is not a mismatch', () => {
    const story = (name: string) => {
      const talk = new Talk().discover()
      const encoded = `=?base64?${Buffer.from('résumé').toString('base64')}?=`
      const post = talk.post(talk.request('prompts/get', talk.envelope({ name })), [['mcp-name', encoded]])
      post.head(400)
      post.says({ jsonrpc: '2.0', id: post.id, error: { code: -32020, message: 'Mcp-Name differs' } })
      return about(talk, 'TR-HDR-08')
    }
    expect(story('résumé')).toEqual(['TR-HDR-08 MUST'])
    expect(story('other')).toEqual([])
  })

  test('BP-33, TR-HDR-03: a version that nobody knows is refused in the same form', () => {
    const talk = new Talk()
    const _meta = { [`${META}protocolVersion`]: '2027-02-15', [`${META}clientCapabilities`]: {} }
    const post = talk.post({ jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta } })
    post.head(200)
    post.says({ jsonrpc: '2.0', id: 1, error: { code: -32022, message: 'no' } })
    expect(new Set(about(talk, 'BP-33', 'TR-HDR-03'))).toEqual(new Set(['BP-33 MUST', 'TR-HDR-03 MUST']))
  })

  test('VN-04, VN-29: what a stateless server refused before it was known to be one', () => {
    const talk = new Talk()
    talk.refuse(talk.ask('server/discover', talk.envelope()), -32601)
    talk.refuse(talk.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {} }), -32601)
    talk.open('2026-07-28')
    const list = { tools: [], ttlMs: 0, cacheScope: 'private' }
    expect(about(talk, 'VN-04', 'VN-29')).toEqual([])
    for (let round = 0; round < 2; round++) talk.answer(talk.ask('tools/list', talk.envelope()), modern(list))
    expect(about(talk, 'VN-04', 'VN-29')).toEqual(['VN-04 MUST', 'VN-29 SHOULD'])
  })

  test('TEXT-08: a task uses each input key for one request only', () => {
    const story = (second: string) => {
      const talk = new Talk().discover()
      const times = { createdAt: '2026-01-01T00:00:00Z', lastUpdatedAt: '2026-01-01T00:00:00Z', ttlMs: null }
      for (const message of ['Which?', second]) {
        const params = { mode: 'form', message, requestedSchema: { type: 'object', properties: {} } }
        const inputRequests = { q: { method: 'elicitation/create', params } }
        const task = { taskId: 'k', status: 'input_required', ...times, inputRequests }
        talk.answer(talk.ask('tasks/get', talk.envelope({ taskId: 'k' })), modern(task))
      }
      return about(talk, 'TEXT-08')
    }
    expect(story('Which?')).toEqual([])
    expect(story('Sure?')).toEqual(['TEXT-08 SHOULD'])
  })
})

describe('lists that change', () => {
  const lists = ['tools', 'prompts', 'resources'] as const
  const ROWS = { tools: 'SF-TOOL-21', prompts: 'SF-PROMPT-07', resources: 'SF-RES-13' }
  const read = (talk: Talk, member: string, names: readonly string[]) =>
    talk.answer(talk.ask(`${member}/list`), { [member]: names.map((name) => ({ ...tool(name), uri: `a:${name}` })) })

  test.each(lists)('SF-TOOL-21, SF-PROMPT-07, SF-RES-13: %s, without the notification that was declared', (member) => {
    const story = (listChanged: boolean, between: (talk: Talk) => void = () => {}) => {
      const talk = new Talk().shakeHands('2025-06-18', { [member]: { listChanged } })
      read(talk, member, ['a'])
      between(talk)
      read(talk, member, ['a', 'b'])
      return about(talk, ROWS[member])
    }
    expect(story(true)).toEqual([`${ROWS[member]} SHOULD`])
    expect(story(false)).toEqual([])
    expect(story(true, (talk) => void talk.tells(`notifications/${member}/list_changed`))).toEqual([])
  })

  test('SF-TOOL-21: over HTTP, a server needs a stream for its notification', () => {
    const story = (listens: boolean) => {
      const talk = new Talk().shakeHands('2025-06-18')
      if (listens) {
        const get = talk.http('GET', 'listen')
        talk.head(get, 200, 'text/event-stream')
        talk.add({ kind: 'stream', event: 'open', request: get })
      }
      for (const names of [['a'], ['b']]) {
        const post = talk.post(talk.request('tools/list'))
        post.head(200)
        post.says({ jsonrpc: '2.0', id: post.id, result: { tools: names.map(tool) } })
      }
      return about(talk, 'SF-TOOL-21')
    }
    expect(story(true)).toEqual(['SF-TOOL-21 SHOULD'])
    expect(story(false)).toEqual([])
  })
})

describe.each(REVISIONS.filter((revision) => revision !== '2026-07-28'))('in %s', (revision) => {
  test('UT-PING-01: a ping has nothing to report', () => {
    const talk = new Talk().shakeHands(revision)
    talk.answer(talk.ask('ping'), { _meta: {} })
    expect(cites(talk)).toEqual([])
    talk.answer(talk.ask('ping'), { pong: true })
    expect(cites(talk)).toEqual(['UT-PING-01 MUST'])
  })

  test('SF-RES-07: an update of a resource that has nothing in common with the subscribed ones', () => {
    const talk = new Talk().shakeHands(revision)
    talk.answer(talk.ask('resources/subscribe', { uri: 'file:///a/b' }), {})
    for (const uri of ['file:///a/b', 'file:///a/b/c', 'file:///a/']) talk.tells('notifications/resources/updated', { uri })
    expect(cites(talk)).toEqual([])
    talk.tells('notifications/resources/updated', { uri: 'file:///x' })
    expect(cites(talk)).toEqual(['SF-RES-07 MUST'])
  }) // prettier-ignore

  test('SF-TOOL-11: an image without its type', () => {
    const talk = new Talk().shakeHands(revision)
    talk.answer(talk.ask('tools/call', { name: 't', arguments: {} }), { content: [{ type: 'image', data: 'AAAA' }] })
    expect(cites(talk, rulesAndShapes)).toContain('SF-TOOL-11 MUST')
  })
})

test('UT-CANC-06: a task is not cancelled by a notification', () => {
  const story = (more: JsonObject) => {
    const client = { sampling: {}, tasks: { requests: { sampling: { createMessage: {} } } } }
    const talk = new Talk().shakeHands('2025-11-25', {}, client)
    const params = { messages: [], maxTokens: 1, ...more }
    talk.received({ jsonrpc: '2.0', id: 's1', method: 'sampling/createMessage', params })
    talk.tells('notifications/cancelled', { requestId: 's1' })
    return cites(talk)
  }
  expect(story({ task: {} })).toEqual(['UT-CANC-06 MUST'])
  expect(story({})).toEqual([])
})

test('APPS-06: a tool is visible to the model, to the app, or to both', () => {
  const story = (visibility: JsonObject[string]) => {
    const extensions = { 'io.modelcontextprotocol/ui': {} }
    const talk = new Talk().shakeHands('2025-11-25', { tools: {}, extensions })
    talk.answer(talk.ask('tools/list'), { tools: [{ ...tool('t'), _meta: { ui: { visibility } } }] })
    return about(talk, 'APPS-06')
  }
  expect(story(['model', 'app'])).toEqual([])
  expect(story(['host'])).toEqual(['APPS-06 MUST'])
  expect(story('app')).toEqual(['APPS-06 MUST'])
})

test.each([
  ['example.com/x', true],
  ['acme-search.io/x', true],
  ['com.example/x', false],
  ['de.firma.dev/x', false],
  ['example/x', false],
  ['internal.tools/x', false],
])('META-07: the prefix of %s is in the wrong order: %s', (key, isWrong) => {
  const talk = new Talk().shakeHands('2025-11-25')
  talk.answer(talk.ask('tools/call', { name: 't', arguments: {} }), { ...CONTENT, _meta: { [key]: 1 } })
  expect(about(talk, 'META-07')).toEqual(isWrong ? ['META-07 SHOULD'] : [])
})
