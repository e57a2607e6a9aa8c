import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Session, StreamableHttpTransport, Trace, unsafeHeaders, type HeaderList, type Json } from '../mcp/index.ts'
import {
  corsFaults,
  corsPolicy,
  corsRemedy,
  missingLines,
  policyLines,
  preflightHeaders,
  type RefusedRequest,
} from './cors.ts'

const ORIGIN = 'http://localhost:6274'
const refused: RefusedRequest = {
  origin: ORIGIN,
  method: 'POST',
  headers: ['content-type', 'accept', 'mcp-protocol-version'],
}
const allowing = (...more: HeaderList): HeaderList => [
  ['access-control-allow-origin', ORIGIN],
  ['access-control-allow-headers', 'Content-Type, MCP-Protocol-Version'],
  ...more,
]
const kinds = (headers: HeaderList, status = 204, request = refused) =>
  corsFaults(request, { status, headers }).map(({ kind }) => kind)

describe('the OPTIONS request', () => {
  test('asks for what a browser asks for: the method, and the headers that need permission, sorted', () => {
    expect(preflightHeaders({ ...refused, headers: ['MCP-Protocol-Version', 'Accept', 'content-type'] })).toEqual([
      ['accept', '*/*'],
      ['access-control-request-method', 'POST'],
      ['access-control-request-headers', 'content-type,mcp-protocol-version'],
      ['origin', ORIGIN],
    ])
  })

  test('asks for no header twice, and for none that a browser sets itself', () => {
    expect(unsafeHeaders(['A', 'a', 'Origin', 'Sec-Fetch-Mode', 'User-Agent', 'Accept-Language'])).toEqual(['a'])
  })
})

describe('what a browser objects to', () => {
  test('nothing is left to object to but the response itself', () => {
    expect(kinds(allowing())).toEqual(['response'])
    expect(
      kinds([
        ['Access-Control-Allow-Origin', '*'],
        ['Access-Control-Allow-Headers', '*'],
      ]),
    ).toEqual(['response'])
  })

  test('`*` covers every header except Authorization', () => {
    const request = { ...refused, headers: ['authorization', 'x-key'] }
    const star: HeaderList = [
      ['access-control-allow-origin', '*'],
      ['access-control-allow-headers', '*'],
    ]
    expect(corsFaults(request, { status: 200, headers: star })).toEqual([
      { kind: 'headers', missing: ['authorization'], allowed: ['*'] },
    ])
  })

  test('the status counts before everything else, and an error page is not judged by its other headers', () => {
    expect(kinds(allowing(), 401)).toEqual(['status'])
    expect(kinds([], 405)).toEqual(['status', 'no-origin'])
    expect(corsFaults(refused, { status: 308, headers: allowing(['location', '/mcp/']) })).toEqual([
      { kind: 'redirect', status: 308, to: '/mcp/' },
    ])
  })

  test('exactly one origin, and this one', () => {
    const [, headers] = allowing()
    expect(kinds([headers!])).toEqual(['no-origin'])
    expect(kinds([['access-control-allow-origin', 'null'], headers!])).toEqual(['other-origin'])
    expect(kinds([['access-control-allow-origin', `${ORIGIN}/`], headers!])).toEqual(['other-origin'])
    expect(kinds([['access-control-allow-origin', `${ORIGIN}, *`], headers!])).toEqual(['several-origins'])
    expect(kinds(allowing(['access-control-allow-origin', ORIGIN]))).toEqual(['several-origins'])
  })

  test('a method beyond GET, HEAD and POST needs permission', () => {
    expect(kinds(allowing(), 204, { ...refused, method: 'DELETE' })).toEqual(['method'])
    expect(kinds(allowing(['access-control-allow-methods', 'GET, DELETE']), 204, { ...refused, method: 'DELETE' })).toEqual(['response']) // prettier-ignore
  })
})

