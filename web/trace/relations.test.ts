import { expect, test } from 'vitest'
import type { FrameDraft, Json } from '../mcp/index.ts'
import { aroundOf, everyKind, source } from './frames.case.ts'
import { rawOf, relationsOf } from './relations.ts'

const say = (
  direction: 'sent' | 'received',
  type: 'request' | 'result' | 'notification',
  message: Json,
  carrier?: number,
) => ({ kind: 'message', link: 's1', direction, type, message, size: 9, carrier }) as FrameDraft

const trace = (drafts: readonly FrameDraft[]) => {
  const all = source()
  for (const draft of drafts) all.trace.append(draft)
  const around = aroundOf(all)
  return (seq: number) => relationsOf(all.trace.at(seq)!, all.trace, around)
}

test('a call over HTTP can be followed from its request to all that came of it, and back', () => {
  const at = trace([
    everyKind[0]!, // 0: POST
    say('sent', 'request', { id: 1, method: 'tools/call', params: { _meta: { progressToken: 'p' } } }, 0), // 1
    { kind: 'http', phase: 'response', link: 's1', request: 0, status: 200, statusText: 'OK', headers: [] }, // 2
    { kind: 'stream', event: 'open', link: 's1', request: 0 }, // 3
    say(
      'received',
      'notification',
      { method: 'notifications/progress', params: { progressToken: 'p', progress: 1 } },
      0,
    ), // 4
    say('received', 'request', { id: 1, method: 'sampling/createMessage' }, 0), // 5: server request, same stream
    say('received', 'result', { id: 1, result: {} }, 0), // 6
  ])
  expect(at(1)).toMatchObject({ request: undefined, answer: 6, carrier: 0, caused: [3, 4, 5, 6], causedCount: 4 })
  expect(at(6)).toMatchObject({ request: 1, answer: undefined, carrier: 0, caused: [] })
  expect(at(4)).toMatchObject({ request: 1, answer: 6 })
  expect(at(0)).toMatchObject({ carried: [1, 4, 5, 6], caused: [1, 2, 3, 4, 5, 6] })
  expect(at(2).run?.status).toBe(200)
  // A server request isn't a response to ours, although both have the id 1.
  expect(at(5)).toMatchObject({ request: undefined, answer: undefined, caused: [] })
})

test('an answer that came on a resumed stream is tied to the call that was cut', () => {
  const resume = { ...everyKind[0]!, purpose: 'resume', origin: 0 } as FrameDraft
  const at = trace([
    everyKind[0]!, // 0: POST
    say('sent', 'request', { id: 1, method: 'tools/call' }, 0), // 1
    { kind: 'stream', event: 'resume', link: 's1', request: 0, delay: 1, attempt: 1, why: 'cut' }, // 2
    resume, // 3
    { kind: 'stream', event: 'open', link: 's1', request: 3 }, // 4
    say('received', 'notification', { method: 'x' }, 3), // 5
    say('received', 'result', { id: 1, result: {} }, 3), // 6
  ])
  expect(at(1).caused).toEqual([2, 3, 4, 5, 6])
  expect(at(0).caused).toEqual([1, 2, 3])
})

test('an endless stream makes no endless list', () => {
  const at = trace([
    everyKind[0]!,
    ...Array.from({ length: 500 }, (_, id) => say('received', 'notification', { method: 'x', params: { id } }, 0)),
  ])
  expect(at(0).caused).toHaveLength(200)
  expect(at(0).caused.at(-1)).toBe(500)
  expect(at(0).causedCount).toBe(500)
})

test('every kind of frame has relations, and the raw text of a message is what came', () => {
  const all = source()
  for (const draft of everyKind) all.trace.append(draft)
  const around = aroundOf(all)
  for (const frame of all.trace) {
    const { caused } = relationsOf(frame, all.trace, around)
    expect(caused).not.toContain(frame.seq)
    if (frame.kind !== 'message') continue
    const raw = rawOf(frame)
    expect(raw).toBe(frame.released ? undefined : (frame.raw ?? JSON.stringify(frame.message)))
  }
})
