/** Each kind behaves as described, observed with fetch and spawn only. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { control } from './control.ts'
import { BAD_TOOLS, GOOD_TOOLS } from './eras/annotations.ts'
import { start, type ErasPeer } from './eras/index.ts'
import { kinds } from './eras/kinds.ts'
import { ask, follow, initialize, initialized, modern, MODERN, post, run, type Raw } from './raw.ts'

let peer: ErasPeer
beforeAll(async () => void (peer = await start()))
afterAll(() => peer.close())

const at = (kind: string, key = 'raw') => `${peer.url}/${kind}/${key}`
const ALL = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} }
const call = (id: unknown = 2, rest: object = {}) => modern(id, 'tools/call', { name: 't', ...rest }, ALL)

/** A summary of a response: the status, and the versions, protocol version or error code in it. */
const essence = ({ status, last }: { status?: number; last?: Raw }) => {
  const versions = last?.result?.['supportedVersions'] as string[] | undefined
  const found =
    versions?.join() ?? last?.result?.['protocolVersion'] ?? last?.error?.code ?? (last?.result ? 'result' : '-')
  return status === undefined ? found : `${status} ${found}`
}

const OLD = '2025-11-25'
const OLDER = '2025-11-25,2025-06-18'

/** The responses to server/discover and then to initialize, with their HTTP status. */
const FIRST_CONTACT: [kind: string, discover: string, initialize: string][] = [
  ['good-handshake', '400 -32000', `200 ${OLD}`],
  ['good-modern', `200 ${MODERN}`, '400 -32022'],
  ['good-both', `200 ${MODERN}`, `200 ${OLD}`],
  ['discover-error-32601', '400 -32601', `200 ${OLD}`],
  ['discover-error-32602', '400 -32602', `200 ${OLD}`],
  ['discover-error-32603', '400 -32603', `200 ${OLD}`],
  ['discover-error-32000', '400 -32000', `200 ${OLD}`],
  ['discover-error0', '400 0', `200 ${OLD}`],
  ['discover-draft-32004', '400 -32004', `200 ${OLD}`],
  ['discover-draft-32001', '400 -32001', `200 ${OLD}`],
  ['discover-lists-2025', `200 ${OLDER}`, `200 ${OLD}`],
  ['discover-lists-future', '200 2027-01-01', '400 -32022'],
  ['discover-empty-result', '200 result', `200 ${OLD}`],
  ['discover-no-versions', '200 result', `200 ${OLD}`],
  ['discover-spoils-handshake', `200 ${MODERN}`, '200 -32600'],
  ['unsupported-once', '400 -32022', '400 -32022'],
  ['unsupported-none-shared', '400 -32022', '400 -32022'],
  ['unsupported-lists-2025', '400 -32022', `200 ${OLD}`],
  ['unsupported-no-data', '400 -32022', `200 ${OLD}`],
  ['unsupported-always', '400 -32022', '400 -32022'],
  ['header-mismatch', '400 -32020', '400 -32022'],
  ['header-mismatch-call', `200 ${MODERN}`, '400 -32022'],
  ['capability-for-discover', '400 -32021', '400 -32022'],
  ['no-discover', '404 -32601', '400 -32022'],
  ['runs-without-initialize', '400 -32000', `200 ${OLD}`],
  ['400-empty', '400 -', `200 ${OLD}`],
  ['400-text', '400 -', `200 ${OLD}`],
  ['400-html', '400 -', `200 ${OLD}`],
  ['400-error-32600', '400 -32600', `200 ${OLD}`],
  ['400-error-32000', '400 -32000', `200 ${OLD}`],
  ['400-json', '400 -', `200 ${OLD}`],
  ['404-bare', '404 -', `200 ${OLD}`],
  ['404-text', '404 -', `200 ${OLD}`],
  ['405-bare', '405 -', `200 ${OLD}`],
  ['406-bare', '406 -', `200 ${OLD}`],
  ['415-bare', '415 -', `200 ${OLD}`],
  ['200-empty', '200 -', `200 ${OLD}`],
  ['200-html', '200 -', `200 ${OLD}`],
  ['202-bare', '202 -', `200 ${OLD}`],
  ['500-modern', '500 -', `200 ${OLD}`],
  ['502-modern', '502 -', `200 ${OLD}`],
  ['400-always', '400 -', '400 -'],
  ['404-always', '404 -', '404 -'],
  ['405-always', '405 -', '405 -'],
  ['403-always', '403 -', '403 -'],
  ['429-always', '429 -', '429 -'],
  ['503-always', '503 -', '503 -'],
  ['401-always', '401 -', '401 -'],
  ['500-after-first', '400 -32000', '500 -'],
  ['307-elsewhere', `200 ${MODERN}`, `200 ${OLD}`],
  ['session-id', `200 ${MODERN}`, '400 -32022'],
  ['handshake-2024-11-05', '400 -32000', '200 2024-11-05'],
  ['handshake-2025-03-26', '400 -32000', '200 2025-03-26'],
  ['handshake-2025-06-18', '400 -32000', '200 2025-06-18'],
  ['handshake-2025-11-25', '400 -32000', '200 2025-11-25'],
  ['handshake-2026-07-28', '400 -32000', '200 2026-07-28'],
  ['handshake-1999-01-01', '400 -32000', '200 1999-01-01'],
  ['handshake-only-2024-11-05', '400 -32000', '200 -32602'],
  ['handshake-only-2025-11-25', '400 -32000', `200 ${OLD}`],
  ['initialize-error', '400 -32000', '200 -32603'],
  ['no-info', '400 -32000', `200 ${OLD}`],
]

