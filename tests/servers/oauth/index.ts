/**
 * Authorization as in the field: real authorization servers (oidc-provider), protected MCP servers (the official SDKs
 * behind a gate), an identity provider. `names.ts` lists everything, `consent.ts` is the user; controls are in
 * `issuers.ts` and `gate.ts`.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listen, type Peer } from '../listening.ts'
import { start as startModern } from '../modern/index.ts'
import { start as startVersed } from '../versed/index.ts'
import { makeGate, type Spot } from './gate.ts'
import { OLD_KIND, OLD_KIND_BARE, type IssuerKind } from './issuer-kinds.ts'
import { issuerOf, serveIssuers, serveKinds, type Issuers } from './issuers.ts'
import { makeKey } from './jwt.ts'
import { behind, type VariantName } from './names.ts'
import { OLD, ROOT, VARIANTS } from './variants.ts'
import { World } from './world.ts'

/** Origins. See `names.ts` for what each one serves. */
export interface OauthPeer extends Peer {
  readonly issuerUrl: string
  readonly rootUrl: string
  readonly url2025: string
  readonly url2025Bare: string
}

type Serve = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>

export const start = async (): Promise<OauthPeer> => {
  const keys = { machine: makeKey('machine'), workload: makeKey('workload'), issuer: makeKey('issuer') }
  const world = new World(keys)
  const [modern, versed, issuers, resources, root, old, oldBare] = await Promise.all([
    startModern(),
    startVersed(),
    open(),
    open(),
    open(),
    open(),
    open(),
  ])
  const servers: Record<keyof typeof behind, string> = {
    v1: `${versed.url}/v1/2025-11-25`,
    dual: `${modern.url}/dual`,
    modern: `${modern.url}/modern`,
  }
  const authorization = await serveIssuers(issuers.url, world)
  issuers.serve = authorization.serve
  const shared = {
    world,
    issuerOf: (kind: Parameters<typeof issuerOf>[1]) => issuerOf(issuers.url, kind),
    endGrants: authorization.endGrants,
  }

  const gate = makeGate({ ...shared, origin: resources.url, spotAt: (path) => spotAt(path) })
  resources.serve = gate.serve
  const spotAt = (path: string): Spot | undefined => {
    const [, server = '', name = '', key] = path.split('/')
    if (!Object.hasOwn(behind, server) || !Object.hasOwn(VARIANTS, name) || !key) return undefined
    const variant = VARIANTS[name as VariantName]
    return {
      variant,
      resource: resources.url + path,
      issuers: variant.issuers.map(shared.issuerOf),
      behind: `${servers[server as keyof typeof behind]}${path}`,
    }
  }

  const atOrigin = (origin: string, variant: Spot['variant'], issuer: string) => ({
    ...shared,
    origin,
    spotAt: (path: string): Spot | undefined =>
      path.startsWith('/.well-known/') || path.startsWith('/control/')
        ? undefined
        : { variant, resource: origin, issuers: [issuer], behind: `${servers.v1}/${new URL(origin).port}${path}` },
  })
  const rootGate = makeGate(atOrigin(root.url, ROOT, issuers.url))
  root.serve = rootGate.serve
  const olds = await Promise.all([old2025(old, OLD_KIND), old2025(oldBare, OLD_KIND_BARE)])
  const gates = [gate, rootGate, ...olds]
  world.describe = (resource) => gates.map((each) => each.describe(resource)).find((found) => found !== undefined)

  return {
    url: resources.url,
    issuerUrl: issuers.url,
    rootUrl: root.url,
    url2025: old.url,
    url2025Bare: oldBare.url,
    close: async () => {
      await Promise.all([issuers, resources, root, old, oldBare].map((peer) => peer.close()))
      await Promise.all([modern.close(), versed.close()])
    },
  }

  /** An MCP server and its authorization server on one origin: the former at `/mcp/…`, the latter everywhere else. */
  async function old2025(peer: Opened, kind: IssuerKind) {
    const own: Issuers = await serveKinds(peer.url, new Map([[peer.url, kind]]), world)
    const site = atOrigin(peer.url, OLD, peer.url)
    const isMcp = (path: string) => path === '/mcp' || path.startsWith('/mcp/')
    const ownGate = makeGate({
      ...site,
      endGrants: own.endGrants,
      spotAt: (path) => (isMcp(path) ? site.spotAt(path) : undefined),
    })
    peer.serve = async (request, response) =>
      (await ownGate.serve(request, response)) || (await own.serve(request, response))
    return ownGate
  }
}

interface Opened extends Peer {
  serve: Serve
}

/** Listens before its handler is set, because the handler needs the URL. */
const open = async (): Promise<Opened> => {
  const peer: { serve: Serve } = { serve: async () => false }
  const server = createServer((request, response) => {
    peer
      .serve(request, response)
      .then((served) => {
        if (!served) response.writeHead(404).end('Not found')
      })
      .catch((error: unknown) => {
        if (!response.headersSent) response.writeHead(500)
        response.end(String(error))
      })
  })
  return Object.assign(peer, await listen(server))
}
