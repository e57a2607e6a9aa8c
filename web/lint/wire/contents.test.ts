import { describe, expect, test } from 'vitest'
import type { Json, JsonObject, Revision } from '../../mcp/index.ts'
import { cites, judged, listed, META, modern, rulesAndShapes, Talk } from '../talk.case.ts'

describe('keys of _meta', () => {
  const keyed = (revision: Revision, key: string, value: Json = 1) => {
    const talk = revision === '2026-07-28' ? new Talk().discover() : new Talk().shakeHands(revision)
    const id = talk.ask('prompts/get', revision === '2026-07-28' ? talk.envelope({ name: 'p' }) : { name: 'p' })
    const result = { messages: [], _meta: { [key]: value } }
    talk.answer(id, revision === '2026-07-28' ? modern(result, { [key]: value }) : result)
    return cites(talk)
  }

  test.each(['2024-11-05', '2025-03-26'] as const)('META-02, META-05: %s has no rules on keys', (revision) => {
    for (const key of ['1/x', '-', 'mcp.example/x']) expect(keyed(revision, key)).toEqual([])
  })

  test.each(['2025-06-18', '2025-11-25', '2026-07-28'] as const)('META-02, META-05: the grammar of %s', (revision) => {
    for (const key of ['a', 'a.b-c_d9', 'com.example/x', 'com.ex-ample/', 'x1/y', 'ui/resourceUri']) {
      expect(keyed(revision, key), key).toEqual([])
    }
    for (const key of ['/x', '1a/x', 'a..b/x', 'a-/x', 'com.example/x/y'.replace('com', '-com')]) {
      expect(keyed(revision, key), key).toContain('META-02 MUST')
    }
    for (const key of ['_fastmcp', 'a_', '-a', 'com.example/.x', 'grün']) {
      expect(keyed(revision, key), key).toEqual(['META-05 MUST'])
    }
  })

  test('META-03, META-04: which prefixes are reserved changed with 2025-11-25', () => {
    const rule = (revision: Revision) => (revision === '2025-06-18' ? 'META-03 MUST' : 'META-04 MUST')
    for (const revision of ['2025-06-18', '2025-11-25', '2026-07-28'] as const) {
      expect(keyed(revision, 'com.mcp.tools/x')).toEqual([rule(revision)])
      const own = keyed(revision, 'io.modelcontextprotocol/mine')
      expect(own).toEqual(revision === '2025-06-18' ? [] : ['META-04 MUST'])
      expect(keyed(revision, 'com.example.mcp/x')).toEqual([])
      expect(keyed(revision, `${META}related-task`, { taskId: 'x' })).toEqual([])
      // 2025-06-18 reserved `mcp` as any label except the last.
      expect(keyed(revision, 'mcp.example/x')).toEqual(revision === '2025-06-18' ? ['META-03 MUST'] : [])
    }
  })

  test('META-15: trace context is written as the W3C has it', () => {
    const parent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const good: [string, Json][] = [
      ['traceparent', parent],
      ['tracestate', 'a=1,b@c=2'],
      ['baggage', 'a=1;p, b=%20'],
    ]
    for (const [key, value] of good) expect(keyed('2026-07-28', key, value)).toEqual([])
    const bad: [string, Json][] = [
      ['traceparent', 7], ['traceparent', parent.toUpperCase()], ['traceparent', `ff${parent.slice(2)}`],
      ['traceparent', parent.replace(/-b.*-/, '-0000000000000000-')], ['tracestate', 'A=1'], ['baggage', 'a b'],
    ] // prettier-ignore
    for (const [key, value] of bad)
      expect(keyed('2026-07-28', key, value), JSON.stringify(value)).toEqual(['META-15 MUST'])
    expect(keyed('2025-11-25', 'traceparent', 7)).toEqual([])
  })

  test('META-05: the keys of each item of a list are looked at, and the pointer names them', () => {
    const talk = new Talk().shakeHands('2025-06-18')
    const tools: Json = [
      { name: 'a', inputSchema: {} },
      { name: 'b', inputSchema: {}, _meta: { 'x/-y': 1 } },
    ]
    talk.answer(talk.ask('tools/list'), { tools })
    expect(listed(judged(talk))).toMatchObject([{ rule: 'META-05', pointer: '/result/tools/1/_meta/x~1-y' }])
  })
})

