/** What the targets of the gallery have in common, and how programs among them are started. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface Started {
  /** What a user enters: a URL or a command line. */
  readonly line: string
  close(): Promise<void>
}

/** What a page can be expected to say. Both are compared with all its words about the connection, on one line. */
export interface Explanation {
  /** Any correct explanation matches it: several wordings. */
  readonly names: RegExp
  /** Only explanations that lead to the wrong place match it. */
  readonly misleads?: RegExp
}

export const GROUPS = ['process', 'network', 'tls', 'cors', 'http', 'protocol', 'path', 'sign-in', 'proxy', 'healthy'] as const // prettier-ignore
export type Group = (typeof GROUPS)[number]

/** A server that can't be used for one reason, or a healthy one. */
export interface Target extends Explanation {
  /** Unique. */
  readonly id: string
  readonly group: Group
  /** What is wrong, as someone says it who can look into both sides. */
  readonly cause: string
  /** Who can fix it. */
  readonly by: 'server' | 'user' | 'network' | 'client'
  readonly remedy: string
  /** What the heading of a failure itself must match, where remedies could match `names` by chance. */
  readonly heading?: RegExp
  /** Of a healthy server, the advice on the Overview that is due nevertheless; none by default. */
  readonly advice?: RegExp
  /** The explanation is on the Overview of an open connection. */
  readonly overview?: true
  /** Why no button can help, though the page can't know that, and so has to offer one. */
  readonly noButton?: string
  /** Why the header lines that the page shows aren't enough. */
  readonly noLines?: string
  /** What a page without a local proxy can know at best, where that is less. `none`: it can't use this target at all. */
  readonly bare?: Explanation | 'none'
  /** The page that connects, if it isn't a usual one. */
  readonly page?: PageKind
  start(): Promise<Started>
}

/**
 * `static`: a copy on a web server, without a proxy. `stopped`, `hung`: the proxy ended, or hangs, since the page loaded. `restarted`:
 * then it was started again on the same port. `no-token`: the page was opened without the token of the proxy.
 */
export type PageKind = 'static' | 'stopped' | 'hung' | 'restarted' | 'no-token'

/** A healthy server: it connects, without a word about a fault. */
export const CONNECTED = /^CONNECTED/

type Rest = Omit<Target, 'id' | 'group' | 'cause' | 'start'>

/** One entry of a group's table. */
export const targetsOf =
  (group: Group) =>
  (id: string, cause: string, start: Target['start'], rest: Rest): Target => ({ id, group, cause, start, ...rest })

/** A new folder with these files. */
export const folderOf = (
  files: Readonly<Record<string, string | { readonly text: string; readonly mode: number }>>,
) => {
  const folder = mkdtempSync(join(tmpdir(), 'periscope-gallery-'))
  for (const [name, file] of Object.entries(files)) {
    const { text, mode } = typeof file === 'string' ? { text: file, mode: 0o644 } : file
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
    chmodSync(join(folder, name), mode)
  }
  return { folder, close: async () => rmSync(folder, { recursive: true, force: true }) }
}

/** What a program prints before it ends. */
export interface Printed {
  readonly stderr?: string
  readonly stdout?: string
  /** Its exit code; 1 by default. */
  readonly code?: number
  /** Shell commands before and after printing. */
  readonly before?: string
  readonly after?: string
}

/** Stands in for a program that isn't installed here: prints what the real one prints, and ends with its exit code. */
export const printing =
  (command: string, { stderr, stdout, code = 1, before, after }: Printed) =>
  async (): Promise<Started> => {
    const [name = '', ...args] = command.split(' ')
    const print = (text: string, to: string) => `cat ${to}<<'END_OF_TEXT'\n${text}\nEND_OF_TEXT`
    const lines = [
      '#!/bin/sh',
      before,
      stdout === undefined ? undefined : print(stdout, ''),
      stderr === undefined ? undefined : print(stderr, '>&2 '),
      after,
      `exit ${code}`,
    ]
    const text = `${lines.filter((line) => line !== undefined).join('\n')}\n`
    const { folder, close } = folderOf({ [name]: { text, mode: 0o755 } })
    return { line: [join(folder, name), ...args].join(' '), close }
  }

/** What a script may import: a server over stdio in a few lines. */
const STDIO = `
const VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']
const RESULTS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion: VERSIONS.includes(protocolVersion) ? protocolVersion : '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'weather', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: [{ name: 'forecast', inputSchema: { type: 'object' } }] }),
}
/** The response to a request, as an object; undefined for a notification. */
exports.respond = ({ id, method, params = {} }) => {
  if (id === undefined || method === undefined) return undefined
  if (Object.hasOwn(RESULTS, method)) return { jsonrpc: '2.0', id, result: RESULTS[method](params) }
  return { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } }
}
/** Calls back with each message, until stdin ends. */
exports.read = (onMessage) => {
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => line.trim() && onMessage(JSON.parse(line)))
  process.stdin.on('end', () => process.exit(0))
}
/** Calls back with each response. */
exports.serve = (write) => exports.read((message) => {
  const response = exports.respond(message)
  if (response) write(response, message)
})
`

/**
 * A script in Node.
 * @param file its name in a new folder; `require('./stdio.cjs')` has `respond`, `read` and `serve`
 */
export const script =
  (source: string, file = 'server.cjs') =>
  async (): Promise<Started> => {
    const { folder, close } = folderOf({ 'stdio.cjs': STDIO, [file]: source })
    return { line: `node ${join(folder, file)}`, close }
  }
