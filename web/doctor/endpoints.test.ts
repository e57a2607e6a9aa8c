import { expect, test } from 'vitest'
import { candidates } from './endpoints.ts'

test('the usual paths, and the entered one with or without its slash, without the entered one itself', () => {
  expect(candidates('https://e.com/')).toEqual(['/mcp', '/mcp/', '/sse', '/api/mcp', '/v1/mcp'].map((path) => `https://e.com${path}`)) // prettier-ignore
  expect(candidates('https://e.com/mcp').slice(0, 3)).toEqual(['https://e.com/mcp/', 'https://e.com/mcp/mcp', 'https://e.com/sse']) // prettier-ignore
  expect(candidates('https://e.com/a/?key=1')).toContain('https://e.com/a?key=1')
  expect(candidates('https://e.com/mcp', true)).toContain('https://e.com/prod/mcp')
  for (const url of ['https://e.com/', 'https://e.com/x', 'http://localhost:3000/mcp/'])
    expect(candidates(url).length).toBeLessThanOrEqual(8)
})
