import { expect, test } from 'vitest'
import { foldAll, Trace } from '../mcp/index.ts'
import { adviceOf, connectionAdviceFold, mayChange, proxyOf } from './connection-advice.ts'

const link = 's1'
type Purpose = 'message' | 'listen' | 'resume' | 'end-session' | 'diagnosis' | 'authorization'

/** Records requests with what came of them, each some ms after it was sent. */
const adviceAfter = (...happened: readonly ((trace: Trace) => void)[]) => {
  const trace = new Trace()
  for (const each of happened) each(trace)
  return adviceOf(foldAll(connectionAdviceFold, trace).get(link))
}

const request = (trace: Trace, purpose: Purpose, relayed?: true) =>
  trace.append({ kind: 'http', phase: 'request', method: 'POST', url: 'http://x/', headers: [], size: 0, purpose, link, ...(relayed ? { relayed } : {}) }).seq // prettier-ignore
const responds = (purpose: Purpose, status: number) => (trace: Trace) =>
  void trace.append({ kind: 'http', phase: 'response', request: request(trace, purpose), status, statusText: '', headers: [], link }) // prettier-ignore
const fails = (purpose: Purpose, stage: 'headers' | 'body', more: { aborted?: string; relayed?: true } = {}) => (trace: Trace) => // prettier-ignore
  void trace.append({ kind: 'http', phase: 'failed', request: request(trace, purpose, more.relayed), stage, error: 'Failed to fetch', ...(more.aborted ? { aborted: more.aborted } : {}), link }) // prettier-ignore

test('a refused event stream is named with its status; 405 and a stream that opens are fine', () => {
  expect(adviceAfter(responds('listen', 500))).toEqual([{ is: 'listen-refused', seq: 1, status: 500 }])
  expect(adviceAfter(responds('listen', 405), responds('listen', 200), responds('message', 200))).toEqual([])
})

test('what CORS hides is named by what was asked for', () => {
  expect(adviceAfter(fails('listen', 'headers'))).toEqual([{ is: 'listen-hidden', seq: 1 }])
  expect(adviceAfter(fails('resume', 'headers'))).toEqual([{ is: 'resume-hidden', seq: 1 }])
  expect(adviceAfter(fails('end-session', 'headers'))).toEqual([{ is: 'delete-hidden', seq: 1 }])
  // The connection's own failures, what we ended ourselves, and what the relay explains.
  expect(adviceAfter(fails('message', 'headers'), fails('listen', 'headers', { aborted: 'closed' }), fails('listen', 'headers', { relayed: true }))).toEqual([]) // prettier-ignore
})

test('responses that break off are counted, but not those of a sign-in or a diagnosis', () => {
  expect(adviceAfter(fails('diagnosis', 'body'), fails('authorization', 'body'))).toEqual([])
  expect(adviceAfter(fails('message', 'body'), fails('message', 'body'))).toEqual([{ is: 'cut', seq: 3, count: 2 }])
})

test('responses that begin late are advice once they are most of at least three', () => {
  const frames = (delays: readonly number[]) =>
    delays.flatMap((delay, at) => [
      { kind: 'http', phase: 'request', method: 'POST', url: '', headers: [], size: 0, purpose: 'message', link, seq: at * 2, at: 0 }, // prettier-ignore
      { kind: 'http', phase: 'response', request: at * 2, status: 200, statusText: '', headers: [], link, seq: at * 2 + 1, at: delay }, // prettier-ignore
    ])
  const of = (...delays: readonly number[]) =>
    adviceOf(foldAll(connectionAdviceFold, frames(delays) as never).get(link))
  expect(of(2500, 5000, 3000)).toEqual([{ is: 'slow', seq: 2, ms: 5000 }])
  expect(of(2500, 5000)).toEqual([])
  expect(of(2500, 5000, 3000, 10, 10, 10)).toMatchObject([{ is: 'slow' }])
  expect(of(10, 10, 10, 10, 2500, 5000, 3000)).toEqual([])
})

test('the proxy of the latest response is the one that the connection goes through', () => {
  const trace = new Trace()
  const through = (proxy?: string) =>
    void trace.append({ kind: 'http', phase: 'response', request: request(trace, 'message'), status: 200, statusText: '', headers: [], link, ...(proxy ? { proxy } : {}) }) // prettier-ignore
  const now = () => proxyOf(foldAll(connectionAdviceFold, trace).get(link))
  through('proxy.example:8080 (HTTPS_PROXY)')
  expect(now()).toBe('proxy.example:8080 (HTTPS_PROXY)')
  through()
  expect(now()).toBeUndefined()
})

