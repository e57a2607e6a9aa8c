import { expect, onTestFinished, test } from 'vitest'
import { language } from './language.svelte.ts'
import { listed } from './listed.svelte.ts'

test('labels are joined as the language does it', () => {
  onTestFinished(() => void (language.current = 'en'))
  expect(listed(['URL', 'relay'])).toBe('URL, relay')
  language.current = 'zh-CN'
  expect(listed(['网址', '中继'])).toBe('网址、中继')
  expect(listed([])).toBe('')
})
