import { beforeAll, describe, expect, inject, test } from 'vitest'
import { patient } from '../../tests/patience.ts'
import { recordReal } from '../../tests/sessions/real.ts'
// A test may import from a higher rank.
import { FaultInjection, type FaultRule } from '../faults/index.ts'
import { exchanges, foldAll, LoopbackTransport, Session, StreamableHttpTransport, Trace } from '../mcp/index.ts'
import type { Exchange, Frame, InterferenceSlot, MessageFrame, Transport } from '../mcp/index.ts'
import { createSampleServer } from '../sample/index.ts'
import { faultOf } from '../session-file/guard.ts'
import { moved } from '../session-file/index.ts'
import { withoutBodies } from '../session-file/omit.ts'
import { exchangeWith, outgoing, stepsOnly, type TakenPart } from './outgoing.ts'
import { redact } from './redact.ts'
import { referencesOf } from '../session-file/references.ts'
import { stepsOf } from '../replay/steps.ts'
import { headOf } from '../session-file/write.ts'

let recordings: readonly (readonly Frame[])[] = []

beforeAll(async () => {
  const urls = [
    inject('everythingUrl'),
    `${inject('modernUrl')}/parts`,
    `${inject('richUrl')}/v1/parts`,
    `${inject('richUrl')}/v2/parts`,
  ]
  recordings = await Promise.all(urls.map(recordReal))
}, patient(60_000))

const isWhole = ({ frames, from }: TakenPart): void => {
  expect(frames.map(({ seq }) => seq)).toEqual(from.map((_, place) => place))
  for (const frame of frames) {
    for (const seq of referencesOf(frame)) expect(seq).toBeLessThan(frame.seq)
    expect(faultOf(JSON.parse(JSON.stringify(frame)))).toBeUndefined()
  }
}

const openingOf = ({ frames }: TakenPart): Frame[] =>
  frames.filter((frame) => frame.kind === 'session' && frame.phase === 'open')

describe('one exchange and what it caused, of every peer', () => {
  test('refers to nothing outside it, wherever it is taken from', async () => {
    for (const frames of recordings) {
      let parts = 0
      for (const { seq } of frames) {
        const part = await exchangeWith(frames, seq)
        isWhole(part)
        if (part.frames.length === 0) continue
        parts++
        expect(openingOf(part)).toHaveLength(1)
        expect(part.frames.length).toBeLessThan(frames.length)
      }
      expect(parts).toBeGreaterThan(20)
    }
  })

  test('reads as it did: the same answer, status and progress', async () => {
    for (const frames of recordings) {
      for (const exchange of foldAll(exchanges, frames).all) {
        const part = await exchangeWith(frames, exchange.request)
        const same = foldAll(exchanges, part.frames).bySeq.get(part.from.indexOf(exchange.request))!
        const told = ({ method, status, id, progress, error, startedAt, endedAt }: Exchange) => ({
          method,
          status,
          id,
          progress,
          error,
          startedAt,
          endedAt,
        })
        expect(told(same)).toEqual(told(exchange))
      }
    }
  })

  test('brings the questions of the server with their answers, and all rounds', async () => {
    const asks = (frames: readonly Frame[], name: string) =>
      frames.find(
        (frame): frame is MessageFrame =>
          frame.kind === 'message' &&
          frame.direction === 'sent' &&
          JSON.stringify(frame.message ?? null).includes(`"name":"${name}"`) &&
          frame.type === 'request',
      )!
    const [, , first, second] = recordings
    const requests = foldAll(exchanges, (await exchangeWith(first!, asks(first!, 'ask-model').seq)).frames).all
    expect(requests.map(({ method, status }) => `${method} ${status}`)).toEqual([
      'tools/call ok',
      'sampling/createMessage ok',
    ])
    const rounds = foldAll(exchanges, (await exchangeWith(second!, asks(second!, 'ask-model').seq)).frames).all
    expect(rounds.map(({ method, status }) => `${method} ${status}`)).toEqual(['tools/call asked', 'tools/call ok'])
  })
})

describe('injected faults', () => {
  const marksIn = (frames: readonly Frame[]) =>
    frames.flatMap((frame) =>
      frame.kind === 'fault' && frame.event === 'injected' ? [`${frame.fault} ${frame.ms}`] : [],
    )
  const record = async (make: (faults: InterferenceSlot) => Transport, faults: readonly FaultRule[]) => {
    const trace = new Trace()
    const injection = new FaultInjection(() => Promise.resolve())
    const clientInfo = { name: 'test', version: '0' }
    const session = new Session({ trace, link: 's1', transport: make({ current: injection }), clientInfo })
    await session.open()
    injection.set({ seed: 1, faults })
    const first = await session.request('tools/list')
    expect(first).toHaveProperty('tools')
    await session.request('prompts/list')
    await session.close()
    const frames = [...trace]
    const [list] = foldAll(exchanges, frames).all.filter(({ method }) => method === 'tools/list')
    const part = await exchangeWith(frames, list!.response!)
    isWhole(part)
    return { all: marksIn(frames), part: marksIn(part.frames) }
  }

  test.each<[string, (faults: InterferenceSlot) => Transport]>([
    ['over HTTP', (faults) => new StreamableHttpTransport({ url: inject('everythingUrl'), faults })],
    ['on a line', (faults) => new LoopbackTransport(createSampleServer(), 'in this page', faults)],
  ])('%s: what was injected into an exchange is shared with it, and nothing else', async (_, make) => {
    const { all, part } = await record(make, [
      { kind: 'delay', ms: 5, method: 'tools/list' },
      { kind: 'delay', ms: 7, method: 'prompts/list' },
    ])
    expect(all).toEqual(['delay 5', 'delay 7'])
    expect(part).toEqual(['delay 5'])
  })
})

