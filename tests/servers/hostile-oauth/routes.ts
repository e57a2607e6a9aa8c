/** Maps paths to endpoints. */
import * as well from './authorization-server.ts'
import { ENDPOINTS, type Endpoint, type Exchange, type Reply } from './kind.ts'
import { mcp } from './mcp.ts'

const CONTROLS = ['where', 'log', 'secrets', 'expire'] as const

export interface Found {
  readonly name: string
  readonly key: string | undefined
  readonly control?: (typeof CONTROLS)[number]
  readonly endpoint?: Endpoint
  /** For a document: one of `Places`. */
  readonly place: string
  /** Responds correctly, whatever the kind. */
  readonly moved: boolean
}

/** The start of a path, with the document and endpoint it identifies. */
const WELL_KNOWN: readonly (readonly [prefix: string, endpoint: Endpoint, place: string])[] = [
  ['/.well-known/oauth-protected-resource', 'resource-metadata', 'inserted'],
  ['/.well-known/oauth-authorization-server', 'server-metadata', 'oauth'],
  ['/.well-known/openid-configuration', 'server-metadata', 'oidc-inserted'],
]

/** What follows a world's path. */
const BELOW: Readonly<Record<string, readonly [endpoint: Endpoint, place: string]>> = {
  '/mcp': ['mcp', ''],
  '/prm': ['resource-metadata', 'custom'],
  '/as/.well-known/openid-configuration': ['server-metadata', 'oidc-appended'],
  '/as/register': ['register', ''],
  '/as/authorize': ['authorize', ''],
  '/as/token': ['token', ''],
  '/as/revoke': ['revoke', ''],
}

/** @param rooted the kind that owns the whole origin */
export const find = (path: string, rooted: string | undefined): Found | undefined => {
  const known = WELL_KNOWN.find(([prefix]) => path === prefix || path.startsWith(`${prefix}/`))
  const whole = known ? path.slice(known[0].length) : path
  const split =
    rooted === undefined
      ? /^\/([\w-]+)(?:\/(?!(?:mcp|prm|as|moved|where|log|secrets|expire)(?:\/|$))([\w-]+))?(\/.*)?$/.exec(whole)
      : [whole, rooted, undefined, whole]
  if (!split) return
  const [, name = '', key, rest = ''] = split
  const found = { name, key, place: '', moved: false }
  if (known) {
    const [, endpoint, place] = known
    if (rooted !== undefined && rest === '') {
      // The server itself is at the root, so there is no path to insert.
      return { ...found, endpoint, place: endpoint === 'resource-metadata' ? 'root' : place }
    }
    const inserted = endpoint === 'resource-metadata' ? '/mcp' : '/as'
    // A root server's issuer is the root.
    const there = rest === inserted && (rooted === undefined || endpoint === 'resource-metadata')
    return there ? { ...found, endpoint, place } : found
  }
  const control = CONTROLS.find((each) => rest === `/${each}`)
  if (control) return { ...found, control }
  const moved = ENDPOINTS.find((each) => rest === `/moved/${each}`)
  if (moved) return { ...found, endpoint: moved, moved: true }
  const [endpoint, place] = (Object.hasOwn(BELOW, rest) ? BELOW[rest] : undefined) ?? []
  return { ...found, ...(endpoint ? { endpoint } : {}), place: place ?? '' }
}

const nowhere: Reply = { status: 404, headers: { 'Content-Type': 'text/plain' }, text: 'Not found' }

/** 404 for a document at a place where the kind has none. */
export const elsewhere = ({ world, endpoint, place }: Exchange): Reply | undefined => {
  const { resourceMetadata = 'inserted', serverMetadata = ['oauth'] } = world.kind.places ?? {}
  const there = endpoint === 'resource-metadata' ? [resourceMetadata] : serverMetadata
  return place === '' || there.some((each) => each === place) ? undefined : nowhere
}

/** A correct server's response. */
export const wellFor = (exchange: Exchange): Reply | Promise<Reply> => {
  const { endpoint, request } = exchange
  if (endpoint !== 'mcp' && request.method !== (POSTED.has(endpoint) ? 'POST' : 'GET')) return { status: 405 }
  switch (endpoint) {
    case 'mcp':
      return mcp(exchange)
    case 'resource-metadata':
      return { status: 200, body: well.resourceMetadata(exchange) }
    case 'server-metadata':
      return { status: 200, body: well.serverMetadata(exchange) }
    case 'register':
      return well.register(exchange)
    case 'authorize':
      return well.authorize(exchange)
    case 'token':
      return well.token(exchange)
    case 'revoke':
      return well.revoke(exchange)
  }
}

const POSTED: ReadonlySet<Endpoint> = new Set(['register', 'token', 'revoke'])
