import { expect, test } from 'vitest'
import { clientEntry } from './client-entry.ts'

test.each([
  ['https://e.com/mcp', []],
  ['http://localhost:3001/mcp', []],
  ['http://127.0.0.1/', []],
  ['http://e.com/mcp', ['--allow-http']],
  ['http://[::1]:3001/mcp', ['--allow-http']],
  ['http://localhost.e.com/', ['--allow-http']],
  ['http://127.0.0.1.nip.io', ['--allow-http']],
])('mcp-remote may connect to %s, because it is told to with %j', (url, options) => {
  const server = { name: 'a', target: { kind: 'url', url, headers: [] }, settings: {} } as const
  expect(clientEntry('claude-desktop', server, 'written')?.entry).toMatchObject({
    args: ['-y', 'mcp-remote', url, ...options],
  })
})
