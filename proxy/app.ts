/** The proxy as a Hono app: the routes of `wire.ts`, and the built page. */
import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono, type MiddlewareHandler } from 'hono'
import type { ClientCertificate } from './client-certificate.ts'
import { readClientFiles } from './client-files.ts'
import type { ServerWatch } from './file-watch.ts'
import type { Environment } from './forward-proxy.ts'
import { type GuardOptions, LAUNCH_PATH, guard, isApi } from './guard.ts'
import type { LaunchCodes, RedeemResult } from './launch.ts'
import { checkNetwork } from './network-check.ts'
import type { Pages } from './pages.ts'
import { Refusal } from './refusal.ts'
import { Relay } from './relay.ts'
import { readRelayRequest } from './relay-request.ts'
import type { Lookup } from './public-address.ts'
import {
  readBody,
  readChildRequest,
  readCredit,
  readLastEventId,
  readLaunchCode,
  readNetworkRequest,
  readNumber,
  readWatchRequest,
} from './requests.ts'
import type { ClientFile, ClientFiles, Hello, Launched, ProxyError } from './wire.ts'

/** Its URL contains the authorization response, so it must not be cached. */
const CALLBACK = '/oauth/callback.html'

const NOT_BUILT = `Periscope's page is not built yet.

Run \`npm run build\` in the project, then reload. (\`npm start\` builds it automatically.)
`

/**
 * Serves the built page: compressed if the build has a compressed file, cacheable if the name contains a hash.
 * @param root the folder with `index.html`; checked on each request, so that a later build is found
 */
function servePage(root: string): MiddlewareHandler {
  let serve: MiddlewareHandler | undefined
  return async (c, next) => {
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') return next()
    if (!existsSync(join(root, 'index.html'))) return c.text(NOT_BUILT, 503, { 'Cache-Control': 'no-store' })
    serve ??= serveStatic({ root, precompressed: true })
    let found = true
    const response = await serve(c, () => {
      found = false
      return next()
    })
    if (!found || !response) return
    // Set on the response: serveStatic reports a found file only after it has created the response.
    const hashed = c.req.path.startsWith('/assets/')
    response.headers.set('Cache-Control', hashed ? 'public, max-age=31536000, immutable' : unhashed(c.req.path))
    // On uncompressed responses as well: without it, a shared cache would serve one encoding to all clients.
    response.headers.set('Vary', 'Accept-Encoding')
    return response
  }
}

const unhashed = (path: string) => (path === CALLBACK ? 'no-store' : 'no-cache')

/** A file named on the command line. */
export interface SharedFile {
  readonly path: string
  readonly name: string
  /** Bytes at launch. */
  readonly size: number
}

export interface AppOptions extends GuardOptions {
  /** Owns the children. Close it before the process ends. */
  readonly pages: Pages
  /** Codes that can be exchanged for the token. Absent if the page gets the token elsewhere. */
  readonly codes?: LaunchCodes
  /** What starts the proxy again (`ownCommand`). */
  readonly own?: string
  /** The server named on the command line. */
  readonly launch?: Hello['launch']
  /** The files of `--watch`. */
  readonly watch?: ServerWatch
  readonly recording?: SharedFile
  /** `server`: the only one of its servers to show. */
  readonly config?: SharedFile & { readonly server?: string }
  /** Reads the configuration files of MCP clients. Default: those on this machine. */
  readonly clientFiles?: () => Promise<readonly ClientFile[]>
  /** Identifies the relay to one server. */
  readonly clientCertificate?: ClientCertificate | undefined
  /** The folder of the built page. Without it, only the API is served. */
  readonly dist?: string
  /** Resolves names for requests to public addresses. Default: the system's resolver. */
  readonly lookup?: Lookup
  /** Names the proxies of the user's network. Default: that of this process. */
  readonly env?: Environment
}

/**
 * Security headers of the page and its API (rule 18): the content security policy and others.
 *
 * `connect-src *`: the page is an MCP client and talks to any server. `style-src`: the editor and the split panes inject
 * styles. `Cross-Origin-Opener-Policy` keeps the connection to popups, which OAuth needs.
 */
