import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EventAssembler, FrameReader, GarbledFrame, type StreamEvent } from './proxy-framing.ts'

const MORE = 1
const CONTINUED = 2
const INVALID = 4

const frame = (letter: string, subject: number, payload: Uint8Array | string, flags = 0, id = 1): Uint8Array => {
  const bytes = typeof payload === 'string' ? new TextEncoder().encode(payload) : payload
  const whole = new Uint8Array(16 + bytes.length)
  const view = new DataView(whole.buffer)
  view.setUint8(0, letter.charCodeAt(0))
  view.setUint8(1, flags)
  view.setUint16(2, Math.floor(id / 2 ** 32))
  view.setUint32(4, id % 2 ** 32)
  view.setUint32(8, subject)
  view.setUint32(12, bytes.length)
  whole.set(bytes, 16)
  return whole
}

/** An event in frames of limited size, as the proxy splits them: anywhere, even within a character. */
const spread = (letter: string, subject: number, payload: Uint8Array, most: number, flags = 0): Uint8Array[] => {
  const frames: Uint8Array[] = []
  let from = 0
  do {
    const more = from + most < payload.length ? MORE : 0
    frames.push(frame(letter, subject, payload.slice(from, from + most), flags | more | (from > 0 ? CONTINUED : 0)))
    from += most
  } while (from < payload.length)
  return frames
}

const joined = (parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(parts.flatMap((part) => [...part]))

const read = (chunks: readonly Uint8Array[], limit?: number): StreamEvent[] => {
  const frames = new FrameReader()
  const events = new EventAssembler(limit)
  return chunks.flatMap((chunk) => [...frames.read(chunk)].flatMap((each) => events.take(each) ?? []))
}

describe('the stream of the local proxy', () => {
  test('gives the same events however it is cut, and lines as they are', () => {
    const event = fc.record({
      subject: fc.integer({ min: 1, max: 2 ** 32 - 1 }),
      text: fc.string({ unit: 'binary', maxLength: 300 }),
      letter: fc.constantFrom('L', 'S'),
      most: fc.integer({ min: 1, max: 100 }),
    })
    fc.assert(
      fc.property(fc.array(event, { maxLength: 6 }), fc.array(fc.nat(200), { maxLength: 30 }), (list, cuts) => {
        const bytes = joined(
          list.flatMap(({ letter, subject, text, most }) => [
            ...spread(letter, subject, new TextEncoder().encode(text), most),
            frame('I', 0, '', 0, 0),
          ]),
        )
        const chunks: Uint8Array[] = []
        let at = 0
        for (const cut of cuts) chunks.push(bytes.slice(at, (at += cut)))
        // A lone surrogate can't be encoded as UTF-8 and was sent as U+FFFD.
        const shown = (text: string) =>
          new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(text))
        expect(read([...chunks, bytes.slice(at)])).toEqual(
          list.map(({ letter, subject, text }) => ({
            type: letter === 'L' ? 'line' : 'stderr',
            child: `c${subject}`,
            text: shown(text),
          })),
        )
      }),
    )
  })

  test('keeps a byte order mark, and marks what is not UTF-8', () => {
    const bom = frame('L', 1, new Uint8Array([0xef, 0xbb, 0xbf, 0x61]))
    const invalid = spread('L', 2, new Uint8Array([0x61, 0xff, 0xe2, 0x82]), 3, INVALID)
    expect(read([bom, ...invalid])).toEqual([
      { type: 'line', child: 'c1', text: '\uFEFFa' },
      { type: 'line', child: 'c2', text: 'a\uFFFD\uFFFD', invalidUtf8: true },
    ])
  })

  test('counts a line in bytes; one over the limit is told as lost, with both its ends, and the next is read', () => {
    const line = (size: number) => new TextEncoder().encode('é'.repeat(size / 2))
    expect(read(spread('L', 1, line(5000), 700), 5000)).toMatchObject([{ type: 'line' }])
    const long = new TextEncoder().encode(`{"id":1,${'x'.repeat(9000)},"id":2}`)
    const events = read([...spread('L', 1, long, 700), frame('L', 1, 'next')], 5000)
    expect(events).toMatchObject([
      { type: 'lost', child: 'c1', stream: 'stdout', size: long.length },
      { type: 'line', text: 'next' },
    ])
    const [lost] = events as { head: string; tail: string }[]
    expect(lost!.head).toMatch(/^\{"id":1,x{1016}$/)
    expect(lost!.tail).toMatch(/^x{1016},"id":2\}$/)
  })

  test('an event that a gap has cut is dropped, and what follows is read', () => {
    const parts = spread('L', 1, new Uint8Array(100), 40)
    const gap = frame('G', 0, '{"lost":3}')
    const events = read([parts[0]!, gap, parts[2]!, frame('L', 1, 'next')])
    expect(events).toEqual([
      { type: 'gap', lost: 3 },
      { type: 'line', child: 'c1', text: 'next' },
    ])
  })

  test('bodies come as they arrive, and JSON is put together', () => {
    const head = new TextEncoder().encode(JSON.stringify({ status: 200, statusText: 'é'.repeat(50) }))
    const events = read([...spread('H', 7, head, 33), frame('D', 7, new Uint8Array([1, 2])), frame('E', 7, '{}')])
    expect(events).toEqual([
      { type: 'head', request: 7, value: { status: 200, statusText: 'é'.repeat(50) } },
      { type: 'data', request: 7, bytes: new Uint8Array([1, 2]) },
      { type: 'end', request: 7, value: {} },
    ])
  })

  test.each<[string, Uint8Array[]]>([
    ['a frame that announces too much', [new Uint8Array(17).fill(0xff)]],
    ['a frame of no known type', [frame('?', 1, '')]],
    ['an event that goes on as another', [frame('L', 1, 'a', MORE), frame('S', 1, 'b', CONTINUED)]],
    ['an event without an end', [frame('L', 1, 'a', MORE), frame('L', 1, 'b')]],
    ['JSON that is none', [frame('X', 1, '{')]],
    ['JSON that is no object', [frame('X', 1, 'null')]],
    [
      'JSON without an end',
      Array.from({ length: 6 }, (_, at) =>
        frame('H', 1, new Uint8Array(1e6).fill(32), MORE | (at > 0 ? CONTINUED : 0)),
      ).concat(frame('H', 1, '{}', CONTINUED)),
    ],
  ])('%s is not taken for the proxy', (_, chunks) => {
    expect(() => read(chunks)).toThrow(GarbledFrame)
  })
})
