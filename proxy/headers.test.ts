/** The headers that README tells self-hosters to send are the ones the proxy itself sends. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createApp } from './app.ts'
import { Pages } from './pages.ts'

const dist = mkdtempSync(join(tmpdir(), 'periscope-headers-'))
mkdirSync(join(dist, 'oauth'))
mkdirSync(join(dist, 'assets'))
for (const name of ['index.html', 'oauth/callback.html', 'assets/a-1.js']) writeFileSync(join(dist, name), 'x')
afterAll(() => rmSync(dist, { recursive: true }))

const HOST = '127.0.0.1:7777'
const app = createApp({ token: 'x', allowedHosts: [HOST], pages: new Pages(), dist })
const sent = async (path: string) => (await app.request(`http://${HOST}${path}`, { headers: { Host: HOST } })).headers

const section = /\n## Host a copy\n(.*?)\n## /s.exec(
  readFileSync(join(import.meta.dirname, '../README.md'), 'utf8'),
)![1]!
const [everywhere, callback] = [...section.matchAll(/```http\n(.*?)```/gs)].map(([, block]) =>
  Object.fromEntries(
    block!
      .trim()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  ),
)
/** Headers that every response has anyway. */
const OWN = new Set(['content-type', 'content-length', 'vary', 'cache-control', 'last-modified', 'etag'])
const policies = (headers: Headers) => Object.fromEntries([...headers].filter(([name]) => !OWN.has(name)))

test('every file comes with the headers that README lists, and with no other policy', async () => {
  expect(policies(await sent('/'))).toEqual(everywhere)
  expect(policies(await sent('/assets/a-1.js'))).toEqual(everywhere)
  expect(Object.keys(everywhere!)).toContain('content-security-policy')
  expect(everywhere!['content-security-policy']).toContain("frame-ancestors 'none'")
})

test('the callback comes with the two that README lists for it', async () => {
  const headers = await sent('/oauth/callback.html')
  const { 'cache-control': cache, ...other } = callback!
  expect(headers.get('cache-control')).toBe(cache)
  expect(policies(headers)).toEqual({ ...everywhere, ...other })
})

test('what README says of caches holds', async () => {
  expect(section).toContain(`\`${(await sent('/assets/a-1.js')).get('cache-control')}\``)
  expect(section).toContain(`\`${(await sent('/')).get('cache-control')}\``)
})
