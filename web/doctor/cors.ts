/**
 * What a browser requires of a server on another origin, judged as the Fetch standard does, from responses that only the
 * local proxy can see in full.
 * @see https://fetch.spec.whatwg.org/#http-cors-protocol
 */
import { headerIn, unsafeHeaders, type HeaderList } from '../mcp/index.ts'
import { parsedUrl } from '../mcp/url.ts'

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

/** Other origins that are named. */
const MOST_ORIGINS = 5

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
  /** Other origins that the server allows already. A response names only one origin, but lists of settings keep these. */
  readonly otherOrigins?: readonly string[]
  readonly methods: readonly string[]
  readonly headers: readonly string[]
  readonly expose: readonly string[]
}

/**
 * The least that a server must allow.
 * @param era of the protocol version, whose later requests need further headers; both if it isn't known
 */
export const corsPolicy = (
  { origin, method, headers }: RefusedRequest,
  era?: 'handshake' | 'stateless',
): CorsPolicy => {
  const eras = era ? [OF_ERA[era]] : [OF_ERA.handshake, OF_ERA.stateless]
  const asked = unsafeHeaders(headers).map(spelled)
  return {
    origin,
    methods: distinct([...eras.flatMap(({ methods }) => methods), method]),
    headers: distinct([...asked, ...eras.flatMap(({ headers }) => headers)]),
    expose: distinct(eras.flatMap(({ expose }) => expose)),
  }
}

/** The policy as header lines. */
export const policyLines = ({ origin, methods, headers, expose }: CorsPolicy): string[] => [
  `${HEADER_OF.origin}: ${origin}`,
  `${HEADER_OF.methods}: ${methods.join(', ')}`,
  `${HEADER_OF.headers}: ${headers.join(', ')}`,
  `${HEADER_OF.expose}: ${expose.join(', ')}`,
]

/** What the relay saw of the responses themselves: what they expose, and what they hide although pages need it. */
export interface Exposure {
  readonly exposed: readonly string[]
  readonly hidden: readonly string[]
}

export type Setting = Exclude<keyof CorsPolicy, 'otherOrigins'>

export interface CorsRemedy {
  /** The settings as they must be: what the server allows already, and what it lacks. */
  readonly policy: CorsPolicy
  /** What it lacks, by setting. Those that are right are left out. */
  readonly additions: Partial<Record<Setting, readonly string[]>>
  /** The server sends no CORS headers, or none that count, so all of the policy is missing. */
  readonly isWhole: boolean
}

/** Faults in the origin. The response to OPTIONS says nothing of `response`, but then nothing else is wrong. */
const OF_ORIGIN: ReadonlySet<CorsFault['kind']> = new Set(['no-origin', 'other-origin', 'several-origins', 'response'])

/**
 * What the server has to add, given its response to OPTIONS: what the refused request needs, and what later requests of the
 * same lifecycle do.
 * @param exposure absent: the page knows of no response with CORS headers
 */
export const corsRemedy = (
  faults: readonly CorsFault[],
  refused: RefusedRequest,
  { status, headers }: Answered,
  { era, exposure }: { readonly era?: 'handshake' | 'stateless'; readonly exposure?: Exposure | undefined } = {},
): CorsRemedy => {
  const otherOrigins = originsIn(faults).filter((origin) => origin !== refused.origin)
  const needed: CorsPolicy = { ...corsPolicy(refused, era), ...(otherOrigins.length > 0 ? { otherOrigins } : {}) }
  const kinds = new Set(faults.map(({ kind }) => kind))
  if (faults.length === 0 || kinds.has('blocked-port')) return { policy: needed, additions: {}, isWhole: false }
  // The headers of an error page say nothing about those of a right response.
  const isRight = status >= 200 && status < 300
  if (!isRight || !headers.some(([name]) => /^access-control-allow-/i.test(name))) {
    const { origin, methods, headers, expose } = needed
    return { policy: needed, additions: { origin: [origin], methods, headers, expose }, isWhole: true }
  }
  const methods = listIn(headers, 'access-control-allow-methods')
  const allowed = listIn(headers, 'access-control-allow-headers')
  const hasOrigin = !faults.some(({ kind }) => OF_ORIGIN.has(kind))
  const lacking = (names: readonly string[], known: readonly string[]) => {
    const missing = new Set(missingIn(known, names.map((name) => name.toLowerCase()))) // prettier-ignore
    return names.filter((name) => missing.has(name.toLowerCase()))
  }
  const additions = {
    origin: hasOrigin ? [] : [refused.origin],
    // In this case exactly, as browsers compare them.
    methods: methods.includes('*')
      ? []
      : needed.methods.filter((method) => !SAFE_METHODS.has(method) && !methods.includes(method)),
    headers: lacking(needed.headers, allowed),
    // A server with another origin may send this header only to that one.
    expose: exposure?.hidden ?? (hasOrigin ? [] : needed.expose),
  }
  return {
    policy: {
      ...needed,
      methods: merged(
        methods.map((method) => needed.methods.find((each) => each === method.toUpperCase()) ?? method),
        needed.methods,
      ),
      headers: merged(allowed, allowed.includes('*') ? additions.headers : needed.headers),
      expose: merged((exposure?.exposed ?? []).map(spelled), additions.expose),
    },
    additions: Object.fromEntries(Object.entries(additions).filter(([, names]) => names.length > 0)),
    isWhole: false,
  }
}

export const HEADER_OF: Readonly<Record<Setting, string>> = {
  origin: 'Access-Control-Allow-Origin',
  methods: 'Access-Control-Allow-Methods',
  headers: 'Access-Control-Allow-Headers',
  expose: 'Access-Control-Expose-Headers',
}

/** In the order of `policyLines`. */
export const settingsIn = ({ additions }: CorsRemedy): Setting[] =>
  (['origin', 'methods', 'headers', 'expose'] as const).filter((setting) => additions[setting])

/** The header lines that the server lacks, complete, to paste. */
export const missingLines = (remedy: CorsRemedy): string[] => {
  const [origin, methods, headers, expose] = policyLines(remedy.policy)
  const lines = { origin, methods, headers, expose } as Record<Setting, string>
  return settingsIn(remedy).map((setting) => lines[setting])
}

const distinct = (all: readonly string[]): string[] => {
  const names = new Map<string, string>()
  for (const name of all) if (!names.has(name.toLowerCase())) names.set(name.toLowerCase(), name)
  return [...names.values()]
}

/**
 * The names of both, once. Those of the server are pasted elsewhere, so only plain ones are kept; and `*`, because without it
 * the server would refuse what it allows now.
 */
const merged = (given: readonly string[], other: readonly string[]): string[] =>
  distinct([...given.filter((name) => name === '*' || /^[\w-]{1,100}$/.test(name)), ...other])

/** The origins that the server allows instead of this one. They are pasted elsewhere as well. */
const originsIn = (faults: readonly CorsFault[]): string[] =>
  distinct(
    faults
      .flatMap((fault) => (fault.kind === 'other-origin' || fault.kind === 'several-origins' ? [fault.found] : []))
      .flatMap((found) => found.split(','))
      .map((origin) => origin.trim())
      .filter((origin) => /^https?:\/\/[\w.:[\]-]{1,100}$/.test(origin) && parsedUrl(origin)?.origin === origin),
  ).slice(0, MOST_ORIGINS)

const SPELLED = [...new Set(['Authorization', ...OF_ERA.handshake.headers, ...OF_ERA.stateless.headers])]

/** A header's name as the specification spells it. */
export const spelled = (name: string): string => SPELLED.find((known) => known.toLowerCase() === name) ?? name
