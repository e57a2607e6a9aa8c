import { expect, test } from 'vitest'
import { foldAll, Trace } from '../mcp/index.ts'
import { adviceOf, connectionAdviceFold, proxyOf } from './connection-advice.ts'

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
