/** What the Roots tab reads from the Trace: when the server was notified of changes, and its process, for suggestions. */
import { type Seq, linkFold, messagesIn } from '../../mcp/index.ts'
import { rootFrom } from './root-uri.ts'

export interface ListChangedNotification {
  readonly seq: Seq
  /** ms since the trace began. */
  readonly at: number
}

const KEPT = 200

/** When servers were notified that the roots changed (CF-ROOT-03). */
export const listChangedFold = linkFold<readonly ListChangedNotification[]>([], (before, frame) => {
  if (frame.kind !== 'message' || frame.direction !== 'sent') return before
  if (!messagesIn(frame.message).some(({ method }) => method === 'notifications/roots/list_changed')) return before
  return [...before, { seq: frame.seq, at: frame.at }].slice(-KEPT)
})

export interface Spawned {
  readonly args: readonly string[]
  readonly cwd?: string
}

/** The latest process of each connection. */
export const spawnFold = linkFold<Spawned | undefined>(undefined, (before, frame) =>
  frame.kind === 'process' && frame.event === 'spawn'
    ? { args: frame.args, ...(frame.cwd === undefined ? {} : { cwd: frame.cwd }) }
    : before,
)

export interface Suggestion {
  readonly uri: string
  readonly name: string
  readonly why: 'directory' | 'argument'
}

const MOST = 12
/** The server's own program isn't a directory. */
const PROGRAM = /\.(?:[cm]?[jt]sx?|py|rb|php|jar|exe|dll|sh|bat|cmd|ps1|wasm|lua|pl)$/i
/** Absolute, or explicitly relative: `owner/name` isn't a path. */
const PATH = /^(?:\/(?!\/)|[a-z]:[\\/]|\\\\|\.{1,2}(?:[\\/]|$))/i

/**
 * Likely roots of a stdio server: its working directory, and directories among its arguments.
 * @param taken URIs that are already in the list
 */
export const suggestionsFor = ({ args, cwd }: Spawned, taken: readonly string[]): Suggestion[] => {
  const found = new Map<string, Suggestion>()
  const suggest = (path: string, why: Suggestion['why']) => {
    const root = rootFrom(path, cwd)
    if ('uri' in root && !taken.includes(root.uri) && !found.has(root.uri)) found.set(root.uri, { ...root, why })
  }
  if (cwd !== undefined && cwd !== '') suggest(cwd, 'directory')
  for (const arg of args) {
    const value = /^-[\w-]*=(.*)$/s.exec(arg)?.[1] ?? arg
    const path = /^file:\/\/\//i.test(value) ? value : PATH.test(value) ? value : undefined
    if (path !== undefined && !PROGRAM.test(path) && path.length < 2000 && found.size < MOST) suggest(path, 'argument')
  }
  return [...found.values()]
}
