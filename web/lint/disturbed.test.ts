/** What faults do is never the server's violation, and what the server does beside them still is. */
import { describe, expect, test } from 'vitest'
import { FaultInjection, type FaultRule } from '../faults/index.ts'
import {
  LoopbackTransport,
  Session,
  StreamableHttpTransport,
  Trace,
  type Frame,
  type JsonObject,
} from '../mcp/index.ts'
import { createSampleServer } from '../sample/index.ts'
import { Disturbed } from './disturbed.ts'
import { findings } from './run.ts'
import { levelsOf, loadRequirements } from './requirements.ts'

const rulesIn = async (frames: readonly Frame[]): Promise<string[]> => {
  const fold = findings({ levels: levelsOf(await loadRequirements()) })
  const state = fold.initial()
  for (const frame of frames) fold.step(state, frame)
  return [...state.bySeq.values()].flat().map(({ rule }) => rule)
}

const withoutMarks = (frames: readonly Frame[]) => frames.filter(({ kind }) => kind !== 'fault')

const over = async (faults: readonly FaultRule[], calls: (session: Session) => Promise<unknown>) => {
  const trace = new Trace()
  const injection = new FaultInjection(() => new Promise((resolve) => setTimeout(resolve, 20)))
  const transport = new LoopbackTransport(createSampleServer(), 'in this page', { current: injection })
  const session = new Session({ trace, link: 's1', transport, clientInfo: { name: 'test', version: '0' } })
  await session.open()
  injection.set({ seed: 1, faults })
  await calls(session)
  await session.close()
  return [...trace]
}

describe('injected faults', () => {
  test.each([
    ['a response that came twice', { kind: 'duplicate', method: 'tools/list' }],
    ['a response that is not JSON', { kind: 'corrupt', method: 'tools/list' }],
  ] as const)('%s is a violation without the mark of a fault before it, and none with it', async (_, rule) => {
    const frames = await over([rule], async (session) => {
      await session.request('tools/list', {}, { idle: 100, total: 100 }).catch(() => {})
      // What arrives twice has arrived by then.
      await session.ping()
    })
    expect(await rulesIn(frames)).toEqual([])
    expect((await rulesIn(withoutMarks(frames))).length).toBeGreaterThan(0)
  })

  test('a violation of the server after a fault is reported', async () => {
    const frames = await over([{ kind: 'duplicate', every: 2 }], async (session) => {
      await session.ping()
      await session.ping()
    })
    const wrong: JsonObject = { jsonrpc: '2.0', id: 'nobody-asked', result: {} }
    const at = frames.findIndex((frame) => frame.kind === 'session' && frame.phase === 'closed')
    const late = { ...frames[at - 1]!, kind: 'message', direction: 'received', type: 'result', message: wrong, size: 1 }
    const all = [...frames.slice(0, at), late as Frame, ...frames.slice(at)].map((frame, seq) => ({ ...frame, seq }))
    expect(await rulesIn(all)).toHaveLength(1)
  })

  test.each([
    ['an injected 401', { fault: 'status', status: 401 }],
    ['a lost challenge', { fault: 'missing-headers', of: 'response', removed: [['WWW-Authenticate', '••••']] }],
  ] as const)('%s is not blamed on the server in any step of the sign-in, until it ends', (_, mark) => {
    const disturbed = new Disturbed()
    let seq = 0
    const meets = (draft: object) => disturbed.meet({ ...draft, seq: seq++, at: 0, link: 's1' } as Frame)
    const step = { kind: 'auth', flow: 'f', event: 'step', step: 'resource-metadata' } as const
    const request = {
      kind: 'http',
      phase: 'request',
      method: 'GET',
      url: 'http://a.example',
      headers: [],
      size: 0,
    } as const
    expect(meets(step)).toBe(false)
    meets({ kind: 'fault', event: 'injected', request: 0, ...mark })
    // Another request fails meanwhile.
    meets({ kind: 'fault', event: 'injected', request: 1, fault: 'status', status: 503 })
    expect([meets({ ...step, step: 'challenge' }), meets(step)]).toEqual([true, true])
    const at = seq
    expect(meets({ ...request, purpose: 'authorization', step: at - 1 })).toBe(true)
    expect(meets({ ...request, purpose: 'message' })).toBe(false)
    expect(meets({ kind: 'auth', flow: 'f', event: 'end', outcome: 'failed' })).toBe(true)
    // It came late.
    expect(meets({ kind: 'http', phase: 'end', request: at, size: 0 })).toBe(true)
    expect(meets(step)).toBe(false)
  })

  test('a lost session ID, and an exchange that got a status of ours, are not blamed on an HTTP server', async () => {
    const json = { headers: { 'content-type': 'application/json', 'mcp-session-id': 'abc' } }
    const fetchFrom = async (_: unknown, init?: RequestInit): Promise<Response> => {
      const { id, method } = JSON.parse((init?.body as string | undefined) ?? '{}') as JsonObject
      if (method !== 'initialize')
        return id === undefined
          ? new Response(null, { status: init?.method === 'POST' ? 202 : 405 })
          : new Response('Missing session', { status: 400 })
      const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'm', version: '1' } }
      return new Response(JSON.stringify({ jsonrpc: '2.0', id, result }), json)
    }
    const trace = new Trace()
    const injection = new FaultInjection()
    injection.set({
      seed: 1,
      faults: [{ kind: 'missing-headers', of: 'response', names: ['mcp-session-id'], every: 1 }],
    })
    const session = new Session({
      trace,
      link: 's1',
      transport: new StreamableHttpTransport({
        url: 'http://test.invalid/mcp',
        fetch: fetchFrom,
        faults: { current: injection },
      }),
      clientInfo: { name: 'test', version: '0' },
      pinned: '2025-11-25',
    })
    await session.open()
    await session.request('ping').catch(() => {})
    injection.set({ seed: 1, faults: [{ kind: 'status', status: 503 }] })
    await session.request('ping').catch(() => {})
    await session.close()
    const frames = [...trace]
    expect(frames.filter(({ kind }) => kind === 'fault')).toMatchObject([
      { fault: 'missing-headers' },
      { fault: 'status' },
    ])
    expect(await rulesIn(frames)).toEqual([])
  })
})
