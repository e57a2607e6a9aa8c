/** Contents of every kind, including invalid and hostile ones: how they are displayed, and that the size is bounded. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expectAtMost } from '../../tests/patience.ts'
import type { Json } from '../mcp/index.ts'
import { picture, sound } from '../sample/media.ts'
import { annotationsOf } from './annotations.ts'
import { decodeBase64, decodeBase64Slowly } from './base64.ts'
import { contentOf, decoded, resourceContentsOf } from './content.ts'
import { dimensionsOf, MOST_PIXELS } from './sniff.ts'
import { hexRow, isPlainSvg, viewsOf } from './views.ts'

const bytesOf = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0))
const toBase64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const never = () => undefined

describe('contents that resources/read returned (SF-RES-03, SF-RES-04)', () => {
  test('a text and a blob are read without a type, with their _meta', () => {
    const read = resourceContentsOf({ uri: 'x://a', mimeType: 'text/plain', text: 'hi', _meta: { a: 1 } })
    expect(read).toMatchObject({ kind: 'resource', uri: 'x://a', text: 'hi', notes: [], meta: { a: 1 } })
    expect(resourceContentsOf({ uri: 'x://b', blob: picture('sea') })).toMatchObject({ binary: { mime: 'image/png' } })
  })

  test.each<[string, Json, string]>([
    ['neither text nor blob', { uri: 'x://a' }, 'no-text-or-blob'],
    ['a text that is no string', { uri: 'x://a', text: 7 }, 'no-text-or-blob'],
    ['no uri', { text: '' }, 'missing'],
    ['both', { uri: 'x://a', text: 'a', blob: 'aGk=' }, 'text-and-blob'],
    ['a blob that is no base64', { uri: 'x://a', blob: '§' }, 'not-base64'],
    ['no object', 'x', 'not-contents'],
  ])('%s is noted', (_, raw, code) => {
    expect(resourceContentsOf(raw).notes.map((note) => note.code)).toContain(code)
  })

  test('no JSON value makes it throw, and the value is kept', () => {
    const item = fc.record(
      {
        uri: fc.jsonValue(),
        text: fc.jsonValue(),
        blob: fc.jsonValue(),
        mimeType: fc.jsonValue(),
        _meta: fc.jsonValue(),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.oneof(item, fc.jsonValue()), (raw) => {
        expect(resourceContentsOf(raw as Json).raw).toBe(raw)
      }),
    )
  })
})

describe('bytes that are many', () => {
  test('are decoded in pieces, to the same bytes and the same faults', async () => {
    const piece = fc.constantFrom('QUJD', 'QUI=', 'QQ', '\n', '_-', '§', '=', 'data:x;base64,', 'A'.repeat(262_143))
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        const text = pieces.join('')
        expect(await decodeBase64Slowly(text, never)).toEqual(decodeBase64(text))
      }),
      { numRuns: 60 },
    )
  })

  test('20 MB are decoded without 50 ms at a stretch, and nothing is lost (SF-TOOL-11)', async () => {
    const bytes = new Uint8Array(20_000_000).map((_, at) => at * 7)
    const content = contentOf({ type: 'image', data: toBase64(bytes), mimeType: 'image/png' })
    expect(content.encoded).toBeDefined()
    await expectAtMost(50, async () => {
      const stretches: number[] = []
      let since = performance.now()
      const done = await decoded(content, () => {
        stretches.push(performance.now() - since)
        return Promise.resolve().then(() => void (since = performance.now()))
      })
      expect(done.kind === 'image' && done.binary && Buffer.compare(done.binary.bytes, bytes)).toBe(0)
      expect(stretches.length).toBeGreaterThan(50)
      // The median, because a busy machine has occasional delays.
      return stretches.sort((a, b) => a - b)[stretches.length >> 1]!
    })
  })
})

describe('what a content is shown as', () => {
  const binary = (bytes: Uint8Array<ArrayBuffer>, mime: string) => ({
    binary: { bytes, mime },
    declared: mime,
    uri: '',
  })
  const text = (declared: string, uri = '', of = 'words') => ({ declared, uri, text: of })

  test.each([
    ['plain text', text('text/plain'), 'source'],
    ['Markdown by its type', text('text/markdown; charset=utf-8'), 'rendered'],
    ['Markdown by its name', text('', 'file:///a/README.md?x'), 'rendered'],
    ['HTML', text('text/html', '', '<script>alert(1)</script>'), 'source'],
    ['HTML with the name of Markdown', text('text/html', 'x.md'), 'source'],
    ['SVG as text', text('image/svg+xml'), 'source'],
    ['SVG as bytes', binary(bytesOf('<svg/>'), 'image/svg+xml'), 'source'],
    ['HTML as bytes', binary(bytesOf('<html>'), 'text/html'), 'source'],
    ['a picture', binary(bytesOf('\x89PNG'), 'image/png'), 'picture'],
    ['a sound', binary(bytesOf('RIFF'), 'audio/wav'), 'sound'],
    ['a film', binary(bytesOf('\0\0'), 'video/mp4'), 'film'],
    ['a PDF', binary(bytesOf('%PDF-1.7'), 'application/pdf'), 'document'],
    ['HTML that calls itself PDF', binary(bytesOf('<html><script>'), 'application/pdf'), 'source'],
    ['text that calls itself nothing', binary(bytesOf('hello'), ''), 'source'],
    ['other bytes', binary(bytesOf('\0\x01\xff'), 'application/octet-stream'), 'hex'],
  ] as const)('%s: %#', (_, shown, first) => {
    expect(viewsOf(shown)[0]).toBe(first)
  })

  test('HTML is never drawn, whatever it is called', () => {
    const mimes = ['text/html', 'application/xhtml+xml', 'text/xml', 'image/html', '', 'text/plain']
    for (const mime of mimes) {
      const views = viewsOf(binary(bytesOf('<!doctype html><script>1</script>'), mime === 'image/html' ? '' : mime))
      expect(views).not.toContain('rendered')
    }
  })

  test('film in a container for both keeps its declared type, and sound that claims to be a picture does not', () => {
    const mp4 = bytesOf('\0\0\0\x18ftypisom')
    const read = (mimeType: string) => resourceContentsOf({ uri: 'x:a', mimeType, blob: toBase64(mp4) })
    expect(read('video/mp4')).toMatchObject({ binary: { mime: 'video/mp4' }, notes: [] })
    expect(read('image/png')).toMatchObject({ binary: { mime: 'audio/mp4' }, notes: [{ code: 'mime-contradicts' }] })
    expect(resourceContentsOf({ uri: 'x:a', mimeType: 'audio/wav', blob: sound(440) }).notes).toEqual([])
  })

  test.each([
    ['<svg><circle r="4"/></svg>', true],
    ['<!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>', false],
    ['<svg><use href="#a"/></svg>', false],
    ['<svg><svg:use\nhref="#a"/></svg>', false],
    ['<svg><foreignObject><iframe/></foreignObject></svg>', false],
    ['<svg><script>1</script></svg>', false],
    [`<svg>${' '.repeat(300_000)}</svg>`, false],
  ])('%#: a drawing that repeats or embeds is drawn only when asked for (ICON-04)', (svg, plain) => {
    expect(isPlainSvg(svg)).toBe(plain)
  })
})

describe('the size of a picture is known before it is decoded (ICON-04)', () => {
  const u16 = (value: number) => String.fromCharCode(value >> 8, value & 255)
  const u32 = (value: number) => u16(value >>> 16) + u16(value & 0xffff)
  const le16 = (value: number) => String.fromCharCode(value & 255, value >> 8)
  const le24 = (value: number) => le16(value & 0xffff) + String.fromCharCode(value >> 16)
  const [width, height] = [20_000, 19_999]
  const vp8l = (width - 1) | ((height - 1) << 14)

  test.each([
    ['PNG', `\x89PNG\r\n\x1a\n${u32(13)}IHDR${u32(width)}${u32(height)}`],
    ['GIF', `GIF89a${le16(width)}${le16(height)}`],
    ['JPEG', `\xff\xd8\xff\xe0${u16(4)}ab\xff\xff\xc2${u16(17)}\x08${u16(height)}${u16(width)}\x03`],
    ['JPEG with a table before', `\xff\xd8\xff\xc4${u16(3)}a\xff\xc0${u16(17)}\x08${u16(height)}${u16(width)}`],
    ['WebP, extended', `RIFF....WEBPVP8X${u32(0)}....${le24(width - 1)}${le24(height - 1)}`],
    ['WebP, lossy', `RIFF....WEBPVP8 ....abc\x9d\x01\x2a${le16(width - 16384)}`.slice(0, 26) + le16(3616) + le16(3615)],
    ['WebP, lossless', `RIFF....WEBPVP8L....\x2f${le16(vp8l & 0xffff)}${le16((vp8l >>> 16) & 0xffff)}`],
    ['AVIF', `\0\0\0\x1cftypavif....metaispe....${u32(width)}${u32(height)}${' '.repeat(40)}`],
    ['BMP', `BM${' '.repeat(16)}${le16(width)}\0\0${le16(height)}\0\0`],
  ])('%s', (name, bytes) => {
    const found = dimensionsOf(bytesOf(bytes))
    if (name === 'WebP, lossy') return expect(found).toEqual({ width: 3616, height: 3615 })
    // Lossless WebP stores 14 bits only.
    if (name === 'WebP, lossless') return expect(found!.width).toBe(((width - 1) & 0x3fff) + 1)
    expect(found).toEqual({ width, height })
    expect(found!.width * found!.height).toBeGreaterThan(MOST_PIXELS)
  })

  test('that of a real one is right, and no bytes make it throw or run on', () => {
    expect(dimensionsOf(decodeBase64(picture('sea')).bytes!)?.width).toBeGreaterThan(0)
    const heads = ['\x89PNG\r\n\x1a\n', 'GIF8', '\xff\xd8\xff', 'RIFF....WEBPVP8X', 'BM', '\0\0\0\0ftypavif', '']
    fc.assert(
      fc.property(fc.constantFrom(...heads), fc.uint8Array({ maxLength: 200 }), (head, rest) => {
        dimensionsOf(new Uint8Array([...bytesOf(head), ...rest]))
      }),
      { numRuns: 500 },
    )
  })
})

test('hexadecimal rows hold every byte once, at its offset', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 100 }), fc.constantFrom(8, 16), (bytes, width) => {
      const rows = Array.from({ length: Math.ceil(bytes.length / width) }, (_, row) => hexRow(bytes, row, width))
      const back = rows.flatMap(({ hex }) =>
        hex
          .trim()
          .split(/\s+/)
          .map((pair) => parseInt(pair, 16)),
      )
      expect(back).toEqual([...bytes])
      expect(rows.map(({ offset }) => parseInt(offset, 16))).toEqual(rows.map((_, row) => row * width))
      expect(new Set(rows.map(({ hex }) => hex.length)).size).toBe(1)
    }),
  )
})

describe('annotations (SF-RES-10)', () => {
  test('audience, priority and lastModified are read, and what is none of them is kept', () => {
    const all = annotationsOf({ audience: ['user'], priority: 0.5, lastModified: '2025-01-12T15:00:58Z', x: 1 })
    expect(all.map(({ name, odd }) => [name, odd])).toEqual([
      ['audience', false],
      ['priority', false],
      ['lastModified', false],
      ['other', false],
    ])
  })

  test.each<[Json]>([
    [{ audience: 'user' }],
    [{ audience: ['robot'] }],
    [{ audience: [1] }],
    [{ priority: 1.5 }],
    [{ priority: '1' }],
    [{ lastModified: 'yesterday' }],
    [{ lastModified: 5 }],
    ['x'],
  ])('%j is odd, and shown all the same', (raw) => {
    expect(annotationsOf(raw)).toMatchObject([{ odd: true }])
  })
})
