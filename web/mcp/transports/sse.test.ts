import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readEvents, type StreamEvent } from './sse.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

/** A body that arrives in the given chunks. */
const bodyOf = (chunks: Uint8Array[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })

const eventsOf = async (...chunks: Uint8Array[]) => {
  const events: StreamEvent[] = []
  const retries: number[] = []
  const comments: string[] = []
  const { size, broken, unfinished, stray } = await readEvents(bodyOf(chunks), {
    event: (event) => void events.push(event),
    retry: (delay) => retries.push(delay),
    comment: (text) => comments.push(text),
  })
  return { events, retries, comments, size, broken, unfinished, stray }
}

const cutAt = (whole: Uint8Array, cuts: number[]): Uint8Array[] => {
  const places = [...new Set(cuts.map((cut) => cut % (whole.length + 1)))].sort((a, b) => a - b)
  return [...places, whole.length].map((end, index) => whole.slice(places[index - 1] ?? 0, end))
}

const STREAM =
  '\uFEFF: hello\nretry: 250\n\nid: 1\ndata:\n\nid: 2\nevent: message\ndata: {"text":"Grüße 世界 🎈"}\n\ndata: a\ndata: b\n\n'

describe('reading an event stream', () => {
  test.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR', '\r'],
  ])('TR-HTTP-14: any chunking gives the same events (%s line ends)', async (_, lineEnd) => {
    const whole = bytes(STREAM.replaceAll('\n', lineEnd))
    const expected = await eventsOf(whole)
    expect(expected.events.map(({ id, data }) => [id, data])).toEqual([
      ['1', ''],
      ['2', '{"text":"Grüße 世界 🎈"}'],
      [undefined, 'a\nb'],
    ])
    expect(expected).toMatchObject({ retries: [250], comments: ['hello'], size: whole.length })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(), { maxLength: 40 }), async (cuts) => {
        expect(await eventsOf(...cutAt(whole, cuts))).toEqual(expected)
      }),
      { numRuns: 60 },
    )
    expect(await eventsOf(...Array.from(whole, (byte) => Uint8Array.of(byte)))).toEqual(expected)
  })

  test.each(['\n', '\r\n', '\r'])('TR-HTTP-14: a last event without its empty line is discarded, and told (%j)', async (end) => {
    const first = 'data: a\n\n'
    for (const [rest, unfinished] of [
      ['', undefined],
      [': comment', undefined],
      ['id: 3\nevent: x\n', undefined],
      ['xdata: b\n', undefined],
      ['id: 2\ndata: b\n\n', undefined],
      ['id: 2\ndata: b\n', true],
      ['data: b', true],
    ] as const) {
      const whole = bytes((first + rest).replaceAll('\n', end))
      for (const chunks of [[whole], cutAt(whole, [9, 10, 14, 19]), Array.from(whole, (byte) => Uint8Array.of(byte))])
        expect((await eventsOf(...chunks)).unfinished, rest).toBe(unfinished)
    }
    expect((await eventsOf(bytes('data: a'))).unfinished).toBe(true)
  }) // prettier-ignore

  test('TR-HTTP-14: the first line without a field name is reported; unknown fields are not', async () => {
    const strayIn = async (text: string) => (await eventsOf(bytes(text))).stray
    expect(await strayIn('{"jsonrpc":"2.0"}\n\nplain text\n\n')).toBe('{"jsonrpc":"2.0"}')
    expect(await strayIn('data: {\n  "a": 1\ndata: }\n\n')).toBe('  "a": 1')
    expect(await strayIn(': comment\nx-trace: 1\nfoo\nretry: soon\ndata: a\n\n')).toBeUndefined()
  })

  test('an event is there as soon as it is complete, with CR alone too', async () => {
    let push!: (text: string) => void
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => void (push = (text) => controller.enqueue(bytes(text))),
    })
    const leave = new AbortController()
    const seen: string[] = []
    const first = new Promise<void>((resolve) => {
      void readEvents(body, { event: ({ data }) => (seen.push(data), resolve()) }, { signal: leave.signal })
    })
    push('data: now\r\r')
    await first
    expect(seen).toEqual(['now'])
    leave.abort()
  })

  test('BP-14: bytes that are no UTF-8 are noticed; a U+FFFD of the server’s own is not', async () => {
    const broken = await eventsOf(bytes('data: a'), Uint8Array.of(0xff), bytes('b\n\n'))
    expect(broken.events[0]).toMatchObject({ data: 'a\uFFFDb', invalidUtf8: true })
    const wrong = await eventsOf(Uint8Array.of(...bytes('data: a'), 0xff, ...bytes('b\n\n')))
    expect(wrong.events[0]!.invalidUtf8).toBe(true)
    const own = await eventsOf(bytes('data: a\uFFFDb\n\n'))
    expect(own.events[0]!.invalidUtf8).toBe(false)
  })

  test('an event over the bound is dropped with a word, and the next one is read', async () => {
    const dropped: number[] = []
    const events: string[] = []
    const long = bytes(`data: ${'x'.repeat(50_000)}\n\ndata: next\n\n`)
    await readEvents(
      bodyOf(cutAt(long, [10_000, 20_000, 30_000, 40_000])),
      { event: ({ data }) => void events.push(data), tooLarge: (limit) => dropped.push(limit) },
      { limit: 20_000 },
    )
    expect(dropped).toEqual([20_000])
    expect(events.at(-1)).toBe('next')
  })
})
