import { expect, test } from 'vitest'
import { stringify } from '../../json/index.ts'
import type { Frame } from '../../mcp/index.ts'
import { maskOf } from '../../secrets/index.ts'
import { earlierArguments, masksAt, recall, sentCall, type Recalled } from './sent-arguments.ts'

const call = (seq: number, args: unknown, raw?: string) =>
  ({
    seq,
    kind: 'message',
    direction: 'sent',
    message: { id: seq, method: 'tools/call', params: { name: 'x', arguments: args } },
    ...(raw === undefined ? {} : { raw }),
  }) as unknown as Frame

test('the arguments of a call keep numbers as they were written', () => {
  const raw = '{"id":1,"method":"tools/call","params":{"name":"x","arguments":{"n":1.0,"big":12345678901234567890}}}'
  expect(stringify(sentCall(call(1, {}, raw))!.value)).toBe('{"n":1.0,"big":12345678901234567890}')
  expect(sentCall(call(1, undefined))).toMatchObject({ name: 'x', value: {} })
  expect(sentCall(undefined)).toBeUndefined()
})

test('earlier arguments come newest first, each set once', () => {
  const frames = new Map([call(1, { a: 1 }), call(2, { a: 2 }), call(3, { a: 1 })].map((frame) => [frame.seq, frame]))
  const found = earlierArguments([{ seq: 1 }, { seq: 2 }, { seq: 3 }], ({ seq }) => sentCall(frames.get(seq))?.value)
  expect(found).toEqual([{ a: 1 }, { a: 2 }])
})

test('the places of masks are found wherever a string holds one, and nothing else counts', () => {
  const value = { a: maskOf(12), 'b/c': ['x', { d: `Bearer ${maskOf(40)}` }], e: '••••', [maskOf(3)]: 1 }
  expect(masksAt(value)).toEqual(['/a', '/b~1c/1/d'])
  expect(masksAt(maskOf(9))).toEqual([''])
  expect(masksAt({})).toEqual([])
})

const earlier = [{ a: 3 }, { a: 2 }, { a: 1 }]
/** Presses keys as the form does. */
const pressed = (start: object | undefined, ...keys: readonly (1 | -1)[]) => {
  let [now, recalled]: [unknown, Recalled | undefined] = [start, undefined]
  for (const by of keys) {
    const next = recall(earlier, now as never, recalled, by)
    if (!next) continue
    now = next.value
    recalled = next.recalled
  }
  return now
}

test('↑ goes back through earlier arguments and stops at the oldest', () => {
  expect(pressed(undefined, 1)).toEqual({ a: 3 })
  expect(pressed(undefined, 1, 1, 1, 1)).toEqual({ a: 1 })
})

test('↑ skips the latest arguments if they are still in the form', () => {
  expect(pressed({ a: 3 }, 1)).toEqual({ a: 2 })
})

test('↓ goes forward again, to what was entered before', () => {
  expect(pressed({ a: 'new' }, 1, 1, -1)).toEqual({ a: 3 })
  expect(pressed({ a: 'new' }, 1, 1, -1, -1)).toEqual({ a: 'new' })
  expect(pressed({ a: 'new' }, -1)).toEqual({ a: 'new' })
  expect(pressed({ a: 3 }, 1, -1)).toEqual({ a: 3 })
})

test('editing recalled arguments starts the steps again', () => {
  const first = recall(earlier, undefined, undefined, 1)
  expect(recall(earlier, { a: 'edited' }, first?.recalled, 1)).toMatchObject({ recalled: { value: { a: 3 }, at: 0 } })
})
