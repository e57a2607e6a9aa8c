/** Valid requests that a server refuses, and its other contradictions of what it said itself. */
import { describe, expect, test } from 'vitest'
import { type JsonObject, REVISIONS, type Revision } from '../../mcp/index.ts'
import { cites, META, modern, Talk } from '../talk.case.ts'

const HANDSHAKES = REVISIONS.filter((revision) => revision !== '2026-07-28')
const MODERN = '2026-07-28' satisfies Revision
const hints = { ttlMs: 0, cacheScope: 'private' }

/** Without what these stories leave out. */
const about = (talk: Talk, ...rules: string[]) => cites(talk).filter((each) => rules.includes(each.split(' ')[0]!))

describe.each(HANDSHAKES)('in %s', (revision) => {
  test('SF-TOOL-08: a call without arguments, of a tool that requires none', () => {
    const story = (inputSchema: JsonObject, params: JsonObject, message: string) => {
      const talk = new Talk().shakeHands(revision)
      talk.answer(talk.ask('tools/list'), { tools: [{ name: 't', inputSchema }] })
      talk.refuse(talk.ask('tools/call', { name: 't', ...params }), -32602, message)
      return about(talk, 'SF-TOOL-08')
    }
    const plain = { type: 'object', properties: { a: { type: 'string' } } }
    const message = 'Invalid params: arguments is required'
    expect(story(plain, {}, message)).toEqual(['SF-TOOL-08 MUST'])
    expect(story({ ...plain, required: ['a'] }, {}, message)).toEqual([])
    expect(story({ ...plain, minProperties: 1 }, {}, message)).toEqual([])
    expect(story(plain, { arguments: {} }, message)).toEqual([])
    expect(story(plain, {}, 'The disk is full')).toEqual([])
  })

  test('SF-COMP-02: a reference of either type', () => {
    const story = (message: string) => {
      const talk = new Talk().shakeHands(revision)
      const ref = { type: 'ref/resource', uri: 'a:{b}' }
      talk.refuse(talk.ask('completion/complete', { ref, argument: { name: 'b', value: '' } }), -32602, message)
      return about(talk, 'SF-COMP-02')
    }
    expect(story('Unknown reference type: ref/resource')).toEqual(['SF-COMP-02 MUST'])
    expect(story('Unknown resource template')).toEqual([])
  })

  test('UT-PROG-01: two pending requests of the server with one progress token', () => {
    const story = (answered: boolean) => {
      const talk = new Talk().shakeHands(revision, {}, { sampling: {} })
      for (const id of ['s1', 's2']) {
        const params = { messages: [], maxTokens: 1, _meta: { progressToken: 7 } }
        talk.received({ jsonrpc: '2.0', id, method: 'sampling/createMessage', params })
        if (answered) talk.sent({ jsonrpc: '2.0', id, error: { code: -1, message: 'no' } })
      }
      return about(talk, 'UT-PROG-01')
    }
    expect(story(false)).toEqual(['UT-PROG-01 MUST'])
    expect(story(true)).toEqual([])
  })
})

test.each(['2025-06-18', '2025-11-25'] as const)(
  'TR-HDR-03: in %s, the negotiated version is not refused',
  (revision) => {
    const story = (version: string, message: string) => {
      const talk = new Talk().shakeHands(revision)
      const post = talk.post(talk.request('tools/list'), [['mcp-protocol-version', version]])
      post.head(400)
      post.says({ jsonrpc: '2.0', id: post.id, error: { code: -32600, message } })
      return about(talk, 'TR-HDR-03')
    }
    expect(story(revision, 'Unsupported protocol version')).toEqual(['TR-HDR-03 MUST'])
    expect(story(revision, 'Invalid JSON')).toEqual([])
    expect(story('1999-01-01', 'Unsupported protocol version')).toEqual([])
  },
)

describe('tasks of 2025-11-25', () => {
  const server = { tools: {}, tasks: { requests: { tools: { call: {} } } } }
  const begun = (taskSupport: string) => {
    const talk = new Talk().shakeHands('2025-11-25', server)
    const tool = { name: 't', inputSchema: { type: 'object' }, execution: { taskSupport } }
    talk.answer(talk.ask('tools/list'), { tools: [tool] })
    return { talk, id: talk.ask('tools/call', { name: 't', arguments: {}, task: {} }) }
  }

  test('TASK-03: a tool that supports tasks does not refuse one', () => {
    for (const [support, found] of [
      ['optional', ['TASK-03 MUST']],
      ['required', ['TASK-03 MUST']],
      ['forbidden', []],
    ] as const) {
      const { talk, id } = begun(support)
      talk.refuse(id, -32601, 'Tasks are not supported')
      expect(about(talk, 'TASK-03')).toEqual(found)
    }
  })

  test('TASK-04: a task whose members are in the result itself', () => {
    const { talk, id } = begun('optional')
    talk.answer(id, { taskId: 'k', status: 'working', ttl: null })
    expect(about(talk, 'TASK-04')).toEqual(['TASK-04 MUST'])
  })
})

