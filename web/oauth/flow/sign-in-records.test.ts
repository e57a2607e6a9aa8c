/** What the screen shows of sign-ins is a fold over the Trace: the same live, recorded and at any earlier moment. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldAll, Projection, Trace, type AuthStep, type Frame, type FrameDraft } from '../../mcp/index.ts'
import { authFold, currentStep, knownOf, type AuthFolded, type FlowRecord } from './sign-in-records.ts'

const own = { kind: 'auth', link: 's1', flow: 'f1' } as const
const begin = (step: AuthStep, flow = 'f1'): FrameDraft => ({ ...own, flow, event: 'step', step })
const done = (step: AuthStep, begun: number, more: object = {}): FrameDraft => ({
  ...own,
  event: 'done',
  step,
  begun,
  outcome: 'ok',
  checks: [],
  learned: {},
  ...more,
})
const request = (step: number, more: object = {}): FrameDraft =>
  ({ kind: 'http', phase: 'request', link: 's1', method: 'GET', url: 'https://as.example/x', headers: [], size: 0, purpose: 'authorization', step, ...more }) // prettier-ignore
const response = (of: number, status: number): FrameDraft => ({ kind: 'http', phase: 'response', link: 's1', request: of, status, statusText: '', headers: [] }) // prettier-ignore
const end = (of: number): FrameDraft => ({ kind: 'http', phase: 'end', link: 's1', request: of, size: 2, body: '{}' })

const PLAN: readonly AuthStep[] = ['challenge', 'server-metadata', 'registration', 'token']
const flow: FrameDraft = { ...own, event: 'flow', grant: 'authorization-code', revision: '2026-07-28', why: 'unauthorized', steps: PLAN } // prettier-ignore
const unreadable = { code: 'unreadable', explanation: 'No answer that the page may read' }

/**
 * The metadata is at the second URL; the registration response can't be read and is relayed, and the user goes back for
 * more scope.
 */
const story: readonly FrameDraft[] = [
  flow, // 0
  begin('challenge'), // 1
  done('challenge', 1, { learned: { status: 401, issuer: 'guessed' } }), // 2
  begin('server-metadata'), // 3
  request(3), response(4, 404), end(4), // 4 5 6
  request(3), response(7, 200), end(7), // 7 8 9
  done('server-metadata', 3, { learned: { issuer: 'https://as.example' }, checks: [{ rule: 'AU-ASM-06', keyword: 'MUST', ok: true, say: 'issuer-matches' }] }), // 10
  begin('registration'), // 11
  request(11, { method: 'POST' }), // 12
  { kind: 'http', phase: 'failed', link: 's1', request: 12, stage: 'headers', error: 'Failed to fetch' }, // 13
  { ...own, event: 'waiting', step: 'registration', begun: 11, fault: unreadable }, // 14
  done('registration', 11, { outcome: 'undone' }), // 15
  begin('registration'), // 16
  request(16, { method: 'POST', relayed: true }), response(17, 201), end(17), // 17 18 19
  done('registration', 16, { learned: { clientId: 'c1' } }), // 20
  begin('token'), // 21
  done('token', 21, { outcome: 'undone' }), // 22
  begin('server-metadata'), // 23
] // prettier-ignore

const framesOf = (drafts: readonly FrameDraft[]): Frame[] => {
  const trace = new Trace({
    now: (() =>
      (
        (at) => () =>
          at++
      )(0))(),
  })
  for (const draft of drafts) trace.append(draft)
  return [...trace]
}
const folded = (drafts: readonly FrameDraft[]): AuthFolded => foldAll(authFold, framesOf(drafts))
const lastFlow = (drafts: readonly FrameDraft[]): FlowRecord => folded(drafts).get('s1')!.flows.at(-1)!
const statuses = (of: FlowRecord) => Object.fromEntries(of.steps.map(({ step, status }) => [step, status]))
const plain = (state: AuthFolded) => JSON.stringify([...state])