describe('kinds over HTTP', () => {
  test.each(FIRST_CONTACT)('%s: %s to server/discover, then %s to initialize', async (kind, discover, handshake) => {
    expect(essence(await ask(at(kind), modern(1, 'server/discover')))).toBe(discover)
    expect(essence(await ask(at(kind), initialize()))).toBe(handshake)
  })

  test('every kind over HTTP says something to a first contact, but those that break off or keep silent', async () => {
    const silent = ['discover-dies', 'discover-never', 'hangs-always', 'breaks-always']
    for (const [kind, { only }] of Object.entries(kinds)) {
      if (only === 'stdio' || silent.includes(kind)) continue
      const response = await post(at(kind, 'all'), modern(1, 'server/discover'))
      await response.body?.cancel()
    }
    for (const kind of ['discover-dies', 'breaks-always'])
      await expect(post(at(kind), modern(1, 'server/discover'))).rejects.toThrow()
    for (const kind of ['discover-never', 'hangs-always', 'initialize-never']) {
      const message = kind.startsWith('initialize') ? initialize() : modern(1, 'server/discover')
      await expect(post(at(kind), message, {}, AbortSignal.timeout(50))).rejects.toThrow('timeout')
    }
    expect((await fetch(at('no-such-kind'))).status).toBe(404)
    expect((await fetch(at('dies-later'))).status).toBe(404)
  })

  test('what was refused once is well the second time', async () => {
    const both = async (kind: string, message: Raw) =>
      [await ask(at(kind, 'twice'), message), await ask(at(kind, 'twice'), message)].map(essence)
    expect(await both('unsupported-once', modern(1, 'server/discover'))).toEqual(['400 -32022', `200 ${MODERN}`])
    expect(await both('stale-header', modern(1, 'tools/list'))).toEqual(['200 result', '200 result'])
    const stale = call(1, { arguments: { a: 'x' } })
    expect(essence(await ask(at('stale-header'), stale, { 'Mcp-Param-Old': 'x' }))).toBe('400 -32020')
    expect(essence(await ask(at('stale-header'), stale, { 'Mcp-Param-New': 'x' }))).toBe('200 result')
    for (const [kind, method, capabilities] of [
      ['capability-for-discover', 'server/discover', { elicitation: {} }],
      ['capability-for-call', 'tools/call', { sampling: {} }],
    ] as const) {
      const params = method === 'tools/call' ? { name: 't' } : {}
      const { last } = await ask(at(kind), modern(1, method, params))
      expect(last?.error).toMatchObject({ code: -32021, data: { requiredCapabilities: capabilities } })
      expect((await ask(at(kind), modern(1, method, params, capabilities))).last).toHaveProperty('result')
    }
    const token = { Authorization: 'Bearer x' }
    expect(essence(await ask(at('401-until-token'), modern(1, 'server/discover')))).toBe('401 -')
    expect(essence(await ask(at('401-until-token'), modern(1, 'server/discover'), token))).toBe(`200 ${MODERN}`)
    expect((await ask(at('401-always'), initialize())).headers.get('www-authenticate')).toContain('resource_metadata')
  })

  test('preflights allow what their kind says, and a foreign origin may be refused', async () => {
    const allowed = async (kind: string) => {
      const headers = { 'Access-Control-Request-Headers': 'mcp-method' }
      const response = await fetch(at(kind), { method: 'OPTIONS', headers })
      return `${response.status} ${response.headers.get('access-control-allow-headers')}`
    }
    expect(await allowed('good-both')).toBe('204 mcp-method')
    expect(await allowed('preflight-refused')).toMatch(/^204 (?!.*Mcp-Method).*MCP-Protocol-Version/)
    expect(await allowed('preflight-old')).toBe('204 Content-Type')
    expect(await allowed('preflight-404')).toBe('404 null')
    const foreign = await ask(at('403-foreign-origin'), modern(1, 'server/discover'), { Origin: 'http://a.test' })
    expect(foreign.status).toBe(403)
    expect(essence(await ask(at('403-foreign-origin'), modern(1, 'server/discover')))).toBe(`200 ${MODERN}`)
    expect((await ask(at('session-id'), call())).headers.get('mcp-session-id')).toBe('no-such-thing')
  })

  test('odd results have the oddity in their name', async () => {
    const resultOf = async (kind: string, message: Raw = call()) => (await ask(at(kind, 'odd'), message)).last?.result
    expect(await resultOf('no-result-type')).not.toHaveProperty('resultType')
    for (const [kind, resultType] of [
      ['unknown-result-type', 'deferred'],
      ['result-type-number', 1],
      ['task-undeclared', 'task'],
      ['input-required-empty', 'input_required'],
      ['input-required-undeclared', 'input_required'],
      ['input-required-unknown', 'input_required'],
      ['endless-rounds', 'input_required'],
      ['endless-state', 'input_required'],
    ])
      expect(await resultOf(kind as string)).toMatchObject({ resultType })
    const list = modern(1, 'tools/list')
    expect(await resultOf('input-required-on-list', list)).toMatchObject({ resultType: 'input_required' })
    expect(await resultOf('tasks-on-list', list)).toMatchObject({ resultType: 'task' })
    for (const [kind, ttlMs] of [
      ['ttl-negative', -1],
      ['ttl-text', '60000'],
      ['ttl-huge', 1e18],
      ['ttl-absent', undefined],
    ])
      expect((await resultOf(kind as string, list))?.['ttlMs']).toBe(ttlMs)
    const scopes = [list, modern(1, 'tools/list', { cursor: 'two' })].map((each) =>
      resultOf('cache-scopes-differ', each),
    )
    expect((await Promise.all(scopes)).map((each) => each?.['cacheScope'])).toEqual(['public', 'private'])
    const { messages } = await ask(at('server-request'), call())
    expect(messages.map(({ method }) => method)).toEqual(['roots/list', 'ping', undefined])
    expect(Object.keys((await resultOf('rounds-many-keys'))?.['inputRequests'] as object).sort()).toEqual(
      ['', '1', '__proto__', 'constructor'].sort(),
    )
  })

  test('rounds wants exact retries, each with a new id, and says what was wrong', async () => {
    const url = at('rounds')
    let id = 10
    const play = async (rest: object = {}) => (await ask(url, call(id++, { arguments: { a: '1' }, ...rest }))).last!
    const answers = (asked: Raw) =>
      Object.fromEntries(
        Object.keys(asked.result!['inputRequests'] as object).map((key) => [key, { action: 'accept' }]),
      )
    const retry = (asked: Raw, rest: object = {}) => {
      const state = asked.result!['requestState'] as string | undefined
      return play({ inputResponses: answers(asked), ...(state === undefined ? {} : { requestState: state }), ...rest })
    }
    const first = await play()
    const second = await retry(first)
    expect(Object.keys(second.result!['inputRequests'] as object)).toEqual(['model', 'roots'])
    const third = await retry(second)
    expect(third.result).not.toHaveProperty('requestState')
    expect(JSON.stringify((await retry(third)).result)).toContain('visit')
    for (const spoilt of [{ requestState: 'x' }, { inputResponses: {} }, { arguments: { a: '2' } }])
      expect((await retry(await play(), spoilt)).error?.code).toBe(-32602)
    const again = await play()
    id--
    expect((await retry(again)).error?.message).toContain('id')
  })

  test('state-only gives two states, then the answer', async () => {
    const play = async (id: number, rest: object = {}) => (await ask(at('state-only'), call(id, rest))).last!.result!
    const first = await play(1)
    expect(first).toEqual({ resultType: 'input_required', requestState: expect.any(String) })
    const second = await play(2, { requestState: first['requestState'] })
    expect(second['requestState']).not.toBe(first['requestState'])
    expect(await play(3, { requestState: second['requestState'] })).toMatchObject({ resultType: 'complete' })
  })

  test.each<[string, (string | undefined)[]]>([
    ['listen-no-ack', ['tools/list_changed']],
    ['listen-graceful', ['subscriptions/acknowledged', 'tools/list_changed', 'result']],
    ['listen-drops', ['subscriptions/acknowledged', 'tools/list_changed', undefined]],
    ['listen-ends', ['subscriptions/acknowledged', undefined]],
    ['listen-cancelled', ['subscriptions/acknowledged', 'cancelled', undefined]],
    ['listen-progress', ['subscriptions/acknowledged', 'progress', 'message']],
    ['listen-ack-twice', ['subscriptions/acknowledged', 'subscriptions/acknowledged']],
    [
      'listen-unasked',
      [
        'subscriptions/acknowledged',
        ...['tools', 'prompts', 'resources'].map((each) => `${each}/list_changed`),
        'resources/updated',
      ],
    ],
    ['listen-wrong-id', ['subscriptions/acknowledged', ...Array.from({ length: 3 }, () => 'tools/list_changed')]],
    ['listen-drops-twice', ['subscriptions/acknowledged', undefined]],
  ])('%s says %j', async (kind, wanted) => {
    const stream = await follow(
      at(kind),
      modern(1, 'subscriptions/listen', { notifications: { toolsListChanged: true } }),
    )
    for (const each of wanted) {
      const message = await stream.next()
      expect(message?.method?.replace('notifications/', '') ?? (message?.result ? 'result' : undefined)).toBe(each)
    }
    stream.stop()
  })

  test('the tool `change` notifies a listener until it leaves; a server may acknowledge only a part', async () => {
    const wants = { toolsListChanged: true, resourceSubscriptions: ['mem://r'] }
    const listen = modern(1, 'subscriptions/listen', { notifications: wants })
    const stream = await follow(at('good-modern', 'l'), listen)
    expect((await stream.next())?.params?.['notifications']).toEqual(wants)
    await ask(at('good-modern', 'l'), modern(2, 'tools/call', { name: 'change' }))
    expect([(await stream.next())?.method, (await stream.next())?.params?.['uri']]).toEqual([
      'notifications/tools/list_changed',
      'mem://r',
    ])
    stream.stop()
    const subset = await follow(at('listen-subset'), listen)
    expect((await subset.next())?.params?.['notifications']).toEqual({ toolsListChanged: true })
    subset.stop()
  })

  test('batches are taken, and answered as arrays', async () => {
    const batch = [1, 2, 3].map((id) => ({ id, method: 'ping' }))
    const array = (await ask(at('batch-array'), [...batch, initialized])).messages as unknown as Raw[][]
    expect(array.map((part) => part.map(({ id }) => id))).toEqual([[undefined, 1, 2, 3]])
    const parts = (await ask(at('batch-parts'), batch)).messages as unknown as Raw[][]
    expect(parts.map((part) => part.map(({ id }) => id))).toEqual([[3, 2], [1]])
    const event = await ask(at('batch-event'), { id: 1, method: 'ping' })
    expect(event.headers.get('content-type')).toBe('text/event-stream')
    expect(event.messages).toMatchObject([[{ method: 'notifications/message' }, { id: 1 }]])
    expect((await ask(at('batch-array'), [initialized])).status).toBe(202)
    expect(essence(await ask(at('batch-array'), initialize()))).toBe('200 2025-03-26')
    expect((await ask(at('good-handshake'), batch)).status).toBe(400)
  })

  test('annotations break a rule each; a call answers with the headers that came', async () => {
    const { last } = await ask(at('odd-annotations'), modern(1, 'tools/list'))
    const names = Array.from(last?.result?.['tools'] as { name: string }[], ({ name }) => name)
    expect(names.filter((name) => /^good-/.test(name))).toHaveLength(GOOD_TOOLS.length)
    expect(names.filter((name) => /^bad-/.test(name))).toHaveLength(BAD_TOOLS.length)
    const called = await ask(at('odd-annotations'), call(1, { name: 'good-types' }), { 'Mcp-Param-S': 'x' })
    expect(called.text).toContain('mcp-param-s')
  })

  test('lists fail, come in pages, or are not advertised; an unknown tool gives anything', async () => {
    for (const request of [
      (method: string, params = {}) => modern(1, method, params),
      (method: string, params = {}) => ({ id: 1, method, params }),
    ]) {
      const answer = async (kind: string, method: string, params = {}) =>
        (await ask(at(kind), request(method, params))).last
      for (const [method, code] of [
        ['resources/list', -32601],
        ['resources/templates/list', -32000],
        ['prompts/list', -32603],
      ] as const)
        expect((await answer('lists-fail', method))?.error?.code).toBe(code)
      expect(await answer('lists-fail', 'tools/list')).toHaveProperty('result.tools')
      const sizes: number[] = []
      let cursor: string | undefined
      do {
        const page = (await answer('lists-paged', 'tools/list', cursor === undefined ? {} : { cursor }))!.result!
        sizes.push((page['tools'] as unknown[]).length)
        cursor = page['nextCursor'] as string | undefined
      } while (cursor !== undefined)
      expect(sizes).toEqual([3, 3, 1])
      expect((await answer('lists-paged', 'tools/list', { cursor: 'x' }))?.error?.code).toBe(-32602)
      for (const code of [-32601, -32602, -32603, 0])
        expect((await answer(`unknown-tool${code || '-0'}`, 'tools/call', { name: 'x' }))?.error?.code).toBe(code)
      expect(await answer('unknown-tool-is-error', 'tools/call', { name: 'x' })).toHaveProperty('result.isError', true)
      expect(await answer('unknown-tool-success', 'tools/call', { name: 'x' })).not.toHaveProperty('result.isError')
    }
    expect((await ask(at('lists-unadvertised'), initialize())).last?.result?.['capabilities']).toEqual({})
    expect((await ask(at('lists-unadvertised'), modern(1, 'server/discover'))).last?.result?.['capabilities']).toEqual(
      {},
    )
    const can = async (capabilities: object) => {
      const { last } = await ask(at('tools-by-capability'), modern(1, 'tools/list', {}, capabilities))
      return Array.from(last?.result?.['tools'] as object[]).length
    }
    expect([await can({}), await can({ elicitation: {} })]).toEqual([1, 2])
    await expect(
      post(at('ids-of-text-ignored'), { id: 'a', method: 'ping' }, {}, AbortSignal.timeout(50)),
    ).rejects.toThrow()
    expect((await ask(at('ping-refused'), { id: 1, method: 'ping' })).last?.error?.code).toBe(-32601)
  })

  test('seen shows what came, with headers', async () => {
    await ask(at('good-both', 'seen'), modern(1, 'tools/list'))
    const seen = await control<{ headers: object; message: Raw }[]>(at('good-both', 'seen'), 'seen')
    expect(seen).toMatchObject([{ headers: { 'mcp-method': 'tools/list' }, message: { id: 1, method: 'tools/list' } }])
  })
})