test('a scope that is missing is named, until a sign-in may have granted it', () => {
  const lacks = (status: number, challenge: string) => (trace: Trace) =>
    void trace.append({ kind: 'http', phase: 'response', request: request(trace, 'message'), status, statusText: '', headers: [['WWW-Authenticate', challenge]], link }) // prettier-ignore
  const insufficient = 'Bearer error="insufficient_scope", scope="tools:read"'
  expect(adviceAfter(lacks(403, insufficient))).toEqual([{ is: 'scope', seq: 1, scope: 'tools:read' }])
  expect(adviceAfter(lacks(403, 'Bearer error=insufficient_scope'))).toEqual([{ is: 'scope', seq: 1, scope: '' }])
  expect(adviceAfter(lacks(403, 'Bearer'), lacks(401, insufficient))).toEqual([])
  const signsIn = (trace: Trace) =>
    void trace.append({ kind: 'auth', link, flow: 'f1', event: 'flow', grant: 'authorization_code', revision: '2025-11-25', why: 'insufficient-scope', steps: [] }) // prettier-ignore
  expect(adviceAfter(lacks(403, insufficient), signsIn)).toEqual([])
})

/** Frames with times, which a trace would set itself. */
const foldOf = (...frames: readonly object[]) =>
  foldAll(connectionAdviceFold, frames.map((frame, seq) => ({ kind: 'http', link, seq, at: 0, ...frame })) as never).get(link) // prettier-ignore
type Header = readonly [string, string]
const asks = (purpose: Purpose, more: object = {}) => ({ phase: 'request', method: 'POST', url: 'http://x/', headers: [] as Header[], size: 0, purpose, ...more }) // prettier-ignore
const gets = (seq: number, status: number, more: object = {}) => ({ phase: 'response', request: seq, status, statusText: '', headers: [] as Header[], ...more }) // prettier-ignore

test('an event stream without headers is advice once it is silent for longer than anything else took, until they arrive', () => {
  const begun = [asks('message'), gets(0, 200, { at: 100 }), asks('listen', { at: 200 })]
  const state = foldOf(...begun)
  expect(mayChange(state)).toBe(true)
  expect(adviceOf(state, 5_000)).toEqual([])
  expect(adviceOf(state, 5_300)).toEqual([{ is: 'listen-silent', seq: 2, ms: 5_100 }])
  // All responses of this one are slow.
  const slow = foldOf(asks('message'), gets(0, 200, { at: 4_000 }), asks('listen', { at: 4_000 }))
  expect(adviceOf(slow, 11_000)).toEqual([])
  const late = foldOf(...begun, gets(2, 200, { at: 9_000 }))
  expect([mayChange(late), adviceOf(late, 20_000)]).toEqual([false, []])
  // Periscope gives up after 30 s.
  const failed = { phase: 'failed', request: 2, stage: 'headers', error: 'x', aborted: 'no response', at: 30_200 }
  expect(adviceOf(foldOf(...begun, failed))).toEqual([{ is: 'listen-silent', seq: 2, ms: 30_000 }])
  expect(adviceOf(foldOf(...begun, { ...failed, at: 900 }))).toEqual([])
  // A later one gets its headers.
  const again = [asks('listen', { at: 31_000 }), gets(4, 200, { at: 31_100 })]
  expect(adviceOf(foldOf(...begun, failed, ...again))).toEqual([])
  const hidden = { ...failed, aborted: undefined, at: 900 }
  expect(adviceOf(foldOf(...begun, hidden))).toMatchObject([{ is: 'listen-hidden' }])
  expect(adviceOf(foldOf(...begun, hidden, ...again))).toEqual([])
  const closed = foldOf(...begun, { kind: 'session', phase: 'closed', at: 3_000 })
  expect([mayChange(closed), adviceOf(closed, 60_000)]).toEqual([false, []])
})

test('an event stream that the browser may hold back is not blamed on the server', () => {
  const begun = [asks('message'), gets(0, 200, { at: 100 }), asks('listen', { at: 200 })]
  const queued = { phase: 'queued', request: 2, open: 6, at: 3_200 }
  const found = { is: 'listen-queued', seq: 2, open: 6 }
  expect(adviceOf(foldOf(...begun, queued), 5_000)).toEqual([])
  expect(adviceOf(foldOf(...begun, queued), 9_200)).toEqual([{ ...found, ms: 9_000 }])
  const failed = { phase: 'failed', request: 2, stage: 'headers', error: 'x', aborted: 'no response', at: 30_200 }
  expect(adviceOf(foldOf(...begun, queued, failed))).toEqual([{ ...found, ms: 30_000 }])
  expect(adviceOf(foldOf(...begun, queued, gets(2, 200, { at: 9_000 })), 20_000)).toEqual([])
})