describe('tasks of 2025-11-25', () => {
  const begin = (status: string) => {
    const talk = new Talk().shakeHands('2025-11-25')
    talk.answer(talk.ask('tools/call', { name: 't', task: {} }), { task: { taskId: 'x', status } })
    const get = (next: string, lastUpdatedAt?: string) =>
      talk.answer(talk.ask('tasks/get', { taskId: 'x' }), {
        taskId: 'x',
        status: next,
        ...(lastUpdatedAt === undefined ? {} : { lastUpdatedAt }),
      })
    return { talk, get }
  }

  test('TASK-09: a task begins as working, moves freely, and stays as it ended', () => {
    const { talk, get } = begin('working')
    for (const status of ['input_required', 'working', 'input_required', 'completed', 'completed']) get(status)
    expect(cites(talk)).toEqual([])
    get('working')
    talk.tells('notifications/tasks/status', { taskId: 'x', status: 'failed' })
    expect(cites(talk)).toEqual(['TASK-09 MUST', 'TASK-09 MUST'])
    expect(cites(begin('completed').talk)).toEqual(['TASK-09 MUST'])
  })

  test('TASK-09: what is older than what is known came late, and proves nothing', () => {
    const { talk, get } = begin('working')
    const early = talk.ask('tasks/get', { taskId: 'x' })
    get('completed', '2025-11-25T00:00:05Z')
    talk.answer(early, { taskId: 'x', status: 'working', lastUpdatedAt: '2025-11-25T00:00:04Z' })
    talk.tells('notifications/tasks/status', { taskId: 'x', status: 'working', lastUpdatedAt: '2025-11-25T00:00:04Z' })
    expect(cites(talk)).toEqual([])
    get('working', '2025-11-25T00:00:04Z')
    expect(cites(talk)).toEqual(['TASK-09 MUST'])
    get('working', '2025-11-25T00:00:06Z')
    expect(cites(talk)).toEqual(['TASK-09 MUST', 'TASK-09 MUST'])
  })

  test('TASK-07: what the server asks on the stream of a task’s result names the task', () => {
    const asks = (method: string, meta: JsonObject) => {
      const talk = new Talk().shakeHands('2025-11-25', undefined, { elicitation: {}, sampling: {} })
      const post = talk.post(talk.request('tasks/result', { taskId: 'x' }))
      post.head(200, 'text/event-stream')
      const requestedSchema = { type: 'object', properties: {} }
      const params: JsonObject =
        method === 'ping' ? { _meta: meta } : { message: 'Go on?', requestedSchema, _meta: meta }
      post.says({ jsonrpc: '2.0', id: 's', method, params })
      return cites(talk).filter((each) => each.startsWith('TASK-07'))
    }
    expect(asks('elicitation/create', {})).toEqual(['TASK-07 MUST'])
    expect(asks('elicitation/create', { [`${META}related-task`]: { taskId: 'x' } })).toEqual([])
    expect(asks('ping', {})).toEqual([])
  })

  test('EXT-01: a call becomes a task only where the server declared the extension', () => {
    const story = (server: JsonObject) => {
      const talk = new Talk().discover({ tools: {}, ...server })
      const tasks = { extensions: { 'io.modelcontextprotocol/tasks': {} } }
      const task = {
        resultType: 'task',
        taskId: 'x',
        status: 'working',
        createdAt: '2026-01-01T00:00:00Z',
        lastUpdatedAt: '2026-01-01T00:00:00Z',
        ttlMs: null,
      }
      talk.answer(talk.ask('tools/call', talk.envelope({ name: 't' }, tasks)), task)
      return cites(talk).filter((each) => each.startsWith('EXT'))
    }
    expect(story({})).toEqual(['EXT-01 MUST'])
    expect(story({ extensions: { 'io.modelcontextprotocol/tasks': {} } })).toEqual([])
  })

  test('TASK-07: the result of a task names it', () => {
    const talk = new Talk().shakeHands('2025-11-25')
    const result = (meta: JsonObject) =>
      talk.answer(talk.ask('tasks/result', { taskId: 'x' }), { content: [], _meta: meta })
    result({ [`${META}related-task`]: { taskId: 'x' } })
    expect(cites(talk)).toEqual([])
    result({})
    result({ [`${META}related-task`]: { taskId: 'y' } })
    expect(cites(talk)).toEqual(['TASK-07 MUST', 'TASK-07 MUST'])
  })
})

