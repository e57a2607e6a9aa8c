/**
 * Interprets the text in the connect field: a URL, a command line, or a configuration, whose parser is loaded separately.
 *
 * Has no side effects and never throws; text that can't be understood is returned with its cause and position.
 */
import { readCommand, type CommandProblem } from './command-line.ts'
import type { Fault } from '../../json/index.ts'
import type { ConfiguredServer } from './configured-server.ts'
import type { Dialect } from './configs/dialects.ts'
import { customTransport, hasOpenPort, parsedTarget, type CommandTarget } from './target.ts'

export type UrlCause = 'scheme' | 'url' | 'credentials' | 'credentials-websocket' | 'mixed-content' | 'socket' | 'file'

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
  | {
      readonly cause: 'toml'
      readonly thing: string
      readonly line: number
      readonly column: number
    }
  | {
      readonly cause: 'no-such-server'
      readonly thing: string
      /** Of the servers that there are. */ readonly names: string
    }
  /** `thing`: the keys that were found, or the command that adds a server. */
  | { readonly cause: 'no-servers' | 'too-long' | 'add-usage' | 'install-link' | 'yaml'; readonly thing: string }

export type Understood =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'url'; readonly url: string; /** The scheme was not typed. */ readonly guessed?: true }
  | { readonly kind: 'custom'; readonly url: string }
  | ({ readonly kind: 'command' } & Omit<CommandTarget, 'kind'>)
  /** A configuration, whose parser is still loading. */
  | { readonly kind: 'reading' }
  | {
      readonly kind: 'servers'
      readonly as: Notation
      readonly dialect: Dialect
      /** The name of the dialect; empty if it has none. */
      readonly format: string
      readonly servers: readonly ConfiguredServer[]
    }
  | ({ readonly kind: 'problem'; readonly as: Notation } & InputProblem)

type Notation = 'url' | 'command' | 'json' | 'toml'

/** A configuration file. Its text is in memory only and never shown, because it may contain secrets. */
export interface ConfigFile {
  /** Its name or its path. */
  readonly name: string
  readonly text: string
  /** The server that was chosen; absent: all of them. */
  readonly only?: string
  /** The files, if several were chosen. `text` is empty then. */
  readonly parts?: readonly ConfigFile[]
}

/** Reads a text that looks like a configuration. */
export type ReadConfig = (text: string) => Extract<Understood, { kind: 'servers' | 'problem' }>

/** How the page was loaded, which determines what a browser will block. */
export interface Surroundings {
  /** `location.protocol`. */
  readonly protocol: string
  /** Names of the transports that modules of the local proxy have. */
  readonly transports?: readonly string[]
}

/** Maximum characters. A larger configuration is a mistake, and parsing it on each keystroke would be slow. */
export const MAX_INPUT = 1_000_000

const NOWHERE: Surroundings = { protocol: 'http:' }

/** @param reader reads configurations; `undefined` while it is still loading */
export const understand = (
  input: string,
  around: Surroundings = NOWHERE,
  reader?: () => ReadConfig | undefined,
): Understood => {
  if (input.length > MAX_INPUT) return { kind: 'problem', as: 'json', cause: 'too-long', thing: `${input.length}` }
  const text = input.trim()
  if (text === '') return { kind: 'nothing' }
  if (looksLikeConfig(text)) return reader?.()?.(text) ?? { kind: 'reading' }
  const custom = customIn(text, around)
  if (custom) return custom
  const address = addressIn(text)
  if (address) return understandUrl(address, around)
  const read = readCommand(text)
  return 'cause' in read ? { kind: 'problem', as: 'command', ...read } : { kind: 'command', ...read }
}

const IPV6 = /^\[[\da-f.]*:[\da-f:.]*\](?:$|[:/])/i

/**
 * Includes fenced code blocks, object members without braces, the TOML of Codex, and what instructions for other clients
 * contain: command lines that add a server, and links that install one.
 */
