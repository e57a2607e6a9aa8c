import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { HeaderList } from '../mcp/index.ts'
import { corsFaults, missingLines, preflightHeaders, unsafeHeaders, type RefusedRequest } from './cors.ts'

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

describe('the lines to paste', () => {
  test('contain what is allowed already and what is missing, and nothing broader', () => {
    const headers: HeaderList = [
      ['access-control-allow-origin', ORIGIN],
      ['access-control-allow-headers', 'X-Mine, Content-Type'],
    ]
    expect(missingLines(corsFaults(refused, { status: 204, headers }), refused, 'stateless')).toEqual([
      'Access-Control-Allow-Headers: X-Mine, Content-Type, MCP-Protocol-Version, Mcp-Method, Mcp-Name',
    ])
  })

  test('the response itself needs only the origin, and to show the session ID where there are sessions', () => {
    const origin = `Access-Control-Allow-Origin: ${ORIGIN}`
    expect(missingLines([{ kind: 'response' }], refused, 'stateless')).toEqual([origin])
    expect(missingLines([{ kind: 'response' }], refused, 'handshake')).toEqual([
      origin,
      'Access-Control-Expose-Headers: Mcp-Session-Id, WWW-Authenticate',
    ])
  })

  test('whatever a server sends: with the lines added, a browser objects to nothing but the response', () => {
    const word = fc.constantFrom('*', ORIGIN, 'null', 'GET', 'POST', 'content-type', 'x-a', '', ',', 'authorization')
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
        const lines = missingLines(corsFaults(asked, { status, headers }), asked, 'stateless').map(
          (line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)] as const,
        )
        const replaced = new Set(lines.map(([name]) => name))
        const corrected = [...headers.filter(([name]) => !replaced.has(name)), ...lines]
        expect(corsFaults(asked, { status: 204, headers: corrected }).map(({ kind }) => kind)).toEqual(['response'])
      }),
    )
  })
})
