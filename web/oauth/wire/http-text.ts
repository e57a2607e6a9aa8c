/** HTTP as text: a request of a sign-in that the user edits, and JSON bodies split into spans for syntax colours. */
import { jsonIn } from '../../json/index.ts'
import { headerIn } from '../../mcp/index.ts'
import { httpUrl } from '../model/index.ts'
import type { RequestDraft } from './request.ts'

export interface EditedDraft {
  readonly url: string
  /** One per line, as `name: value`. */
  readonly headers: string
  readonly body: string
}

export type EditFault =
  | { readonly field: 'url'; readonly code: 'no-url' }
  | { readonly field: 'headers'; readonly code: 'no-colon' | 'header-name' | 'header-value'; readonly line: number }

/** A warning: the request is sent unchanged, because it may be wrong on purpose. */
type EditRemark = { readonly code: 'not-json' } | { readonly code: 'browser-sets'; readonly name: string }

const isForm = (headers: RequestDraft['headers']): boolean =>
  /^application\/x-www-form-urlencoded/i.test(headerIn(headers, 'content-type') ?? '')
export const isJsonType = (headers: RequestDraft['headers']): boolean =>
  /^application\/(.+\+)?json/i.test(headerIn(headers, 'content-type') ?? '')

export const editedOf = ({ url, headers, body = '' }: RequestDraft): EditedDraft => ({
  url,
  headers: headers.map(([name, value]) => `${name}: ${value}`).join('\n'),
  // One parameter per line; the line breaks are removed before it is sent.
  body: isForm(headers) ? body.replaceAll('&', '\n&') : body,
})

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

interface Read {
  /** Absent if there are faults. */
  readonly draft?: RequestDraft
  readonly faults: readonly EditFault[]
  readonly remarks: readonly EditRemark[]
}

export const draftOf = ({ method, body: before }: RequestDraft, edited: EditedDraft): Read => {
  const faults: EditFault[] = []
  const headers: [string, string][] = []
  for (const [at, text] of edited.headers.split(/\r\n|[\r\n]/).entries()) {
    if (text.trim() === '') continue
    const colon = text.indexOf(':')
    const [name, value] = [text.slice(0, colon).trim(), text.slice(colon + 1).trim()]
    const code =
      colon < 0 ? 'no-colon' : !TOKEN.test(name) ? 'header-name' : !isValue(value) ? 'header-value' : undefined
    if (code) faults.push({ field: 'headers', code, line: at + 1 })
    else headers.push([name, value])
  }
  const url = httpUrl(edited.url.trim())
  if (!url) faults.unshift({ field: 'url', code: 'no-url' })
  const body = isForm(headers) ? edited.body.replace(/[\r\n]/g, '') : edited.body
  const remarks: EditRemark[] = headers
    .filter(([name]) => isBrowsers(name))
    .map(([name]): EditRemark => ({ code: 'browser-sets', name }))
  if (isJsonType(headers) && jsonIn(body) === undefined) remarks.push({ code: 'not-json' })
  if (!url || faults.length > 0) return { faults, remarks }
  const kept = method === 'GET' || (body === '' && before === undefined) ? {} : { body }
  return { draft: { method, url: url.href, headers, ...kept }, faults, remarks }
}

/** The values that `fetch` accepts: no line breaks, nothing beyond Latin-1. */
const isValue = (value: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(value)

/** Fetch: forbidden request headers. */
const isBrowsers = (name: string): boolean =>
  /^(accept-charset|accept-encoding|access-control-request-.*|connection|content-length|cookie2?|date|dnt|expect|host|keep-alive|origin|referer|set-cookie|te|trailer|transfer-encoding|upgrade|via|proxy-.*|sec-.*)$/i.test(
    name,
  )

interface JsonSpan {
  readonly kind: 'key' | 'string' | 'number' | 'word' | 'plain'
  readonly text: string
}

/** Maximum number of characters to colour. */
const MOST_COLOURED = 20_000

const PIECE = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)|\b(true|false|null)\b/g

/** Indents JSON that is on a single line; JSON on several lines is kept. */
export const prettyJson = (text: string): string => {
  if (text.length > MOST_COLOURED || /\n\s/.test(text) || !/^\s*[[{]/.test(text)) return text
  try {
    const value: unknown = JSON.parse(text)
    // Keep the text if a number would not be written back exactly.
    return JSON.stringify(value) ===
      text.replace(
        /("(?:[^"\\]|\\.)*")|\s+/g,
        (all, string: string | undefined) => string ?? (all.trim() === '' ? '' : all),
      )
      ? JSON.stringify(value, null, 2)
      : text
  } catch {
    return text
  }
}

/** Doesn't change the text. Text that isn't JSON isn't coloured. */
export const jsonSpans = (text: string): readonly JsonSpan[] => {
  if (text.length > MOST_COLOURED || !/^\s*[[{]/.test(text)) return [{ kind: 'plain', text }]
  const found: JsonSpan[] = []
  let done = 0
  for (const match of text.matchAll(PIECE)) {
    const [all, string, colon, number] = match
    if (match.index > done) found.push({ kind: 'plain', text: text.slice(done, match.index) })
    if (string === undefined) found.push({ kind: number === undefined ? 'word' : 'number', text: all })
    else {
      found.push({ kind: colon === undefined ? 'string' : 'key', text: string })
      if (colon !== undefined) found.push({ kind: 'plain', text: colon })
    }
    done = match.index + all.length
  }
  if (done < text.length) found.push({ kind: 'plain', text: text.slice(done) })
  return found
}
