import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LineSplitter, type Line, type LostLine } from './lines.ts'

function splitter(limit = 1e9) {
  const lines: Decoded[] = []
  const lost: LostLine[] = []
  const reader = {
    line: (line: Line) => {
      expect(line.size).toBe(Buffer.concat(line.pieces).length)
      lines.push({ text: line.text, ...(line.invalidUtf8 ? { invalidUtf8: true } : {}) })
    },
    lost: (line: LostLine) => void lost.push(line),
  }
  return { lines, lost, split: new LineSplitter(limit, reader) }
}

interface Decoded {
  text: string
  invalidUtf8?: true
}

/** Splits bytes at random positions. */
const cuts = fc.array(fc.nat(200), { maxLength: 40 })
function pieces(bytes: Buffer, at: readonly number[]): Buffer[] {
  const places = [...new Set([0, ...at.filter((place) => place < bytes.length), bytes.length])].sort((a, b) => a - b)
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end))
}

describe('lines out of bytes', () => {
  test('any chunking gives the same lines, also inside a character', () => {
    const line = fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.replaceAll('\n', ''))
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), cuts, (texts, at) => {
        const { lines, split } = splitter()
        for (const piece of pieces(Buffer.from(texts.map((text) => `${text}\n`).join('')), at)) split.push(piece)
        split.end()
        expect(lines).toEqual(texts.map((text) => ({ text })))
      }),
    )
  })

  test('whatever the bytes are, as many lines come out as went in, and the bad ones say so', () => {
    const line = fc.uint8Array({ maxLength: 30 }).map((bytes) => bytes.filter((byte) => byte !== 0x0a))
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), cuts, (all, at) => {
        const { lines, split } = splitter()
        const bytes = Buffer.concat(all.flatMap((each) => [each, Buffer.from('\n')]))
        for (const piece of pieces(bytes, at)) split.push(piece)
        const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
        const strict = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true })
        const expected = all.map((each): Decoded => {
          try {
            return { text: strict.decode(each) }
          } catch {
            return { text: decoder.decode(each), invalidUtf8: true }
          }
        })
        expect(lines).toEqual(expected)
      }),
    )
  })

  test('carriage return and byte order mark are the server’s own and stay', () => {
    const { lines, split } = splitter()
    split.push(Buffer.from('\uFEFF{"a":1}\r\n\n'))
    expect(lines).toEqual([{ text: '\uFEFF{"a":1}\r' }, { text: '' }])
  })

  test('a long line comes in pieces, of which each is UTF-8 of its own', () => {
    const lines: Line[] = []
    const split = new LineSplitter(1e9, { line: (line) => void lines.push(line), lost: () => {} })
    const text = 'aé€😀'.repeat(100_000)
    const bytes = Buffer.from(`${text}\n`)
    for (let from = 0; from < bytes.length; from += 60_001) split.push(bytes.subarray(from, from + 60_001))
    const [line] = lines
    expect(line!.pieces.length).toBeGreaterThan(5)
    expect(line!.pieces.map((piece) => piece.toString()).join('') === text).toBe(true)
    expect([line!.invalidUtf8, line!.size]).toEqual([false, bytes.length - 1])
  })

  test('a line over the limit is reported with its size, and the next one is read normally', () => {
    const { lines, lost, split } = splitter(10)
    split.push(Buffer.from('0123456789\n0123456789'))
    split.push(Buffer.from('abc'))
    split.push(Buffer.from('def\nnext\n01234567890\nlast'))
    split.end()
    expect(lines.map((line) => line.text)).toEqual(['0123456789', 'next', 'last'])
    expect(lost.map(({ size }) => size)).toEqual([16, 11])
  })

  test('of a line over the limit both ends are told, however it was cut', () => {
    fc.assert(
      fc.property(fc.integer({ min: 101, max: 20_000 }), fc.array(fc.nat(20_000), { maxLength: 20 }), (size, at) => {
        const { lines, lost, split } = splitter(100)
        const bytes = Buffer.from(Array.from({ length: size }, (_, index) => 0x20 + (index % 90)))
        for (const piece of pieces(Buffer.concat([bytes, Buffer.from('\nnext\n')]), at)) split.push(piece)
        expect(lost).toEqual([{ size, head: bytes.subarray(0, 1024), tail: bytes.subarray(-1024) }])
        expect(lines).toEqual([{ text: 'next' }])
      }),
    )
  })

  test('the beginning of a line is had without decoding the rest, never in the middle of a character', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 3000 }),
        fc.integer({ min: 1, max: 2000 }),
        cuts,
        (all, limit, at) => {
          const text = all.replaceAll('\n', '')
          const heads: string[] = []
          const split = new LineSplitter(1e9, { line: (line) => void heads.push(line.head(limit)), lost: () => {} })
          for (const piece of pieces(Buffer.from(`${text}\n`), at)) split.push(piece)
          expect(heads).toEqual([text.length > limit ? `${text.slice(0, limit)}…` : text])
        },
      ),
    )
  })

  test('an unfinished line is shown in parts, never in the middle of a character, and its end is no empty line', () => {
    const { lines, split } = splitter()
    const euro = Buffer.from('Password €')
    split.push(euro.subarray(0, -1))
    split.flushPart()
    split.push(euro.subarray(-1))
    split.flushPart()
    split.push(Buffer.from('\n\n'))
    expect(lines.map((line) => line.text)).toEqual(['Password ', '€', ''])
  })

  test('the cost of a long line grows with its length, not with its square', () => {
    /** ms of CPU, to exclude other processes. */
    const time = (size: number) => {
      const { lines, split } = splitter()
      const piece = Buffer.alloc(256, 0x61)
      const before = process.cpuUsage()
      for (let sent = 0; sent < size; sent += piece.length) split.push(piece)
      split.push(Buffer.from('\n'))
      const took = process.cpuUsage(before).user / 1_000
      expect(lines[0]!.text).toHaveLength(size)
      return took
    }
    const MB = 1024 * 1024
    // The least of several: collecting garbage, also that of other tests, counts as CPU time too.
    const least = (size: number) => Math.min(...Array.from({ length: 5 }, () => time(size)))
    time(MB)
    const [small, large] = [least(2 * MB), least(16 * MB)]
    // 8 times the bytes: 8 if linear, 64 if quadratic. At least 1 ms, because of the clock's resolution.
    expect(large / Math.max(small, 1)).toBeLessThan(40)
  })
})
