/**
 * A server's features as the trace shows them: its identity, its capabilities, and its lists, assembled from their pages.
 */
import { isObject, messagesIn, responseOf } from '../mcp/index.ts'
import type { Exchange, Exchanges, Frame, Json, JsonObject, Link, Seq, Trace } from '../mcp/index.ts'

export interface ServerFeatures {
  readonly info: JsonObject
  readonly capabilities: JsonObject
  readonly revision?: string
  readonly instructions?: string
  /** Absent if the list wasn't requested, or wasn't read to its end. */
  readonly tools?: readonly Json[]
  readonly resources?: readonly Json[]
  readonly templates?: readonly Json[]
  readonly prompts?: readonly Json[]
}

export type FeatureList = 'tools' | 'resources' | 'templates' | 'prompts'

const LISTS: Readonly<Record<string, readonly [list: FeatureList, member: string]>> = {
  'tools/list': ['tools', 'tools'],
  'resources/list': ['resources', 'resources'],
  'resources/templates/list': ['templates', 'resourceTemplates'],
  'prompts/list': ['prompts', 'prompts'],
}

/** Pages of one list to assemble: a server may never end its list. */
const MOST_PAGES = 10_000

interface Source {
  readonly exchanges: Pick<Exchanges, 'all'>
  readonly at: (seq: Seq) => Frame | undefined
  /** As recorded when the session opened. */
  readonly peer?: (Omit<ServerFeatures, FeatureList | 'revision'> & { readonly revision: string }) | undefined
}

/** @returns the latest features on the connection; `undefined` if the session never opened and nothing was listed */
export const serverFeaturesOf = (link: Link, { exchanges, at, peer }: Source): ServerFeatures | undefined => {
  const pages = new Map<FeatureList, Json[]>()
  const whole: { [List in FeatureList]?: readonly Json[] } = {}
  const counts = new Map<FeatureList, number>()
  for (const exchange of exchanges.all) {
    const list = LISTS[exchange.method]
    if (!list || exchange.link !== link || exchange.direction !== 'sent' || exchange.status !== 'ok') continue
    const [name, member] = list
    const result = resultOf(exchange, at)
    const items = result?.[member]
    if (!Array.isArray(items)) continue
    if (cursorOf(at(exchange.request)) === undefined) {
      pages.set(name, [])
      counts.set(name, 0)
    }
    const known = pages.get(name)
    const count = (counts.get(name) ?? 0) + 1
    if (!known || count > MOST_PAGES) continue
    counts.set(name, count)
    known.push(...(items as readonly Json[]))
    if (typeof result?.nextCursor !== 'string') whole[name] = [...known]
  }
  if (!peer && Object.keys(whole).length === 0) return undefined
  return {
    info: peer?.info ?? {},
    capabilities: peer?.capabilities ?? {},
    ...(peer ? { revision: peer.revision } : {}),
    ...(peer?.instructions === undefined ? {} : { instructions: peer.instructions }),
    ...whole,
  }
}

/** Identifies the server of a connection in a stable form: a URL without its query, or a command line. */
export const addressOf = (link: Link, frames: Iterable<Frame>): string | undefined => {
  for (const frame of frames) {
    if (frame.link !== link) continue
    if (frame.kind === 'process' && frame.event === 'spawn') return [frame.command, ...frame.args].join(' ')
    if (frame.kind === 'http' && frame.phase === 'request' && frame.purpose === 'message')
      return frame.url.replace(/[?#].*$/s, '')
  }
  return undefined
}

/**
 * Calls `tell` whenever a connection opens or a page of a list arrives.
 * @returns a function that stops it
 */
export const followServerFeatures = (trace: Trace, link: Link, tell: () => void): (() => void) => {
  const asked = new Set<string>()
  return trace.subscribe((frame) => {
    if (frame.link !== link) return
    if (frame.kind === 'session' && frame.phase === 'open') {
      asked.clear()
      tell()
    } else if (frame.kind === 'message') {
      for (const part of messagesIn(frame.message)) {
        if (part.id === undefined) continue
        const id = JSON.stringify(part.id)
        const { method } = part
        if (frame.direction === 'sent' && typeof method === 'string' && Object.hasOwn(LISTS, method)) asked.add(id)
        else if (frame.direction === 'received' && 'result' in part && asked.delete(id)) tell()
      }
    }
  })
}

const resultOf = (exchange: Exchange, at: Source['at']): JsonObject | undefined => {
  const result = responseOf(exchange, at)?.result
  return isObject(result) ? result : undefined
}

const cursorOf = (request: Frame | undefined): Json | undefined => {
  const message = request?.kind === 'message' ? request.message : undefined
  return isObject(message) && isObject(message.params) ? message.params.cursor : undefined
}
