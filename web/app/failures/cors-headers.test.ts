import { expect, test } from 'vitest'
import { Session, StreamableHttpTransport, Trace, type Json } from '../../mcp/index.ts'
import { corsHeaders } from './cors-headers.ts'

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

const namesIn = (line: string): string[] =>
  line
    .slice(line.indexOf(':') + 1)
    .toLowerCase()
    .split(/,? /)
    .filter(Boolean)

test('what a page sends, in either lifecycle, is what the headers allow', async () => {
  const [origin, methods, headers, exposed] = corsHeaders('https://page.example').split('\n')
  expect(origin).toBe('Access-Control-Allow-Origin: https://page.example')
  const allowed = new Set([...namesIn(methods!), ...namesIn(headers!)])
  const sent = [...(await sentWith('handshake')), ...(await sentWith('stateless'))].map((name) => name.toLowerCase())
  expect(sent).toEqual(expect.arrayContaining(['mcp-session-id', 'mcp-method', 'mcp-name', 'delete', 'get']))
  expect(sent.filter((name) => !allowed.has(name))).toEqual([])
  expect(namesIn(exposed!)).toEqual(['mcp-session-id', 'www-authenticate'])
})
