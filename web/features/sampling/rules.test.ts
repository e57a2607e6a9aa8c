import { expect, inject, test } from 'vitest'
import { API_KEY } from '../../../tests/servers/models/index.ts'
import { Trace, type Json, type JsonObject, type Peer } from '../../mcp/index.ts'
import type { Kept } from '../feature.ts'
import { emptyAnswer } from './answer.ts'
import { autoAnswer, perMinuteOf } from './rules.ts'
import { sampling } from './index.ts'
import {
  freeName,
  MOST_SAVED,
  readSaved,
  SAVED_LENGTH,
  withSaved,
  SamplingSettings,
  settingsOf,
  type Rule,
} from './sampling-settings.ts'

/** A server's stored state as text: a reload reads it back. */
const keeper = () => {
  const book = new Map<string, string>()
  const kept: Kept = {
    get: (name) => (book.has(name) ? (JSON.parse(book.get(name)!) as unknown) : undefined),
    set: (name, value) => void book.set(name, JSON.stringify(value)),
  }
  return { kept, text: () => JSON.stringify([...book]) }
}

const viewOf = (kept?: Kept) => ({
  trace: new Trace(),
  link: 's1',
  peer: { revision: '2025-11-25' } as Peer,
  ...(kept ? { kept } : {}),
})

const params = (more: JsonObject = {}): JsonObject => ({
  messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }],
  maxTokens: 100,
  ...more,
})

const never = new AbortController().signal
const SAVED: Rule = { perMinute: 3, by: { kind: 'saved', name: 'yes' } }
const ENDPOINT: Rule = { perMinute: 3, by: { kind: 'endpoint' } }
const endpointAt = (fault: string) => ({
  kind: 'openai' as const,
  base: `${inject('modelsUrl')}/open/${fault}/rules/v1`,
  model: 'small-2',
  route: 'page' as const,
})

test('nothing is answered by itself until its user turns the rule on (CF-SAMP-02)', () => {
  const server = viewOf(keeper().kept)
  settingsOf(server).save({ name: 'yes', result: emptyAnswer() })
  expect(autoAnswer({ id: 'q', params: params() }, server, never)).toBeUndefined()
  const { auto } = sampling.answers!['sampling/createMessage']!
  expect(auto!({ id: 'q', params: params() } as never, server as never, never)).toBeUndefined()
})

test('a rule answers with the saved answer, so often in a minute and no more (CF-SAMP-15)', () => {
  const server = viewOf()
  const settings = settingsOf(server)
  settings.save({ name: 'yes', result: emptyAnswer() })
  settings.rule = SAVED
  let now = 0
  const ask = (id: string) => autoAnswer({ id, params: params() }, server, never, () => now)
  for (const id of ['1', '2', '3']) expect(ask(id)).toEqual(emptyAnswer())
  expect(ask('4')).toBeUndefined()
  expect(settings.autoResultOf('4')).toEqual({ by: 'nobody', why: { code: 'rate', perMinute: 3 } })
  expect(settings.autoResultOf('1')).toEqual({ by: 'saved', name: 'yes' })
  expect(settings.answeredIn(now)).toBe(3)
  now = 59_999
  expect(ask('5')).toBeUndefined()
  now = 60_000
  expect(ask('6')).toEqual(emptyAnswer())
})

test('a person is asked where the request is broken, loops, or is not fitted by the answer (CF-SAMP-09, CF-SAMP-11)', () => {
  const server = viewOf()
  const settings = settingsOf(server)
  settings.save({ name: 'yes', result: emptyAnswer() })
  settings.rule = { ...SAVED, perMinute: 60 }
  const why = (more: JsonObject) => {
    expect(autoAnswer({ id: 'q', params: params(more) }, server, never)).toBeUndefined()
    const told = settings.autoResultOf('q')
    return told?.by === 'nobody' ? told.why.code : told
  }
  expect(why({ maxTokens: 0 })).toBe('breach')
  expect(why({ messages: [{ role: 'assistant', content: { type: 'tool_use', id: '1', name: 'x', input: {} } }] })).toBe(
    'breach',
  )
  const rounds = Array.from({ length: 11 }, (_, at): Json[] => [
    { role: 'assistant', content: { type: 'tool_use', id: `${at}`, name: 'x', input: {} } },
    { role: 'user', content: { type: 'tool_result', toolUseId: `${at}`, content: [] } },
  ]).flat()
  expect(why({ messages: rounds })).toBe('rounds')
  const tools = [{ name: 'x', inputSchema: { type: 'object' } }]
  expect(why({ tools, toolChoice: { mode: 'required' } })).toBe('misfit')
})

test('whoever shows the way to the rule is told when it is on and when it ends', () => {
  const settings = new SamplingSettings(undefined)
  const told: boolean[] = []
  const stop = settings.ruled.subscribe(() => told.push(settings.ruled.current))
  settings.rule = SAVED
  settings.rule = undefined
  stop()
  settings.rule = SAVED
  expect(told).toEqual([true, false])
})

