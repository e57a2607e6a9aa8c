/**
 * What a browser requires of a server on another origin, judged as the Fetch standard does, from responses that only the
 * local proxy can see in full.
 * @see https://fetch.spec.whatwg.org/#http-cors-protocol
 */
import { headerIn, type HeaderList } from '../mcp/index.ts'

/** Why a browser refuses, and what the server sent instead. */
export type CorsFault =
  /** The response to OPTIONS has no 2xx status. */
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'redirect'; readonly status: number; readonly to: string }
  /** `Access-Control-Allow-Origin` is missing, names another origin, or occurs more than once. */
  | { readonly kind: 'no-origin' }
  | { readonly kind: 'other-origin'; readonly found: string }
  | { readonly kind: 'several-origins'; readonly found: string }
  | { readonly kind: 'method'; readonly method: string; readonly allowed: readonly string[] }
  | { readonly kind: 'headers'; readonly missing: readonly string[]; readonly allowed: readonly string[] }
  /** OPTIONS allows the request, so the response to the request itself has no `Access-Control-Allow-Origin`. */
  | { readonly kind: 'response' }

/** The request that the browser refused. */
export interface RefusedRequest {
  readonly origin: string
  readonly method: string
  /** In lower case. */
  readonly headers: readonly string[]
}

export interface Answered {
  readonly status: number
  readonly headers: HeaderList
}

/** Methods that need no permission. */
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST'])

/**
 * Request headers that need no permission with the values that MCP uses. `Content-Type: application/json` does need it.
 */
const SAFE_HEADERS: ReadonlySet<string> = new Set(['accept', 'accept-language', 'content-language'])

/** Headers that a browser sets itself, without asking. */
const OWN_HEADERS =
  /^(?:origin|referer|host|user-agent|connection|content-length|cookie|accept-encoding|sec-.*|proxy-.*|access-control-.*)$/

/** The names that the browser asks permission for: in lower case, sorted. */
export const unsafeHeaders = (names: readonly string[]): string[] =>
  [...new Set(names.map((name) => name.toLowerCase()))]
    .filter((name) => !SAFE_HEADERS.has(name) && !OWN_HEADERS.test(name))
    .sort()

/** The headers of the OPTIONS request that a browser sends first (CORS-preflight fetch). */
export const preflightHeaders = ({ origin, method, headers }: RefusedRequest): [string, string][] => {
  const names = unsafeHeaders(headers)
  return [
    ['accept', '*/*'],
    ['access-control-request-method', method],
    ...(names.length > 0 ? [['access-control-request-headers', names.join(',')] as [string, string]] : []),
    ['origin', origin],
  ]
}

/** @returns what the browser objects to in the response to OPTIONS; `response` if nothing */
export const corsFaults = (refused: RefusedRequest, { status, headers }: Answered): CorsFault[] => {
  const origin = originFault(refused.origin, headers)
  const isRedirect = status >= 300 && status < 400
  const to = headerIn(headers, 'location') ?? ''
  const answer: CorsFault[] = isRedirect
    ? [{ kind: 'redirect', status, to }]
    : status < 200 || status > 299
      ? [{ kind: 'status', status }]
      : []
  // The headers of an error page say nothing about those of a right response.
  if (answer.length > 0) return [...answer, ...(origin ? [origin] : [])]
  const methods = listIn(headers, 'access-control-allow-methods')
  const allowed = listIn(headers, 'access-control-allow-headers')
  const faults: CorsFault[] = origin ? [origin] : []
  if (!SAFE_METHODS.has(refused.method) && !methods.includes(refused.method) && !methods.includes('*'))
    faults.push({ kind: 'method', method: refused.method, allowed: methods })
  const missing = missingIn(allowed, unsafeHeaders(refused.headers))
  if (missing.length > 0) faults.push({ kind: 'headers', missing, allowed })
  return faults.length > 0 ? faults : [{ kind: 'response' }]
}

/** The CORS check, without credentials. */
const originFault = (origin: string, headers: HeaderList): CorsFault | undefined => {
  const found = headers
    .filter(([name]) => name.toLowerCase() === 'access-control-allow-origin')
    .map(([, value]) => value)
  const [only] = found
  if (only === undefined) return { kind: 'no-origin' }
  if (found.length > 1 || only.includes(',')) return { kind: 'several-origins', found: found.join(', ') }
  return only === '*' || only === origin ? undefined : { kind: 'other-origin', found: only }
}

