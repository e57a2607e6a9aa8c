import { expect, onTestFinished, test } from 'vitest'
import { maskHeaders, maskOf, maskUrl, masksIn } from '../../secrets/index.ts'
import { markOf } from '../../secrets/redaction.ts'
import { language } from './language.svelte.ts'
import { shown, shownLabels, shownWithin } from './shown.svelte.ts'

const SECRET = 'Zx81qLmN0pQrS7tUvW'
const [[, session]] = maskHeaders([['Mcp-Session-Id', 'abcdefgh-and-the-rest']]) as [[string, string]]

test('what stands beside a mask is said in the page’s language', async () => {
  onTestFinished(() => void (language.current = 'en'))
  const url = maskUrl(`https://e.test/mcp?api_key=${SECRET}&q=1`)
  expect(shown(url)).toBe(url)
  expect(shown(session)).toBe(session)
  language.current = 'zh-CN'
  await expect.poll(() => shown(url)).toBe('https://e.test/mcp?api_key=•••• (18 个字符)&q=1')
  expect(shownWithin(`Bearer ${maskOf(200_000)}`)).toBe('Bearer •••• (99999+ 个字符)')
  expect(shown(session)).toBe('abcdefgh… (21 个字符)')
  expect(shown(`a ${markOf('bearer')} b`)).toBe('a ‹已移除：bearer› b')
  expect(shownLabels({ title: maskOf(3), id: maskOf(3) })).toEqual({ title: '•••• (3 个字符)', id: maskOf(3) })
  expect(shown('It must have (8 characters)')).toBe('It must have (8 characters)')
})

test('a mask that was copied from a Chinese page is recognized', async () => {
  onTestFinished(() => void (language.current = 'en'))
  language.current = 'zh-CN'
  await expect.poll(() => shown(maskOf(18))).toContain('个')
  expect(masksIn(`a ${shown(maskOf(18))} b`)).toEqual([[2, 2 + shown(maskOf(18)).length]])
})