describe('kinds over stdio', () => {
  test.each<[string, string, string]>([
    ['good-handshake', '-32601', OLD],
    ['good-modern', MODERN, '-32022'],
    ['good-both', MODERN, OLD],
    ['discover-error-32603', '-32603', OLD],
    ['discover-lists-2025', OLDER, OLD],
    ['discover-2025-spoils-handshake', OLDER, '-32600'],
    ['handshake-2024-11-05', '-32601', '2024-11-05'],
  ])('%s: %s to server/discover, then %s to initialize', async (kind, discover, handshake) => {
    const server = run('era-stdio.mjs', kind)
    server.send(modern(1, 'server/discover'), initialize(2))
    expect(String(essence({ last: await server.until(({ id }) => id === 1) }))).toBe(discover)
    expect(String(essence({ last: await server.until(({ id }) => id === 2) }))).toBe(handshake)
    expect([await server.end(), server.stderr()]).toEqual([0, ''])
  })

  test('discover-dies ends, and a fresh process shakes hands; dies-later says nothing at all', async () => {
    const dying = run('era-stdio.mjs', 'discover-dies')
    dying.send(modern(1, 'server/discover'))
    expect([await dying.ended, dying.text(), dying.stderr()]).toEqual([1, '', ''])
    const later = run('era-stdio.mjs', 'dies-later')
    later.send(initialize())
    expect([await later.ended, later.text(), later.stderr()]).toEqual([1, '', ''])
    const wrong = run('era-stdio.mjs', '404-bare')
    expect([await wrong.ended, wrong.stderr().includes('good-both')]).toEqual([2, true])
  })

  test('early words and two answers come as they should not', async () => {
    const ids = async (kind: string) => {
      const server = run('era-stdio.mjs', kind)
      server.send(initialize(1), initialized, { id: 2, method: 'ping' })
      await server.until(({ id }) => id === 2)
      await server.end()
      return server.messages().map(({ id, method }) => method ?? id)
    }
    expect(await ids('early-notifications')).toEqual([
      'notifications/message',
      'notifications/tools/list_changed',
      1,
      2,
    ])
    expect(await ids('initialize-twice')).toEqual([1, 1, 2])
    const lists = ['tools', 'prompts', 'resources'].map((each) => `notifications/${each}/list_changed`)
    expect(await ids('list-changed-early')).toEqual([1, ...lists, 2])
  })

  test('a subscription is cancelled by a notification; batches come on lines', async () => {
    const server = run('era-stdio.mjs', 'good-modern')
    server.send(modern('l', 'subscriptions/listen', { notifications: { toolsListChanged: true } }))
    await server.until(({ method }) => method === 'notifications/subscriptions/acknowledged')
    server.send({ method: 'notifications/cancelled', params: { requestId: 'l' } })
    server.send(modern(2, 'tools/call', { name: 'change' }))
    expect((await server.until(({ id }) => id === 2)).result?.['content']).toEqual([{ type: 'text', text: '0' }])
    await server.end()
    const batching = run('era-stdio.mjs', 'batch-parts')
    batching.send(
      initialize(0),
      [1, 2, 3].map((id) => ({ id, method: 'ping' })),
    )
    await batching.until((message) => Array.isArray(message) && message.length === 1)
    await batching.end()
    expect(
      batching.messages().flatMap((part) => (Array.isArray(part) ? [(part as Raw[]).map(({ id }) => id)] : [])),
    ).toEqual([[3, 2], [1]])
  })
})