/** `*` covers every name except `Authorization`. */
const missingIn = (allowed: readonly string[], names: readonly string[]): string[] => {
  const known = new Set(allowed.map((name) => name.toLowerCase()))
  return names.filter((name) => !known.has(name) && !(known.has('*') && name !== 'authorization'))
}

const listIn = (headers: HeaderList, wanted: string): string[] =>
  headers
    .filter(([name]) => name.toLowerCase() === wanted)
    .flatMap(([, value]) => value.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '')

/** Headers of the requests to come, by the protocol era. `Last-Event-ID` resumes a stream. */
const NEEDED = {
  handshake: ['content-type', 'mcp-protocol-version', 'mcp-session-id', 'last-event-id'],
  stateless: ['content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'],
} as const

/**
 * The header lines that the server lacks, complete and nothing broader, to paste.
 * @param era of the protocol version, whose later requests need further headers
 */
export const missingLines = (
  faults: readonly CorsFault[],
  refused: RefusedRequest,
  era: 'handshake' | 'stateless' | undefined,
): string[] => {
  const kinds = new Set(faults.map(({ kind }) => kind))
  const isBare = kinds.has('status') || kinds.has('redirect')
  const needsOrigin =
    isBare ||
    ['no-origin', 'other-origin', 'several-origins', 'response'].some((kind) => kinds.has(kind as CorsFault['kind']))
  const lines = needsOrigin ? [`Access-Control-Allow-Origin: ${refused.origin}`] : []
  const method = faults.find((fault) => fault.kind === 'method')
  const methods = method?.allowed ?? []
  if (isBare || method)
    lines.push(`Access-Control-Allow-Methods: ${merged(methods, ['GET', 'POST', 'DELETE']).join(', ')}`)
  const headers = faults.find((fault) => fault.kind === 'headers')
  if (isBare || headers || kinds.has('no-origin')) {
    const wanted = merged(unsafeHeaders(refused.headers), era ? NEEDED[era] : [])
    lines.push(
      `Access-Control-Allow-Headers: ${merged(headers?.allowed ?? [], wanted)
        .map(spelled)
        .join(', ')}`,
    )
  }
  if (needsOrigin && era !== 'stateless') lines.push('Access-Control-Expose-Headers: Mcp-Session-Id, WWW-Authenticate')
  return lines
}

/** Everything that a correct server allows, for code that takes the place of what it does now. */
export interface CorsPolicy {
  readonly origin: string
  readonly methods: readonly string[]
  readonly headers: readonly string[]
  readonly expose: readonly string[]
}

export const corsPolicy = (
  faults: readonly CorsFault[],
  { origin, headers }: RefusedRequest,
  era: 'handshake' | 'stateless' | undefined,
): CorsPolicy => {
  const allowed = faults.find((fault) => fault.kind === 'headers')?.allowed ?? []
  return {
    origin,
    methods: era === 'stateless' ? ['POST'] : ['GET', 'POST', 'DELETE'],
    headers: merged(allowed, merged(unsafeHeaders(headers), era ? NEEDED[era] : [])).map(spelled),
    expose: era === 'stateless' ? ['WWW-Authenticate'] : ['Mcp-Session-Id', 'WWW-Authenticate'],
  }
}

/** The names of both. Those of the server are pasted elsewhere, so only plain ones are kept, and never `*`. */
const merged = (given: readonly string[], other: readonly string[]): string[] => {
  const one = given.filter((name) => /^[\w-]{1,100}$/.test(name))
  const known = new Set(one.map((name) => name.toLowerCase()))
  return [...one, ...other.filter((name) => !known.has(name.toLowerCase()))]
}

/** As the specification spells it. */
const spelled = (name: string): string =>
  name === name.toLowerCase()
    ? name
        .split('-')
        .map((part) =>
          part === 'id' && name === 'last-event-id' ? 'ID' : `${part.slice(0, 1).toUpperCase()}${part.slice(1)}`,
        )
        .join('-')
        .replace(/^Mcp-Protocol/, 'MCP-Protocol')
    : name
