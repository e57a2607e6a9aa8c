/** A server's Markdown becomes HTML that contains only text from the server; depth and length are limited. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expectWithin } from '../../tests/patience.ts'
import { partEnd } from '../ui/index.ts'
import { renderMarkdown, TooDeep } from './markdown-to-html.ts'

const html = (text: string) => renderMarkdown(text).blocks.join('')
/** Elements and attributes that the renderer produces. */
const tags = (text: string) => [...html(text).matchAll(/<\/?([a-z][^>]*)>/gi)].map(([, inside]) => inside!)

const OURS =
  /^(p|h[3-6]|ul|ol|li|blockquote|pre|code|em|strong|del|br|hr|button|div|table|thead|tbody|tr|th|td)( (class="(d[1-6]|image|wide)"|tabindex="0"|type="button"|data-to="\d+"|start="\d+"))*( \/)?$/

describe('markup in it is text', () => {
  test.each([
    '<script>alert(1)</script>',
    'a <img src=x onerror=alert(1)> b',
    '<svg/onload=alert(1)>',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '[a](javascript:alert(1))',
    '[a](<javascript:alert(1)> "t")',
    '![a](https://evil.example/pixel.png "x")',
    '![a"onerror="alert(1)](x)',
    '[a](x" onmouseover="alert(1))',
    '```"><script>\nx\n```',
    '`<b>`',
    '<https://e.com/"onclick=alert(1)>',
    '[x]: javascript:alert(1)\n[x]',
    '&lt;script&gt;',
    '<style>@import url(https://evil.example)</style>',
    '<!-- --><math><mtext></p><style><img src onerror=alert(1)>',
    'a <script> <b onclick=x',
    'a <pre> <i\n',
    '# <base href="https://evil.example">',
    '|<a href=x>|b|\n|-|-|\n|<script>|2|',
    '- [ ] <input onfocus=alert(1) autofocus>',
  ])('%s', (text) => {
    for (const tag of tags(text)) expect(tag.replace(/^\//, '')).toMatch(OURS)
  })

  test('whatever is written, only our own elements come out, and no address stands in them', () => {
    const piece = fc.constantFrom(
      ...['<', '>', '"', "'", '&', '`', '```\n', '[', ']', '(', ')', '!', '*', '_', '#', ' ', '\n', '|', '-', '1. '],
      ...['<script>', '</p>', '<img src=x onerror=y>', 'javascript:', 'https://evil.example', '&#60;', '\\', '~~'],
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        for (const tag of tags(pieces.join(''))) expect(tag.replace(/^\//, '')).toMatch(OURS)
      }),
      { numRuns: 1000 },
    )
  })

  test('links and pictures are kept by number, so that a click can show the whole address', () => {
    const { blocks, links } = renderMarkdown('[a](https://a.example/?q="x") ![b](http://b.example/b.png) <c@d.example>')
    expect(links).toEqual(['https://a.example/?q="x"', 'http://b.example/b.png', 'mailto:c@d.example'])
    expect(blocks.join('')).not.toMatch(/href|src/)
  })

  test('a picture within a link makes no button in a button', () => {
    expect(html('[![a](b.png)](https://c.example)')).toBe('<p><button type="button" data-to="0">▧ a</button></p>\n')
  })

  test('headings leave out no level below those of the page', () => {
    const levels = [...html('# a\n\n### b\n\n###### c\n\n## d').matchAll(/<h(\d)/g)].map(([, level]) => level)
    expect(levels).toEqual(['3', '4', '5', '4'])
    expect(html('#  \n')).toBe('')
  })
})

describe('what is deep or long', () => {
  test.each([
    ['10,000 quotes in one line', '>'.repeat(10_000)],
    ['quotes that grow', Array.from({ length: 300 }, (_, depth) => `${'>'.repeat(depth)} x`).join('\n')],
    ['lists within lists', Array.from({ length: 150 }, (_, depth) => `${'  '.repeat(depth)}- x`).join('\n')],
    ['lists in one line', '- '.repeat(10_000)],
  ])('%s: is refused, so that its source is shown', (_, text) => {
    expect(() => renderMarkdown(text)).toThrow(TooDeep)
  })

  test('is drawn in parts that end at an empty line, and together are the whole', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', ' ', '\n', '\n\n', '😀'), maxLength: 400 }),
        fc.integer({ min: 4, max: 60 }),
        (text, most) => {
          let at = 0
          let whole = ''
          while (at < text.length) {
            const end = partEnd(text, at, most)
            expect(end).toBeGreaterThan(at)
            expect(end - at).toBeLessThanOrEqual(most)
            expect(text.slice(at, end)).not.toMatch(/[\ud800-\udbff]$/)
            whole += text.slice(at, end)
            at = end
          }
          expect(whole).toBe(text)
        },
      ),
    )
  })

  test('10 MB: the first part costs what a short text costs', async () => {
    const text = 'Some *words* and a [link](https://example.com).\n\n'.repeat(210_000)
    // It would take minutes without the limit.
    const { blocks } = await expectWithin(5_000, () => renderMarkdown(text.slice(0, partEnd(text, 0, 50_000))))
    expect(blocks.length).toBeGreaterThan(1)
    expect(Math.max(...blocks.map(({ length }) => length))).toBeLessThan(100_000)
  })
})
