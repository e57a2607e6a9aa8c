import { expect, test } from 'vitest'
import type { StepReport } from '../../replay/rerun.ts'
import type { Outcome, Step } from '../../replay/steps.ts'
import {
  changed,
  askingCalls,
  doubled,
  expectationsFrom,
  markOf,
  shifted,
  summaryOf,
  typedValue,
  wantedIn,
  withField,
  without,
  withRule,
} from './steps.ts'
import en from './text/en.ts'
import zh from './text/zh-CN.ts'

const step = (id: string, more: Partial<Step> = {}): Step => ({
  id,
  link: 's1',
  kind: 'request',
  method: 'tools/call',
  ...more,
})
const steps = [step('a'), step('b'), step('c')]
const ids = (list: readonly Step[]) => list.map(({ id }) => id).join('')

test('steps are moved, doubled, changed and deleted, and the list before stays as it was', () => {
  expect(ids(shifted(steps, 'a', 1))).toBe('bac')
  expect(ids(shifted(steps, 'c', -2))).toBe('cab')
  expect(shifted(steps, 'a', -1)).toBe(steps)
  expect(shifted(steps, 'x', 1)).toBe(steps)
  expect(ids(doubled(steps, 'b', 'B'))).toBe('abBc')
  expect(ids(without(steps, 'b'))).toBe('ac')
  expect(changed(steps, 'b', (old) => withField(old, 'skip', true))[1]).toEqual(step('b', { skip: true }))
  expect('skip' in withField(step('a', { skip: true }), 'skip', undefined)).toBe(false)
  expect(ids(steps)).toBe('abc')
})

test('variables are asked for unless an earlier step gives them, or nobody fills them in', () => {
  const uses = (name: string) => ({ params: { text: `{{${name}}}` }, templated: true }) as const
  expect(
    wantedIn([
      step('1', uses('token')),
      step('2', { take: [{ name: 'id', pointer: '/id' }] }),
      step('3', uses('id')),
      step('4', { params: { text: '{{only text}}' } }),
      step('5', { ...uses('skipped'), skip: true }),
    ]),
  ).toEqual(['token'])
  expect(wantedIn([step('1', uses('id')), step('2', { take: [{ name: 'id', pointer: '/id' }] })])).toEqual(['id'])
})

test('a typed value is JSON where it is JSON, and else a text', () => {
  expect(['5', 'true', '{"a":1}', 'five', '"5"', ''].map(typedValue)).toEqual([5, true, { a: 1 }, 'five', '5', ''])
})

test.each<[what: string, Outcome, kinds: string]>([
  ['a result', { took: 1, result: { content: [], structuredContent: { a: 1 } } }, 'status equals no-must'],
  ['a tool that failed', { took: 1, result: { content: [], isError: true } }, 'status equals no-must'],
  ['an error', { took: 1, error: { code: -32602, message: 'no' } }, 'status no-must'],
  ['a long answer', { took: 1, result: { content: ['x'.repeat(30_000)] } }, 'status no-must'],
  ['no answer', { took: 1, ended: 'lost' }, ''],
])('of %s is expected what can come again', (_, outcome, kinds) => {
  expect(
    expectationsFrom(outcome)
      .map(({ kind }) => kind)
      .join(' '),
  ).toBe(kinds)
})

test('a step is as good as its worst run', () => {
  const report = (verdict: StepReport['verdict'], passed: boolean): StepReport => ({
    step: steps[0]!,
    run: 1,
    verdict,
    passed,
    expectations: [],
    extra: [],
    unasked: [],
  })
  const [same, different] = [report('same', true), report('different', false)]
  expect(markOf(undefined)).toBe('none')
  expect(markOf([same, different, same])).toBe('failed')
  expect(markOf([report('not-sent', false), different])).toBe('not-sent')
  expect(markOf([report('skipped', true)])).toBe('skipped')
  expect(summaryOf([[same], [same, different], [report('skipped', true)]])).toEqual({
    passed: 1,
    failed: 1,
    skipped: 1,
    notSent: 0,
    slower: 0,
  })
})

test('a rule that is added has a name of its own', () => {
  const rules = withRule(withRule([], { accept: 'any', where: '/a' }), { accept: 'time' })
  expect(rules.map(({ id }) => id)).toEqual(['own-1', 'own-2'])
  expect(withRule(rules.slice(1), { accept: 'id' }).map(({ id }) => id)).toEqual(['own-2', 'own-1'])
})

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
const callsIn = (...steps: Step[]) => {
  const { tools, servers } = askingCalls(steps, targetOf, (_, tool) => ['erase', 'wipe'].includes(tool))
  return { tools, servers: servers.map(({ server, tools: own }) => [server.name, ...own]) }
}

test('the connections named are those that get calls which ask, each with its own tools', () => {
  expect(callsIn(call('s1', 'echo'), call('s2', 'erase'))).toEqual({
    tools: ['erase'],
    servers: [['production', 'erase']],
  })
  expect(callsIn(call('s1', 'wipe'), call('s2', 'erase'), call('s1', 'erase'))).toEqual({
    tools: ['wipe', 'erase'],
    servers: [
      ['staging', 'wipe', 'erase'],
      ['production', 'erase'],
    ],
  })
})

test('a message written by hand is asked about by the tools that it calls', () => {
  const text = JSON.stringify([
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'erase' } },
    { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'echo' } },
  ])
  const raw: Step = { id: 'r', link: 's1', kind: 'raw', method: 'tools/call', text }
  expect(callsIn(raw)).toEqual({ tools: ['erase'], servers: [['staging', 'erase']] })
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
