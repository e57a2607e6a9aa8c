import { expect, onTestFinished, test } from 'vitest'
import { language } from './language.svelte.ts'
import { bracketed, joined, labelled, listed } from './punctuation.svelte.ts'

test('texts are put together as the language does it', () => {
  onTestFinished(() => void (language.current = 'en'))
  const all = () => [
    listed(['URL', 'relay']),
    joined(['connected', '2 requests']),
    labelled('Slowest', 'tools/call'),
    labelled('Slowest'),
    bracketed('Share', 'S'),
    bracketed('', 'asked for 2 s'),
  ]
  expect(all()).toEqual([
    'URL, relay', 'connected, 2 requests', 'Slowest: tools/call', 'Slowest: ', 'Share (S)', '(asked for 2 s)',
  ]) // prettier-ignore
  language.current = 'zh-CN'
  expect(all()).toEqual([
    'URL、relay', 'connected，2 requests', 'Slowest：tools/call', 'Slowest：', 'Share（S）', '（asked for 2 s）',
  ]) // prettier-ignore
  expect(listed([])).toBe('')
})

test('a value from right to left stays where it is', () => {
  const value = 'שלום'
  expect(labelled('a', value)).toBe(`a: \u2068${value}\u2069`)
  expect(bracketed('a', value)).toBe(`a (\u2068${value}\u2069)`)
})
