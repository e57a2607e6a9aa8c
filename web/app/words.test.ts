import { afterEach, expect, test } from 'vitest'
import { tabFeatures } from '../features/index.ts'
import { language } from '../ui/i18n/language.svelte.ts'
import { featureWord } from './words.svelte.ts'

afterEach(() => void (language.current = 'en'))

test('every tab has a title of its own in both languages', async () => {
  const english = tabFeatures.map(featureWord)
  expect(english).toEqual(tabFeatures.map(({ title }) => title()))
  language.current = 'zh-CN'
  await expect.poll(() => featureWord(tabFeatures[0]!)).not.toBe(english[0])
  const chinese = tabFeatures.map(featureWord)
  expect(chinese.filter((word) => !/\p{Script=Han}/u.test(word))).toEqual([])
  expect(new Set(chinese).size).toBe(tabFeatures.length)
})