describe('a sign-in', () => {
  test('shows each step with its state, its requests and its time', () => {
    const shown = lastFlow(story.slice(0, 14))
    expect(statuses(shown)).toEqual({
      challenge: 'ok',
      'server-metadata': 'ok',
      registration: 'running',
      token: 'planned',
    })
    const [, metadata, registration] = shown.steps
    expect(metadata!.run!.requests.map(({ seq, status, end: last }) => [seq, status, last])).toEqual([
      [4, 404, 6],
      [7, 200, 9],
    ])
    expect(metadata!.run!.endedAt! - metadata!.run!.startedAt).toBe(7)
    expect(registration!.run!.requests[0]!.failed).toEqual({ error: 'Failed to fetch', hidden: true })
  })

  test('that stands still says for what, and goes on when its user does', () => {
    expect(lastFlow(story.slice(0, 15)).steps[2]).toMatchObject({ status: 'waiting', run: { fault: unreadable } })
    const after = lastFlow(story.slice(0, 21)).steps[2]!
    expect(after.status).toBe('ok')
    expect(after.run!.fault).toBeUndefined()
  })

  test('that its user stops where it stands still keeps the fault, unless it had gone on by then', () => {
    const stopped = (...more: FrameDraft[]) =>
      lastFlow([...story.slice(0, 15), ...more, done('registration', 11, { outcome: 'failed' })]).steps[2]!.run!
    expect(stopped()).toMatchObject({ status: 'failed', fault: unreadable })
    expect(stopped(request(11)).fault).toBeUndefined()
    expect(lastFlow([...story.slice(0, 15), request(11)]).steps[2]).toMatchObject({ status: 'running' })
  })

  test('keeps earlier runs of a step as attempts', () => {
    const { runs, run } = lastFlow(story).steps[2]!
    expect(run).toBeUndefined()
    expect(runs.map(({ begun, status, stops }) => [begun, status, stops])).toEqual([
      [11, 'undone', [unreadable]],
      [16, 'ok', []],
    ])
    expect(runs[1]!.requests[0]).toMatchObject({ relayed: true, status: 201 })
  })

  test('forgets, when its user goes back, what was learned later, and plans those steps again', () => {
    expect([...knownOf(lastFlow(story.slice(0, 21)))].map(([name, { value, step }]) => [name, value, step])).toEqual([
      ['status', 401, 'challenge'],
      ['issuer', 'https://as.example', 'server-metadata'],
      ['clientId', 'c1', 'registration'],
    ])
    const back = lastFlow(story)
    expect(statuses(back)).toEqual({
      challenge: 'ok',
      'server-metadata': 'running',
      registration: 'planned',
      token: 'planned',
    })
    expect(knownOf(back).get('issuer')).toMatchObject({ value: 'guessed', seq: 2 })
    expect(currentStep(back)).toBe('server-metadata')
  })

  test('that goes on after a reload shows what came before as known', () => {
    expect(statuses(lastFlow([flow, begin('token')]))).toEqual({
      challenge: 'known',
      'server-metadata': 'known',
      registration: 'known',
      token: 'running',
    })
  })

  test('of which frames are missing has no step that runs for ever', () => {
    const ended = lastFlow([flow, begin('challenge'), { ...own, event: 'end', outcome: 'cancelled' }])
    expect(ended.outcome).toBe('cancelled')
    expect(ended.steps[0]!.run).toMatchObject({ status: 'failed', endedAt: 3 })
  })

  test('and what comes afterwards under another name stand apart: refreshes, revocations, credentials', () => {
    const after: FrameDraft[] = [
      begin('refresh', 'r1'),
      request(24),
      response(25, 200),
      { ...own, flow: 'r1', event: 'done', step: 'refresh', begun: 24, outcome: 'ok', checks: [], learned: { rotated: true } }, // prettier-ignore
      { ...own, flow: 'credential', event: 'credential', what: 'refused', details: { status: 401 } },
    ]
    const record = folded([...story, ...after]).get('s1')!
    expect(record.flows).toHaveLength(1)
    expect(record.afterwards).toMatchObject([
      { step: 'refresh', status: 'ok', run: { learned: { rotated: true }, requests: [{ status: 200 }] } },
    ])
    expect(record.credentials).toMatchObject([{ seq: 28, what: 'refused', details: { status: 401 } }])
  })
})

