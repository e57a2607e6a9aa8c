/**
 * Routes a request to its authorization server. Controls, over HTTP as in `../control.ts`, for an issuer:
 *
 *     log {…}             the requests it received, as in `request-log.ts`, filtered by the given members
 *     sign-in {url, …}    submits the forms for a test in a page: `consent.ts`
 *     publish {url, document}   publishes a client ID metadata document, for all issuers
 *     keys                the private key of the client `machineKey`, as a JWK and as PKCS #8 in PEM
 *     id-token {…}        an ID token of the kind `idp`; the given members replace claims
 *     workload-token {…}  a workload's JWT for this issuer; the given members replace claims
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { answerControl } from '../control.ts'
import { allowPages } from '../listening.ts'
import { idToken, workloadToken } from './assertions.ts'
import { makeAuthorizationServer, type AuthorizationServer } from './authorization-server.ts'
import { signInHeadlessly } from './consent.ts'
import { ISSUER_KINDS, type IssuerKind } from './issuer-kinds.ts'
import { privateJwk } from './jwt.ts'
import { issuerKinds, type IssuerKindName } from './names.ts'
import { RequestLog } from './request-log.ts'
import type { World } from './world.ts'

export interface Issuers {
  /** @returns whether the request was for an authorization server */
  serve(request: IncomingMessage, response: ServerResponse): Promise<boolean>
  endGrants(resource: string): void
}

export const issuerOf = (origin: string, kind: IssuerKindName): string =>
  kind === 'plain' ? origin : `${origin}/${kind}`

/** All kinds on one origin. */
export const serveIssuers = (origin: string, world: World): Promise<Issuers> =>
  serveKinds(
    origin,
    new Map((Object.keys(issuerKinds) as IssuerKindName[]).map((name) => [issuerOf(origin, name), ISSUER_KINDS[name]])),
    world,
  )

/** @param kinds by issuer, all on the same origin */
export const serveKinds = async (
  origin: string,
  kinds: ReadonlyMap<string, IssuerKind>,
  world: World,
): Promise<Issuers> => {
  const log = new RequestLog()
  const neighbours = { world, log, idp: issuerOf(origin, 'idp'), enterprise: issuerOf(origin, 'enterprise') }
  const made = new Map<string, Promise<AuthorizationServer>>()
  const serverFor = (issuer: string): Promise<AuthorizationServer> | undefined => {
    const kind = kinds.get(issuer)
    const server = made.get(issuer) ?? (kind && makeAuthorizationServer(issuer, kind, neighbours))
    if (server) made.set(issuer, server)
    return server
  }
  const controls = {
    log: (place: string, fits: object) => log.find(place, { ...fits }),
    'sign-in': async (_place: string, { url, ...choice }: { readonly url?: unknown }) =>
      (await signInHeadlessly(String(url), choice)).href,
    publish: (_place: string, { url, document }: { readonly url?: unknown; readonly document?: unknown }) =>
      world.publish(String(url), document),
    keys: () => ({
      jwk: privateJwk(world.keys.machine),
      pem: world.keys.machine.privateKey.export({ type: 'pkcs8', format: 'pem' }),
    }),
    'id-token': (_place: string, claims: object) => idToken(world, neighbours.idp, { ...claims }),
    'workload-token': (place: string, claims: object) =>
      workloadToken(world, place === '/' ? origin : origin + place, { ...claims }),
  }

  return {
    serve: async (request, response) => {
      if (await answerControl(request, response, controls)) return true
      const asked = read(request.url ?? '/', origin, kinds)
      if (!asked) return false
      const { issuer, path, allowed } = asked
      const server = await serverFor(issuer)
      if (!server) return false
      if (!allowed) {
        if (allowPages(request, response)) return true
        const mount = new URL(issuer).pathname
        const { method = '', url = '', headers } = request
        log.add({ issuer: mount, endpoint: 'metadata', method, url, headers, parameters: {}, status: 404 })
        response.writeHead(404).end('Not found')
        return true
      }
      await server.serve(path, request, response)
      return true
    },
    endGrants: (resource) => {
      for (const server of made.values()) void server.then((each) => each.endGrants(resource))
    },
  }
}

interface Asked {
  readonly issuer: string
  /** oidc-provider's path. */
  readonly path: string
  /** Whether the kind serves anything at that URL. */
  readonly allowed: boolean
}

const read = (url: string, origin: string, kinds: ReadonlyMap<string, IssuerKind>): Asked | undefined => {
  const { pathname, search } = new URL(url, origin)
  const inserted = /^\/\.well-known\/(oauth-authorization-server|openid-configuration)(\/.*)?$/.exec(pathname)
  if (inserted) {
    const [, document = '', mount = ''] = inserted
    const kind = kinds.get(origin + mount)
    if (!kind) return undefined
    const place = document === 'openid-configuration' ? 'openid-inserted' : 'oauth-inserted'
    return { issuer: origin + mount, path: `/.well-known/${document}${search}`, allowed: kind.metadata.includes(place) }
  }
  const [, first = ''] = pathname.split('/')
  const mounted = kinds.has(`${origin}/${first}`)
  const issuer = mounted ? `${origin}/${first}` : origin
  const path = mounted ? pathname.slice(first.length + 1) : pathname
  const kind = kinds.get(issuer)
  if (!kind) return undefined
  const allowed = path.startsWith('/.well-known/')
    ? path === '/.well-known/openid-configuration' && kind.metadata.includes('openid-appended')
    : true
  return { issuer, path: path + search, allowed }
}
