/** The peer on the official SDK v2 behaves as described, observed with fetch and spawn only. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { control } from './control.ts'
import { start, type ModernPeer } from './modern/index.ts'
import { ask, follow, initialize, initialized, modern, MODERN, NEWEST_HANDSHAKE, post, run, type Raw } from './raw.ts'

let peer: ModernPeer
beforeAll(async () => void (peer = await start()))
afterAll(() => peer.close())

const ALL = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} }
const call = (name: string, args: object = {}, rest: object = {}) =>
  modern(1, 'tools/call', { name, arguments: args, ...rest }, ALL)
const textOf = (message: Raw | undefined): string =>
  (message?.result?.['content'] as { text: string }[] | undefined)?.[0]?.text ?? ''

describe('the modern peer over HTTP', () => {
  test.each(['/dual/a', '/modern/a', '/stream/a'])('%s answers server/discover with 2026-07-28', async (path) => {
    const { status, headers, last } = await ask(peer.url + path, modern(1, 'server/discover'))
    expect([status, last?.result?.['supportedVersions']]).toEqual([200, [MODERN]])
    expect(headers.get('content-type')).toBe(path.startsWith('/stream') ? 'text/event-stream' : 'application/json')
  })

  test('/dual serves the handshake too; /modern refuses it with the versions it speaks', async () => {
    const { last } = await ask(`${peer.url}/dual/b`, initialize())
    expect(last?.result).toMatchObject({ protocolVersion: NEWEST_HANDSHAKE, serverInfo: { name: 'modern' } })
    const refused = await ask(`${peer.url}/modern/b`, initialize())
    expect([refused.status, refused.last?.error]).toMatchObject([400, { code: -32022, data: { supported: [MODERN] } }])
  })

  test('mirrored arguments must be in the headers, and arrive', async () => {
    const args = { tenant: 'é', priority: 4, dry: false, place: { region: 'eu' } }
    const mirrored = {
      'Mcp-Param-Tenant': '=?base64?w6k=?=',
      'Mcp-Param-Priority': '4',
      'Mcp-Param-Dry-Run': 'false',
      'Mcp-Param-Region': 'eu',
    }
    const url = `${peer.url}/dual/headers`
    const { last } = await ask(url, call('routed', args), mirrored)
    expect(JSON.parse(textOf(last))).toMatchObject({ arguments: args, headers: { 'mcp-param-region': 'eu' } })
    const { status, last: error } = await ask(url, call('routed', args))
    expect([status, error?.error?.code]).toEqual([400, -32020])
    const seen = await control<{ headers: object }[]>(url, 'seen')
    expect(seen[0]!.headers).toMatchObject({ 'mcp-param-tenant': '=?base64?w6k=?=' })
  })

  test('progress comes on the stream of its request; log messages only when they are asked for', async () => {
    const url = `${peer.url}/dual/progress`
    const count = (meta: object) => call('slow-count', { n: 2, ms: 1 }, { _meta: { progressToken: 'p', ...meta } })
    const methods = async (meta: object) => (await ask(url, count(meta))).messages.map(({ method }) => method)
    const progress = 'notifications/progress'
    expect(await methods({})).toEqual([progress, progress, undefined])
    const log = 'notifications/message'
    const asked = await methods({ 'io.modelcontextprotocol/logLevel': 'debug' })
    expect(asked).toEqual([progress, log, progress, log, undefined])
  })

  test('ask-twice asks two times, with a state the second time, and wants it back', async () => {
    const url = `${peer.url}/dual/rounds`
    const first = (await ask(url, call('ask-twice'))).last?.result
    expect(first).toMatchObject({
      resultType: 'input_required',
      inputRequests: { name: { method: 'elicitation/create' } },
    })
    expect(first).not.toHaveProperty('requestState')
    const name = { inputResponses: { name: { action: 'accept', content: { name: 'Ada' } } } }
    const second = (await ask(url, call('ask-twice', {}, name))).last?.result
    expect(second).toMatchObject({ requestState: expect.any(String), inputRequests: { colour: {} } })
    const inputResponses = { colour: { action: 'accept', content: { colour: 'blue' } } }
    const requestState = second?.['requestState'] as string
    const done = await ask(url, call('ask-twice', {}, { inputResponses, requestState }))
    expect(textOf(done.last)).toBe('Ada likes blue')
    const forged = await ask(url, call('ask-twice', {}, { inputResponses, requestState: `${requestState}x` }))
    expect(forged.last?.error?.code).toBe(-32602)
  })

  test.each<[string, string, object]>([
    ['ask-model', 'sampling/createMessage', { sampling: {} }],
    ['ask-roots', 'roots/list', { roots: {} }],
    ['ask-url', 'elicitation/create', { elicitation: { url: {} } }],
  ])('%s asks by %s, and refuses a client without the capability', async (name, method, requiredCapabilities) => {
    const url = `${peer.url}/dual/asks`
    const asked = (await ask(url, call(name))).last?.result
    expect(Object.values(asked?.['inputRequests'] as object)).toMatchObject([{ method }])
    const refused = await ask(url, modern(1, 'tools/call', { name }))
    expect([refused.status, refused.last?.error]).toMatchObject([400, { code: -32021, data: { requiredCapabilities } }])
  })

  test('prompts and resources ask too; templates complete; a resource that is not there is -32602', async () => {
    const url = `${peer.url}/dual/more`
    for (const [method, params] of [
      ['prompts/get', { name: 'greet' }],
      ['resources/read', { uri: 'mem://secret' }],
    ] as const)
      expect((await ask(url, modern(1, method, params, ALL))).last?.result).toMatchObject({
        resultType: 'input_required',
      })
    const ref = { type: 'ref/resource', uri: 'mem://item/{id}' }
    const complete = modern(1, 'completion/complete', { ref, argument: { name: 'id', value: 't' } })
    expect((await ask(url, complete)).last?.result?.['completion'].values).toEqual(['two', 'three'])
    expect((await ask(url, modern(1, 'resources/read', { uri: 'mem://none' }))).last?.error?.code).toBe(-32602)
    const unknown = await ask(url, modern(1, 'no/such'))
    expect([unknown.status, unknown.last?.error?.code]).toEqual([404, -32601])
  })

  test('a listener gets only the notifications it requested, until the place is reset', async () => {
    const url = `${peer.url}/dual/listen`
    const wants = { toolsListChanged: true, resourceSubscriptions: ['mem://counter'] }
    const stream = await follow(url, modern('l', 'subscriptions/listen', { notifications: wants }))
    expect(await stream.next()).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: wants, _meta: { 'io.modelcontextprotocol/subscriptionId': 'l' } },
    })
    await control(url, 'change', { what: 'prompts' })
    await ask(url, call('touch'))
    expect(await stream.next()).toMatchObject({
      method: 'notifications/resources/updated',
      params: { uri: 'mem://counter' },
    })
    await ask(url, call('add-tool'))
    expect(await stream.next()).toMatchObject({ method: 'notifications/tools/list_changed' })
    const tools = (await ask(url, modern(1, 'tools/list'))).last?.result?.['tools'] as { name: string }[]
    expect(tools.at(-1)!.name).toBe('extra-1')
    await control(url, 'reset')
    expect(await stream.next()).toMatchObject({ id: 'l', result: { resultType: 'complete' } })
    expect(await stream.next()).toBeUndefined()
  })

  test('pages of any origin may use one address, and no page the other', async () => {
    const exposed = async (origin: string) => {
      const response = await post(`${origin}/dual/cors`, modern(1, 'server/discover'), { Origin: 'http://a.test' })
      await response.body?.cancel()
      const { headers } = response
      return [headers.get('access-control-allow-origin'), headers.get('access-control-expose-headers')]
    }
    const preflight = async (origin: string) => {
      const headers = { Origin: 'http://a.test', 'Access-Control-Request-Headers': 'mcp-method,mcp-param-x' }
      const response = await fetch(`${origin}/dual/cors`, { method: 'OPTIONS', headers })
      return [response.ok, response.headers.get('access-control-allow-headers')]
    }
    expect(await exposed(peer.url)).toEqual(['*', '*'])
    expect(await preflight(peer.url)).toEqual([true, 'mcp-method,mcp-param-x'])
    expect(await exposed(peer.bareUrl)).toEqual([null, null])
    expect(await preflight(peer.bareUrl)).toEqual([false, null])
  })
})

describe('the modern peer over stdio', () => {
  test('serves the era of the first message, and tells listeners', async () => {
    const server = run('modern-stdio.mjs')
    server.send(modern(1, 'server/discover'))
    expect((await server.until(({ id }) => id === 1)).result?.['supportedVersions']).toEqual([MODERN])
    server.send(modern('l', 'subscriptions/listen', { notifications: { toolsListChanged: true } }))
    await server.until(({ method }) => method === 'notifications/subscriptions/acknowledged')
    server.send(modern(2, 'tools/call', { name: 'add-tool' }))
    await server.until(({ method }) => method === 'notifications/tools/list_changed')
    server.send(modern(3, 'tools/list'))
    const tools = (await server.until(({ id }) => id === 3)).result?.['tools'] as { name: string }[]
    expect(tools.at(-1)!.name).toBe('extra-1')
    expect(server.messages().filter(({ method }) => method?.includes('/list_changed'))).toHaveLength(1)
    expect([await server.end(), server.stderr()]).toEqual([0, ''])
  })

  test('serves the handshake, or refuses it', async () => {
    const dual = run('modern-stdio.mjs')
    dual.send(initialize(), initialized, { id: 1, method: 'ping' })
    expect((await dual.until(({ id }) => id === 0)).result?.['protocolVersion']).toBe(NEWEST_HANDSHAKE)
    await dual.until(({ id }) => id === 1)
    expect(await dual.end()).toBe(0)
    const strict = run('modern-stdio.mjs', 'modern')
    strict.send(initialize())
    expect((await strict.until(({ id }) => id === 0)).error).toMatchObject({
      code: -32022,
      data: { supported: [MODERN] },
    })
    expect(await strict.end()).toBe(0)
  })
})
