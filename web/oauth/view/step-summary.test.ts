/** The line below a step's name says in a few words what it found, whatever the server sent. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AuthCheck, AuthStep, JsonObject } from '../../mcp/index.ts'
import { leadsAway, type RunRecord, type StepRecord } from '../flow/index.ts'
import en from '../text/en.ts'
import says from '../text/says/en.ts'
import { applicationTypeHint, missingClient, spentIn, summaryOf } from './step-summary.ts'

const run = (more: Partial<RunRecord>): RunRecord => ({ begun: 1, startedAt: 0, endedAt: 5, status: 'ok', checks: [], stops: [], learned: {}, requests: [], earlier: 0, ...more }) // prettier-ignore
const record = (step: AuthStep, more: Partial<RunRecord>): StepRecord => {
  const only = run(more)
  return { step, status: only.status, run: only, runs: [only], earlier: 0 }
}
const check = (say: string, values: JsonObject = {}): AuthCheck => ({ rule: 'X', keyword: 'MUST', say, values })

test('what a step found stands in its order, three things at most', () => {
  const found = record('server-metadata', {
    checks: [check('metadata-not-there'), check('metadata-found', { place: 2, of: 3 }), check('issuer-matches')],
  })
  expect(summaryOf(found, en)).toEqual(['found at the 2nd of 3 URLs', 'issuer matches'])
  expect(summaryOf(record('challenge', { learned: { status: 401 } }), en)).toEqual(['HTTP 401'])
  expect(summaryOf(record('registration', { learned: { clientId: 'c1', clientSource: 'dynamic' } }), en)).toEqual([
    'registered',
    'c1',
  ])
})

test('a step that did not end well has none: its fault is told instead', () => {
  expect(summaryOf(record('challenge', { status: 'failed', learned: { status: 401 } }), en)).toEqual([])
})

test('it is short and shows all that it shows, whatever the values are', () => {
  const values = fc.dictionary(
    fc.constantFrom('issuer', 'scope', 'clientId', 'at', 'place', 'of', 'count', 'granted', 'status', '__proto__'),
    fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary', maxLength: 200 })),
  )
  const codes = fc.constantFrom(...Object.keys(says), 'toString', 'of-later')
  fc.assert(
    fc.property(fc.array(fc.tuple(codes, values)), values, (checks, learned) => {
      const found = summaryOf(
        record('token', {
          checks: checks.map(([say, of]) => check(say, of as JsonObject)),
          learned: { tokens: learned as JsonObject },
        }),
        en,
      )
      expect(found.length).toBeLessThanOrEqual(3)
      for (const text of found) expect(text).not.toMatch(/[\p{Cc}\u202a-\u202e]/u)
    }),
  )
})

test('its time is that of its requests; without any, only that of the user is told', () => {
  const request = { seq: 1, startedAt: 10, method: 'GET', url: '', relayed: false }
  expect(spentIn(run({ requests: [{ ...request, endedAt: 20 }, { ...request, endedAt: 15 }, request] }))).toBe(15)
  expect(spentIn(run({ requests: [request] }))).toBeUndefined()
  expect(spentIn(run({ endedAt: 3 }))).toBeUndefined()
  expect(spentIn(run({ endedAt: 14_000 }))).toBe(14_000)
})

test('a window is opened in a click only where it leads to one: automatic, and before the browser was sent away', () => {
  const steps: AuthStep[] = ['registration', 'preparation', 'authorization', 'callback', 'token']
  const at = (step: AuthStep, mode = 'automatic') => ({ mode, steps, step })
  expect(leadsAway([{ do: 'again' }], at('registration'))).toBe(true)
  expect(leadsAway([{ do: 'again' }], at('registration', 'stepwise'))).toBe(false)
  expect(leadsAway([{ do: 'again' }], at('token'))).toBe(false)
  expect(leadsAway([{ do: 'back', to: 'preparation' }], at('token'))).toBe(true)
  expect(leadsAway([{ do: 'mode', mode: 'automatic' }], at('preparation', 'stepwise'))).toBe(true)
  expect(leadsAway([{ do: 'cancel' }], at('registration'))).toBe(false)
  expect(
    leadsAway([{ do: 'again' }], { mode: 'automatic', steps: ['registration', 'token'], step: 'registration' }),
  ).toBe(false)
})

test('the default application_type is explained, but not one that the user chose (AU-REG-07)', () => {
  const body = (type: string) => JSON.stringify({ client_name: 'Periscope', application_type: type }, null, 2)
  expect(applicationTypeHint(body('native'), true)).toBe('nativeBecause')
  expect(applicationTypeHint(body('web'), false)).toBe('webBecause')
  expect(applicationTypeHint(body('web'), true)).toBeUndefined()
  expect(applicationTypeHint(body('native'), false)).toBeUndefined()
  expect(applicationTypeHint(JSON.stringify({ client_name: 'Periscope' }), true)).toBeUndefined()
  expect(applicationTypeHint(undefined, true)).toBeUndefined()
})

test('a client that was known before a reload is not missing', () => {
  const planned = { ...record('registration', {}), run: undefined, runs: [], status: 'planned' } as const
  expect(missingClient([planned], en)).toBe(en.noneYet)
  expect(missingClient([{ ...planned, status: 'known' }], en)).toBe(en.clientBefore)
  expect(missingClient([], en)).toBe(en.noneYet)
})
