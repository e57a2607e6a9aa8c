/** What the two kinds of model endpoints differ in: URLs, headers, and the format of requests and responses. */
import { isObject } from '../../mcp/index.ts'
import type { Json, JsonObject } from '../../mcp/index.ts'
import type { ToolNames } from './tool-names.ts'

/** What could not be said as it was, or was not done as wished (CF-SAMP-04). */
export interface Note {
  readonly code:
    | 'block-left-out'
    | 'picture-moved'
    | 'metadata-not-sent'
    | 'context-not-added'
    | 'limit-lowered'
    | 'over-limit'
    | 'thoughts-left-out'
    | 'tool-renamed'
    | 'tools-not-sent'
  readonly found?: string
}

/** What is asked of a model, apart from the endpoint's own words. */
export interface ModelRequest {
  readonly params: JsonObject
  readonly model: string
  /** Tokens (CF-SAMP-03). */
  readonly limit: number
  readonly names: ToolNames
  readonly note: (note: Note) => void
}

export interface Decoded {
  readonly blocks: readonly JsonObject[]
  readonly model: string | undefined
  readonly stopReason: string | undefined
  /** Tokens, as the endpoint counts them. */
  readonly used?: { readonly input?: number; readonly output?: number }
}

export interface Dialect {
  /** Where a base address leads to; it may have been given with the end of the path. */
  address(base: URL, what: 'chat' | 'models'): string
  headers(key: string): Record<string, string>
  encode(asked: ModelRequest): JsonObject
  /** The same request in other words, where the endpoint says that it does not know these. */
  again?(body: JsonObject, said: string): JsonObject | undefined
  /** @throws {EndpointError} `shape`, `bad-arguments` */
  decode(answer: JsonObject, asked: Pick<ModelRequest, 'names' | 'note'>): Decoded
  /** Ids of the models in an answer of `models`. */
  models(answer: JsonObject): readonly string[] | undefined
}

/** Without its last slashes, without an ending that belongs to one method, with another one. */
export const withPath = (base: URL, ending: RegExp, path: (before: string) => string): string => {
  const url = new URL(base)
  url.hash = ''
  url.pathname = path(url.pathname.replace(/\/+$/, '').replace(ending, '').replace(/\/+$/, ''))
  return url.href
}

/** Ids in `data`, as both kinds list their models. At most 1,000. */
export const idsIn = ({ data }: JsonObject): readonly string[] | undefined => {
  if (!Array.isArray(data)) return undefined
  const ids = (data as readonly Json[]).flatMap((item) =>
    isObject(item) && typeof item.id === 'string' && item.id !== '' ? [item.id.slice(0, 200)] : [],
  )
  return [...new Set(ids)].slice(0, 1000)
}
