/**
 * Protected MCP servers: a gate in front of real servers that requires a token as its variant says. Controls, over HTTP
 * as in `../control.ts`, for the path of an MCP endpoint:
 *
 *     seen          the requests it received, including those for its metadata, in order
 *     expire        rejects the access tokens issued for it so far, as if expired
 *     end-grants    invalidates its refresh tokens
 *     move {kinds}  switches to these authorization servers and rejects tokens of others
 *     new-nonce     the next DPoP proof needs another nonce (variant `dpop-nonces`)
 *     reset         clears all of this, and the requests seen
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { answerControl, record, type Seen } from '../control.ts'
import { allowPages, bodyOf } from '../listening.ts'
import { forward } from './forward.ts'
import { decodeJwt } from './jwt.ts'
import { SCOPES, TOOL_SCOPES, type IssuerKindName } from './names.ts'
import { TokenChecker, type Token } from './tokens.ts'
import type { Variant } from './variants.ts'
import type { Resource, World } from './world.ts'

/** An MCP endpoint behind the gate. */
export interface Spot {
  readonly variant: Variant
  /** The resource its tokens are for: its URL, or its origin. */
  readonly resource: string
  readonly issuers: readonly string[]
  /** The URL of the real server. */
  readonly behind: string
}

interface Site {
  readonly origin: string
  readonly world: World
  /** The endpoint at a path, if any. */
  spotAt(path: string): Spot | undefined
  issuerOf(kind: IssuerKindName): string
  endGrants(resource: string): void
}

export interface Gate {
  /** @returns whether the request was for a protected server */
  serve(request: IncomingMessage, response: ServerResponse): Promise<boolean>
  describe(resource: string): Resource | undefined
}

interface Place extends Spot {
  readonly path: string
  readonly seen: Seen[]
  readonly expired: Set<string>
  /** `jti` of proofs that were already used. */
  readonly proofs: Set<string>
  moved: readonly string[] | undefined
  nonce: string
}

const METADATA = '/.well-known/oauth-protected-resource'

/** More proofs than any test sends. */
const MOST_PROOFS = 10_000

