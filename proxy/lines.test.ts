import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LineSplitter, type Line } from './lines.ts'

function splitter(limit = 1e9) {
  const lines: Line[] = []
  const lost: number[] = []
  const reader = { line: (line: Line) => void lines.push(line), lost: (size: number) => void lost.push(size) }
  return { lines, lost, split: new LineSplitter(limit, reader) }
}

/** Cuts bytes at random places. */
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
        const expected = all.map((each): Line => {
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

  test('a line over the limit is reported with its size, and the next one is read normally', () => {
    const { lines, lost, split } = splitter(10)
    split.push(Buffer.from('0123456789\n0123456789'))
    split.push(Buffer.from('abc'))
    split.push(Buffer.from('def\nnext\n01234567890\nlast'))
    split.end()
    expect(lines.map((line) => line.text)).toEqual(['0123456789', 'next', 'last'])
    expect(lost).toEqual([16, 11])
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
    const time = (size: number) => {
      const { lines, split } = splitter()
      const piece = Buffer.alloc(256, 0x61)
      const begun = performance.now()
      for (let sent = 0; sent < size; sent += piece.length) split.push(piece)
      split.push(Buffer.from('\n'))
      expect(lines[0]!.text).toHaveLength(size)
      return performance.now() - begun
    }
    const MB = 1024 * 1024
    time(MB)
    const [small, large] = [Math.min(time(2 * MB), time(2 * MB)), Math.min(time(16 * MB), time(16 * MB))]
    // 8 times the bytes: 8 where it is linear, 64 where it is not. One at least, since a clock has its own grain.
    expect(large / Math.max(small, 1)).toBeLessThan(40)
  })
})
