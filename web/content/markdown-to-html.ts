/**
 * Renders Markdown from a server to HTML that contains only text from the server: markup is escaped and shown, images
 * aren't fetched, and no attribute contains a URL (SEC-03, LC-11). `sanitize.ts` sanitizes the result in any case. Pathological input can
 * make a parser arbitrarily slow, so it runs in `markdown.worker.ts`, which can be terminated.
 */
import { Marked, type RendererObject, type Token, type Tokens } from 'marked'

export interface RenderedMarkdown {
  /** HTML in chunks of about 20 kB; no element spans two chunks. */
  readonly blocks: readonly string[]
  /** Targets of links and images. `data-to` in the HTML is an index into this array. */
  readonly links: readonly string[]
}

/** Nesting exceeds `DEEPEST`. */
export class TooDeep extends Error {}

/** Levels of nested lists and quotes. Deeper nesting is an attack, or not meant for people. */
const DEEPEST = 40
const BLOCK = 20_000

/** @throws {TooDeep} */
export const renderMarkdown = (text: string): RenderedMarkdown => {
  refuseDepth(text)
  const links: string[] = []
  const marked = new Marked({ gfm: true, renderer: rendererFor(links) })
  try {
    const tokens = marked.lexer(text)
    measure(tokens)
    const blocks: string[] = []
    let group: Token[] = []
    let size = 0
    const finish = () => {
      if (group.length > 0) blocks.push(marked.parser(Object.assign(group, { links: tokens.links })))
      group = []
      size = 0
    }
    for (const token of tokens) {
      group.push(token)
      size += token.raw.length
      if (size >= BLOCK) finish()
    }
    finish()
    return { blocks, links }
  } catch (error) {
    // The parser is recursive: a stack overflow also means deep nesting.
    if (error instanceof RangeError) throw new TooDeep('The text is nested too deeply')
    throw error
  }
}

/** Before parsing: every level costs the parser another pass over everything inside it. */
const refuseDepth = (text: string): void => {
  const deep = new RegExp(`^(?:[ \\t]*(?:>|[-*+](?=[ \\t])|\\d{1,9}[.)](?=[ \\t]))){${DEEPEST}}`, 'm')
  if (deep.test(text)) throw new TooDeep('The text is nested too deeply')
}

const measure = (tokens: readonly Token[]): void => {
  let level: readonly Token[] = tokens
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > 3 * DEEPEST) throw new TooDeep('The text is nested too deeply')
    level = level.flatMap(within)
  }
}

const within = (token: Token): Token[] => {
  if (token.type === 'list') return (token as Tokens.List).items
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table
    return [header, ...rows].flatMap((row) => row.flatMap((cell) => cell.tokens))
  }
  return 'tokens' in token ? (token.tokens ?? []) : []
}

const rendererFor = (links: string[]): RendererObject => {
  const to = (href: string) => links.push(href) - 1
  /** Heading levels continue below the page's own headings and never skip one (WCAG 1.3.1). */
  let last = 2
  /** Links are rendered as buttons, and buttons can't be nested. */
  let inLink = false
  return {
    html: ({ text, ...token }) =>
      'block' in token && token.block
        ? `<pre tabindex="0"><code>${escape(text.trimEnd())}</code></pre>`
        : `<code>${escape(text)}</code>`,
    // After an opening `<script>` the parser would pass text through unescaped.
    text(token) {
      return 'tokens' in token && token.tokens ? this.parser.parseInline(token.tokens) : escapeProse(token.text)
    },
    code: ({ text }) => `<pre tabindex="0"><code>${escape(text)}</code></pre>`,
    codespan: ({ text }) => `<code>${escape(text)}</code>`,
    heading({ tokens, depth }) {
      const inner = this.parser.parseInline(tokens)
      if (inner.trim() === '') return ''
      last = Math.min(depth + 2, last + 1, 6)
      return `<h${last} class="d${depth}">${inner}</h${last}>`
    },
    link({ href, tokens }) {
      const outermost = !inLink
      inLink = true
      const inner = this.parser.parseInline(tokens) || escape(href)
      if (!outermost) return inner
      inLink = false
      return `<button type="button" data-to="${to(href)}">${inner}</button>`
    },
    image({ href, text }) {
      const name = `▧ ${escape(text || href.slice(0, 200))}`
      return inLink ? name : `<button type="button" class="image" data-to="${to(href)}">${name}</button>`
    },
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
    table(token) {
      const row = (cells: readonly Tokens.TableCell[], tag: string) =>
        `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`
      const rows = token.rows.map((cells) => row(cells, 'td')).join('')
      return `<div class="wide" tabindex="0"><table><thead>${row(token.header, 'th')}</thead><tbody>${rows}</tbody></table></div>`
    },
  }
}

/** Keeps character references, since they only stand for a character. */
const escapeProse = (text: string): string =>
  text
    .split(/(&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]\w{1,31});)/i)
    .map((part, at) => (at % 2 === 1 ? part : escape(part)))
    .join('')

const escape = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
