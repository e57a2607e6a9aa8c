import { expect, onTestFinished, test } from 'vitest'
import { until } from '../../../tests/patience.ts'
import { offerTyped, takeTyped } from './draft-handover.ts'
import { Draft } from './draft.svelte.ts'
import { lineOf } from './target.ts'

const channel = (): BroadcastChannel => {
  const made = new BroadcastChannel('periscope-handover')
  onTestFinished(() => made.close())
  return made
}

/** Resolves once every tab has read what was sent so far. */
const delivered = async (): Promise<void> => {
  const [from, to] = [channel(), channel()]
  let isRead = false
  to.addEventListener('message', ({ data }: MessageEvent) => void (isRead ||= data === 'delivered'))
  from.postMessage('delivered')
  await until(() => isRead)
}

const NOTHING = async (): Promise<void> => {}

const typed = (text: string): Draft => {
  const draft = new Draft()
  draft.text = text
  return draft
}

test('what was typed without access goes to the tab that asks, with its rows, secrets and marks', async () => {
  const old = typed('node server.js --token hunter2')
  old.env = [
    { name: 'KEY', value: 'hunter3' },
    { name: 'KEPT', value: 'recalled', only: lineOf(old.target!) },
    { name: 'OTHER', value: 'not for this one', only: 'node other.js' },
  ]
  old.settings = { revision: '2025-06-18' }
  old.isFromLink = true
  offerTyped(() => old, channel())
  old.fill({ '${input:x}': 'entered' })
  const fresh = new Draft()
  let recalled: Draft | undefined
  takeTyped(fresh, async (form) => void (recalled = form), channel())
  await until(() => !fresh.isEmpty)
  expect(recalled).toBe(fresh)
  expect(fresh.dropped).toEqual(['KEPT'])
  expect(fresh.filled).toEqual({ '${input:x}': 'entered' })
  expect(fresh.text).toBe(old.text)
  expect([...fresh.env]).toEqual([
    { name: 'KEY', value: 'hunter3' },
    { name: 'KEPT', value: '' },
  ])
  expect(fresh.settings).toEqual({ revision: '2025-06-18' })
  expect(fresh.isFromLink).toBe(true)
})

test('a tab that stays open answers once for each text', async () => {
  const old = typed('node first.js')
  offerTyped(() => old, channel())
  const [first, second, third] = [new Draft(), new Draft(), new Draft()]
  takeTyped(first, NOTHING, channel())
  await until(() => !first.isEmpty)
  takeTyped(second, NOTHING, channel())
  await delivered()
  expect(second.isEmpty).toBe(true)
  old.text = 'node second.js'
  takeTyped(third, NOTHING, channel())
  await until(() => !third.isEmpty)
  expect(third.text).toBe('node second.js')
})

test('a tab with access answers nobody, and neither does an empty form', async () => {
  let isWithout = true
  const old = typed('')
  offerTyped(() => (isWithout ? old : undefined), channel())
  const fresh = new Draft()
  takeTyped(fresh, NOTHING, channel())
  await delivered()
  isWithout = false
  old.text = 'node server.js'
  takeTyped(fresh, NOTHING, channel())
  await delivered()
  expect(fresh.isEmpty).toBe(true)
})

test('what is typed into the new tab meanwhile stays', async () => {
  offerTyped(() => typed('node old.js'), channel())
  const fresh = new Draft()
  const asking = channel()
  takeTyped(fresh, NOTHING, asking)
  fresh.text = 'node new.js'
  await delivered()
  expect(fresh.text).toBe('node new.js')
})

test.each([[null], [{ text: 1 }], ['text'], [[]]])('%j, which no form sends, changes nothing', async (data) => {
  const fresh = new Draft()
  takeTyped(fresh, NOTHING, channel())
  channel().postMessage(data)
  await delivered()
  expect(fresh.isEmpty).toBe(true)
})