test('the steps alone are the same requests in the same order, with nothing of what came', async () => {
  for (const frames of recordings) {
    const part = await stepsOnly(frames)
    isWhole(part)
    expect(openingOf(part)).toHaveLength(1)
    expect(
      part.frames.every(
        (frame) => frame.kind === 'session' || (frame.kind === 'message' && frame.direction === 'sent'),
      ),
    ).toBe(true)
    const [before, after] = [stepsOf(frames), stepsOf(part.frames)]
    expect(after.map(({ method }) => method)).toEqual(before.map(({ method }) => method))
    expect(after.every(({ recorded }) => recorded === undefined)).toBe(true)
  }
})

test('of two servers in a session, the one that was chosen leaves alone, whole and in its order', async () => {
  const [first, second] = recordings
  const both = [first!, second!].flatMap((frames, at) => frames.map((frame) => ({ ...frame, link: `s${at + 1}` })))
  const count = first!.length
  const session = both.map((frame, seq) => (seq < count ? frame : moved(frame, seq, (old) => old + count)))
  const server = (link: string) => ({ link, name: link, target: { kind: 'sample' as const } })
  const head = headOf({
    begunAt: '2026-01-01T00:00:00.000Z',
    tool: { name: 'mcp-periscope', version: '0' },
    servers: [server('s1'), server('s2')],
    view: { link: 's1', feature: 'tools', place: 'echo' },
    removed: [
      { pointer: '/servers/0/name', rule: 'a' },
      { pointer: '/servers/1/name', rule: 'b' },
      { pointer: '/notes', rule: 'c' },
    ],
  })
  const redacted = { ...(await redact(head, session)), frames: session }
  for (const part of ['session', 'steps'] as const) {
    const out = await outgoing(redacted, { part, link: 's2' })
    expect(out.head.servers.map(({ link }) => link)).toEqual(['s2'])
    expect(out.head.removed?.filter(({ seq }) => seq === undefined)).toEqual([
      { pointer: '/servers/0/name', rule: 'b' },
      { pointer: '/notes', rule: 'c' },
    ])
    // It opened at the other server.
    expect(out.head).not.toHaveProperty('view')
    const alone = part === 'session' ? second! : (await stepsOnly(second!)).frames
    expect(out.frames).toEqual(alone.map((frame) => ({ ...frame, link: 's2' })))
  }
})

describe('large bodies', () => {
  test('are left out with their size and SHA-256; all others stay', async () => {
    const frames = recordings[0]!
    const { frames: light, omitted } = await withoutBodies(frames, 1000)
    expect(omitted.length).toBeGreaterThan(0)
    for (const frame of light) {
      const before = frames[frame.seq]!
      if (!('omitted' in frame)) expect(frame).toEqual(before)
      else {
        expect(frame).toHaveProperty('size', (before as MessageFrame).size)
        expect(frame).not.toHaveProperty('message')
        const { message, raw } = before as MessageFrame
        const bytes = new TextEncoder().encode(raw ?? JSON.stringify(message))
        const hash = Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)), (byte) =>
          byte.toString(16).padStart(2, '0'),
        ).join('')
        expect(frame.omitted).toEqual({ sha256: hash })
      }
      expect(faultOf(JSON.parse(JSON.stringify(frame)))).toBeUndefined()
    }
  })

  test('the head says what was chosen, and its bookmarks follow their frames', async () => {
    const frames = recordings[0]!
    const [exchange] = foldAll(exchanges, frames).all.filter(({ method }) => method === 'tools/call')
    const head = headOf({
      begunAt: '2026-01-01T00:00:00.000Z',
      tool: { name: 'mcp-periscope', version: '0' },
      servers: [
        { link: 's1', name: 'one' },
        { link: 's2', name: 'other' },
      ],
      bookmarks: [
        { seq: exchange!.request, text: 'here' },
        { seq: 0, text: 'not in it' },
      ],
    })
    const redacted = await redact(head, frames)
    const out = await outgoing(redacted, { part: 'exchange', seq: exchange!.request, omitAbove: 10 })
    expect(out.head).toMatchObject({ part: 'exchange', omittedAbove: 10, servers: [{ link: 's1' }] })
    expect(out.head.bookmarks).toHaveLength(1)
    expect(out.frames[out.head.bookmarks![0]!.seq]).toMatchObject({
      kind: 'message',
      direction: 'sent',
      type: 'request',
    })
  })
})

describe('where a shared session opens', () => {
  const view = { link: 's1', feature: 'tools', place: 'echo', seq: 1 }
  const seen = async (place: string, part: 'session' | 'exchange') => {
    const head = headOf({ begunAt: '2026-01-01T00:00:00.000Z', tool: { name: '', version: '' }, servers: [], view: { ...view, place } }) // prettier-ignore
    return (await outgoing(await redact(head, recordings[0]!), { part, seq: 1 })).head.view
  }

  test('is where its sender was, with the selected frame', async () => {
    expect(await seen('echo', 'session')).toEqual(view)
  })

  test('is not said if a secret was in it, and of one exchange, which is a place itself', async () => {
    expect(await seen('https://user:hunter2xyz@example.com/', 'session')).toBeUndefined()
    expect(await seen('echo', 'exchange')).toBeUndefined()
  })
})