/** Frames that fit together, and some that don't: names and numbers come from small sets, so that they collide. */
const drawn: fc.Arbitrary<FrameDraft[]> = fc.array(
  fc.tuple(
    fc.integer({ min: 0, max: 8 }),
    fc.nat(40),
    fc.constantFrom<AuthStep>(...PLAN, 'use', 'refresh'),
    fc.constantFrom('f1', 'f2'),
    fc.constantFrom('s1', 's2'),
  ).map(([kind, seq, step, name, link]): FrameDraft => {
    const auth = { kind: 'auth', link, flow: name } as const
    switch (kind) {
      case 0:
        return { ...auth, event: 'flow', grant: 'authorization-code', revision: '2026-07-28', why: 'asked', steps: PLAN }
      case 1:
      case 2:
        return { ...auth, event: 'step', step }
      case 3:
        return { ...auth, event: 'done', step, begun: seq, outcome: (['ok', 'forced', 'failed', 'undone'] as const)[seq % 4]!, checks: [], learned: { [step]: seq } } // prettier-ignore
      case 4:
        return { ...auth, event: 'waiting', step, begun: seq, fault: unreadable }
      case 5:
        return { ...auth, event: 'end', outcome: 'failed' }
      case 6:
        return { ...auth, event: 'credential', what: 'used', details: {} }
      case 7:
        return request(seq)
      default:
        return seq % 3 === 0 ? end(seq) : response(seq, 200)
    }
  }),
  { maxLength: 60 },
) // prettier-ignore

describe('whatever the frames are', () => {
  test('a prefix and then the rest shows the same as all, and nothing that was given out changes', () => {
    fc.assert(
      fc.property(drawn, fc.nat(60), (drafts, cut) => {
        const frames = framesOf(drafts)
        const state = foldAll(authFold, frames.slice(0, cut))
        const given = [...state]
        const before = JSON.stringify(given)
        foldAll(authFold, frames.slice(cut), state)
        expect(JSON.stringify(given)).toBe(before)
        expect(plain(state)).toBe(plain(foldAll(authFold, frames)))
      }),
    )
  })

  test('a recording shows the same as what was live, at each moment', () => {
    fc.assert(
      fc.property(drawn, (drafts) => {
        const trace = new Trace()
        const live = new Projection(trace, authFold)
        for (const draft of drafts) trace.append(draft)
        const recorded = [...trace].map((frame) => JSON.parse(JSON.stringify(frame)) as Frame)
        expect(plain(foldAll(authFold, recorded))).toBe(plain(live.current))
      }),
    )
  })

  test('who is told of a change finds one, and who is not, none', () => {
    fc.assert(
      fc.property(drawn, (drafts) => {
        const state = authFold.initial()
        for (const frame of framesOf(drafts)) {
          const before = new Map(state)
          const told = authFold.step(state, frame) !== false
          const changed = [...state].some(([link, record]) => before.get(link) !== record)
          expect(changed).toBe(told)
        }
      }),
    )
  })
})

test('a flood is counted, not kept: lists stay short however long it lasts', () => {
  const many: FrameDraft[] = []
  for (let at = 0; at < 500; at++) {
    const flow_ = `f${at}`
    many.push({ ...flow, flow: flow_ })
    for (let run = 0; run < 3; run++) many.push(begin('token', flow_))
    many.push({ ...own, event: 'credential', what: 'used', details: {} })
    many.push(begin('refresh', `r${at}`))
  }
  const { flows, afterwards, credentials, earlier } = folded(many).get('s1')!
  expect(flows.length + earlier.flows).toBe(500)
  expect(afterwards.length + earlier.afterwards).toBe(500)
  expect(credentials.length + earlier.credentials).toBe(500)
  expect(Math.max(flows.length, afterwards.length, credentials.length)).toBeLessThanOrEqual(200)

  const requests = [flow, begin('token'), ...Array.from({ length: 400 }, () => request(1))]
  const { run } = lastFlow(requests).steps[3]!
  expect(run!.requests.length).toBeLessThanOrEqual(60)
  expect(run!.requests.length + run!.earlier).toBe(400)
})
