import { expect, test } from 'vitest'
import type { Step } from '../../replay/steps.ts'
import { destructiveCalls } from './destructive-calls.ts'
import en from './text/en.ts'
import zh from './text/zh-CN.ts'

const call = (link: string, name: string, more: Partial<Step> = {}): Step => ({
  id: `${link} ${name}`,
  link,
  kind: 'request',
  method: 'tools/call',
  params: { name },
  ...more,
})
const names: Readonly<Record<string, string>> = { s1: 'staging', s2: 'production' }
const targetOf = (link: string) => (names[link] === undefined ? undefined : { link, name: names[link] })
const callsIn = (...steps: Step[]) => destructiveCalls(steps, targetOf, () => new Set(['erase', 'wipe']))

test('the connections named are those that destructive calls go to', () => {
  expect(callsIn(call('s1', 'echo'), call('s2', 'erase'))).toEqual({ tools: ['erase'], servers: ['production'] })
  expect(callsIn(call('s1', 'wipe'), call('s2', 'erase'), call('s1', 'erase'))).toEqual({
    tools: ['wipe', 'erase'],
    servers: ['staging', 'production'],
  })
})

test('steps that are skipped, go nowhere or call no tool need no question', () => {
  const none = { tools: [], servers: [] }
  expect(callsIn(call('s1', 'erase', { skip: true }))).toEqual(none)
  expect(callsIn(call('s3', 'erase'))).toEqual(none)
  expect(callsIn(call('s1', 'erase', { method: 'prompts/get' }))).toEqual(none)
})

test.each([en, zh])('the question names the tools and the connections', ({ confirmText }) => {
  const question = confirmText('erase', 'production')
  expect(question).toContain('erase')
  expect(question).toContain('production')
})
