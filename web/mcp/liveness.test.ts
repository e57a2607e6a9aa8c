import { describe, expect, test } from 'vitest'
import type { FrameDraft, Peer } from './frame.ts'
import { Liveness, livenessFold } from './liveness.ts'
import { foldAll } from './projection.ts'
import { Trace } from './trace.ts'

const PEER: Peer = { era: 'handshake', revision: '2025-11-25', info: {}, capabilities: {}, evidence: [] }

type Draft = FrameDraft extends infer One ? (One extends FrameDraft ? Omit<One, 'link'> : never) : never

/** An open session over HTTP, and what is reported about it. */
const opened = () => {
  let now = 0
  const trace = new Trace({ now: () => now })
  const liveness = new Liveness()
  trace.subscribe((frame) => void liveness.step(frame))
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
  return { trace, liveness, append, request, fails, responds, ping, stream }
}

describe('a server that can’t be reached', () => {
  test('is in trouble from the first resumption that fails, and counts each one', () => {
    const { liveness, request, fails, stream } = opened()
    expect(liveness.trouble).toBeUndefined()
    const first = fails(request('listen', stream))
    const last = fails(request('resume', stream))
    expect(liveness.trouble).toMatchObject({ seq: first, last, why: 'Failed to fetch', failures: 2 })
    expect(liveness.resuming).toBe(true)
  })

  test('is in trouble from the first call that is refused by the network, which counts as no attempt to reach it', () => {
    const { liveness, request, fails } = opened()
    fails(request('message'))
    expect(liveness.trouble).toMatchObject({ failures: 0 })
    expect(liveness.resuming).toBe(false)
  })

  test('counts pings, and of several streams the one that failed most often', () => {
    const { liveness, request, fails, ping, stream } = opened()
    const carrier = request('message')
    ping(carrier)
    fails(carrier)
    expect(liveness.trouble).toMatchObject({ failures: 1 })
    fails(request('resume', stream))
    fails(request('resume', stream))
    fails(request('resume', stream + 1000))
    expect(liveness.trouble).toMatchObject({ failures: 2 })
  })

  test.each([502, 503, 504])('counts as gone behind a gateway that says %i', (status) => {
    const { liveness, request, responds } = opened()
    responds(request('message'), status)
    expect(liveness.trouble?.why).toContain(`${status}`)
  })

  test('is in trouble when a ping has no response in time', () => {
    const { liveness, request, ping, append } = opened()
    const seq = ping(request('message'))
    append({ kind: 'session', phase: 'gave-up', request: seq, why: 'timeout', explanation: 'No answer within 10 s' })
    expect(liveness.trouble).toMatchObject({ why: 'No answer within 10 s', failures: 0 })
  })
})

describe('a server that can be reached', () => {
  test.each([200, 202, 400, 401, 404, 405, 429, 500])('is out of trouble when it answers a call with %i', (status) => {
    const { liveness, request, fails, responds } = opened()
    fails(request('message'))
    responds(request('message'), status)
    expect(liveness.trouble).toBeUndefined()
  })

  test('is out of trouble when a stream is resumed, or a message arrives', () => {
    for (const back of ['resumed', 'message'] as const) {
      const { liveness, request, fails, responds, append, stream } = opened()
      fails(request('listen', stream))
      if (back === 'resumed') responds(request('listen', stream), 200)
      else append({ kind: 'message', direction: 'received', type: 'notification', message: { method: 'x' }, size: 1 })
      expect(liveness.trouble).toBeUndefined()
    }
  })

  test('is not in trouble over what we ended ourselves, over the first GET, or over the end of the session', () => {
    const { liveness, request, fails } = opened()
    fails(request('message'), 'cancelled by the user')
    fails(request('listen'))
    fails(request('end-session'))
    expect(liveness.trouble).toBeUndefined()
  })

  test('is not in trouble over a slow call: only pings say whether it is there', () => {
    const { liveness, request, ping, append } = opened()
    const seq = ping(request('message'), 'tools/call')
    append({ kind: 'session', phase: 'gave-up', request: seq, why: 'timeout', explanation: 'No answer' })
    expect(liveness.trouble).toBeUndefined()
  })

  test('BR-05: does not flicker where CORS forbids to resume a stream and permits calls', () => {
    const { liveness, request, fails, responds, stream } = opened()
    fails(request('resume', stream))
    expect(liveness.trouble).toBeDefined()
    responds(request('message'), 200)
    for (let time = 0; time < 20; time++) fails(request('resume', stream))
    expect(liveness.trouble).toBeUndefined()
    responds(request('resume', stream), 200)
    fails(request('resume', stream))
    expect(liveness.trouble).toMatchObject({ failures: 1 })
  })

  test('knows nothing before a session is open, and nothing after it ended', () => {
    const { liveness, append, request, fails } = opened()
    fails(request('message'))
    append({ kind: 'session', phase: 'closed', why: 'ended' })
    expect(liveness.trouble).toBeUndefined()
    fails(request('message'))
    expect(liveness.trouble).toBeUndefined()
  })
})

test('a recording shows what was shown live: the state is a fold over the trace', () => {
  const { trace, liveness, request, fails, stream } = opened()
  fails(request('resume', stream))
  expect(foldAll(livenessFold, trace).get('s1')?.trouble).toEqual(liveness.trouble)
})