const looksLikeConfig = (text: string): boolean =>
  (/^(?:[{[]|```|\/[/*])/.test(text) && !IPV6.test(text)) ||
  /^(["'])[^"'\n]*\1\s*:/.test(text) ||
  /^(?:mcpServers|servers)\s*:/.test(text) ||
  /^[ \t]*(?:\[[ \t]*)?mcp_servers[ \t]*[.\]=]/m.test(text) ||
  /^(?:\$\s+)?(?:(?:claude|codex|gemini)(?:\s+-\S+)*\s+mcp\s+add(?:-json)?|code(?:-insiders)?\s+--add-mcp)(?:\s|=|$)/.test(
    text,
  ) ||
  /^(?:cursor|vscode|vscode-insiders|lmstudio):\S*$/.test(text) ||
  /^https:\/\/(?:(?:insiders\.)?vscode\.dev\/redirect\/mcp\/install|cursor\.com\/(?:\w+\/)?install-mcp|lmstudio\.ai\/install-mcp)\?\S*$/.test(
    text,
  )

const LOOPBACK = /^(?:localhost|[\w-]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i
const SCRIPT = /\.(?:[cm]?[jt]sx?|py|sh|rb|php|exe|cmd|bat|ps1|jar|lua|pl|dll|bin)$/i

/** The text as a URL with a scheme; `undefined` if it reads like a command. */
const addressIn = (text: string): { url: string; guessed?: true } | undefined => {
  if (/^https?:/i.test(text) || /^[a-z][a-z\d+.-]+:\/\//i.test(text)) return { url: text }
  if (/^(?:javascript|data|mailto|file|blob|about|stdio):/i.test(text)) return { url: text }
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

const refuse = (cause: UrlCause, thing: string): Understood => ({ kind: 'problem', as: 'url', cause, thing })

const withoutFragment = (url: URL, text: string): string => {
  // A placeholder for the port isn't part of the parsed URL.
  if (hasOpenPort(text)) return text.replace(/#.*/s, '')
  url.hash = ''
  return url.href
}

/** A WebSocket, a socket, or the target of a module's transport. */
const customIn = (text: string, { protocol, transports = [] }: Surroundings): Understood | undefined => {
  const [, scheme = '', rest = ''] = /^([a-z][a-z\d+.-]*):(.*)$/is.exec(text) ?? []
  const transport = customTransport(`${scheme}:`)
  if (typeof transport === 'object') {
    return transports.includes(transport.module) ? { kind: 'custom', url: text } : undefined
  }
  if (transport !== 'WebSocket') {
    // `unix:///path` is also common.
    const path = transport === 'unix' ? rest.replace(/^\/\/(?=\/)/, '') : rest
    const isPath = transport === 'unix' ? path.startsWith('/') && path.length > 1 : path !== ''
    return isPath && !/[\0\r\n]/.test(path) ? { kind: 'custom', url: `${transport}:${path}` } : refuse('socket', text)
  }
  const url = /\s/.test(text) ? undefined : parsedTarget(text)
  if (!url?.host) return refuse('url', text)
  if (url.username || url.password) return refuse('credentials-websocket', `${url.username}@`)
  if (protocol === 'https:' && url.protocol === 'ws:' && !LOOPBACK.test(url.hostname)) {
    return refuse('mixed-content', url.host)
  }
  // The constructor of a WebSocket rejects URLs with a fragment.
  return { kind: 'custom', url: withoutFragment(url, text) }
}

const understandUrl = (address: { url: string; guessed?: true }, around: Surroundings): Understood => {
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(address.url)?.[1]?.toLowerCase() ?? ''
  if (scheme === 'file') return refuse('file', 'file:')
  if (scheme !== 'http' && scheme !== 'https') return refuse('scheme', `${scheme}:`)
  // The URL parser would encode a space and connect to an unintended URL.
  const url = /\s/.test(address.url) ? undefined : parsedTarget(address.url)
  if (!url) return refuse('url', address.url)
  if (url.username || url.password) return refuse('credentials', `${url.username}@`)
  const isKnown = !/\{\{|%7b%7b/i.test(url.hostname)
  if (around.protocol === 'https:' && url.protocol === 'http:' && isKnown && !LOOPBACK.test(url.hostname)) {
    return refuse('mixed-content', url.host)
  }
  return { kind: 'url', url: withoutFragment(url, address.url), ...(address.guessed ? { guessed: true } : {}) }
}
