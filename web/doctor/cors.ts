/**
 * What a browser requires of a server on another origin, judged as the Fetch standard does, from responses that only the
 * local proxy can see in full.
 * @see https://fetch.spec.whatwg.org/#http-cors-protocol
 */
import { headerIn, unsafeHeaders, type HeaderList } from '../mcp/index.ts'

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
  /** The browser sends nothing to this port, whatever the server allows. */
  | { readonly kind: 'blocked-port'; readonly port: string }

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

/** The names in all headers of this name, as they are spelled. */
export const listIn = (headers: HeaderList, wanted: string): string[] =>
  headers
    .filter(([name]) => name.toLowerCase() === wanted)
    .flatMap(([, value]) => value.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '')

/** As the specification spells them. `Last-Event-ID` resumes a stream. `Mcp-Param-*` depend on the tools. */
const COMMON = ['Content-Type', 'MCP-Protocol-Version'] as const
const OF_ERA = {
  handshake: {
    methods: ['GET', 'POST', 'DELETE'],
    headers: [...COMMON, 'Mcp-Session-Id', 'Last-Event-ID'],
    expose: ['Mcp-Session-Id', 'WWW-Authenticate'],
  },
  stateless: {
    methods: ['POST'],
    headers: [...COMMON, 'Mcp-Method', 'Mcp-Name'],
    expose: ['WWW-Authenticate'],
  },
} as const

/** Everything that a server must allow before a page can use it (BR-01 to BR-03). */
export interface CorsPolicy {
  readonly origin: string
  readonly methods: readonly string[]
  readonly headers: readonly string[]
  readonly expose: readonly string[]
}

/**
 * What the server allows already and what it lacks, and nothing broader.
 * @param era of the protocol version, whose later requests need further headers; both if it isn't known
 */
export const corsPolicy = (
  faults: readonly CorsFault[],
  { origin, method, headers }: RefusedRequest,
  era?: 'handshake' | 'stateless',
): CorsPolicy => {
  const eras = era ? [OF_ERA[era]] : [OF_ERA.handshake, OF_ERA.stateless]
  const allowed = (kind: 'method' | 'headers') =>
    faults.flatMap((fault) => (fault.kind === kind && 'allowed' in fault ? fault.allowed : []))
  const asked = unsafeHeaders(headers).map(spelled)
  return {
    origin,
    methods: merged(allowed('method'), [...eras.flatMap(({ methods }) => methods), method]),
    headers: merged(allowed('headers'), [...asked, ...eras.flatMap(({ headers }) => headers)]),
    expose: merged(
      [],
      eras.flatMap(({ expose }) => expose),
    ),
  }
}

/** The policy as header lines. */
export const policyLines = ({ origin, methods, headers, expose }: CorsPolicy): string[] => [
  `Access-Control-Allow-Origin: ${origin}`,
  `Access-Control-Allow-Methods: ${methods.join(', ')}`,
  `Access-Control-Allow-Headers: ${headers.join(', ')}`,
  `Access-Control-Expose-Headers: ${expose.join(', ')}`,
]

const ORIGIN_LINES = ['origin', 'expose'] as const

/** Lines of the policy that correct a fault. An error page without permission says nothing of any other line. */
const MENDS: Readonly<Record<CorsFault['kind'], readonly (keyof CorsPolicy)[]>> = {
  status: ['methods', 'headers', ...ORIGIN_LINES],
  redirect: ['methods', 'headers', ...ORIGIN_LINES],
  'no-origin': ['headers', ...ORIGIN_LINES],
  'other-origin': ORIGIN_LINES,
  'several-origins': ORIGIN_LINES,
  method: ['methods'],
  headers: ['headers'],
  response: ORIGIN_LINES,
  'blocked-port': [],
}

/** The header lines that the server lacks, complete, to paste. */
export const missingLines = (faults: readonly CorsFault[], policy: CorsPolicy): string[] => {
  const parts = new Set(faults.flatMap(({ kind }) => MENDS[kind]))
  const [origin, methods, headers, expose] = policyLines(policy)
  const lines = { origin, methods, headers, expose } as Record<keyof CorsPolicy, string>
  return (['origin', 'methods', 'headers', 'expose'] as const)
    .filter((part) => parts.has(part))
    .map((part) => lines[part])
}

/** The names of both, once. Those of the server are pasted elsewhere, so only plain ones are kept, and never `*`. */
const merged = (given: readonly string[], other: readonly string[]): string[] => {
  const names = new Map<string, string>()
  for (const name of [...given.filter((name) => /^[\w-]{1,100}$/.test(name)), ...other])
    if (!names.has(name.toLowerCase())) names.set(name.toLowerCase(), name)
  return [...names.values()]
}

const SPELLED = [...new Set(['Authorization', ...OF_ERA.handshake.headers, ...OF_ERA.stateless.headers])]

/** A header's name as the specification spells it. */
export const spelled = (name: string): string => SPELLED.find((known) => known.toLowerCase() === name) ?? name
