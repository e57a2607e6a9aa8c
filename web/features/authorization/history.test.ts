import { expect, test } from 'vitest'
import { foldAll, Trace, type FrameDraft, type JsonObject } from '../../mcp/index.ts'
import { authFold } from '../../oauth/flow/sign-in-records.ts'
import { carriedFold } from './carried-fold.ts'
import { historyOf, MOST_SHOWN, notShown } from './history.ts'
import { authStateOf, viewFor } from './labels.svelte.ts'
import type { SignIn } from '../../oauth/sign-in.ts'

const trace = () => {
  const made = new Trace()
  type Draft = FrameDraft extends infer One ? (One extends FrameDraft ? Omit<One, 'link'> : never) : never
  return { made, add: (draft: Draft) => made.append({ ...draft, link: 's1' }).seq }
}

test('a refused token is followed to the refresh that mends it, and to the sign-in where none does (AU-TOK-05)', () => {
  const { made, add } = trace()
  const credential = (what: 'used' | 'refused', details = {}) =>
    add({ kind: 'auth', flow: 'credential', event: 'credential', what, details })
  const refresh = (outcome: 'ok' | 'failed') => {
    const begun = add({ kind: 'auth', flow: 'r', event: 'step', step: 'refresh' })
    const fault = { code: 'token-refused', explanation: 'no' }
    const end: { learned: JsonObject; fault?: typeof fault } =
      outcome === 'ok' ? { learned: { rotated: true } } : { learned: {}, fault }
    return add({ kind: 'auth', flow: 'r', event: 'done', step: 'refresh', begun, outcome, checks: [], ...end })
  }
  credential('used')
  credential('refused', { status: 401 })
  const mended = refresh('ok')
  credential('used')
  credential('refused', { status: 401 })
  refresh('failed')
  add({
    kind: 'auth',
    flow: 'f',
    event: 'flow',
    grant: 'authorization-code',
    revision: '2026-07-28',
    why: 'unauthorized',
    steps: [],
  })
  add({ kind: 'auth', flow: 'f', event: 'end', outcome: 'authorized' })
  const record = foldAll(authFold, made).get('s1')!
  const history = historyOf(record)
  expect(history.map(({ what }) => what)).toEqual([
    'signed-in',
    'refresh-failed',
    'refused',
    'used',
    'refreshed',
    'refused',
    'used',
  ])
  expect(history[4]).toMatchObject({ seq: mended, details: { rotated: true } })
  expect(history[1]!.failed).toMatchObject({ step: 'refresh', fault: { code: 'token-refused' } })
  expect(notShown(record)).toBe(0)
})

test('what is under way, stopped or ended at the server is told apart', () => {
  const { made, add } = trace()
  const flow = (name: string, outcome?: 'failed' | 'cancelled') => {
    add({
      kind: 'auth',
      flow: name,
      event: 'flow',
      grant: 'workload',
      revision: '2026-07-28',
      why: 'asked',
      steps: ['token'],
    })
    if (outcome) add({ kind: 'auth', flow: name, event: 'end', outcome, fault: { code: 'x', explanation: 'x' } })
  }
  flow('a', 'failed')
  flow('b', 'cancelled')
  flow('c')
  const begun = add({ kind: 'auth', flow: 'd', event: 'step', step: 'revocation' })
  const running = historyOf(foldAll(authFold, made).get('s1')!)
  expect(running.map(({ what }) => what)).toEqual(['revoking', 'signing-in', 'sign-in-stopped', 'sign-in-failed'])
  // The user who stopped it knows why.
  expect(running[2]!.failed).toBeUndefined()
  expect(running[3]!.failed).toMatchObject({ step: 'token', fault: { code: 'x' } })
  add({ kind: 'auth', flow: 'd', event: 'done', step: 'revocation', begun, outcome: 'ok', checks: [], learned: {} })
  expect(historyOf(foldAll(authFold, made).get('s1')!)[0]!.what).toBe('revoked')
})

test('a long history is cut, and says by how much', () => {
  const { made, add } = trace()
  for (let times = 0; times < 350; times++) {
    add({ kind: 'auth', flow: 'credential', event: 'credential', what: 'used', details: {} })
  }
  const record = foldAll(authFold, made).get('s1')!
  expect(historyOf(record)).toHaveLength(MOST_SHOWN)
  expect(historyOf(record).length + notShown(record)).toBe(350)
  expect(historyOf(record)[0]!.seq).toBe(made.length - 1)
})