describe('what a task is judged by', () => {
  const RELATED = { [`${META}related-task`]: { taskId: 'x' } }
  const called = (params: JsonObject = { task: {} }) => {
    const talk = new Talk().shakeHands('2025-11-25')
    const task = { taskId: 'x', status: 'working', ttl: null, createdAt: 'a', lastUpdatedAt: 'a' }
    talk.answer(talk.ask('tools/call', { name: 't', arguments: {}, ...params }), { task })
    return talk
  }
  const rules = (talk: Talk) => cites(talk, rulesAndShapes).filter((each) => !each.endsWith('MAY'))

  test('TASK-08: a cancelled task owes no content', () => {
    const talk = called()
    const task = { taskId: 'x', status: 'cancelled', ttl: null, createdAt: 'a', lastUpdatedAt: 'b' }
    talk.answer(talk.ask('tasks/cancel', { taskId: 'x' }), task)
    talk.answer(talk.ask('tasks/result', { taskId: 'x' }), { _meta: RELATED })
    expect(rules(talk)).toEqual([])
    const done = called()
    done.answer(done.ask('tasks/result', { taskId: 'x' }), { _meta: RELATED })
    expect(rules(done)).toEqual(['SF-TOOL-09 MUST'])
  })

  test('TASK-04: a task that was not requested is that, and no result without its content', () => {
    expect(rules(called({}))).toEqual(['TASK-04 MUST'])
  })

  test('TASK-11: a task that was to be cancelled and is not', () => {
    const talk = called()
    const task = { taskId: 'x', status: 'working', ttl: null, createdAt: 'a', lastUpdatedAt: 'b' }
    talk.answer(talk.ask('tasks/cancel', { taskId: 'x' }), task)
    expect(rules(talk)).toEqual(['TASK-11 MUST'])
  })
})

describe('tasks of the extension', () => {
  const CLIENT = { extensions: { [`${META}tasks`]: {} } }
  const got = (task: JsonObject, method = 'tasks/get') => {
    const talk = new Talk().discover(CLIENT, CLIENT)
    talk.answer(talk.ask(method, talk.envelope({ taskId: 'x' }, CLIENT)), modern({ taskId: 'x', ...task }))
    return cites(talk)
  }

  test('TEXT-10: completed has a result, failed an error, and nothing else has one', () => {
    expect(got({ status: 'working' })).toEqual([])
    expect(got({ status: 'completed', result: {} })).toEqual([])
    expect(got({ status: 'failed', error: { code: 1, message: 'x' } })).toEqual([])
    expect(got({ status: 'completed' })).toEqual(['TEXT-10 MUST'])
    expect(got({ status: 'failed', result: {} })).toEqual(['TEXT-10 MUST'])
    expect(got({ status: 'working', error: {} })).toEqual(['TEXT-10 MUST'])
  })

  test('TEXT-12: the methods of tasks answer complete', () => {
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      expect(got({ resultType: 'task', status: 'working' }, method)).toEqual(['TEXT-12 MUST'])
    }
  })
})

