import { expect, test } from 'vitest'
import { Trace } from '../mcp/index.ts'
import { candidates, findEndpoints, resourceIn } from './endpoints.ts'

test('the usual paths, and the entered one with or without its slash, without the entered one itself', () => {
  expect(candidates('https://e.com/')).toEqual(['/mcp', '/mcp/', '/sse', '/api/mcp', '/v1/mcp'].map((path) => `https://e.com${path}`)) // prettier-ignore
  expect(candidates('https://e.com/mcp').slice(0, 3)).toEqual(['https://e.com/mcp/', 'https://e.com/mcp/mcp', 'https://e.com/sse']) // prettier-ignore
  expect(candidates('https://e.com/a/?key=1')).toContain('https://e.com/a?key=1')
  expect(candidates('https://e.com/mcp', true)).toContain('https://e.com/prod/mcp')
  for (const url of ['https://e.com/', 'https://e.com/x', 'http://localhost:3000/mcp/'])
    expect(candidates(url).length).toBeLessThanOrEqual(8)
})

test('the resource that its metadata names is tried as well, on the same origin only', async () => {
  const sent: string[] = []
  const fetchWith: typeof fetch = async (input) => {
    const url = input as string
    sent.push(url)
    if (url.includes('/.well-known/')) return Response.json({ resource: 'https://e.com/team/agent' })
    return new Response(null, { status: url.endsWith('/team/agent') ? 401 : 404 })
  }
  const examined = { trace: new Trace(), link: 's1', url: 'https://e.com/', staged: false } as const
  expect(await findEndpoints(examined, fetchWith, false)).toEqual(['https://e.com/team/agent'])
  expect(sent).toContain('https://e.com/.well-known/oauth-protected-resource')
  expect(sent.length).toBeLessThanOrEqual(10)
})

test.each([
  ['another origin', '{"resource":"https://evil.com/mcp"}'],
  ['credentials', '{"resource":"https://a:b@e.com/mcp"}'],
  ['the entered URL itself', '{"resource":"https://e.com/"}'],
  ['no URL', '{"resource":"mcp"}'],
  ['no text', '{"resource":{"url":"https://e.com/mcp"}}'],
  ['a page', '<!doctype html><title>Acme</title>'],
  ['null', 'null'],
])('metadata with %s names no endpoint', (_, text) => {
  expect(resourceIn(text, 'https://e.com/')).toBeUndefined()
})
