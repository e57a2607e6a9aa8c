/**
 * A model endpoint of the user: requests the response to a sampling request, from the page or through the relay. The
 * key stays in memory and is only sent to this URL. It is never part of a result: redirects aren't followed, and the
 * endpoint's messages are masked.
 */
import { jsonIn } from '../../json/index.ts'
import { isDeep, isObject, messageOf, readText, TransportError, type Json, type JsonObject } from '../../mcp/index.ts'
import { parsedUrl } from '../../mcp/url.ts'
import { anthropic } from './anthropic.ts'
import {
  type Decoded,
  type EndpointFormat,
  type Note,
  ToolNames,
  EndpointError,
  type EndpointFacts,
} from './endpoint-format.ts'
import { openai } from './openai.ts'
import { isTokens, readRequest } from './request.ts'

export type EndpointKind = 'openai' | 'anthropic'

export interface Endpoint {
  readonly kind: EndpointKind
  readonly base: string
  readonly model: string
  readonly key: string
}

/** Time limit in ms and size limit in bytes for a whole response. */
export const LIMITS = { ms: 120_000, bytes: 10 * 1024 * 1024 }

export interface EndpointOptions {
  /** `relayFetch(…)`, or the page's own `fetch`. */
  readonly fetch: typeof fetch
  readonly signal: AbortSignal
  readonly limits?: { readonly ms: number; readonly bytes: number }
}

export interface ModelAnswer {
  /** A CreateMessageResult of the protocol version. */
  readonly result: JsonObject
  /** The endpoint's name for it. */
  readonly model: string
  readonly notes: readonly Note[]
  /** The request as sent, without the key. */
  readonly sent: { readonly url: string; readonly body: JsonObject }
  /** The response as received. */
  readonly received: JsonObject
  /** In tokens, as counted by the endpoint. */
  readonly used?: Decoded['used']
  readonly ms: number
}

const FORMATS: Readonly<Record<EndpointKind, EndpointFormat>> = { openai, anthropic }

export type EndpointProblem = 'no-base' | 'bad-base' | 'credentials' | 'no-model' | 'bad-key'

/** Why the endpoint can't be used yet; absent if it can. */
export const endpointProblem = ({ base, model, key }: Endpoint, what: 'chat' | 'models' = 'chat') => {
  const url = parsedUrl(base)
  const problem: EndpointProblem | undefined =
    base.trim() === ''
      ? 'no-base'
      : !url || !/^https?:$/.test(url.protocol)
        ? 'bad-base'
        : url.username !== '' || url.password !== ''
          ? 'credentials'
          : !/^[\x21-\x7e]*$/.test(key)
            ? 'bad-key'
            : what === 'chat' && model.trim() === ''
              ? 'no-model'
              : undefined
  return problem
}

