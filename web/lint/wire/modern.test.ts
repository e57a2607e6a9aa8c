import { describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '../../mcp/index.ts'
import { cites, judged, listed, META, modern, Talk } from '../talk.case.ts'

const LIST = { tools: [], ttlMs: 0, cacheScope: 'private' }

/** The findings about one response to one 2026-07-28 request. */
const said = (
  method: string,
  result: JsonObject,
  { params = {}, client = {} }: { params?: JsonObject; client?: JsonObject } = {},
) => {
  const talk = new Talk().discover(
    { tools: {}, resources: {}, prompts: {}, completions: {}, extensions: { [`${META}tasks`]: {} } },
    client,
  )
  talk.answer(talk.ask(method, talk.envelope(params, client)), result)
  return cites(talk)
}

describe('resultType', () => {
  test('BP-40: every result has one', () => {
    expect(said('tools/list', modern(LIST))).toEqual([])
    expect(said('tools/list', { ...modern(LIST), resultType: undefined as never })).toEqual(['BP-40 MUST'])
    expect(said('tools/list', modern({ ...LIST, resultType: 1 }))).toEqual(['BP-40 MUST'])
  })

  test('BP-42, BP-43: one that nobody defined, and one of an extension that was not declared, are told', () => {
    const client = { extensions: { [`${META}tasks`]: {} } }
    const task = modern({ resultType: 'task', taskId: 'x', status: 'working' })
    expect(said('tools/call', modern({ resultType: 'maybe' }))).toEqual(['BP-42 MUST'])
    expect(said('tools/call', task)).toEqual(['BP-43 MUST'])
    expect(said('tools/call', task, { client })).toEqual([])
    expect(said('prompts/get', task, { client })).toEqual(['TEXT-03 MUST'])
  })

  test('BP-40: is no rule of the revisions before', () => {
    const talk = new Talk().shakeHands('2025-11-25')
    talk.answer(talk.ask('tools/list'), { tools: [], resultType: 'maybe' })
    expect(cites(talk)).toEqual([])
  })

  test('META-13: results name the server, told once', () => {
    const talk = new Talk().discover()
    for (let round = 0; round < 3; round++) {
      talk.answer(talk.ask('tools/list', talk.envelope()), { ...LIST, resultType: 'complete' })
    }
    expect(cites(talk)).toEqual(['META-13 SHOULD'])
  })
})

describe('server/discover', () => {
  test('VN-04: supportedVersions and capabilities are due', () => {
    const talk = new Talk()
    const hints = { ttlMs: 0, cacheScope: 'private' }
    talk.answer(talk.ask('server/discover', talk.envelope()), modern(hints))
    expect(cites(talk)).toEqual(['VN-04 MUST', 'VN-04 MUST'])
  })

  test('VN-04: a server that lists older revisions alone is judged by those', () => {
    const talk = new Talk()
    talk.answer(talk.ask('server/discover', talk.envelope()), { supportedVersions: ['2025-06-18'] })
    talk.shakeHands('2025-06-18')
    expect(cites(talk)).toEqual([])
  })
})

describe('rounds', () => {
  const ask = (inputRequests: Json | undefined, more: JsonObject = {}) =>
    modern({ resultType: 'input_required', ...(inputRequests === undefined ? {} : { inputRequests }), ...more })
  const form = { method: 'elicitation/create', params: { message: 'x', requestedSchema: {} } }
  const page = { method: 'elicitation/create', params: { mode: 'url', message: 'x', url: 'https://h' } }

  test('MRTR-01: only three methods may ask', () => {
    const result = ask({ a: { method: 'roots/list' } })
    const client = { roots: {} }
    for (const method of ['tools/call', 'prompts/get', 'resources/read'])
      expect(said(method, result, { client })).toEqual([])
    for (const method of ['tools/list', 'completion/complete']) {
      expect(said(method, result, { client })).toEqual(['MRTR-01 MUST'])
    }
  })

  test('MRTR-08: something has to be asked, or a state given', () => {
    expect(said('tools/call', ask(undefined))).toEqual(['MRTR-08 MUST'])
    expect(said('tools/call', ask(undefined, { requestState: '' }))).toEqual([])
  })

  test.each([
    ['nothing is declared', form, {}, 1],
    ['forms are declared by {}', form, { elicitation: {} }, 0],
    ['a page where forms alone are declared', page, { elicitation: {} }, 1],
    ['a page where pages are declared', page, { elicitation: { url: {} } }, 0],
    ['a form where pages alone are declared', form, { elicitation: { url: {} } }, 1],
    ['a model without tools', { method: 'sampling/createMessage', params: {} }, { sampling: {} }, 0],
    ['a model with tools', { method: 'sampling/createMessage', params: { tools: [] } }, { sampling: {} }, 1],
    ['a method nobody knows', { method: 'ping' }, {}, 1],
    ['an id', { jsonrpc: '2.0', id: 1, method: 'roots/list' }, { roots: {} }, 1],
    ['null', null, {}, 1],
  ])('MRTR-09: %s', (_, question, client: JsonObject, count) => {
    expect(said('tools/call', ask({ key: question }), { client })).toEqual(Array(count).fill('MRTR-09 MUST'))
  })

  test('MRTR-09: the pointer names the key, whatever it is', () => {
    const talk = new Talk().discover()
    const odd = JSON.parse('{"__proto__": null, "a/b": null}') as JsonObject
    talk.answer(talk.ask('tools/call', talk.envelope({ name: 't' })), ask(odd))
    const pointers = listed(judged(talk)).map(({ pointer }) => pointer)
    expect(pointers).toEqual(['/result/inputRequests/__proto__', '/result/inputRequests/a~1b'])
  })

  test('CACHE-10: a result that asks has no hints', () => {
    expect(said('tools/call', ask(undefined, { requestState: 's', ttlMs: 5, cacheScope: 'public' }))).toEqual([
      'CACHE-10 MUST',
      'CACHE-10 MUST',
    ])
  })
})

describe('hints on caching', () => {
  test.each([
    ['both are there', { ttlMs: 5, cacheScope: 'public' }, 0],
    ['neither', {}, 2],
    ['a fraction', { ttlMs: 0.5, cacheScope: 'public' }, 1],
    ['less than nothing', { ttlMs: -1, cacheScope: 'public' }, 1],
    ['a text', { ttlMs: '5', cacheScope: 'public' }, 1],
    ['a scope nobody knows', { ttlMs: 5, cacheScope: 'shared' }, 1],
  ])('CACHE-01: %s', (_, hints: JsonObject, count) => {
    for (const method of [
      'tools/list',
      'prompts/list',
      'resources/list',
      'resources/templates/list',
      'resources/read',
    ]) {
      expect(said(method, modern({ tools: [], ...hints }))).toEqual(Array(count).fill('CACHE-01 MUST'))
    }
    expect(said('tools/call', modern({ content: [] }))).toEqual([])
  })

  test('CACHE-09: the pages of one list have one scope; other lists have their own', () => {
    const talk = new Talk().discover()
    const page = (method: string, cursor: string | undefined, cacheScope: string, nextCursor?: string) => {
      const id = talk.ask(method, talk.envelope(cursor === undefined ? {} : { cursor }))
      const more: JsonObject = nextCursor === undefined ? {} : { nextCursor }
      talk.answer(id, modern({ tools: [], ttlMs: 0, cacheScope, ...more }))
    }
    page('tools/list', undefined, 'public', '')
    page('prompts/list', undefined, 'private')
    page('tools/list', '', 'public', 'b')
    expect(cites(talk)).toEqual([])
    page('tools/list', 'b', 'private')
    expect(cites(talk)).toEqual(['CACHE-09 MUST'])
  })

  test('SF-PAGE-07: a cursor that leads to itself is told', () => {
    const talk = new Talk().shakeHands('2024-11-05')
    talk.answer(talk.ask('tools/list'), { tools: [], nextCursor: 'again' })
    expect(cites(talk)).toEqual([])
    talk.answer(talk.ask('tools/list', { cursor: 'again' }), { tools: [], nextCursor: 'again' })
    expect(cites(talk)).toEqual(['SF-PAGE-07 MUST'])
  })
})

describe('error codes', () => {
  const refused = (code: number, data?: Json, { status = 400, method = 'tools/call' } = {}) => {
    const talk = new Talk().discover()
    const post = talk.post(talk.request(method, talk.envelope(method === 'tools/call' ? { name: 't' } : {})))
    post.head(status)
    post.says({ jsonrpc: '2.0', id: post.id, error: { code, message: 'no', ...(data === undefined ? {} : { data }) } })
    return cites(talk)
  }

  test('BP-32: a reserved code that nobody defined is told', () => {
    expect(refused(-32050)).toEqual(['BP-32 MUST'])
    expect(refused(-32042)).toEqual(['BP-32 MUST'])
    expect(refused(-32001)).toEqual([])
  })

  test('BP-33, TR-HDR-03: the three codes of the revision come with their data and with HTTP 400', () => {
    expect(refused(-32020)).toEqual([])
    expect(refused(-32020, undefined, { status: 200 })).toEqual(['BP-33 MUST'])
    expect(refused(-32021, { requiredCapabilities: { roots: {} } })).toEqual([])
    expect(refused(-32021)).toEqual(['BP-33 MUST'])
    expect(refused(-32022, { supported: ['2026-07-28'], requested: 'x' })).toEqual([])
    expect(refused(-32022, { supported: 'x' })).toEqual(['BP-33 MUST', 'BP-33 MUST'])
    const right = { supported: ['2026-07-28'], requested: 'x' }
    expect(refused(-32022, right, { status: 200 })).toEqual(['BP-33 MUST', 'TR-HDR-03 MUST'])
  })

  test('TR-HDR-10: a server that misses a header which was sent compares names letter by letter', () => {
    const told = (message: string, headers: [string, string][]) => {
      const talk = new Talk().discover()
      const post = talk.post(talk.request('tools/list', talk.envelope({})), headers)
      post.head(400)
      post.says({ jsonrpc: '2.0', id: post.id, error: { code: -32020, message } })
      return cites(talk)
    }
    const sent: [string, string][] = [['mcp-method', 'tools/list']]
    expect(told('Missing header Mcp-Method', sent)).toEqual(['TR-HDR-10 MUST'])
    expect(told('Missing header Mcp-Method', [])).toEqual([])
    expect(told('Mcp-Method differs from the body', sent)).toEqual([])
    // `tools/list` doesn't have a name, so the header isn't due.
    expect(told('Missing header Mcp-Name', sent)).toEqual(['TR-HDR-07 MUST'])
  })

  test('VN-25: a method that the server lacks gives 404', () => {
    expect(refused(-32601, undefined, { method: 'resources/templates/list', status: 404 })).toEqual([])
    expect(refused(-32601, undefined, { method: 'resources/templates/list', status: 200 })).toEqual(['VN-25 MUST'])
    // If a name was requested, the method may exist while only the name is unknown.
    expect(refused(-32601, undefined, { status: 200 })).toEqual([])
  })

  test('BP-34: -32042 lists what to open, in 2025-11-25', () => {
    const talk = new Talk().shakeHands('2025-11-25')
    talk.refuse(talk.ask('tools/call', { name: 't' }), -32042, 'x', {
      elicitations: [{ mode: 'url', url: 'https://h' }],
    })
    expect(cites(talk)).toEqual([])
    talk.refuse(talk.ask('tools/call', { name: 't' }), -32042, 'x', { elicitations: [{ mode: 'form' }] })
    expect(cites(talk)).toEqual(['BP-34 MUST'])
  })

  test('BP-35: the code of a missing resource is that of the revision', () => {
    const read = (talk: Talk, code: number, words: string) =>
      talk.refuse(talk.ask('resources/read', { uri: 'x://y' }), code, words)
    const old = new Talk().shakeHands('2025-06-18')
    read(old, -32002, 'Resource not found')
    read(old, -32603, 'The disk is full')
    read(old, -32601, 'Method not found')
    expect(cites(old)).toEqual([])
    read(old, -32602, 'Resource x://y not found')
    expect(cites(old)).toEqual(['BP-35 SHOULD'])
    const now = new Talk().discover()
    now.refuse(now.ask('resources/read', now.envelope({ uri: 'x://y' })), -32602, 'Resource not found')
    expect(cites(now)).toEqual([])
    now.refuse(now.ask('resources/read', now.envelope({ uri: 'x://y' })), -32002, 'Resource not found')
    expect(cites(now)).toEqual(['BP-35 MUST'])
  })

  test('BP-38: an application’s code stays out of the range of JSON-RPC', () => {
    expect(refused(-32500)).toEqual(['BP-38 SHOULD'])
    expect(refused(-1)).toEqual([])
    expect(refused(40_000)).toEqual([])
  })
})