describe('tools', () => {
  const list = (talk: Talk, tools: Json, more: JsonObject = {}, params: JsonObject = {}) =>
    talk.answer(talk.ask('tools/list', params), { tools, ...more })
  const tool = (name: string, more: JsonObject = {}): JsonObject => ({ name, inputSchema: { type: 'object' }, ...more })

  test('SF-TOOL-02: the list is a list', () => {
    for (const tools of [null, {}, 'tools', 7]) {
      const talk = new Talk().shakeHands('2025-03-26')
      list(talk, tools)
      expect(cites(talk)).toEqual(['SF-TOOL-02 MUST'])
    }
  })

  test('SF-TOOL-04: names are unique through all pages, and of few characters, from 2025-11-25', () => {
    for (const [revision, found] of [
      ['2025-06-18', []],
      ['2025-11-25', ['SF-TOOL-04 SHOULD', 'SF-TOOL-04 SHOULD']],
    ] as const) {
      const talk = new Talk().shakeHands(revision)
      list(talk, [tool('a'), tool('A')], { nextCursor: '2' })
      list(talk, [tool('a'), tool('grün')], {}, { cursor: '2' })
      // A list read again doesn't count as a duplicate.
      talk.tells('notifications/tools/list_changed')
      list(talk, [tool('a'), tool('A')])
      expect(cites(talk)).toEqual(found)
    }
  })

  test.each(['2025-11-25', '2026-07-28'] as const)(
    'ICON-02: an icon at an address that no client may follow is told with its place, in %s',
    (revision) => {
      const isModern = revision === '2026-07-28'
      const talk = isModern ? new Talk().discover() : new Talk().shakeHands(revision)
      const offer = (method: string, member: string, ...sources: Json[]) => {
        const result = { [member]: [{ ...tool('a'), icons: sources.map((src) => ({ src })) }] }
        const id = talk.ask(method, isModern ? talk.envelope() : {})
        talk.answer(id, isModern ? modern({ ...result, ttlMs: 0, cacheScope: 'private' }) : result)
      }
      const icon = 'data:image/png;base64,AA=='
      offer('tools/list', 'tools', 'https://example.com/a.png', 'HTTPS://example.com/', icon, 'http://example.com/', 7)
      expect(cites(talk)).toEqual([])
      const unsafe = ['javascript:alert(1)', 'file:///etc/passwd', 'ftp://a/', 'ws://a/', 'vscode:x', '//a/b.png', '']
      for (const src of unsafe) offer('tools/list', 'tools', icon, src)
      for (const [method, member] of [
        ['prompts/list', 'prompts'],
        ['resources/list', 'resources'],
        ['resources/templates/list', 'resourceTemplates'],
      ] as const)
        offer(method, member, 'file:///x')
      const told = listed(judged(talk)).filter(({ rule }) => rule === 'ICON-02')
      expect(told).toHaveLength(unsafe.length + 3)
      expect(told[0]).toMatchObject({ keyword: 'MUST', pointer: '/result/tools/0/icons/1/src' })
      expect(told.at(-1)).toMatchObject({ pointer: '/result/resourceTemplates/0/icons/0/src' })
    },
  )

  test('ICON-06, LC-11: what may be absent must have its form where it is there', () => {
    const introduced = (more: JsonObject) => {
      const talk = new Talk()
      const id = talk.ask('initialize', {
        ...{ protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
      })
      const serverInfo = { name: 'x', version: '1' }
      talk.answer(id, { protocolVersion: '2025-11-25', capabilities: {}, serverInfo, ...more })
      return listed(judged(talk, rulesAndShapes)).map(({ rule, keyword }) => `${rule} ${keyword}`)
    }
    expect(introduced({})).toEqual([])
    expect(introduced({ instructions: ['Be nice'] })).toEqual(['LC-11 MUST'])
    const icons = [{ mimeType: 'image/png' }]
    expect(introduced({ serverInfo: { name: 'x', version: '1', icons } })).toEqual(['ICON-06 MUST'])
  })

  test('ICON-02: the icons of the server itself are looked at, and no revision before 2025-11-25 has the rule', () => {
    const ME = { name: 'x', version: '1' }
    const icons = [{ src: 'javascript:alert(1)' }]
    const introduced = (revision: Revision) => {
      const talk = new Talk()
      const id = talk.ask('initialize', { protocolVersion: revision, capabilities: {}, clientInfo: ME })
      talk.answer(id, { protocolVersion: revision, capabilities: {}, serverInfo: { ...ME, icons } })
      return cites(talk).filter((rule) => rule.startsWith('ICON'))
    }
    expect(introduced('2025-11-25')).toEqual(['ICON-02 MUST'])
    expect(introduced('2025-06-18')).toEqual([])
  })

  test('JS-04: inputSchema is an object', () => {
    const talk = new Talk().shakeHands('2025-11-25')
    list(talk, [tool('a'), { name: 'b' }, tool('c', { inputSchema: null }), tool('d', { inputSchema: [] })])
    expect(cites(talk)).toEqual(['JS-04 MUST', 'JS-04 MUST', 'JS-04 MUST'])
  })

  test('SF-TOOL-22: the same tools come in the same order', () => {
    const talk = new Talk().discover()
    const order = (...names: string[]) =>
      talk.answer(
        talk.ask('tools/list', talk.envelope()),
        modern({ tools: names.map((name) => tool(name)), ttlMs: 0, cacheScope: 'private' }),
      )
    order('a', 'b', 'c')
    order('a', 'b', 'c')
    order('a', 'c')
    order('c', 'd', 'a')
    expect(cites(talk)).toEqual([])
    order('a', 'd', 'c')
    expect(cites(talk)).toEqual(['SF-TOOL-22 SHOULD'])
  })

  test('SF-TOOL-14, SF-TOOL-17: what a tool promised is there, and a text repeats it', () => {
    const talk = new Talk().shakeHands('2025-06-18')
    list(talk, [tool('a', { outputSchema: { type: 'object' } }), tool('b')])
    const call = (name: string, result: JsonObject) => talk.answer(talk.ask('tools/call', { name }), result)
    const text = { type: 'text', text: '{}' }
    call('a', { content: [text], structuredContent: {} })
    call('a', { content: [text], isError: true })
    call('b', { content: [text] })
    expect(cites(talk)).toEqual([])
    call('a', { content: [text] })
    call('b', { content: [], structuredContent: {} })
    expect(cites(talk)).toEqual(['SF-TOOL-14 MUST', 'SF-TOOL-17 SHOULD'])
  })

  test('SF-TOOL-11: images and sounds are base64, with a MIME type of their kind', () => {
    const result = (...content: Json[]) => {
      const talk = new Talk().shakeHands('2025-06-18')
      talk.answer(talk.ask('tools/call', { name: 'a' }), { content })
      return cites(talk)
    }
    const image = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' }
    const audio = { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' }
    expect(result(image, audio)).toEqual([])
    expect(result({ ...image, data: 'not base64!' })).toEqual(['SF-TOOL-11 MUST'])
    expect(result({ ...image, data: 'iVBORw0KGgo' })).toEqual(['SF-TOOL-11 MUST'])
    expect(result({ ...image, data: 'data:image/png;base64,iVBORw0KGgo=' })).toEqual(['SF-TOOL-11 MUST'])
    expect(result({ ...audio, mimeType: 'image/png' })).toEqual(['SF-TOOL-11 MUST'])
  })

  test('SF-COMP-04: a hundred values at most', () => {
    const talk = new Talk().shakeHands('2025-11-25')
    const values = (count: number) =>
      talk.answer(talk.ask('completion/complete'), { completion: { values: Array<string>(count).fill('x') } })
    values(100)
    expect(cites(talk)).toEqual([])
    values(101)
    expect(cites(talk)).toEqual(['SF-COMP-04 MUST'])
  })

  const annotated = (schema: JsonObject, over: 'http' | 'stdio' = 'http') => {
    const talk = new Talk().discover()
    const request = talk.request('tools/list', talk.envelope())
    const tools = [{ name: 't', inputSchema: { type: 'object', ...schema } }]
    const message = { jsonrpc: '2.0', id: request.id!, result: modern({ tools, ttlMs: 0, cacheScope: 'private' }) }
    if (over === 'stdio') {
      talk.sent(request)
      talk.received(message)
    } else {
      const post = talk.post(request)
      post.head()
      post.says(message)
    }
    return talk
  }

  test('TR-XH-03, TR-XH-04, TR-XH-05: an annotation that keeps a tool out of use is told with its place', () => {
    const property = (type: string, header: Json) => ({ properties: { p: { type, 'x-mcp-header': header } } })
    expect(cites(annotated(property('string', 'Region')))).toEqual([])
    expect(cites(annotated(property('string', 'a b')))).toEqual(['TR-XH-04 MUST'])
    expect(cites(annotated(property('number', 'Region')))).toEqual(['TR-XH-03 MUST'])
    const hidden = { properties: { p: { type: 'array', items: { type: 'string', 'x-mcp-header': 'R' } } } }
    expect(listed(judged(annotated(hidden)))).toMatchObject([
      { rule: 'TR-XH-05', pointer: '/result/tools/0/inputSchema/properties/p/items' },
    ])
    expect(cites(annotated(hidden, 'stdio'))).toEqual([])
  })

  test('TR-XH-09: what looks like a secret is not to be a header', () => {
    const named = (name: string, header: string) =>
      cites(annotated({ properties: { [name]: { type: 'string', 'x-mcp-header': header } } }))
    for (const name of ['password', 'apiKey', 'api_key', 'access-token', 'clientSecret']) {
      expect(named(name, 'X'), name).toEqual(['TR-XH-09 SHOULD'])
    }
    expect(named('p', 'Auth-Token')).toEqual(['TR-XH-09 SHOULD'])
    for (const name of ['keyword', 'region', 'monkey', 'maxTokens', 'secretary', 'Row-Key', 'partitionKey', 'sort_key'])
      expect(named(name, 'X'), name).toEqual([])
  })
})
