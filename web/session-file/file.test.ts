import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Frame, Json } from '../mcp/index.ts'
import { faultOf } from './guard.ts'
import { readSession } from './read.ts'
import { SessionFileError, type OpenedSession } from './file.ts'
import { fileNameOf, headOf, sessionText } from './write.ts'

const HEAD = headOf({
  begunAt: '2026-01-01T00:00:00.000Z',
  tool: { name: 'mcp-periscope', version: '0.1.0' },
  servers: [{ link: 's1', name: 'one', target: { kind: 'url', url: 'http://127.0.0.1/mcp', headers: ['X-Key'] } }],
})

const message = (seq: number, value: Json): Frame => ({
  kind: 'message',
  direction: 'received',
  type: 'invalid',
  message: value,
  size: 1,
  seq,
  at: seq / 3,
  link: 's1',
})

const fileOf = (frames: readonly Frame[]): string => [...sessionText(HEAD, frames)].join('')

const codes = ({ damage }: OpenedSession) => damage.map(({ code }) => code)

test.each([
  [{}, 'one-2026-01-01T00-00-00.periscope.jsonl'],
  [{ name: '../..\\login: größer?' }, 'login-größer-2026-01-01T00-00-00.periscope.jsonl'],
  [{ name: '‹removed: name:password›' }, 'removed-name-password-2026-01-01T00-00-00.periscope.jsonl'],
  [{ part: 'exchange' as const }, 'one-exchange-2026-01-01T00-00-00.periscope.jsonl'],
  [{ name: '???' }, 'session-2026-01-01T00-00-00.periscope.jsonl'],
])('a file is named by the head as it leaves, validly in every file system: %o', (head, name) => {
  expect(fileNameOf({ ...HEAD, ...head })).toBe(name)
})

describe('a session file', () => {
  test('gives back notes on frames, of older versions too, up to 2,000 characters', async () => {
    const bookmarks = [
      { seq: 0, text: 'short' },
      { seq: 1, text: `${'line\n'.repeat(399)}last!` },
      { seq: 2, text: '' },
    ]
    const frames = [0, 1, 2].map((seq) => message(seq, null))
    const text = [...sessionText({ ...HEAD, bookmarks }, frames)].join('')
    const opened = await readSession(text)
    expect(opened.head.bookmarks).toEqual(bookmarks)
    expect(opened.damage).toEqual([])
  })

  test('gives back every frame as it was, whatever is in it and however it is cut into pieces', async () => {
    const cut = fc.array(fc.nat({ max: 200 }), { maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue({ maxDepth: 4 }), { maxLength: 20 }), cut, async (values, sizes) => {
        const frames = values.map((value, seq) => message(seq, JSON.parse(JSON.stringify(value)) as Json))
        const bytes = new TextEncoder().encode(fileOf(frames))
        const pieces: Uint8Array[] = []
        let from = 0
        for (const size of sizes) pieces.push(bytes.slice(from, (from += size)))
        pieces.push(bytes.slice(from))
        const opened = await readSession(pieces)
        expect(opened.frames).toEqual(frames)
        expect(opened.head).toEqual(HEAD)
        expect(opened.damage).toEqual([])
      }),
    )
  })

  test('opens as far as it is good, and says that the rest is missing', async () => {
    const frames = Array.from({ length: 50 }, (_, seq) => message(seq, { n: seq }))
    const text = fileOf(frames)
    for (const part of [0.2, 0.5, 0.9]) {
      const opened = await readSession(text.slice(0, Math.floor(text.length * part)))
      expect(opened.frames).toEqual(frames.slice(0, opened.frames.length))
      expect(opened.frames.length).toBeGreaterThan(50 * part - 5)
      expect(codes(opened)).toContain('truncated')
    }
  })

  test('a line that is damaged costs that line, and what spoke of it speaks of nothing', async () => {
    const answer: Frame = { ...message(3, {}), carrier: 1 } as Frame
    const lines = fileOf([message(0, 0), message(1, 1), message(2, 2), answer]).split('\n')
    lines[2] = lines[2]!.slice(3)
    const opened = await readSession(lines.join('\n'))
    expect(opened.frames.map(({ seq }) => seq)).toEqual([0, 1, 2])
    expect(codes(opened)).toEqual(['not-json', 'holes'])
    expect(opened.frames[2]).toHaveProperty('carrier', Number.MAX_SAFE_INTEGER)
  })

  test.each([
    ['nothing', '', 'empty'],
    ['a picture', '\x89PNG\r\n', 'not-a-session'],
    ['another format', '{"log":{"version":"1.2"}}', 'not-a-session'],
    ['no version', '{"format":"periscope-session"}', 'unknown-version'],
  ])('%s is refused, and why is said', async (_, text, code) => {
    const error = await readSession(text).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(SessionFileError)
    expect(error).toHaveProperty('code', code)
  })

  test('one of a later version opens, and says that not all of it may be understood', async () => {
    const opened = await readSession(fileOf([message(0, 1)]).replace('"version":1', '"version":2'))
    expect(codes(opened)).toEqual(['newer-version'])
    expect(opened.frames).toHaveLength(1)
  })

  test('foreign prototypes stay plain keys', async () => {
    const text = fileOf([message(0, 1)]).replace('"message":1', '"message":{"__proto__":{"polluted":true}}')
    const { frames } = await readSession(text)
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
    expect(JSON.stringify(frames[0])).toContain('"__proto__"')
  })

  test('what no view could read is no frame', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(faultOf(value as Json)).toBeTypeOf('string')
      }),
    )
    const good = message(0, 1)
    for (const name of ['seq', 'at', 'link', 'direction', 'type', 'size', 'kind']) {
      for (const wrong of [null, -1, {}, ['x']])
        expect(faultOf({ ...good, [name]: wrong } as Json)).toBeTypeOf('string')
    }
  })
})
