/**
 * Links that fill in the connect form: `#/connect?url=…&transport=…&headers=Authorization,X-Team`, or
 * `#/connect?config=…` with a configuration as JSON, plain or in base64. The fragment never reaches a web server.
 *
 * Anyone can write such a link, so it only fills in what the user then sees and may connect. Headers are named without
 * values, and nothing else of a link is taken.
 */
import { base64Decoded, base64Url } from './configs/base64.ts'
import { mcpJson } from './config-out.ts'
import { understand } from './connect-input.ts'
import { placeholderFor } from './placeholders.ts'
import type { Settings } from './settings.ts'
import type { Target } from './target.ts'
import { withoutSecrets } from './without-secrets.ts'

/** What a link fills in. */
export interface LinkedForm {
  readonly text: string
  readonly name: string
  /** Each value is a placeholder that the form asks for. */
  readonly headers: readonly { readonly name: string; readonly value: string }[]
  readonly settings: Settings
}

/** Characters. A README's link is far shorter, and a longer configuration belongs in a file. */
const LONGEST = { url: 4_000, config: 100_000, name: 80, header: 100 }
const MOST_HEADERS = 20
/** Levels of a configuration. Laid out, one of a few thousand levels would be a text of megabytes, mostly indentation. */
const DEEPEST = 20
/** RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/

/** @param fragment of the page's URL @returns `undefined` if it fills in nothing. Never throws */
export const readConnectLink = (fragment: string): LinkedForm | undefined => {
  const query = new URLSearchParams(fragment.slice(fragment.indexOf('?') + 1))
  const name = (query.get('name') ?? '').slice(0, LONGEST.name)
  const config = query.get('config')
  if (config !== null) {
    if (config.length > LONGEST.config) return undefined
    const text = laidOut(config) ?? laidOut(base64Decoded(config))
    return text === undefined ? undefined : { text, name, headers: [], settings: {} }
  }
  const url = query.get('url') ?? ''
  if (url.length > LONGEST.url) return undefined
  const { kind } = understand(url)
  // Characters that can't be seen would let a URL look like another one.
  const text = url.trim().replaceAll(UNSEEN, encodeURIComponent)
  // In the path of a socket, `%` means itself.
  if (kind === 'custom') return text === url.trim() ? { text, name, headers: [], settings: {} } : undefined
  // A link that says `url` must not fill in a command.
  if (kind !== 'url') return undefined
  const names = (query.get('headers') ?? '').split(',').map((header) => header.trim())
  const headers = [...new Map(names.map((header) => [header.toLowerCase(), header])).values()]
    .filter((header) => header.length <= LONGEST.header && TOKEN.test(header))
    .slice(0, MOST_HEADERS)
    .map((header) => ({ name: header, value: placeholderFor(header) }))
  return { text, name, headers, settings: transportOf(query.get('transport')) }
}

const transportOf = (transport: string | null): Settings => {
  if (transport === 'sse' || transport === 'http-sse') return { transport: 'http-sse' }
  return transport === 'streamable-http' ? { transport } : {}
}

/** What isn't seen, or changes the direction of what is. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu

/** In JSON: one escape for each UTF-16 unit. */
const escaped = (char: string): string =>
  char
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

/** The JSON as a person would write it, so that all of it can be read before connecting. */
const laidOut = (text: string | undefined): string | undefined => {
  try {
    const value = JSON.parse(text ?? '') as unknown
    return typeof value === 'object' && value !== null && !isDeeper(value, DEEPEST)
      ? JSON.stringify(value, null, 2).replaceAll(UNSEEN, escaped)
      : undefined
  } catch {
    return undefined
  }
}

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1)))

interface LinkedServer {
  readonly name: string
  readonly target: Target
  readonly settings: Settings
}

/**
 * The fragment of a link to a server, without its secrets: values of headers and variables are left out, and so are
 * secrets in the URL or the arguments.
 */
export const connectLink = ({ name, target: whole, settings }: LinkedServer): string => {
  const { target } = withoutSecrets(whole)
  if (target.kind === 'custom')
    return `#/connect?${new URLSearchParams({ url: target.url, ...(name === '' ? {} : { name }) })}`
  if (target.kind !== 'url') {
    return `#/connect?config=${base64Url(JSON.stringify(JSON.parse(mcpJson([{ name, target, settings }]))))}`
  }
  const query = new URLSearchParams({ url: target.url })
  if (settings.transport) query.set('transport', settings.transport === 'http-sse' ? 'sse' : settings.transport)
  if (target.headers.length > 0) query.set('headers', target.headers.map(([header]) => header).join(','))
  if (name !== '') query.set('name', name)
  return `#/connect?${query}`
}
