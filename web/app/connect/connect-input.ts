/**
 * Interprets the text in the connect field: a URL, a command line, or JSON configuration.
 *
 * Has no side effects and never throws; text that can't be understood is returned with its cause and position.
 */
import { parsedUrl } from '../../mcp/url.ts'
import { readCommand, type CommandProblem } from './command-line.ts'
import { parseTolerant } from '../../forms/index.ts'
import { plain, type Fault } from '../../json/index.ts'
import { readServers, type ConfiguredServer, type Dialect } from './server-config.ts'
import type { CommandTarget } from './target.ts'

export type UrlCause = 'scheme' | 'url' | 'credentials' | 'mixed-content' | 'websocket' | 'file'

/** Why the text isn't a target. The catalogue has the texts, keyed by `cause`. */
export type InputProblem =
  | { readonly cause: UrlCause; readonly thing: string }
  | CommandProblem
  | {
      readonly cause: 'json'
      readonly thing: string
      readonly line: number
      readonly column: number
      readonly fault: Fault
      /** The text found there; empty at the end of the input. */
      readonly found: string
    }
  | { readonly cause: 'no-servers' | 'too-long'; readonly thing: string }

export type Understood =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'url'; readonly url: string; /** The scheme was not typed. */ readonly guessed?: true }
  | ({ readonly kind: 'command' } & Omit<CommandTarget, 'kind'>)
  | { readonly kind: 'servers'; readonly dialect: Dialect; readonly servers: readonly ConfiguredServer[] }
  | ({ readonly kind: 'problem'; readonly as: 'url' | 'command' | 'json' } & InputProblem)

/** How the page was loaded, which determines what a browser will block. */
export interface Surroundings {
  /** `location.protocol`. */
  readonly protocol: string
}

/** Maximum characters. A larger configuration is a mistake, and parsing it on each keystroke would be slow. */
export const MAX_INPUT = 1_000_000

const NOWHERE: Surroundings = { protocol: 'http:' }

export const understand = (input: string, around: Surroundings = NOWHERE): Understood => {
  if (input.length > MAX_INPUT) return { kind: 'problem', as: 'json', cause: 'too-long', thing: `${input.length}` }
  const text = input.trim()
  if (text === '') return { kind: 'nothing' }
  if (looksLikeJson(text)) return understandJson(text)
  const address = addressIn(text)
  if (address) return understandUrl(address, around)
  const read = readCommand(text)
  return 'cause' in read ? { kind: 'problem', as: 'command', ...read } : { kind: 'command', ...read }
}

const IPV6 = /^\[[\da-f.]*:[\da-f:.]*\](?:$|[:/])/i

/** Includes fenced code blocks, and object members without braces, as copied from instructions. */
const looksLikeJson = (text: string): boolean =>
  (/^(?:[{[]|```|\/[/*])/.test(text) && !IPV6.test(text)) ||
  /^(["'])[^"'\n]*\1\s*:/.test(text) ||
  /^(?:mcpServers|servers)\s*:/.test(text)

const understandJson = (text: string): Understood => {
  const fenced = /^```[\w-]*\s*\n([\s\S]*?)(?:```\s*)?$/.exec(text)?.[1] ?? text
  const naked = !/^\s*(?:[{[]|\/[/*])/.test(fenced)
  // Comments, trailing commas and single quotes are accepted, because people paste them.
  const parsed = parseTolerant(naked ? `{${fenced.trim().replace(/,$/, '')}}` : fenced)
  if (!parsed.ok) {
    const { line, fault, found } = parsed.error
    // Don't count the brace that was added in front.
    const column = Math.max(1, parsed.error.column - (naked && line === 1 ? 1 : 0))
    return { kind: 'problem', as: 'json', cause: 'json', thing: 'JSON', line, column, fault, found }
  }
  const found = parsed.value === undefined ? undefined : readServers(plain(parsed.value))
  if (!found) return { kind: 'problem', as: 'json', cause: 'no-servers', thing: 'JSON' }
  return { kind: 'servers', ...found }
}

const LOOPBACK = /^(?:localhost|[\w-]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i
const SCRIPT = /\.(?:[cm]?[jt]sx?|py|sh|rb|php|exe|cmd|bat|ps1|jar|lua|pl|dll|bin)$/i

/** The text as a URL with a scheme; `undefined` if it reads like a command. */
const addressIn = (text: string): { url: string; guessed?: true } | undefined => {
  if (/^https?:/i.test(text) || /^[a-z][a-z\d+.-]+:\/\//i.test(text)) return { url: text }
  if (/^(?:javascript|data|mailto|file|blob|about|stdio|ws|wss):/i.test(text)) return { url: text }
  if (/\s/.test(text)) return undefined
  const [, host, port, path] = /^(\[[\da-f:.]+\]|[a-z\d](?:[\w.-]*[a-z\d])?)(:\d{1,5})?([/?].*)?$/i.exec(text) ?? []
  if (!host) return undefined
  const local = LOOPBACK.test(host) || /^(?:\d{1,3}\.){3}\d{1,3}$/.test(host) || host.startsWith('[')
  if (local) return { url: `http://${text}`, guessed: true }
  if (port) return { url: `http://${text}`, guessed: true }
  const labels = host.split('.')
  const dotted = labels.length > 1 && /^[a-z]{2,}$/i.test(labels.at(-1)!) && !SCRIPT.test(host)
  if (dotted && (path !== undefined || labels.length > 2 || /\.(?:com|org|net|dev|io|ai|app)$/i.test(host))) {
    return { url: `https://${text}`, guessed: true }
  }
  return undefined
}

const understandUrl = (address: { url: string; guessed?: true }, around: Surroundings): Understood => {
  const refuse = (cause: UrlCause, thing: string): Understood => ({ kind: 'problem', as: 'url', cause, thing })
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(address.url)?.[1]?.toLowerCase() ?? ''
  if (scheme === 'ws' || scheme === 'wss') return refuse('websocket', `${scheme}:`)
  if (scheme === 'file') return refuse('file', 'file:')
  if (scheme !== 'http' && scheme !== 'https') return refuse('scheme', `${scheme}:`)
  // The URL parser would encode a space and connect to an unintended URL.
  const url = /\s/.test(address.url) ? undefined : parsedUrl(address.url)
  if (!url) return refuse('url', address.url)
  if (url.username || url.password) return refuse('credentials', `${url.username}@`)
  if (around.protocol === 'https:' && url.protocol === 'http:' && !LOOPBACK.test(url.hostname)) {
    return refuse('mixed-content', url.host)
  }
  url.hash = ''
  return { kind: 'url', url: url.href, ...(address.guessed ? { guessed: true } : {}) }
}
