import { expect, test } from 'vitest'
import { readConnectLink } from '../connect-link.ts'
import { readmeBadge } from './badge.ts'
import type { ExportedServer } from './client-entry.ts'

const SECRET = 'Zx81qLmN0pQrS7tUvW'
const server: ExportedServer = {
  name: 'Docs (beta)',
  target: { kind: 'url', url: `https://e.com/mcp?a=(1)&api_key=${SECRET}`, headers: [['Authorization', SECRET]] },
  settings: {},
}

test('a badge opens the page that readers can reach, fills in the form, and contains no secret', () => {
  const badge = readmeBadge('https://periscope.example/app/index.html?x#/s1', server)!
  expect(badge.link).toMatch(/^https:\/\/periscope\.example\/app\/#\/connect\?url=/)
  expect(JSON.stringify(badge)).not.toContain(SECRET)
  expect(readConnectLink(new URL(badge.link).hash)).toMatchObject({
    name: 'Docs (beta)',
    headers: [{ name: 'Authorization' }],
  })
  const [, picture, link] = /^\[!\[Open in Periscope\]\((\S+?)\)\]\((\S+?)\)$/.exec(badge.markdown)!
  expect([picture, link]).toEqual(['https://periscope.example/app/badge.svg', badge.link])
  expect(badge.html).toContain(`href="${badge.link.replaceAll('&', '&amp;')}"`)
})

test('a page on this machine gets a link without a picture; no other scheme gets one', () => {
  expect(readmeBadge('http://127.0.0.1:6275/', server)).toMatchObject({
    local: true,
    markdown: expect.stringMatching(/^\[Open in Periscope\]\(http:\/\/127\.0\.0\.1:6275\/#/) as string,
  })
  for (const page of ['', 'periscope', 'javascript:alert(1)', 'file:///x'])
    expect(readmeBadge(page, server)).toBeUndefined()
})