/** The key would be sent unencrypted. */
export const isInTheClear = ({ base, key }: Endpoint): boolean => {
  const url = parsedUrl(base)
  if (key === '' || !url) return false
  const { protocol, hostname } = url
  return protocol === 'http:' && !/^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

/**
 * Asks the model. CF-SAMP-03: never requests more tokens than the server allows, whatever the user's edits.
 * @param params of the request, as edited by the user
 * @param most `maxTokens` of the request as the server sent it
 * @param revision decides how several blocks are encoded
 * @throws {EndpointError}
 */
export const askModel = async (
  endpoint: Endpoint,
  params: JsonObject,
  { most, revision }: { readonly most: Json | undefined; readonly revision: string },
  options: EndpointOptions,
): Promise<ModelAnswer> => {
  const format = FORMATS[endpoint.kind]
  const notes: Note[] = []
  const note = (one: Note) => {
    if (notes.length < 50) notes.push(one)
  }
  const understood = forRevision(params, revision, note)
  const { messages, includeContext, metadata } = readRequest(understood)
  const limit = limitOf(params.maxTokens, most, note)
  if (includeContext === 'thisServer' || includeContext === 'allServers') note({ code: 'context-not-added' })
  if (metadata && Object.keys(metadata).length > 0) note({ code: 'metadata-not-sent' })
  const names = new ToolNames(understood)
  for (const [name, alias] of names.renamed) note({ code: 'tool-renamed', found: `${name} → ${alias}` })
  let body = format.encode({ params: understood, model: endpoint.model, limit, names, note })
  if (messages.length === 0 || (Array.isArray(body.messages) && body.messages.length === 0)) {
    throw new EndpointError('nothing-to-send')
  }
  const url = format.address(new URL(endpoint.base), 'chat')
  const begun = performance.now()
  const post = () => exchange(endpoint, format, { url, method: 'POST', body: JSON.stringify(body) }, options)
  const received = await post().catch(async (error: unknown) => {
    const { code, facts } = error instanceof EndpointError ? error : {}
    const other = code === 'refused' ? format.again?.(body, facts?.said ?? '') : undefined
    if (!other) throw error
    body = other
    return await post()
  })
  const decoded = format.decode(received, { names, note })
  const output = decoded.used?.output
  if (output !== undefined && output > limit) note({ code: 'over-limit', found: `${output} > ${limit}` })
  const model = decoded.model ?? endpoint.model
  return {
    model,
    result: {
      role: 'assistant',
      content: contentFor(decoded.blocks, revision),
      model,
      ...(decoded.stopReason === undefined ? {} : { stopReason: decoded.stopReason }),
    },
    notes,
    sent: { url, body },
    received,
    ...(decoded.used ? { used: decoded.used } : {}),
    ms: performance.now() - begun,
  }
}

/**
 * Names of the models that the endpoint lists, sorted.
 * @throws {EndpointError}
 */
export const listModels = async (endpoint: Endpoint, options: EndpointOptions): Promise<readonly string[]> => {
  const format = FORMATS[endpoint.kind]
  const url = format.address(new URL(endpoint.base), 'models')
  const answer = await exchange(endpoint, format, { url, method: 'GET' }, options)
  const models = format.models(answer)
  if (!models) throw new EndpointError('shape', { url, said: 'data' })
  return [...models].sort()
}

/** The model that best matches the server's preferences (CF-SAMP-05). */
export interface Match {
  readonly model: string
  /** The hint that the model's name contains. */
  readonly hint: string
  /** Earlier hints that no model matched. */
  readonly passed: readonly string[]
}

/** Uses only the hints. The priorities would need more than the names of the models. */
export const matchHints = (models: readonly string[], hints: readonly string[]): Match | undefined => {
  for (const [at, hint] of hints.entries()) {
    const wanted = hint.toLowerCase()
    const model = models.find((name) => name.toLowerCase().includes(wanted))
    if (model !== undefined) return { model, hint, passed: hints.slice(0, at) }
  }
  return undefined
}

/**
 * Before 2025-11-25 there are no tools, and a response is a single block: the server wouldn't understand anything else.
 */
const forRevision = (params: JsonObject, revision: string, note: (note: Note) => void): JsonObject => {
  if (revision >= '2025-11-25' || (params.tools === undefined && params.toolChoice === undefined)) return params
  const { tools, toolChoice, ...rest } = params
  note({ code: 'tools-not-sent' })
  void [tools, toolChoice]
  return rest
}

const contentFor = (blocks: readonly JsonObject[], revision: string): Json => {
  if (blocks.length === 0) return { type: 'text', text: '' }
  if (blocks.length === 1) return blocks[0]!
  if (revision >= '2025-11-25') return blocks
  return { type: 'text', text: blocks.map(({ text }) => (typeof text === 'string' ? text : '')).join('\n') }
}

const limitOf = (wished: Json | undefined, most: Json | undefined, note: (note: Note) => void): number => {
  const limit = isTokens(wished) ? wished : isTokens(most) ? most : undefined
  if (limit === undefined) throw new EndpointError('no-limit')
  if (!isTokens(most) || limit <= most) return limit
  note({ code: 'limit-lowered', found: `${limit} → ${most}` })
  return most
}

const exchange = async (
  { key }: Endpoint,
  format: EndpointFormat,
  { url, method, body }: { readonly url: string; readonly method: 'GET' | 'POST'; readonly body?: string },
  { fetch: fetchWith, signal, limits = LIMITS }: EndpointOptions,
): Promise<JsonObject> => {
  const late = AbortSignal.timeout(limits.ms)
  const mask = (text: string) => (key === '' ? text : text.replaceAll(key, '•••'))
  let status: number | undefined
  let text: string
  let headers: Headers
  try {
    // Unbound: called as a method of another object, a bare `fetch` throws "Illegal invocation" in browsers.
    const response = await fetchWith(url, {
      method,
      headers: {
        Accept: 'application/json',
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...format.headers(key),
      },
      ...(body === undefined ? {} : { body }),
      // Redirects could take a key in a custom header to another origin.
      redirect: 'manual',
      credentials: 'omit',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.any([signal, late]),
    })
    ;({ status, headers } = response)
    text = await readText(response.body, limits.bytes)
    if (response.type === 'opaqueredirect') status = 302
  } catch (error) {
    const options = { cause: error }
    if (signal.aborted) throw new EndpointError('cancelled', { url }, options)
    if (late.aborted) throw new EndpointError('timeout', { url, limit: limits.ms }, options)
    if (!(error instanceof TransportError)) {
      // If the response headers have arrived, the body broke off.
      const facts = { url, ...(status === undefined ? {} : { said: messageOf(error) }) }
      throw new EndpointError('unreachable', facts, options)
    }
    if (error.code === 'not-mcp') throw new EndpointError('too-long', { url, limit: limits.bytes }, options)
    const { remedy } = error.details
    const why = typeof remedy === 'string' ? { remedy } : {}
    throw new EndpointError('relay', { url, said: error.message.slice(0, 500), ...why }, options)
  }
  const answer = parsed(text)
  const facts: EndpointFacts = { url, status, said: mask(saidIn(answer, text)).slice(0, 500) }
  if (status >= 300 && status < 400) throw new EndpointError('redirected', { url, status })
  if (status === 401 || status === 403) throw new EndpointError('unauthorized', facts)
  if (status === 404) throw new EndpointError('not-found', facts)
  if (status === 429) {
    const seconds = Number(headers.get('retry-after') ?? Number.NaN)
    throw new EndpointError('too-many', { ...facts, ...(seconds >= 0 ? { retryAfter: seconds } : {}) })
  }
  if (status >= 500) throw new EndpointError('server', facts)
  if (status >= 400) throw new EndpointError('refused', facts)
  if (answer === undefined) throw new EndpointError('not-json', facts)
  if (!isObject(answer)) throw new EndpointError('not-an-object', facts)
  // Some endpoints report errors with status 200.
  if (answer.error !== undefined && answer.error !== null && !('choices' in answer) && !('content' in answer)) {
    throw new EndpointError('refused', facts)
  }
  return answer
}

const parsed = (text: string): Json | undefined => (isDeep(text) ? undefined : jsonIn(text))

/** The message in an error body, in the formats that endpoints use. */
const saidIn = (answer: Json | undefined, text: string): string => {
  if (isObject(answer)) {
    const { error, message, detail } = answer
    for (const said of [isObject(error) ? error.message : error, message, detail]) {
      if (typeof said === 'string' && said !== '') return said
    }
  }
  return text.replace(/\s+/g, ' ').trim()
}