const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    // Remote images would tell their host who views what (SEC-02, ICON-03).
    "img-src 'self' data: blob:",
    'media-src data: blob:',
    'connect-src *',
    "worker-src 'self' blob:",
    "frame-src 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

export function createApp(options: AppOptions): Hono {
  const { token, allowedHosts, pages, codes, own, launch, watch, recording, config, dist, lookup, env } = options
  const app = new Hono()
  const { limits } = pages
  const relay = new Relay(allowedHosts, limits, { lookup, env, clientCertificate: options.clientCertificate })

  app.use(async (c, next) => {
    await next()
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) c.res.headers.set(name, value)
    // The sign-in popup starts here and then navigates to another site. Any other policy would sever its opener at that
    // point: `same-origin-allow-popups` covers popups that the page opens, but not the popup's own navigation.
    if (c.req.path === CALLBACK) c.res.headers.set('Cross-Origin-Opener-Policy', 'unsafe-none')
    if (isApi(c)) c.res.headers.set('Cache-Control', 'no-store')
  })
  app.use(guard({ token, allowedHosts }))

  app.post(LAUNCH_PATH, async (c) => {
    const redeemed = codes?.redeem(await readLaunchCode(c)) ?? 'unknown'
    if (redeemed !== 'ok') throw launchRefusal(redeemed)
    const launched: Launched = { token }
    return c.json(launched)
  })

  app.get('/api/hello', (c) => {
    const hello: Hello = {
      name: 'periscope',
      version: __VERSION__,
      platform: process.platform,
      cwd: process.cwd(),
      own,
      ...(pages.transports.length > 0 ? { transports: pages.transports.map(({ name }) => name) } : {}),
      launch,
      watch: watch?.globs,
      recording: recording && { name: recording.name, size: recording.size },
      config: config && { name: config.name, size: config.size, server: config.server },
    }
    return c.json(hello)
  })

  app.post('/api/network', async (c) =>
    c.json(await checkNetwork(await readNetworkRequest(c, limits.relayHead), { env })),
  )

  app.post('/api/watch', async (c) => {
    if (!watch) throw new Refusal(404, WATCHES_NOTHING)
    // Relative ones are those of the child (`SpawnRequest.cwd`).
    return c.json(watch.moveTo(resolve((await readWatchRequest(c, limits.relayHead)) ?? '.')))
  })

  app.get('/api/recording', async (c) => {
    if (!recording) throw recordingUnavailable('Periscope was started without a recording.')
    try {
      return c.body(await contentOf(recording), 200, OPAQUE)
    } catch (error) {
      throw recordingUnavailable(`Can't read the recording: ${(error as Error).message}.`)
    }
  })

  app.get('/api/config', async (c) => {
    if (!config) throw configUnavailable('Periscope was started without a configuration.')
    try {
      return c.body(await contentOf(config), 200, OPAQUE)
    } catch (error) {
      throw configUnavailable(`Can't read the configuration: ${(error as Error).message}.`)
    }
  })

  app.get('/api/clients', async (c) => {
    const found: ClientFiles = { files: await (options.clientFiles ?? readClientFiles)() }
    return c.json(found)
  })

  app.get('/api/pages/:page/events', (c) => {
    const after = readLastEventId(c)
    return c.body(pages.listen(c.req.param('page'), after), 200, {
      'Content-Type': 'application/octet-stream',
      // Proxies in between (containers, port forwarding of editors) must not buffer frames.
      'X-Accel-Buffering': 'no',
    })
  })

  app.post('/api/pages/:page/children', async (c) => {
    const { signal } = c.req.raw
    const page = c.req.param('page')
    const request = await readChildRequest(c, limits.body)
    const spawned = await pages.start(page, request)
    // The page is gone and will never learn the child's name.
    if (signal.aborted) pages.find(page)?.endChild(spawned.child)
    return c.json(spawned, 201)
  })

  app.post('/api/pages/:page/children/:child/stdin', async (c) => {
    const known = pages.find(c.req.param('page')) ?? pageNotFound()
    const taken = await known.write(c.req.param('child'), await readBody(c, limits.stdin))
    return c.body(null, taken ? 204 : 202)
  })

  app.delete('/api/pages/:page/children/:child', (c) => {
    const known = pages.find(c.req.param('page')) ?? pageNotFound()
    known.endChild(c.req.param('child'))
    return c.body(null, 202)
  })

  app.get('/api/pages/:page/processes/:pid', async (c) => {
    const known = pages.find(c.req.param('page')) ?? pageNotFound()
    return c.json(await known.usage(Number(c.req.param('pid'))))
  })

  app.delete('/api/pages/:page', (c) => {
    // An unknown page has nothing to end, so this also succeeds.
    pages.end(c.req.param('page'))
    return c.body(null, 202)
  })

  app.post('/api/pages/:page/relay/:request', async (c) => {
    const number = readNumber(c.req.param('request'))
    const received = await readRelayRequest(c, limits)
    const relayed = pages.relay(c.req.param('page'), number, received.request.keepalive ?? false)
    try {
      await relay.send(received, relayed, relayed.signal)
    } catch (error) {
      relayed.cancel()
      throw error
    }
    return c.body(null, 202)
  })

  app.post('/api/pages/:page/relay/:request/credit', async (c) => {
    const number = readNumber(c.req.param('request'))
    const bytes = await readCredit(c)
    // A finished response needs no credit.
    pages.find(c.req.param('page'))?.relayed(number)?.grant(bytes)
    return c.body(null, 204)
  })

  app.delete('/api/pages/:page/relay/:request', (c) => {
    pages
      .find(c.req.param('page'))
      ?.relayed(readNumber(c.req.param('request')))
      ?.cancel()
    return c.body(null, 202)
  })

  app.all('/api/*', (c) => {
    const error = {
      code: 'not-found',
      message: `Unknown route: ${c.req.method} ${c.req.path}.`,
      remedy: 'See proxy/wire.ts.',
    }
    return c.json({ error }, 404)
  })

  if (dist) app.use(servePage(dist))
  app.notFound((c) => c.text(`There is no ${c.req.path}. Open Periscope at /.\n`, 404))

  app.onError((cause, c) => {
    if (cause instanceof Refusal) return c.json({ error: cause.error }, cause.status)
    const error: ProxyError = {
      code: 'internal',
      message: `Internal error at ${c.req.method} ${c.req.path}: ${cause.message}.`,
      remedy: 'This is a bug in Periscope. Please report it.',
    }
    return c.json({ error }, 500)
  })
  return app
}