export const makeGate = ({ origin, world, spotAt, issuerOf, endGrants }: Site): Gate => {
  const places = new Map<string, Place>()
  const checker = new TokenChecker()
  const placeAt = (path: string): Place | undefined => {
    const spot = spotAt(path)
    const fresh = {
      path,
      seen: [],
      expired: new Set<string>(),
      proofs: new Set<string>(),
      moved: undefined,
      nonce: randomUUID(),
    }
    const place = places.get(path) ?? (spot && { ...spot, ...fresh })
    if (place) places.set(path, place)
    return place
  }
  const known = (path: string): Place => {
    const place = placeAt(path)
    if (!place) throw new Error(`There is no protected server at ${path}`)
    return place
  }
  const controls = {
    seen: (path: string) => known(path).seen,
    expire: (path: string) => {
      const { expired, resource } = known(path)
      for (const id of world.issuedFor(resource)) expired.add(id)
    },
    'end-grants': (path: string) => endGrants(known(path).resource),
    move: (path: string, { kinds }: { readonly kinds?: unknown }) =>
      void (known(path).moved = (kinds as IssuerKindName[]).map(issuerOf)),
    'new-nonce': (path: string) => void (known(path).nonce = randomUUID()),
    reset: (path: string) => void places.delete(path),
  }

  return {
    serve: async (request, response) => {
      const { pathname } = new URL(request.url ?? '/', origin)
      if (pathname.startsWith(METADATA)) return serveMetadata(pathname.slice(METADATA.length), request, response)
      const controlled = /^\/control\/[\w-]+(\/.*)$/.exec(pathname)?.[1]
      if (controlled !== undefined && spotAt(controlled)) return answerControl(request, response, controls)
      const place = placeAt(pathname)
      if (!place) return false
      if (allow(place.variant, request, response)) return true
      await guard(place, request, response)
      return true
    },
    describe: (resource) => {
      const path = resource.startsWith(`${origin}/`) ? resource.slice(origin.length) : undefined
      const spot = path === undefined ? undefined : spotAt(path)
      const found = spot ?? (resource === origin ? spotAt('/mcp') : undefined)
      return found && { audience: found.resource, format: found.variant.format, ttl: found.variant.ttl }
    },
  }

  function serveMetadata(path: string, request: IncomingMessage, response: ServerResponse): boolean {
    // At the root, one document serves all paths.
    const place = placeAt(path === '' ? '/mcp' : path)
    if (!place) return false
    const { variant } = place
    if (variant.closed === 'metadata') {
      if (request.method === 'OPTIONS') return (response.writeHead(404).end(), true)
    } else if (allowPages(request, response)) return true
    record(place.seen, request, { metadata: request.url })
    if (variant.metadata !== (path === '' ? 'root' : 'path')) return (response.writeHead(404).end('Not found'), true)
    const document = {
      resource: place.resource,
      authorization_servers: place.moved ?? place.issuers,
      ...(variant.scopesSupported ? { scopes_supported: variant.scopesSupported } : {}),
      bearer_methods_supported: ['header'],
      resource_name: 'A protected server of the tests',
      ...(variant.dpop
        ? { dpop_bound_access_tokens_required: true, dpop_signing_alg_values_supported: ['ES256', 'EdDSA'] }
        : {}),
    }
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(document))
    return true
  }

  async function guard(place: Place, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = request.method === 'POST' ? await bodyOf(request) : ''
    const message = parsed(body)
    record(place.seen, request, message)
    const { asks } = place.variant
    const call = callOf(message)
    if (asks === 'always' || (asks === 'calls' && call !== undefined)) {
      const refusal = await refuse(place, request, call)
      if (refusal) return sendRefusal(place, refusal, response)
    }
    await forward(place.behind, body, request, response)
  }

  async function refuse(
    place: Place,
    request: IncomingMessage,
    call: string | undefined,
  ): Promise<Refusal | undefined> {
    const { authorization } = request.headers
    if (authorization === undefined) return { status: 401 }
    const [, scheme = '', token = ''] = /^(bearer|dpop) +([\w.~+/=-]+)$/i.exec(authorization) ?? []
    if (token === '') return { status: 400, error: 'invalid_request', description: 'Authorization cannot be read' }
    const { variant, expired } = place
    const dpop = variant.dpop !== undefined
    let found: Token
    try {
      if (dpop && scheme.toLowerCase() !== 'dpop') throw new Error('the token must be bound to a key')
      const nonce = variant.dpop === 'nonces' ? place.nonce : undefined
      const missing = dpop ? checkProof(place, request, nonce) : undefined
      if (missing) return missing
      const issuers = place.moved ?? place.issuers
      found = await checker.check(token, asRequest(request), { audience: place.resource, issuers, dpop })
      if (expired.has(found.id)) throw new Error('the token has expired')
    } catch (error) {
      return { status: 401, error: 'invalid_token', description: (error as Error).message }
    }
    const needed = [SCOPES[0], TOOL_SCOPES[call ?? '']].filter((scope) => scope !== undefined)
    const missing = needed.filter((scope) => !found.scopes.includes(scope))
    if (missing.length === 0) return undefined
    const description = `This needs ${missing.join(' and ')}`
    return { status: 403, error: 'insufficient_scope', scope: missing.join(' '), description }
  }

  function asRequest({ method, headers, url }: IncomingMessage): Request {
    const copy = new Headers()
    for (const name of ['authorization', 'dpop']) if (headers[name] !== undefined) copy.set(name, String(headers[name]))
    return new Request(new URL(url ?? '/', origin), { method, headers: copy })
  }

  function sendRefusal(
    { path, variant, nonce }: Place,
    { status, error, description, scope }: Refusal,
    response: ServerResponse,
  ): void {
    if (variant.closed === 'refusals') {
      for (const name of response.getHeaderNames()) if (/^access-control-/.test(name)) response.removeHeader(name)
    }
    if (variant.challenge) {
      const asked = scope ?? (variant.challenge.scope ? SCOPES[0] : undefined)
      const parameters = [
        error && `error="${error}"`,
        description && `error_description="${description.replaceAll(/["\\]/g, "'")}"`,
        asked && `scope="${asked}"`,
        variant.challenge.metadata && `resource_metadata="${origin}${METADATA}${path}"`,
        variant.dpop && 'algs="ES256 EdDSA"',
      ].filter(Boolean)
      const scheme = variant.dpop ? 'DPoP' : 'Bearer'
      response.setHeader('WWW-Authenticate', `${scheme} ${parameters.join(', ')}`.trim())
    }
    if (variant.dpop === 'nonces') response.setHeader('DPoP-Nonce', nonce)
    response.writeHead(status, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify({ error: error ?? 'unauthorized', error_description: description }))
  }
}

interface Refusal {
  readonly status: 400 | 401 | 403
  readonly error?: string
  readonly description?: string
  readonly scope?: string
}

/** Sets the CORS headers of a variant. @returns whether the request has already been answered */
const allow = ({ exposed }: Variant, request: IncomingMessage, response: ServerResponse): boolean => {
  const answered = allowPages(request, response)
  const headers = ['Mcp-Session-Id', 'DPoP-Nonce', ...(exposed ? ['WWW-Authenticate'] : [])]
  if (!answered) response.setHeader('Access-Control-Expose-Headers', headers.join(', '))
  return answered
}

/** Nonce and replay (RFC 9449 sections 9 and 11.1); everything else in a proof is checked with the token. */
const checkProof = (
  { proofs }: Place,
  { headers }: IncomingMessage,
  nonce: string | undefined,
): Refusal | undefined => {
  const { claims } = decodeJwt(String(headers['dpop'] ?? ''))
  if (nonce !== undefined && claims['nonce'] !== nonce)
    return { status: 401, error: 'use_dpop_nonce', description: 'The proof needs the nonce of DPoP-Nonce' }
  const id = String(claims['jti'])
  if (proofs.has(id)) throw new Error('the proof was used before')
  if (proofs.size < MOST_PROOFS) proofs.add(id)
  return undefined
}

const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body) as unknown
  } catch {
    return undefined
  }
}

/** The tool that a message calls. */
const callOf = (message: unknown): string | undefined => {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: { name?: unknown } }
  return method === 'tools/call' ? String(params?.name) : undefined
}