describe('what the server has to add', () => {
  const remedy = (headers: HeaderList, more: Parameters<typeof corsRemedy>[3] = { era: 'stateless' }, status = 204) =>
    corsRemedy(corsFaults(refused, { status, headers }), refused, { status, headers }, more)
  const open: HeaderList[number] = ['access-control-allow-origin', ORIGIN]

  test('is exactly what this request and later ones lack, and the lines keep what is allowed already', () => {
    const lacking = remedy([open, ['access-control-allow-headers', 'X-Mine, Content-Type']])
    expect(lacking).toMatchObject({
      additions: { headers: ['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name'] },
      isWhole: false,
    })
    expect(Object.keys(lacking.additions)).toEqual(['headers'])
    expect(missingLines(lacking)).toEqual([
      'Access-Control-Allow-Headers: X-Mine, Content-Type, MCP-Protocol-Version, Mcp-Method, Mcp-Name',
    ])
    const handshake = remedy(
      [open, ['access-control-allow-headers', 'Content-Type, MCP-Protocol-Version, Last-Event-ID'], ['access-control-allow-methods', 'GET, POST']], // prettier-ignore
      { era: 'handshake', exposure: { exposed: ['retry-after'], hidden: ['Mcp-Session-Id'] } },
    )
    expect(handshake.additions).toMatchObject({ origin: [ORIGIN], methods: ['DELETE'], headers: ['Mcp-Session-Id'] })
    expect(missingLines(handshake).at(-1)).toBe('Access-Control-Expose-Headers: retry-after, Mcp-Session-Id')
  })

  test('is the whole policy only if the response to OPTIONS is an error or permits nothing', () => {
    const whole = ['origin', 'methods', 'headers', 'expose']
    for (const one of [remedy([]), remedy([['allow', 'POST']]), remedy([...allowing()], {}, 405)])
      expect([one.isWhole, Object.keys(one.additions)]).toEqual([true, whole])
    expect(remedy([['access-control-allow-headers', '*']]).isWhole).toBe(false)
    expect(remedy([['access-control-allow-headers', '*']]).additions).not.toHaveProperty('headers')
  })

  test('keeps `*`, without which other headers would be refused', () => {
    const request = { ...refused, headers: ['authorization', 'content-type'] }
    const lines = (...headers: HeaderList) =>
      missingLines(corsRemedy(corsFaults(request, { status: 204, headers }), request, { status: 204, headers }))
    const methods: HeaderList[number] = ['access-control-allow-methods', '*']
    expect(lines(open, methods, ['access-control-allow-headers', '*'])).toEqual([
      'Access-Control-Allow-Headers: *, Authorization',
    ])
    expect(lines(open, methods, ['access-control-allow-headers', 'X-Mine, *'])).toEqual([
      'Access-Control-Allow-Headers: X-Mine, *, Authorization',
    ])
  })

  test('compares methods as a browser does, and writes those that are needed in upper case', () => {
    const request = { ...refused, method: 'DELETE' }
    const methods = (allowed: string) => {
      const headers = allowing(['access-control-allow-methods', allowed])
      return missingLines(corsRemedy(corsFaults(request, { status: 204, headers }), request, { status: 204, headers }, { era: 'handshake' }))[0] // prettier-ignore
    }
    expect(methods('get, post, delete, Patch')).toBe('Access-Control-Allow-Methods: GET, POST, DELETE, Patch')
  })

  test('names the origins that the server allows already, unless they are none', () => {
    const others = (...found: readonly string[]) =>
      remedy([...found.map((origin): HeaderList[number] => ['access-control-allow-origin', origin]), ['access-control-allow-headers', '*']]).policy.otherOrigins // prettier-ignore
    expect(others('https://app.example')).toEqual(['https://app.example'])
    expect(others(`https://app.example, ${ORIGIN}`)).toEqual(['https://app.example'])
    expect(others('https://app.example:8443', 'http://[::1]:5')).toEqual(['https://app.example:8443', 'http://[::1]:5'])
    for (const none of ['null', `${ORIGIN}/`, ORIGIN, "https://a'); exit(); ('", 'https://a.example/path', 'ftp://a'])
      expect(others(none), none).toBeUndefined()
    const failing: HeaderList = [['access-control-allow-origin', 'https://app.example']]
    expect(remedy(failing, {}, 405)).toMatchObject({ isWhole: true, policy: { otherOrigins: ['https://app.example'] } })
  })

  test('is nothing for a port that browsers block, or where OPTIONS was only late', () => {
    const response = { status: 204, headers: [] }
    expect(corsRemedy([{ kind: 'blocked-port', port: '6667' }], refused, response).additions).toEqual({})
    expect(corsRemedy([], refused, response).additions).toEqual({})
  })

  test('the response itself needs only the origin, and to expose what the page must read, unless that is known', () => {
    const origin = `Access-Control-Allow-Origin: ${ORIGIN}`
    const all = allowing(['access-control-allow-headers', '*'], ['access-control-allow-methods', 'DELETE'])
    const lines = (...more: Parameters<typeof remedy>[1][]) => missingLines(remedy(all, ...more))
    expect(lines()).toEqual([origin, 'Access-Control-Expose-Headers: WWW-Authenticate'])
    expect(lines({ era: 'handshake' })).toEqual([
      origin,
      'Access-Control-Expose-Headers: Mcp-Session-Id, WWW-Authenticate',
    ])
    expect(lines({ era: 'handshake', exposure: { exposed: ['mcp-session-id'], hidden: [] } })).toEqual([origin])
  })

  test('whatever a server sends: with the lines added, a browser objects to nothing but the response', () => {
    const word = fc.constantFrom(
      '*',
      ORIGIN,
      'null',
      'GET',
      'POST',
      'delete',
      'content-type',
      'x-a',
      '',
      ',',
      'authorization',
    )
    const header = fc.tuple(
      fc.constantFrom(
        'access-control-allow-origin',
        'access-control-allow-headers',
        'access-control-allow-methods',
        'x',
      ),
      fc.array(word, { maxLength: 3 }).map((words) => words.join(', ')),
    )
    const request = fc.record({
      origin: fc.constant(ORIGIN),
      method: fc.constantFrom('GET', 'POST', 'DELETE'),
      headers: fc.uniqueArray(fc.constantFrom('content-type', 'authorization', 'mcp-method', 'x-a', 'accept')),
    })
    fc.assert(
      fc.property(request, fc.array(header), fc.constantFrom(200, 204, 301, 401, 500), (asked, headers, status) => {
        const response = { status, headers }
        const added = missingLines(corsRemedy(corsFaults(asked, response), asked, response, { era: 'stateless' })).map(
          (line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)] as const,
        )
        const replaced = new Set(added.map(([name]) => name))
        const corrected = [...headers.filter(([name]) => !replaced.has(name)), ...added]
        expect(corsFaults(asked, { status: 204, headers: corrected }).map(({ kind }) => kind)).toEqual(['response'])
      }),
    )
  })
})

