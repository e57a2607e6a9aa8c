import { expect, test } from 'vitest'
import type { Frame } from '../../mcp/index.ts'
import en from './text/en.ts'
import { failureMarkdown } from './failure-report.ts'

const frame = (seq: number, body: string): Frame => ({ kind: 'http', phase: 'end', request: 0, size: 1, body, seq, at: 0, link: 's1' }) // prettier-ignore
const report = {
  heading: 'example.com responds, but the browser hides the response from this page (CORS)',
  explanation: 'Failed to fetch',
  whoFixes: "Usually fixed by the server's author",
  remedies: [['Add *this* header:', 'Access-Control-Allow-Origin: http://localhost']] as const,
  network: [{ step: 'tcp', ms: 1, remote: '127.0.0.1' }] as const,
  frames: [frame(0, 'one'), frame(1, 'two')],
}

test('a report names the cause, the evidence and the fix, with every frame of the attempt', () => {
  const text = failureMarkdown(report, en, '1.2.3')
  expect(text).toMatch(/^## example\.com responds/)
  expect(text).toContain("Usually fixed by the server's author")
  expect(text).toContain(String.raw`- Add \*this\* header:`)
  expect(text).toContain('```\nAccess-Control-Allow-Origin: http://localhost\n```')
  expect(text).toContain('"remote":"127.0.0.1"')
  expect(text).toContain('"body":"one"')
  expect(text).toContain('"body":"two"')
  expect(text).toContain('1.2.3')
})

test('no text of a server becomes Markdown, and the length is bounded', () => {
  const hostile = '```\n# owned\n[x](javascript:alert(1)) <img src=x>'
  const text = failureMarkdown(
    { ...report, heading: hostile, explanation: hostile, frames: Array.from({ length: 500 }, (_, at) => frame(at, hostile.repeat(200))) }, // prettier-ignore
    en,
    '1',
  )
  expect(text.length).toBeLessThan(60_000)
  expect(text).not.toMatch(/^# owned/m)
  const outside = text.replaceAll(/^(`{3,})\n[\s\S]*?\n\1$/gm, '')
  expect(outside).not.toMatch(/(?<!\\)<img/)
  expect(outside).not.toMatch(/(?<!\\)\[x/)
})
