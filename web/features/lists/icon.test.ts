/** Icons are untrusted, and drawn only if embedded in the message (ICON-01 … ICON-06). */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../mcp/index.ts'
import { picture } from '../../sample/media.ts'
import { chooseIcon, iconsOf } from './icon.ts'

const png = `data:image/png;base64,${picture('sea')}`
const svg = (inside: string) => `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="x">${inside}</svg>`)}`
const pngOf = (side: number) => {
  const bytes = Buffer.alloc(33)
  bytes.write('\x89PNG\r\n\x1a\n', 'latin1')
  bytes.writeUInt32BE(side, 16)
  bytes.writeUInt32BE(side, 20)
  return `data:image/png;base64,${bytes.toString('base64')}`
}

describe('an icon', () => {
  test.each([
    ['PNG', png, 'image/png'],
    ['PNG without a type beside it', png, undefined],
    ['SVG by percent signs', svg('<circle r="1"/>'), 'image/svg+xml'],
    ['SVG by base64', `data:image/svg+xml;charset=utf-8;base64,${btoa('<svg/>')}`, undefined],
    ['JPEG by its other name', `data:image/jpg;base64,${btoa('\xff\xd8\xff\xc0\0\x0b\x08\0\x10\0\x10')}`, 'image/jpg'],
  ])('that came along is drawn: %s (ICON-01)', (_, src, mimeType) => {
    expect(iconsOf([{ src, ...(mimeType ? { mimeType } : {}) }])).toMatchObject([{ drawn: src }])
  })

  test.each<[string, Json, string]>([
    ['an address', { src: 'https://example.com/icon.png' }, 'remote'],
    ['an address without encryption', { src: 'http://example.com/icon.png' }, 'scheme'],
    ['a script', { src: 'javascript:alert(1)' }, 'scheme'],
    ['a file', { src: 'file:///etc/passwd' }, 'scheme'],
    ['a socket', { src: 'wss://example.com' }, 'scheme'],
    ['a relative address', { src: '/icon.png' }, 'scheme'],
    ['a page', { src: 'data:text/html,<script>alert(1)</script>' }, 'type'],
    ['a GIF', { src: `data:image/gif;base64,${btoa('GIF89a')}` }, 'type'],
    ['a page that says it is a PNG', { src: `data:image/png;base64,${btoa('<html><script>')}` }, 'mismatch'],
    ['a PNG that is declared SVG', { src: png, mimeType: 'image/svg+xml' }, 'mismatch'],
    ['an SVG with a script', { src: svg('<script>alert(1)</script>') }, 'svg'],
    ['an SVG that repeats', { src: svg('<use href="#a"/>') }, 'svg'],
    ['20,000 pixels', { src: pngOf(20_000) }, 'too-large'],
    ['half a megabyte', { src: `data:image/png;base64,${'A'.repeat(500_000)}` }, 'too-long'],
    ['no base64', { src: 'data:image/png;base64,§' }, 'not-base64'],
    ['broken percent signs', { src: 'data:image/svg+xml,%zz' }, 'not-base64'],
    ['no src', {}, 'no-src'],
    ['no object', 'icon.png', 'no-object'],
  ])('that is %s is not, and says why (ICON-02, ICON-03, ICON-04)', (_, raw, fault) => {
    const [icon] = iconsOf([raw])
    expect(icon).toMatchObject({ fault })
    expect(icon?.drawn).toBeUndefined()
  })

  test('whatever stands there, nothing throws, and nothing but a data: URL of a picture is drawn', () => {
    const src = fc.oneof(
      fc.string(),
      fc.webUrl(),
      fc.constantFrom(png, svg('')),
      fc.string().map((x) => `data:${x}`),
    )
    fc.assert(
      fc.property(fc.oneof(fc.array(fc.record({ src, sizes: fc.jsonValue() })), fc.jsonValue()), (raw) => {
        for (const { drawn } of iconsOf(raw as Json)) {
          if (drawn !== undefined) expect(drawn).toMatch(/^data:image\/(png|jpe?g|webp|svg\+xml)[;,]/i)
        }
      }),
    )
  })
})

describe('of several, the one that fits is chosen (ICON-06)', () => {
  const icon = (sizes: Json, theme?: string) => ({ src: png, sizes, ...(theme ? { theme } : {}) })
  const chosen = (icons: Json[], size = 32, theme: 'light' | 'dark' = 'light') =>
    icons.indexOf(chooseIcon(iconsOf(icons), size, theme)?.raw ?? null)

  test('by size: the smallest that is large enough, else the largest', () => {
    expect(chosen([icon(['16x16']), icon(['64x64']), icon(['48x48']), icon(['any'])])).toBe(2)
    expect(chosen([icon(['8x8']), icon(['16x16'])])).toBe(1)
    expect(chosen([icon(['any']), icon(['16x16'])])).toBe(0)
  })

  test('by theme, before the size; one without a theme suits both', () => {
    expect(chosen([icon(['48x48'], 'dark'), icon(['8x8'], 'light')])).toBe(1)
    expect(chosen([icon(['48x48'], 'light'), icon(['48x48'])], 32, 'dark')).toBe(1)
  })

  test('never one that is not drawn', () => {
    expect(chosen([{ src: 'https://example.com/i.png', sizes: ['32x32'] }, icon(['8x8'])])).toBe(1)
    expect(chooseIcon(iconsOf([{ src: 'https://example.com/i.png' }]), 16, 'light')).toBeUndefined()
  })
})