test('the rule ends with the saved answer it uses', () => {
  const settings = new SamplingSettings(keeper().kept)
  settings.save({ name: 'yes', result: emptyAnswer() })
  settings.rule = SAVED
  settings.forget('yes')
  expect(settings.rule).toBeUndefined()
})

test('a rule asks the model endpoint, and leaves the question to its user when that fails', async () => {
  const server = viewOf()
  const settings = settingsOf(server)
  settings.rule = { ...ENDPOINT, perMinute: 60 }
  const ask = async (id: string) => await autoAnswer({ id, params: params() }, server, never)
  expect(await ask('unset')).toBeUndefined()
  expect(settings.autoResultOf('unset')).toEqual({ by: 'nobody', why: { code: 'endpoint-unset' } })
  settings.choice = endpointAt('none')
  settings.key = API_KEY
  expect(await ask('fine')).toMatchObject({ role: 'assistant', stopReason: 'endTurn' })
  expect(settings.autoResultOf('fine')).toEqual({ by: 'endpoint', model: 'small-2-0613' })
  settings.choice = endpointAt('broken')
  expect(await ask('broken')).toBeUndefined()
  expect(settings.autoResultOf('broken')).toMatchObject({
    by: 'nobody',
    why: { code: 'failed', error: { code: 'server' } },
  })
  settings.choice = endpointAt('wordy')
  const wordy = autoAnswer({ id: 'wordy', params: params({ maxTokens: 5 }) }, server, never)
  expect(await wordy).toBeUndefined()
  expect(settings.autoResultOf('wordy')).toEqual({ by: 'nobody', why: { code: 'over-limit' } })
})

test('turned off while the model thinks, the rule sends nothing', async () => {
  const server = viewOf()
  const settings = settingsOf(server)
  settings.choice = endpointAt('none')
  settings.key = API_KEY
  settings.rule = ENDPOINT
  const asking = autoAnswer({ id: 'q', params: params() }, server, never)
  settings.rule = undefined
  expect(await asking).toBeUndefined()
})

test('saved answers and the endpoint outlive a reload; the rule and the key do not, and no key is stored', () => {
  const { kept, text } = keeper()
  const before = settingsOf(viewOf(kept))
  before.save({ name: 'yes', result: emptyAnswer() })
  before.choice = endpointAt('none')
  before.key = 'sk-very-secret'
  before.rule = SAVED
  const after = settingsOf(viewOf(kept))
  expect(after.saved).toEqual(before.saved)
  expect(after.choice).toEqual(before.choice)
  expect(after.rule).toBeUndefined()
  expect(after.key).toBe('')
  expect(text()).not.toContain('secret')
  before.choice = { ...before.choice, base: 'https://models.example/v1?key=sk-very-secret' }
  before.choice = { ...before.choice, base: 'https://me:sk-very-secret@models.example/v1' }
  expect(text()).not.toContain('secret')
})

test('a key goes to the origin it was given for, and to no other', () => {
  const settings = new SamplingSettings(undefined)
  settings.choice = { ...settings.choice, base: 'https://one.example/v1' }
  settings.key = 'one'
  settings.choice = { ...settings.choice, base: 'https://two.example/v1' }
  expect(settings.endpoint.key).toBe('')
  settings.choice = { ...settings.choice, base: 'https://one.example/other' }
  expect(settings.endpoint.key).toBe('one')
})

test('what is read back is not trusted', () => {
  const odd: Json[] = [null, 1, 'x', { name: 1 }, [{ name: 'a' }], [null, { name: 'a', result: 'x' }]]
  for (const value of odd) expect(readSaved({ get: () => value, set: () => {} })).toEqual([])
})

test('saved answers have bounds, and a name replaces its own', () => {
  const one = withSaved([], { name: ' yes ', result: emptyAnswer() })
  expect(one).toEqual({ saved: [{ name: 'yes', result: emptyAnswer() }] })
  expect(withSaved([], { name: ' ', result: {} })).toEqual({ problem: 'no-name' })
  expect(withSaved([], { name: 'x', result: { text: 'x'.repeat(SAVED_LENGTH) } })).toEqual({ problem: 'too-long' })
  const many = Array.from({ length: MOST_SAVED }, (_, at) => ({ name: `${at}`, result: {} }))
  expect(withSaved(many, { name: 'x', result: {} })).toEqual({ problem: 'too-many' })
  expect(withSaved(many, { name: '3', result: { role: 'user' } })).toHaveProperty('saved.length', MOST_SAVED)
  expect(freeName([{ name: 'Answer 1', result: {} }], 'Answer')).toBe('Answer 2')
})

test('the number of answers in a minute is a whole one from 1 to 60', () => {
  expect([0, -3, 2.4, 1000, Number.NaN].map(perMinuteOf)).toEqual([1, 1, 2, 60, 5])
})

test('sampling is declared in each revision as that revision knows it (CF-SAMP-01)', () => {
  for (const revision of ['2024-11-05', '2025-03-26', '2025-06-18']) {
    expect(sampling.declares!(revision)).toEqual({ sampling: {} })
  }
  for (const revision of ['2025-11-25', '2026-07-28']) {
    expect(sampling.declares!(revision)).toEqual({ sampling: { tools: {}, context: {} } })
  }
})