describe('the whole policy', () => {
  const RESPONSES: Readonly<Record<string, Json>> = {
    initialize: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'x', version: '1' } },
    'server/discover': { supportedVersions: ['2026-07-28'], capabilities: {}, serverInfo: { name: 'x', version: '1' } },
  }

  /** Names of the headers, and methods, that a connection and a call send. */
  const sentWith = async (remembered: 'handshake' | 'stateless') => {
    const sent = new Set<string>()
    const fetchFrom = async (_: unknown, init: RequestInit = {}): Promise<Response> => {
      sent.add(init.method!)
      for (const [name] of new Headers(init.headers)) sent.add(name)
      if (typeof init.body !== 'string') return new Response(null, { status: 405 })
      const { id, method } = JSON.parse(init.body) as { id?: number; method: string }
      if (id === undefined) return new Response(null, { status: 202 })
      const result = RESPONSES[method] ?? { content: [] }
      return Response.json({ jsonrpc: '2.0', id, result }, { headers: { 'mcp-session-id': 's' } })
    }
    const headers: [string, string][] = [['authorization', 'Bearer x']]
    const transport = new StreamableHttpTransport({ url: 'http://test.invalid/mcp', headers, fetch: fetchFrom })
    const clientInfo = { name: 'test', version: '0' }
    const session = new Session({ trace: new Trace(), link: 's1', transport, clientInfo, remembered })
    await session.open()
    await session.request('tools/call', { name: 't', arguments: {} })
    await session.close()
    return [...sent]
  }

  test('allows what a page sends, in either lifecycle', async () => {
    const request: RefusedRequest = { origin: 'https://page.example', method: 'POST', headers: ['authorization'] }
    const policy = corsPolicy(request)
    const sent = [...(await sentWith('handshake')), ...(await sentWith('stateless'))]
    const methods = sent.filter((name) => name === name.toUpperCase())
    const headers = unsafeHeaders(sent.filter((name) => name !== name.toUpperCase()))
    expect(methods).toEqual(expect.arrayContaining(['DELETE', 'GET']))
    expect(headers).toEqual(expect.arrayContaining(['mcp-session-id', 'mcp-method', 'mcp-name']))
    expect(policy.methods).toEqual(expect.arrayContaining(methods))
    expect(policy.headers.map((name) => name.toLowerCase())).toEqual(expect.arrayContaining(headers))
    expect(policyLines(policy)).toEqual([
      'Access-Control-Allow-Origin: https://page.example',
      'Access-Control-Allow-Methods: GET, POST, DELETE',
      'Access-Control-Allow-Headers: Authorization, Content-Type, MCP-Protocol-Version, Mcp-Session-Id, Last-Event-ID, Mcp-Method, Mcp-Name',
      'Access-Control-Expose-Headers: Mcp-Session-Id, WWW-Authenticate',
    ])
  })
})