test('a session ID that pages cannot read is named where the relay saw it, and where the server asks for it', () => {
  const cors: Header[] = [
    ['Access-Control-Allow-Origin', '*'],
    ['Mcp-Session-Id', 'abc'],
  ]
  const relayed = (headers: readonly Header[], more: object = { again: 7 }) =>
    adviceOf(foldOf(asks('message', { relayed: true, ...more }), gets(0, 200, { headers })))
  expect(relayed(cors)).toEqual([{ is: 'session-hidden', seq: 1, seen: true }])
  expect(relayed([...cors, ['access-control-expose-headers', 'X, mcp-session-id']])).toEqual([])
  // Without CORS headers, they may be sent to pages only. And who chose the relay has no use for them.
  expect(relayed([cors[1]!])).toEqual([])
  expect(relayed(cors, {})).toEqual([])
  // Servers repeat it in the responses of the session, which the page has no use for.
  const inSession = [asks('message', { relayed: true, again: 7, headers: [['mcp-session-id', 'abc']] }), gets(0, 200, { headers: cors })] // prettier-ignore
  expect(adviceOf(foldOf(...inSession))).toEqual([])
  const listens = [asks('listen', { relayed: true, again: 7 }), gets(0, 200, { headers: cors })]
  expect(adviceOf(foldOf(...listens))).toEqual([])
  const refused = (body: string, headers: readonly Header[] = []) =>
    adviceOf(foldOf(asks('listen', { headers }), gets(0, 400, { crossOrigin: true }), { phase: 'end', request: 0, size: 1, body })) // prettier-ignore
  expect(refused('Bad Request: Mcp-Session-Id header is required')).toEqual([{ is: 'session-hidden', seq: 1, seen: false }]) // prettier-ignore
  for (const body of [
    '{"error":{"message":"Bad Request: No valid session ID provided"}}',
    'Invalid or missing session ID',
    '{"message":"no session"}',
  ])
    // prettier-ignore
    expect(refused(body), body).toMatchObject([{ is: 'session-hidden' }])
  for (const body of [
    '<!doctype html><title>Not found</title><p>Your session ID has expired',
    'The session has expired',
  ])
    expect(refused(body), body).toMatchObject([{ is: 'listen-refused' }])
  expect(refused('Bad Request')).toEqual([{ is: 'listen-refused', seq: 1, status: 400 }])
  expect(refused('Unknown session', [['mcp-session-id', 'abc']])).toEqual([{ is: 'listen-refused', seq: 1, status: 400 }]) // prettier-ignore
})

test('a challenge that pages cannot read is named, also once the user has signed in without it', () => {
  const challenge: Header = ['WWW-Authenticate', 'Bearer']
  const direct = (headers: readonly Header[], more: object = { crossOrigin: true }) => [asks('message'), gets(0, 401, { headers, ...more })] // prettier-ignore
  const hidden = [{ is: 'challenge-hidden', seq: 1, seen: false }]
  expect(adviceOf(foldOf(...direct([])))).toEqual(hidden)
  expect(adviceOf(foldOf(...direct([challenge])))).toEqual([])
  // A page of the same origin sees every header.
  expect(adviceOf(foldOf(...direct([], {})))).toEqual([])
  const session = (phase: string) => ({ kind: 'session', phase })
  expect(adviceOf(foldOf(...direct([]), session('failed'), session('opening')))).toEqual(hidden)
  const signedIn = [...direct([]), session('failed'), session('opening'), session('open')]
  expect(adviceOf(foldOf(...signedIn))).toEqual(hidden)
  // Once a session was opened without a 401, what came before is over.
  expect(adviceOf(foldOf(...signedIn, session('closed'), session('opening')))).toEqual([])
  expect(adviceOf(foldOf(...signedIn.slice(0, 4), session('failed'), session('opening')))).toEqual(hidden)
  const expired = [asks('message'), gets(6, 401, { crossOrigin: true }), session('closed'), session('opening')]
  expect(adviceOf(foldOf(...signedIn, session('renewing'), ...expired))).toEqual([{ ...hidden[0], seq: 7 }])
  const relayed = [asks('message', { relayed: true, again: 7 }), gets(0, 401, { headers: [['Access-Control-Allow-Origin', '*'], challenge] })] // prettier-ignore
  expect(adviceOf(foldOf(...relayed))).toEqual([{ is: 'challenge-hidden', seq: 1, seen: true }])
})
