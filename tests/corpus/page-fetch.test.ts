import { createServer, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { pageFetch } from './page-fetch.ts'

const ORIGIN = 'http://localhost:1'
const JSON_POST = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }

/** Responds to everything with these headers, and to a preflight with the others. */
const serve = async (headers: OutgoingHttpHeaders, preflight: OutgoingHttpHeaders = headers, status = 204) => {
  const seen: IncomingMessage[] = []
  const server = createServer((request, response) => {
    seen.push(request)
    request.resume()
    if (request.method === 'OPTIONS') response.writeHead(status, preflight).end()
    else response.writeHead(200, headers).end('ok')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close(() => {}).closeAllConnections())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, seen }
}

const ANY = { 'access-control-allow-origin': '*' }

test('what is simple is sent without a preflight, with the page’s origin', async () => {
  const { url, seen } = await serve(ANY)
  const response = await pageFetch(ORIGIN).fetch(url, { headers: { accept: 'text/event-stream' } })
  expect(await response.text()).toBe('ok')
  expect(seen.map(({ method, headers }) => [method, headers.origin])).toEqual([['GET', ORIGIN]])
})

test('what is not is asked for first, by name', async () => {
  const { url, seen } = await serve(ANY, { ...ANY, 'access-control-allow-headers': 'Content-Type, Mcp-Method' })
  await pageFetch(ORIGIN).fetch(url, { ...JSON_POST, headers: { ...JSON_POST.headers, 'mcp-method': 'x' } })
  expect(seen.map(({ method }) => method)).toEqual(['OPTIONS', 'POST'])
  expect(seen[0]!.headers['access-control-request-headers']).toBe('content-type,mcp-method')
})

test.each<[what: string, answer: OutgoingHttpHeaders, status: number, method: string, why: string]>([
  ['no CORS', {}, 200, 'POST', 'the preflight (HTTP 200) does not allow this origin'],
  ['a status that is none of success', ANY, 405, 'POST', 'the preflight was answered HTTP 405'],
  ['another header', { ...ANY, 'access-control-allow-headers': 'accept' }, 204, 'POST', 'does not allow content-type'],
  ['another method', { ...ANY, 'access-control-allow-headers': '*' }, 204, 'DELETE', 'does not allow DELETE'],
])('a preflight with %s lets nothing through', async (_, answer, status, method, why) => {
  const { url, seen } = await serve(ANY, answer, status)
  const page = pageFetch(ORIGIN)
  await expect(page.fetch(url, { ...JSON_POST, method })).rejects.toThrow('Failed to fetch')
  expect(page.refused).toEqual([expect.stringContaining(why)])
  expect(seen.map(({ method }) => method)).toEqual(['OPTIONS'])
})

test('a star does not stand for Authorization', async () => {
  const { url } = await serve(ANY, { ...ANY, 'access-control-allow-headers': '*' })
  const page = pageFetch(ORIGIN)
  await page.fetch(url, { headers: { 'mcp-session-id': 'x' } })
  await expect(page.fetch(url, { headers: { authorization: 'x' } })).rejects.toThrow()
})

test('an answer that allows another origin is not shown', async () => {
  const { url } = await serve({ 'access-control-allow-origin': 'http://localhost:2' })
  await expect(pageFetch(ORIGIN).fetch(url)).rejects.toThrow('Failed to fetch')
})

test('headers are hidden unless they are exposed', async () => {
  const id = { 'mcp-session-id': 'x', 'content-type': 'text/plain' }
  const hidden = await serve({ ...ANY, ...id })
  const closed = await pageFetch(ORIGIN).fetch(hidden.url)
  expect([closed.headers.get('mcp-session-id'), closed.headers.get('content-type')]).toEqual([null, 'text/plain'])
  expect(closed.type).toBe('cors')
  const shown = await serve({ ...ANY, ...id, 'access-control-expose-headers': 'Mcp-Session-Id' })
  const page = pageFetch(ORIGIN)
  expect((await page.fetch(shown.url)).headers.get('mcp-session-id')).toBe('x')
  expect(page.exposed).toContain('mcp-session-id')
})