test('what the last request carried is read from it, and not from those of a sign-in (AU-GEN-02, AU-GEN-07)', () => {
  const { made, add } = trace()
  const request = (purpose: 'message' | 'authorization', headers: [string, string][]) =>
    add({ kind: 'http', phase: 'request', method: 'POST', url: 'https://a.example', headers, size: 0, purpose })
  const carried = () => foldAll(carriedFold, made).get('s1')
  request('authorization', [['Authorization', 'Basic •••• (9 characters)']])
  expect(carried()).toBeUndefined()
  const first = request('message', [['accept', 'application/json']])
  expect(carried()).toEqual({ seq: first, url: 'https://a.example', others: [] })
  const second = request('message', [
    ['authorization', 'Bearer •••• (3 characters)'],
    ['dpop', '•••• (200 characters)'],
    ['X-Api-Key', '•••• (3 characters)'],
  ])
  expect(carried()).toEqual({
    seq: second,
    url: 'https://a.example',
    authorization: 'Bearer •••• (3 characters)',
    others: ['X-Api-Key'],
  })
})

test('the steps are shown while a sign-in runs, after it failed, and step by step', () => {
  const flow = {} as SignIn['flow']
  const tokens = { server: 'https://a.example', accessToken: 't', tokenType: 'Bearer', receivedAt: 0 } as const
  const none = { tokens: undefined, flow: undefined, running: false }
  expect(viewFor({ ...none, running: true }, undefined, 'stepwise')).toBe('token')
  expect(viewFor({ ...none, flow, running: true }, 'running', 'automatic')).toBe('steps')
  expect(viewFor({ ...none, flow }, 'failed', 'automatic')).toBe('steps')
  expect(viewFor({ ...none, flow, tokens }, 'failed', 'automatic')).toBe('token')
  expect(viewFor({ ...none, flow, tokens }, 'authorized', 'automatic')).toBe('token')
  expect(viewFor({ ...none, flow, tokens }, 'authorized', 'stepwise')).toBe('steps')
  expect(viewFor(none, 'authorized', 'stepwise')).toBe('token')
})

test('the state is the most pressing thing that is so', () => {
  const tokens = { server: 'https://a.example', accessToken: 't', tokenType: 'Bearer', receivedAt: 0 } as const
  const none = {
    tokens: undefined,
    stepUp: undefined,
    busy: undefined,
    refused: undefined,
    options: {},
    running: false,
    byHand: false,
  }
  const refused = { status: 401 }
  expect(authStateOf(none, 0)).toBe('none')
  expect(authStateOf({ ...none, byHand: true }, 0)).toBe('by-hand')
  expect(authStateOf({ ...none, refused, byHand: true }, 0)).toBe('needed')
  expect(authStateOf({ ...none, tokens, byHand: true }, 0)).toBe('signed-in')
  expect(authStateOf({ ...none, tokens, refused }, 0)).toBe('needed')
  expect(authStateOf({ ...none, tokens, refused, busy: 'refresh' }, 0)).toBe('refreshing')
  expect(authStateOf({ ...none, tokens, busy: 'revocation' }, 0)).toBe('revoking')
  expect(authStateOf({ ...none, tokens, busy: 'refresh', running: true }, 0)).toBe('signing-in')
  const stepUp = { refused, operation: 'tools/call', attempt: 1, held: undefined }
  expect(authStateOf({ ...none, tokens, stepUp, running: true }, 0)).toBe('step-up')
})

test('tokens that ended ask for a sign-in only where nothing else brings new ones (AU-TOK-03)', () => {
  const tokens = { server: 'https://a.example', accessToken: 't', tokenType: 'Bearer', receivedAt: 0 } as const
  const seen = { stepUp: undefined, busy: undefined, refused: undefined, running: false, byHand: true }
  const issuer = 'https://as.example'
  expect(authStateOf({ ...seen, tokens, ends: 1000, options: {} }, 999)).toBe('signed-in')
  expect(authStateOf({ ...seen, tokens, ends: 1000, options: {} }, 1000)).toBe('over')
  expect(authStateOf({ ...seen, tokens, options: {} }, 1e15)).toBe('signed-in')
  const refreshable = { ...tokens, refreshToken: 'r', tokenEndpoint: `${issuer}/token` }
  expect(authStateOf({ ...seen, tokens: refreshable, ends: 1000, options: {} }, 1000)).toBe('signed-in')
  // A pasted refresh token can't be used: its token endpoint is unknown.
  const pasted = { ...tokens, refreshToken: 'r' }
  expect(authStateOf({ ...seen, tokens: pasted, ends: 1000, options: {} }, 1000)).toBe('over')
  const credentials = { grant: 'client-credentials' } as const
  expect(authStateOf({ ...seen, tokens: { ...tokens, issuer }, ends: 1000, options: credentials }, 1000)).toBe(
    'signed-in',
  )
  // A pasted token didn't come from that grant.
  expect(authStateOf({ ...seen, tokens, ends: 1000, options: credentials }, 1000)).toBe('over')
})
