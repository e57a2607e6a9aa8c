import { describe, expect, test } from 'vitest'
import type { FrameDraft, Peer } from './frame.ts'
import { Reachability, reachabilityFold } from './reachability.ts'
import { foldAll } from './projection.ts'
import { Trace } from './trace.ts'

const PEER: Peer = { era: 'handshake', revision: '2025-11-25', info: {}, capabilities: {}, evidence: [] }

type Draft = FrameDraft extends infer One ? (One extends FrameDraft ? Omit<One, 'link'> : never) : never

/** An open session over HTTP, and what is reported about it. */
const opened = () => {
  let now = 0
  const trace = new Trace({ now: () => now })
  const reachability = new Reachability()
  trace.subscribe((frame) => void reachability.step(frame))
  const append = (draft: Draft) => {
    now += 100
    return trace.append({ ...draft, link: 's1' }).seq
  }
  const request = (purpose: 'message' | 'listen' | 'resume' | 'end-session', origin?: number) =>
    append({
      kind: 'http',
      phase: 'request',
      method: purpose === 'message' ? 'POST' : 'GET',
      url: 'http://127.0.0.1:1/mcp',
      headers: [],
      size: 0,
      purpose,
      ...(origin === undefined ? {} : { origin }),
    })
  const fails = (seq: number, aborted?: string) =>
    append({
      kind: 'http',
      phase: 'failed',
      request: seq,
      stage: 'headers',
      error: 'Failed to fetch',
      ...(aborted === undefined ? {} : { aborted }),
    })
  const responds = (seq: number, status: number) =>
    append({ kind: 'http', phase: 'response', request: seq, status, statusText: '', headers: [] })
  const ping = (carrier: number, method = 'ping') =>
    append({ kind: 'message', direction: 'sent', type: 'request', message: { id: 7, method }, size: 1, carrier })
  append({ kind: 'session', phase: 'open', peer: PEER, transport: 'Streamable HTTP' })
  const stream = request('listen')
  responds(stream, 200)
  return { trace, reachability, append, request, fails, responds, ping, stream }
}

describe('a server that can’t be reached', () => {
  test('is in trouble from the first resumption that fails, and counts each one', () => {
    const { reachability, request, fails, stream } = opened()
    expect(reachability.trouble).toBeUndefined()
    const first = fails(request('listen', stream))
    const last = fails(request('resume', stream))
    expect(reachability.trouble).toMatchObject({ seq: first, last, why: 'Failed to fetch', failures: 2 })
    expect(reachability.resuming).toBe(true)
  })

  test('is in trouble from the first call that is refused by the network, which counts as no attempt to reach it', () => {
    const { reachability, request, fails } = opened()
    fails(request('message'))
    expect(reachability.trouble).toMatchObject({ failures: 0 })
    expect(reachability.resuming).toBe(false)
  })

  test('counts pings, and of several streams the one that failed most often', () => {
    const { reachability, request, fails, ping, stream } = opened()
    const carrier = request('message')
    ping(carrier)
    fails(carrier)
    expect(reachability.trouble).toMatchObject({ failures: 1 })
    fails(request('resume', stream))
    fails(request('resume', stream))
    fails(request('resume', stream + 1000))
    expect(reachability.trouble).toMatchObject({ failures: 2 })
  })

  test.each([502, 503, 504])('counts as gone behind a gateway that says %i', (status) => {
    const { reachability, request, responds } = opened()
    responds(request('message'), status)
    expect(reachability.trouble?.why).toContain(`${status}`)
  })

  test('is in trouble when a ping has no response in time', () => {
    const { reachability, request, ping, append } = opened()
    const seq = ping(request('message'))
    append({ kind: 'session', phase: 'gave-up', request: seq, why: 'timeout', explanation: 'No answer within 10 s' })
    expect(reachability.trouble).toMatchObject({ why: 'No answer within 10 s', failures: 0 })
  })
})

describe('a server that can be reached', () => {
  test.each([200, 202, 400, 401, 404, 405, 429, 500])('is out of trouble when it answers a call with %i', (status) => {
    const { reachability, request, fails, responds } = opened()
    fails(request('message'))
    responds(request('message'), status)
    expect(reachability.trouble).toBeUndefined()
  })

  test('is out of trouble when a stream is resumed, or a message arrives', () => {
    for (const back of ['resumed', 'message'] as const) {
      const { reachability, request, fails, responds, append, stream } = opened()
      fails(request('listen', stream))
      if (back === 'resumed') responds(request('listen', stream), 200)
      else append({ kind: 'message', direction: 'received', type: 'notification', message: { method: 'x' }, size: 1 })
      expect(reachability.trouble).toBeUndefined()
    }
  })

  test('is not in trouble over what we ended ourselves, over the first GET, or over the end of the session', () => {
    const { reachability, request, fails } = opened()
    fails(request('message'), 'cancelled by the user')
    fails(request('listen'))
    fails(request('end-session'))
    expect(reachability.trouble).toBeUndefined()
  })

  test('is not in trouble over a slow call: only pings say whether it is there', () => {
    const { reachability, request, ping, append } = opened()
    const seq = ping(request('message'), 'tools/call')
    append({ kind: 'session', phase: 'gave-up', request: seq, why: 'timeout', explanation: 'No answer' })
    expect(reachability.trouble).toBeUndefined()
  })

  test('BR-05: does not flicker where CORS forbids to resume a stream and permits calls', () => {
    const { reachability, request, fails, responds, stream } = opened()
    fails(request('resume', stream))
    expect(reachability.trouble).toBeDefined()
    responds(request('message'), 200)
    for (let time = 0; time < 20; time++) fails(request('resume', stream))
    expect(reachability.trouble).toBeUndefined()
    responds(request('resume', stream), 200)
    fails(request('resume', stream))
    expect(reachability.trouble).toMatchObject({ failures: 1 })
  })

  test('knows nothing before a session is open, and nothing after it ended', () => {
    const { reachability, append, request, fails } = opened()
    fails(request('message'))
    append({ kind: 'session', phase: 'closed', why: 'ended' })
    expect(reachability.trouble).toBeUndefined()
    fails(request('message'))
    expect(reachability.trouble).toBeUndefined()
  })
})

test('a recording shows what was shown live: the state is a fold over the trace', () => {
  const { trace, reachability, request, fails, stream } = opened()
  fails(request('resume', stream))
  expect(foldAll(reachabilityFold, trace).get('s1')?.trouble).toEqual(reachability.trouble)
})