describe('2026-07-28', () => {
  const list = (talk: Talk, params: JsonObject = {}) => talk.ask('tools/list', talk.envelope(params))

  test('SF-PAGE-03: the empty cursor is one', () => {
    const story = (nextCursor: string) => {
      const talk = new Talk().discover()
      talk.answer(list(talk), modern({ tools: [], ...hints, nextCursor }))
      talk.refuse(list(talk, { cursor: '' }), -32602, 'Invalid cursor')
      return about(talk, 'SF-PAGE-03')
    }
    expect(story('')).toEqual(['SF-PAGE-03 MUST'])
    expect(story('x')).toEqual([])
  })

  test('VN-01: no request needs a handshake before it, which an older server may demand', () => {
    const story = (then: (talk: Talk) => void) => {
      const talk = new Talk()
      talk.refuse(list(talk), -32000, 'Call server/discover first')
      expect(about(talk, 'VN-01')).toEqual([])
      then(talk)
      return about(talk, 'VN-01')
    }
    const stateless = (talk: Talk) => {
      talk.discover()
      talk.answer(list(talk), modern({ tools: [], ...hints }))
    }
    expect(story(stateless)).toEqual(['VN-01 MUST'])
    expect(story((talk) => void talk.shakeHands('2025-11-25'))).toEqual([])
  })

  test('TR-HDR-03: an unknown version is refused with its own code', () => {
    const story = (code: number) => {
      const talk = new Talk()
      const _meta = { [`${META}protocolVersion`]: '2027-03-01', [`${META}clientCapabilities`]: {} }
      const discover = { jsonrpc: '2.0', id: 'x', method: 'server/discover', params: { _meta } }
      const post = talk.post(discover, [['mcp-protocol-version', '2027-03-01']])
      post.head(400)
      const data = { supported: [MODERN], requested: '2027-03-01' }
      post.says({ jsonrpc: '2.0', id: 'x', error: { code, message: 'Unsupported protocol version', data } })
      talk.discover()
      talk.answer(list(talk), modern({ tools: [], ...hints }))
      return about(talk, 'TR-HDR-03')
    }
    expect(story(-32602)).toEqual(['TR-HDR-03 MUST'])
    expect(story(-32022)).toEqual([])
  })

  test('TR-HDR-07: a list has no name to put into a header', () => {
    const story = (method: string, params: JsonObject) => {
      const talk = new Talk().discover()
      const post = talk.post(talk.request(method, talk.envelope(params)))
      post.head(400)
      post.says({ jsonrpc: '2.0', id: post.id, error: { code: -32020, message: 'Mcp-Name is required' } })
      return about(talk, 'TR-HDR-07')
    }
    expect(story('tools/list', {})).toEqual(['TR-HDR-07 MUST'])
    expect(story('tools/call', { name: 't' })).toEqual([])
  })

  test('TR-STDIO-15: without headers, none can differ', () => {
    const talk = new Talk().discover()
    talk.refuse(list(talk), -32020, 'Mcp-Method is missing')
    expect(about(talk, 'TR-STDIO-15')).toEqual(['TR-STDIO-15 MUST'])
  })
})

test.each([
  ['https://mcp.example.com/mcp', 'https://cdn.tracker.net/i.png', true],
  ['https://mcp.example.com/mcp', 'https://static.example.com/i.png', false],
  ['https://mcp.example.com/mcp', 'data:image/png;base64,AAAA', false],
  ['http://127.0.0.1:3000/mcp', 'https://example.com/i.png', false],
  ['http://localhost:3000/mcp', 'https://example.com/i.png', false],
])('ICON-05: %s with an icon at %s comes from another site: %s', (url, src, isForeign) => {
  const talk = new Talk().shakeHands('2025-11-25')
  const request = talk.http('POST', 'message', { url })
  talk.sent(talk.request('tools/list'), { carrier: request })
  talk.head(request)
  const tools = [{ name: 't', inputSchema: { type: 'object' }, icons: [{ src }] }]
  talk.received({ jsonrpc: '2.0', id: 2, result: { tools } }, { carrier: request })
  expect(about(talk, 'ICON-05')).toEqual(isForeign ? ['ICON-05 SHOULD'] : [])
})
