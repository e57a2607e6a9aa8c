import { expect, test } from 'vitest'
import { judgeFailure } from './failure.ts'
import type { Target } from './target.ts'

const page = { protocol: 'http:', host: 'localhost:6280' }
const url = (text: string): Target => ({ kind: 'url', url: text, headers: [] })
const command: Target = { kind: 'command', command: 'x', args: [], env: {} }
const failed = (code: string, more = {}) => ({ code, noise: 0, stderr: 0, ...more })

test('an opaque network failure names the likelier cause first, and never claims to know which it was', () => {
  expect(judgeFailure(failed('unreachable'), url('http://localhost:1/mcp'), page).remedies).toEqual([
    'is-it-running',
    'allow-page',
  ])
  expect(judgeFailure(failed('unreachable'), url('https://e.com/mcp'), page).remedies).toEqual([
    'allow-page',
    'is-it-running',
  ])
  const hosted = { protocol: 'https:', host: 'e.org' }
  expect(judgeFailure(failed('unreachable'), url('http://localhost:1/mcp'), hosted).remedies).toContain('local-network')
  // CORS cannot be to blame on the page's own origin.
  expect(judgeFailure(failed('unreachable'), url('http://localhost:6280/mcp'), page).remedies).toEqual([
    'is-it-running',
  ])
})

test('a status is explained by what it means for MCP', () => {
  const of = (status: number) => judgeFailure(failed('http-status', { status }), url('http://x/'), page)
  expect(of(403)).toMatchObject({ what: 'forbidden', remedies: ['allow-page', 'sign-in', 'read-body'] })
  expect(of(404).remedies[0]).toBe('try-path')
  expect(of(405).remedies).toContain('old-transport')
  expect(of(502).what).toBe('server-error')
  expect(of(418).what).toBe('status')
})

test('a process that ended points at its stderr only when there is one', () => {
  expect(judgeFailure(failed('process-exited', { stderr: 3 }), command, page).remedies[0]).toBe('read-stderr')
  expect(judgeFailure(failed('process-exited'), command, page).remedies).not.toContain('read-stderr')
  expect(judgeFailure(failed('timeout', { noise: 2 }), command, page).remedies[0]).toBe('stdout-noise')
})

test('every code of the kernel has a verdict, and what is unknown is told as our own fault', () => {
  const codes = [
    'unreachable',
    'http-status',
    'unauthorized',
    'session-expired',
    'not-mcp',
    'timeout',
    'stream-lost',
    'process-exited',
    'spawn-failed',
    'no-proxy',
    'proxy-lost',
    'bad-handshake',
    'unsupported-revision',
    'closed',
  ]
  for (const code of codes) {
    const verdict = judgeFailure(failed(code), command, page)
    expect(verdict.what, code).not.toBe('internal')
    expect(verdict.remedies.length, code).toBeGreaterThan(0)
  }
  expect(judgeFailure(failed('what'), command, page).what).toBe('internal')
})
