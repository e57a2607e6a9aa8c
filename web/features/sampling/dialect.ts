/**
 * The differences between the two kinds of model endpoints: URLs, headers, and the format of requests and responses.
 */
import { isObject } from '../../mcp/index.ts'
import type { Json, JsonObject } from '../../mcp/index.ts'
import type { ToolNames } from './tool-names.ts'

/** A part of the request that could not be translated exactly, or an option that was ignored (CF-SAMP-04). */
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

/** A request to a model, independent of the endpoint's API. */
export interface ModelRequest {
  readonly params: JsonObject
  readonly model: string
  /** In tokens (CF-SAMP-03). */
  readonly limit: number
  readonly names: ToolNames
  readonly note: (note: Note) => void
}

export interface Decoded {
  readonly blocks: readonly JsonObject[]
  readonly model: string | undefined
  readonly stopReason: string | undefined
  /** In tokens, as counted by the endpoint. */
  readonly used?: { readonly input?: number; readonly output?: number }
}

export interface Dialect {
  /** The URL for a base URL, which may already include the end of the path. */
  address(base: URL, what: 'chat' | 'models'): string
  headers(key: string): Record<string, string>
  encode(asked: ModelRequest): JsonObject
  /** The same request in an alternative form, if the endpoint's error says that it doesn't support this one. */
  again?(body: JsonObject, said: string): JsonObject | undefined
  /** @throws {EndpointError} `shape`, `bad-arguments` */
  decode(answer: JsonObject, asked: Pick<ModelRequest, 'names' | 'note'>): Decoded
  /** Ids of the models in a response of `models`. */
  models(answer: JsonObject): readonly string[] | undefined
}

/** Removes trailing slashes and a method's ending from the base URL's path, and builds the new path from the rest. */
export const withPath = (base: URL, ending: RegExp, path: (before: string) => string): string => {
  const url = new URL(base)
  url.hash = ''
  url.pathname = path(url.pathname.replace(/\/+$/, '').replace(ending, '').replace(/\/+$/, ''))
  return url.href
}

/** Ids in `data`, which both APIs use for their models. At most 1,000. */
export const idsIn = ({ data }: JsonObject): readonly string[] | undefined => {
  if (!Array.isArray(data)) return undefined
  const ids = (data as readonly Json[]).flatMap((item) =>
    isObject(item) && typeof item.id === 'string' && item.id !== '' ? [item.id.slice(0, 200)] : [],
  )
  return [...new Set(ids)].slice(0, 1000)
}
