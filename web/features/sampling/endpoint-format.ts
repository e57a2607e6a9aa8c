/**
 * The API format of one kind of model endpoint: its URLs, headers, requests and responses. Also what all formats share:
 * tool names, content blocks, and the error of a failed request.
 */
import { type Json, type JsonObject, isObject } from '../../mcp/index.ts'
import { readRequest, stringOf, typeOf } from './request.ts'

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

export interface EndpointFormat {
  /** The URL for a base URL, which may already include the end of the path. */
  address(base: URL, what: 'chat' | 'models'): string
  headers(key: string): Record<string, string>
  encode(request: ModelRequest): JsonObject
  /** The same request in an alternative form, if the endpoint's error says that it doesn't support this one. */
  again?(body: JsonObject, said: string): JsonObject | undefined
  /** @throws {EndpointError} `shape`, `bad-arguments` */
  decode(answer: JsonObject, request: Pick<ModelRequest, 'names' | 'note'>): Decoded
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

/** Why a request to a model endpoint failed: a code for the catalogues, and the facts for cause and remedy. */
type EndpointFault =
  /** No response: connection refused, unknown host, or CORS. A page can't distinguish them. */
  | 'unreachable'
  /** The local proxy failed, or its connection to the endpoint. */
  | 'relay'
  | 'redirected'
  | 'unauthorized'
  | 'not-found'
  | 'too-many'
  | 'refused'
  | 'server'
  | 'not-json'
  | 'not-an-object'
  | 'shape'
  | 'bad-arguments'
  | 'too-long'
  | 'timeout'
  | 'cancelled'
  /** The request can't be sent: it has no message, or no valid maxTokens (CF-SAMP-03). */
  | 'nothing-to-send'
  | 'no-limit'

export interface EndpointFacts {
  readonly url?: string
  readonly status?: number
  /** The endpoint's error message; at most 500 characters, and never the key. */
  readonly said?: string
  readonly remedy?: string
  /** In seconds. */
  readonly retryAfter?: number
  /** In bytes or ms. */
  readonly limit?: number
}

export class EndpointError extends Error {
  override readonly name = 'EndpointError'
  readonly code: EndpointFault
  readonly facts: EndpointFacts
  constructor(code: EndpointFault, facts: EndpointFacts = {}, options?: ErrorOptions) {
    super(`The model endpoint gave no answer: ${code}${facts.said ? `: ${facts.said}` : ''}`, options)
    this.code = code
    this.facts = facts
  }
}

const PERMITTED = /^[\w-]{1,64}$/

/**
 * Tool names for endpoints that allow only letters, digits, `_` and `-`, up to 64 characters. MCP allows more
 * (SF-TOOL-02), so names are replaced on the way out and restored on the way back.
 */
export class ToolNames {
  readonly #out = new Map<string, string>()
  readonly #back = new Map<string, string>()

  constructor(params: JsonObject) {
    const { tools, messages } = readRequest(params)
    const names = [
      ...tools.map(({ name }) => name),
      ...messages.flatMap(({ blocks }) => blocks.filter(isToolUse).map(({ name }) => stringOf(name))),
    ]
    // Names that can stay unchanged come first, so that no replacement takes one of them.
    for (const name of names) if (PERMITTED.test(name)) this.#pair(name, name)
    for (const name of names) if (!this.#out.has(name)) this.#pair(name, this.#free(name))
  }

  /** Names that were replaced. */
  get renamed(): readonly (readonly [string, string])[] {
    return [...this.#out].filter(([name, alias]) => name !== alias)
  }

  out(name: string): string {
    return this.#out.get(name) ?? name
  }

  back(alias: string): string {
    return this.#back.get(alias) ?? alias
  }

  #pair(name: string, alias: string): void {
    this.#out.set(name, alias)
    this.#back.set(alias, name)
  }

  #free(name: string): string {
    const plain = name.replace(/[^\w-]+/g, '_').slice(0, 60) || 'tool'
    let alias = plain
    for (let number = 2; this.#back.has(alias); number++) alias = `${plain.slice(0, 56)}_${number}`
    return alias
  }
}

// Content blocks of messages, parsed leniently.

export const textIn = (block: Json): string | undefined =>
  isObject(block) && block.type === 'text' && typeof block.text === 'string' ? block.text : undefined

export const mediaIn = (block: Json): { readonly data: string; readonly mime: string } | undefined =>
  isObject(block) && typeof block.data === 'string' && typeof block.mimeType === 'string'
    ? { data: block.data, mime: block.mimeType }
    : undefined

/** The content of a tool result as texts and images, which is what a model can process. */
export const resultParts = (block: JsonObject): readonly { readonly text?: string; readonly image?: Json }[] => {
  const content = Array.isArray(block.content) ? (block.content as readonly Json[]) : []
  const parts = content.flatMap((part): { text?: string; image?: Json }[] => {
    const text = textIn(part)
    if (text !== undefined) return [{ text }]
    if (typeOf(part) === 'image' && mediaIn(part)) return [{ image: part }]
    if (isObject(part) && isObject(part.resource) && typeof part.resource.text === 'string') {
      return [{ text: part.resource.text }]
    }
    return [{ text: JSON.stringify(part) }]
  })
  // If the content is empty, the result may be in structuredContent only.
  if (parts.length > 0 || block.structuredContent === undefined) return parts
  return [{ text: JSON.stringify(block.structuredContent) }]
}

export const isToolResult = (block: Json): block is JsonObject => isObject(block) && block.type === 'tool_result'

export const isToolUse = (block: Json): block is JsonObject => isObject(block) && block.type === 'tool_use'

export const countOf = (value: Json | undefined): number | undefined => (typeof value === 'number' ? value : undefined)
