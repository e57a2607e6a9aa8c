/** The corpus as stored in its files: commands, expectations and observations. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ListName } from './lists.ts'

/** `ERR`: the request must show the server's error. */
export type Count = number | 'ERR'

export type StdioExpected =
  | { readonly fails: 'exit' | 'timeout' | 'error' }
  | (Readonly<Record<ListName, Count>> & { readonly protocolVersion: string; readonly fails?: undefined })

export interface HttpExpected {
  readonly protocolVersion: string
  readonly tools: Count
  readonly cors: boolean
  readonly session?: boolean
  /** Status of the GET request for a listening stream. */
  readonly get?: number
  readonly exposesSessionId?: boolean
  readonly eventIds?: boolean
  /** Status of every response after the first request. */
  readonly brokenAfterInitialize?: number
}

export interface HttpMode {
  readonly transport: 'streamable-http' | 'sse'
  readonly command?: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly path?: string
  readonly ssePath?: string
  readonly label?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly expect: HttpExpected
}

export interface Server {
  readonly id: string
  readonly dir: string
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly setup?: readonly { readonly from?: string; readonly text?: string; readonly to: string }[]
  readonly http?: readonly HttpMode[]
  readonly expect: StdioExpected
}

/** The observed values that are compared. */
export interface Truth {
  readonly stdio: Partial<Record<ListName, readonly string[]>> & {
    readonly discover?: { readonly supportedVersions?: readonly string[] }
    readonly ping?: string | { readonly code: number }
    readonly unknownTool?: string
  }
  readonly http?: readonly {
    readonly streamable?: Partial<Record<ListName, number | { readonly error: unknown }>>
    readonly discoverFirst?: { readonly discover?: { readonly supported?: readonly string[] } }
  }[]
}

export interface Corpus {
  readonly servers: readonly Server[]
  readonly truth: Readonly<Record<string, Truth>>
  /** Files that some servers need. */
  readonly fixtures: string
}

/** @throws {Error} if the folder doesn't contain a corpus */
export const readCorpus = (folder: string): Corpus => {
  const read = (name: string): unknown => {
    const file = join(folder, name)
    if (!existsSync(file)) throw new Error(`There is no ${file}: give the folder of the corpus with --corpus`)
    return JSON.parse(readFileSync(file, 'utf8'))
  }
  return {
    servers: read('servers.open.json') as Server[],
    truth: read('truth.open.json') as Record<string, Truth>,
    fixtures: join(folder, 'fixtures'),
  }
}

export interface Places {
  readonly ROOT: string
  readonly FIXTURES: string
  readonly TMP: string
  readonly PORT: string
}

/** Replaces placeholders such as `${ROOT}` in a string. */
export const fill = (text: string, places: Places): string =>
  text.replaceAll(/\$\{(ROOT|FIXTURES|TMP|PORT)\}/g, (_, name: keyof Places) => places[name])

/** `node` is this Node, because the PATH may contain another one. */
export const commandOf = (command: string, places: Places): string =>
  command === 'node' ? process.execPath : fill(command, places)

/** A minimal environment without any of our own variables. */
export const environmentOf = (env: Readonly<Record<string, string>>, places: Places): Record<string, string> => ({
  PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
  HOME: places.TMP,
  LANG: 'C.UTF-8',
  CI: '1',
  ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value, places)])),
})

export const setUp = (server: Server, places: Places): void => {
  for (const { from, text = '', to } of server.setup ?? []) {
    const file = join(places.TMP, to)
    mkdirSync(dirname(file), { recursive: true })
    if (from === undefined) writeFileSync(file, fill(text, places))
    else copyFileSync(join(places.FIXTURES, from), file)
  }
}

/** The newest protocol version, reached through `server/discover`; older ones are negotiated by handshake. */
const NEWEST = '2026-07-28'

/**
 * The expectations were observed with a client that starts with `initialize`. Periscope sends `server/discover` first,
 * so a server that lists the newest protocol version there uses it: the newest that both sides support.
 */
export const revisionDue = (expected: string, discovered: readonly string[] | undefined): string =>
  discovered?.includes(NEWEST) ? NEWEST : expected
