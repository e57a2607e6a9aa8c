/**
 * Starts the servers that tests use, once for both projects, and provides their URLs: `inject('everythingUrl')` in a
 * test.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import type { TestProject } from 'vitest/node'
import { createApp } from '../proxy/app.ts'
import { createToken, hostsFor } from '../proxy/guard.ts'
import { Pages } from '../proxy/pages.ts'
import { startAll } from './servers/index.ts'

/** Plain strings only, because they are passed to the browser. */
declare module 'vitest' {
  export interface ProvidedContext {
    /** MCP endpoints of the peers in `tests/servers/`. */
    everythingUrl: string
    cuttingUrl: string
    hostileUrl: string
    /**
     * The official SDK v2; add `/<anything>` for a separate place. `modernUrl` supports 2026-07-28 and the handshake,
     * `modernOnlyUrl` rejects the handshake, `modernNoCorsUrl` is `modernUrl` without a CORS header.
     */
    modernUrl: string
    modernOnlyUrl: string
    modernNoCorsUrl: string
    /** The official SDK v1 over HTTP+SSE. */
    sseUrl: string
    /** HTTP+SSE without an SDK: add `/<variant>/<anything>/sse`, a variant of `servers/sse/variants.ts`. */
    sseVariantsUrl: string
    /**
     * Stateless and handshake servers without an SDK, and tasks: add `/<kind>/<anything>`, a kind of
     * `servers/eras/kinds.ts`.
     */
    erasUrl: string
    /** Opens a session, then sends garbage: add `/<anything>?kind=<kind>`, a kind of `servers/garbage-kinds.ts`. */
    garbageUrl: string
    /**
     * Both SDKs with the same tools: add `/v1/<newest>/<key>`, `/sse/<newest>/<key>` or `/v2/<key>` (see
     * `servers/versed`).
     */
    versedUrl: string
    /** Protected servers: add `/<behind>/<variant>/<key>` (`servers/oauth/names.ts`). */
    oauthUrl: string
    /** Their authorization servers: add nothing, or `/<kind>` (`servers/oauth/names.ts`). */
    oauthIssuerUrl: string
    /**
     * Protected servers, each on its own origin (`servers/oauth/names.ts`): add `/<key>`, and `/mcp/<key>` to the
     * others.
     */
    oauthRootUrl: string
    oauth2025Url: string
    oauth2025BareUrl: string
    /**
     * Protected servers, each with an authorization server that is wrong in one way: use `worldOf(hostileOauthUrl,
     * kind, key)` from `servers/hostile-oauth/control.ts`, with a kind of `servers/hostile-oauth/kinds.ts`. The other
     * URL is the origin that must never receive a secret.
     */
    hostileOauthUrl: string
    hostileOauthEvilUrl: string
    /**
     * Every feature, with both ways of requesting input: add `/v1/<key>` (2025-11-25) or `/v2/<key>` (2026-07-28)
     * (`servers/rich`).
     */
    richUrl: string
    /** Model endpoints: add `/<road>/<fault>/<key>` (`servers/models`). */
    modelsUrl: string
    /** Both SDKs and faults over WebSocket (`servers/web-socket`). */
    webSocketUrl: string
    /** The folder of the Unix sockets (`servers/socket`). */
    socketFolder: string
    /** Origin of a running proxy without a page, such as `http://127.0.0.1:40001`. */
    proxyUrl: string
    proxyToken: string
    /** For spawning servers through the proxy: the path of this Node and the project's root folder. */
    nodePath: string
    root: string
    /** An empty folder that the tests of one run share, removed at its end. */
    runFolder: string
  }
}

export default async (project: TestProject): Promise<() => Promise<void>> => {
  const [peers, proxy] = await Promise.all([startAll(), startProxy()])
  project.provide('everythingUrl', peers.everything)
  project.provide('cuttingUrl', peers.cutting)
  project.provide('hostileUrl', peers.hostile)
  project.provide('modernUrl', peers.modern)
  project.provide('modernOnlyUrl', peers.modernOnly)
  project.provide('modernNoCorsUrl', peers.modernNoCors)
  project.provide('sseUrl', peers.sse)
  project.provide('sseVariantsUrl', peers.sseVariants)
  project.provide('erasUrl', peers.eras)
  project.provide('garbageUrl', peers.garbage)
  project.provide('versedUrl', peers.versed)
  project.provide('oauthUrl', peers.oauth)
  project.provide('oauthIssuerUrl', peers.oauthIssuer)
  project.provide('oauthRootUrl', peers.oauthRoot)
  project.provide('oauth2025Url', peers.oauth2025)
  project.provide('oauth2025BareUrl', peers.oauth2025Bare)
  project.provide('hostileOauthUrl', peers.hostileOauth)
  project.provide('hostileOauthEvilUrl', peers.hostileOauthEvil)
  project.provide('richUrl', peers.rich)
  project.provide('modelsUrl', peers.models)
  project.provide('webSocketUrl', peers.webSocket)
  project.provide('socketFolder', peers.sockets)
  project.provide('proxyUrl', proxy.url)
  project.provide('proxyToken', proxy.token)
  project.provide('nodePath', process.execPath)
  project.provide('root', join(import.meta.dirname, '..'))
  const runFolder = mkdtempSync(join(tmpdir(), 'periscope-run-'))
  project.provide('runFolder', runFolder)
  return async () => {
    await Promise.all([peers.close(), proxy.close()])
    rmSync(runFolder, { recursive: true, force: true })
  }
}

const startProxy = async (): Promise<{ url: string; token: string; close(): Promise<void> }> => {
  // A worker that computes for a minute, on a busy machine, must not lose a connection that it has just opened.
  const server = createServer({ keepAliveTimeout: 120_000, headersTimeout: 0, requestTimeout: 0 })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const token = createToken()
  // Some tests expect the exit code of a process, which on a busy machine needs seconds to exit.
  const pages = new Pages({ stdinGrace: 5_000 })
  const app = createApp({ token, allowedHosts: hostsFor('127.0.0.1', port), pages })
  const listener = getRequestListener(app.fetch)
  server.on('request', (request, response) => {
    if (!asOwnPage(request, response)) void listener(request, response)
  })
  return { url: `http://127.0.0.1:${port}`, token, close: () => stop(server, pages) }
}

/**
 * The proxy accepts its own page only, but tests in Chromium run in Vitest's page. So here their requests are rewritten
 * to look like the proxy's own page; the guard's tests cover the rejection of others.
 *
 * @returns whether the request has already been answered
 */
const asOwnPage = (request: IncomingMessage, response: ServerResponse): boolean => {
  const { origin } = request.headers
  if (origin === undefined) return false
  delete request.headers.origin
  const at = request.rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'origin')
  if (at !== -1) request.rawHeaders.splice(at, 2)
  response.setHeader('Access-Control-Allow-Origin', origin)
  if (request.method !== 'OPTIONS') return false
  response.setHeader('Access-Control-Allow-Methods', 'GET, POST, DELETE')
  response.setHeader('Access-Control-Allow-Headers', request.headers['access-control-request-headers'] ?? '')
  response.setHeader('Access-Control-Allow-Private-Network', 'true')
  response.writeHead(204).end()
  return true
}

const stop = async (server: Server, pages: Pages): Promise<void> => {
  await pages.close()
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeAllConnections()
  await closed
}
