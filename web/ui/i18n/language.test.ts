import { expect, onTestFinished, test, vi } from 'vitest'
import { catalogue, language, textsArrived, withTexts } from './language.svelte.ts'

const english = { greeting: 'Hello' }

/** A translation whose arrival the test decides. */
const translation = () => {
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => (arrive = resolve))
  return { load: () => arrived.then(() => ({ default: { greeting: '你好' } })), arrive }
}

test('what opens on a Chinese page is never in English first', async () => {
  onTestFinished(() => void (language.current = 'en'))
  language.current = 'zh-CN'
  const { load, arrive } = translation()
  // Waits for nothing of another test.
  await textsArrived()
  const opened: string[] = []
  const panel = withTexts(Promise.resolve(catalogue(english, load)))
  const opening = panel.then(({ t }) => opened.push(t.greeting))
  await new Promise((resolve) => setTimeout(resolve))
  expect(opened).toEqual([])
  arrive()
  await opening
  expect(opened).toEqual(['你好'])
})

test('a translation that never arrives keeps nothing from opening', async () => {
  vi.useFakeTimers()
  onTestFinished(() => {
    language.current = 'en'
    vi.useRealTimers()
  })
  language.current = 'zh-CN'
  const panel = withTexts(Promise.resolve(catalogue(english, () => new Promise(() => {}))))
  await vi.advanceTimersByTimeAsync(2000)
  expect((await panel).t.greeting).toBe('Hello')
})

test('a page in English loads no translation and waits for none', async () => {
  let loads = 0
  const { t } = catalogue(english, () => {
    loads++
    return new Promise(() => {})
  })
  await textsArrived()
  expect(t.greeting).toBe('Hello')
  expect(loads).toBe(0)
})