function launchRefusal(why: Exclude<RedeemResult, 'ok'>): Refusal {
  const remedy = 'Press Enter in the terminal that runs Periscope, and open the URL it prints.'
  switch (why) {
    case 'too-many':
      return new Refusal(429, { code: 'too-many', message: 'Too many unknown launch codes within a minute.', remedy })
    case 'used':
      return new Refusal(403, { code: 'code-used', message: 'This URL was already used. It works only once.', remedy })
    case 'expired':
      return new Refusal(403, { code: 'code-expired', message: 'This URL has expired.', remedy })
    case 'unknown':
      return new Refusal(403, {
        code: 'code-unknown',
        message: 'This URL belongs to another launch of Periscope.',
        remedy,
      })
  }
}

const WATCHES_NOTHING: ProxyError = {
  code: 'not-found',
  message: 'Periscope was started without --watch.',
  remedy: "Start it with --watch GLOB and the server's command.",
}

/** Not JSON, so that browsers never display the file on its own. */
const OPAQUE = { 'Content-Type': 'application/octet-stream' }

async function contentOf({ path }: SharedFile): Promise<ReadableStream> {
  const file = await open(path)
  return Readable.toWeb(file.createReadStream()) as ReadableStream
}

function configUnavailable(message: string): Refusal {
  const remedy = 'Start Periscope with "--config FILE", or choose the file in the page.'
  return new Refusal(404, { code: 'not-found', message, remedy })
}

function recordingUnavailable(message: string): Refusal {
  return new Refusal(404, {
    code: 'not-found',
    message,
    remedy: 'Open the recording with "periscope open FILE", or choose the file in the page.',
  })
}

function pageNotFound(): never {
  throw new Refusal(404, {
    code: 'not-found',
    message: "Periscope doesn't know this page.",
    remedy: 'Connect again. The page was inactive for too long, or Periscope was restarted.',
  })
}
