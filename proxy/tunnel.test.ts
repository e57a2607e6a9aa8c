/** Requests through the proxy of a company's network. */
import { once } from 'node:events'
import { X509Certificate } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { afterEach, describe, expect, test } from 'vitest'
import { until } from '../tests/patience.ts'
import { makeCertificate, type Certificate } from './fixtures/certificate.ts'
import { serveForwardProxy, type ForwardProxyOptions } from './fixtures/forward-proxy.ts'
import { drain, listenOn, refusal, serve, serveRaw, startProxy, type Closing } from './fixtures/relaying.ts'
import { LIMITS } from './limits.ts'
import { checkNetwork } from './network-check.ts'
import { notPublic } from './public-address.ts'
import { Upstream } from './upstream.ts'

const closing: Closing = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const URLS = { http: 'http://server.example/mcp?a=1', https: 'https://server.example/mcp' }
const SECRET = 'me:pass-phrase'
const AUTHORIZATION = `Basic ${Buffer.from(SECRET).toString('base64')}`

const portOf = (origin: string): number => Number(new URL(origin).port)

/** Responds with what it was sent. */
const echo = (request: IncomingMessage, response: { end(text: string): void }): void => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    response.end(JSON.stringify({ url: request.url, headers: request.rawHeaders, body: Buffer.concat(parts).toString() })) // prettier-ignore
  })
}

/** The server, which only the proxy can reach. */
const serveHidden = async (certificate: Certificate, options: Partial<ForwardProxyOptions> = {}) => {
  const secure = await listenOn(createSecureServer(certificate, echo), closing)
  const plain = portOf(await serve(closing, echo))
  const hosts = { 'server.example:443': secure, 'server.example:80': plain }
  return await serveForwardProxy(closing, { hosts, ...options })
}

const certificate = makeCertificate({ host: 'server.example' })
const fingerprint = new X509Certificate(certificate.cert).fingerprint256

describe('a request through the proxy that the environment names', () => {
  test('goes to it with the whole URL over http, and its credentials reach neither server nor frames', async () => {
    const { port, seen } = await serveHidden(certificate, { authorization: AUTHORIZATION })
    const proxy = await startProxy(closing, {}, { env: { http_proxy: `http://${SECRET}@127.0.0.1:${port}` } })
    const { head, body } = await drain(await proxy.ask({ method: 'POST', url: URLS.http }, { body: 'hello' }))
    expect(seen).toEqual(['POST http://server.example/mcp?a=1'])
    expect(JSON.parse(body.toString())).toMatchObject({ url: '/mcp?a=1', body: 'hello' })
    expect(head).toMatchObject({ status: 200, proxy: `127.0.0.1:${port} (http_proxy)` })
    expect(head.remote).toBeUndefined()
    expect(Object.keys(head.timings).toSorted()).toEqual(['connect', 'firstByte', 'protocol'])
    const everything = JSON.stringify(head) + body.toString()
    for (const secret of ['pass-phrase', AUTHORIZATION, 'Proxy-Authorization']) expect(everything).not.toContain(secret)
  })

  test('goes over CONNECT for https, with a trusted certificate', async () => {
    const { port, seen } = await serveHidden(certificate, { authorization: AUTHORIZATION })
    const env = { HTTPS_PROXY: `${SECRET}@127.0.0.1:${port}` }
    const proxy = await startProxy(closing, {}, { env })
    const asked = { method: 'POST', url: URLS.https, certificate: fingerprint }
    const { head, body } = await drain(await proxy.ask(asked, { body: 'x'.repeat(300_000) }))
    expect(seen).toEqual(['CONNECT server.example:443'])
    expect((JSON.parse(body.toString()) as { body: string }).body).toHaveLength(300_000)
    expect(head.proxy).toBe(`127.0.0.1:${port} (HTTPS_PROXY)`)
    expect(Object.keys(head.timings).toSorted()).toEqual(['connect', 'firstByte', 'protocol', 'tls', 'tunnel'])

    const other = new X509Certificate(makeCertificate().cert).fingerprint256
    expect(await refusal(await proxy.ask({ ...asked, certificate: other }))).toMatchObject({ code: 'certificate-changed' }) // prettier-ignore
    expect(await refusal(await proxy.ask({ url: URLS.https }))).toMatchObject({ code: 'self-signed' })
  })

  test.each(['http', 'https'] as const)('%s goes through a proxy that is itself reached over TLS', async (scheme) => {
    // One private CA vouches for proxy and server, as NODE_EXTRA_CA_CERTS would.
    const authority = makeCertificate({ host: 'authority.example', authority: true })
    const [own, servers] = ['localhost', 'server.example'].map((host) => makeCertificate({ host, issuer: authority }))
    const { port, seen } = await serveHidden(servers!, { certificate: own! })
    const env = { ALL_PROXY: `https://localhost:${port}` }
    const headers = ['Host', 'server.example']
    const upstream = new Upstream(new URL(URLS[scheme]), LIMITS, { path: '/mcp', headers, ca: authority.cert, env })
    upstream.request.end()
    const [response] = (await once(upstream.request, 'response')) as [IncomingMessage]
    expect(response.statusCode).toBe(200)
    expect(upstream.timings.tunnel).toBeGreaterThan(0)
    expect(JSON.parse(Buffer.concat(await response.toArray()).toString())).toMatchObject({ url: '/mcp' })
    expect(seen).toEqual([scheme === 'https' ? 'CONNECT server.example:443' : 'GET http://server.example/mcp'])
  })

  test('reaches this machine and the hosts of NO_PROXY directly', async () => {
    const { port, seen } = await serveHidden(certificate)
    const env = { ALL_PROXY: `http://127.0.0.1:${port}`, NO_PROXY: '.invalid' }
    const proxy = await startProxy(closing, {}, { env })
    const origin = await serve(closing, echo)
    const { head } = await drain(await proxy.ask({ url: origin }))
    expect(head).toMatchObject({ remote: new URL(origin).host })
    expect(head.proxy).toBeUndefined()
    expect(await refusal(await proxy.ask({ url: 'http://nowhere.invalid/' }))).toMatchObject({ code: 'dns' })
    expect(seen).toEqual([])
  })

  test('ends at the proxy when the page cancels, while the tunnel is being opened', async () => {
    let [opened, closed] = [0, 0]
    const silent = await serveRaw(closing, () => {}, (socket) => {
      opened++
      socket.once('close', () => closed++)
    }) // prettier-ignore
    const proxy = await startProxy(closing, {}, { env: { ALL_PROXY: silent } })
    const cancel = new AbortController()
    const asked = proxy.ask({ url: URLS.https }, { signal: cancel.signal }).catch(() => {})
    await until(() => opened === 1)
    cancel.abort()
    await until(() => closed === 1)
    await asked
  })
})

describe('a proxy that fails is named with its variable, and the server is not blamed', () => {
  const failure = async (scheme: 'http' | 'https', value: string, connect = LIMITS.connect) => {
    const proxy = await startProxy(closing, { connect }, { env: { ALL_PROXY: value } })
    return await refusal(await proxy.ask({ url: URLS[scheme] }))
  }

  test.each(['http', 'https'] as const)('not running, for %s', async (scheme) => {
    // Not a port that was freed: another test may get it meanwhile.
    expect(await failure(scheme, `http://${SECRET}@127.0.0.1:1`)).toEqual({
      status: 502,
      code: 'forward-proxy-refused',
      message: "The proxy 127.0.0.1:1 (ALL_PROXY) isn't running: nothing is listening there.",
      remedy: 'Check the proxy and ALL_PROXY, or list the server in NO_PROXY.',
      system: 'ECONNREFUSED',
    })
  })

  test('a host name that is not known', async () => {
    expect(await failure('https', 'http://no-such-proxy.invalid:8080')).toMatchObject({
      code: 'forward-proxy-dns',
      message: /no-such-proxy\.invalid:8080 \(ALL_PROXY\)/,
    })
  })

  test.each(['http', 'https'] as const)('credentials that it lacks or rejects, for %s', async (scheme) => {
    const { port } = await serveHidden(certificate, { authorization: AUTHORIZATION })
    const place = `127.0.0.1:${port}`
    expect(await failure(scheme, place)).toMatchObject({
      status: 502,
      code: 'forward-proxy-auth',
      message: `The proxy ${place} (ALL_PROXY) requires a user name and a password (407).`,
    })
    const rejected = await failure(scheme, `http://me:wrong-pass@${place}`)
    expect(rejected).toMatchObject({ code: 'forward-proxy-auth', message: /rejected the user name/ })
    expect(JSON.stringify(rejected)).not.toContain('wrong-pass')
  })

  test.each([
    [403, 'forward-proxy-denied', /refused to connect to server\.example:443 \(403\)/],
    [502, 'forward-proxy-unreachable', /couldn't reach server\.example:443 \(502\)/],
  ])('a CONNECT that it responds to with %i', async (status, code, message) => {
    const { port } = await serveHidden(certificate, { status })
    expect(await failure('https', `127.0.0.1:${port}`)).toMatchObject({ code, message, system: `PROXY_${status}` })
  })

  test('silence, and a connection that it closes or that is no HTTP', async () => {
    const silent = await serveRaw(closing, () => {})
    expect(await failure('https', silent, 300)).toMatchObject({ status: 502, code: 'forward-proxy-timeout' })
    const closes = await serveRaw(closing, (socket) => socket.end())
    const mails = await serveRaw(closing, (socket) => socket.end('220 mail.example ESMTP\r\n'))
    for (const scheme of ['http', 'https'] as const) {
      for (const origin of [closes, mails]) {
        const place = new URL(origin).host
        expect(await failure(scheme, origin)).toMatchObject({ code: 'forward-proxy-failed', message: new RegExp(`^The proxy ${place} \\(ALL_PROXY\\) failed: `) }) // prettier-ignore
      }
    }
  })

  test('socks, and what is no URL', async () => {
    const socks = await failure('https', `socks5://${SECRET}@127.0.0.1:1080`)
    expect(socks).toMatchObject({
      code: 'forward-proxy-variable',
      message: "ALL_PROXY names a SOCKS proxy, which Periscope doesn't support.",
      remedy: /^Set ALL_PROXY to the URL of an HTTP proxy/,
    })
    expect(JSON.stringify(socks)).not.toContain('pass-phrase')
    expect(await failure('http', 'ftp://h')).toMatchObject({ message: "ALL_PROXY isn't the URL of a proxy." })
  })
})

describe('a URL that a server named, through a proxy', () => {
  const ask = async (code: string, url: string) => {
    const { port, seen } = await serveHidden(certificate)
    const error = code === 'NOT_PUBLIC' ? notPublic('server.example', '10.0.0.1') : Object.assign(new Error('x'), { code }) // prettier-ignore
    const lookup = (_host: string, _options: object, done: (error: Error, found: []) => void) => done(error, [])
    const proxy = await startProxy(closing, {}, { env: { ALL_PROXY: `127.0.0.1:${port}` }, lookup })
    return { response: await proxy.ask({ url, publicOnly: true }), seen }
  }

  test('is refused if this machine resolves it to an address that is not public', async () => {
    const { response, seen } = await ask('NOT_PUBLIC', URLS.http)
    expect(await refusal(response)).toMatchObject({ code: 'not-public' })
    expect(seen).toEqual([])
  })

  test('is the proxy’s to resolve if this machine can’t, unless the name is one of this network', async () => {
    const { response } = await ask('ENOTFOUND', URLS.http)
    expect((await drain(response)).head.status).toBe(200)
    for (const url of ['http://intranet/', 'http://intranet./', 'http://wiki.internal/']) {
      const { response, seen } = await ask('ENOTFOUND', url)
      expect(await refusal(response)).toMatchObject({ code: 'not-public' })
      expect(seen).toEqual([])
    }
  })
})

describe('the network check through a proxy', () => {
  const check = async (url: string, ALL_PROXY: string) =>
    (await checkNetwork(new URL(url), { env: { ALL_PROXY } })).steps

  test('says that the way leads through it, and shows the certificate of the server', async () => {
    const { port, seen } = await serveHidden(certificate)
    const steps = await check(URLS.https, `http://${SECRET}@127.0.0.1:${port}`)
    expect(steps.map(({ step }) => step)).toEqual(['proxy', 'dns', 'tcp', 'tunnel', 'tls'])
    expect(steps[0]).toEqual({ step: 'proxy', ms: 0, text: `127.0.0.1:${port} (ALL_PROXY)` })
    expect(steps[4]!.chain![0]!.fingerprint256).toBe(fingerprint)
    expect(seen).toEqual(['CONNECT server.example:443'])
    // Over http, the proxy would only connect to the server for a request.
    expect((await check(URLS.http, `127.0.0.1:${port}`)).map(({ step }) => step)).toEqual(['proxy', 'dns', 'tcp'])
  })

  test('stops where it refuses, or at a variable that can’t be used', async () => {
    const { port } = await serveHidden(certificate, { status: 403 })
    const refused = (await check(URLS.https, `127.0.0.1:${port}`)).at(-1)
    expect(refused).toMatchObject({ step: 'tunnel', error: 'PROXY_403' })
    expect(await check(URLS.https, `socks5://${SECRET}@h`)).toEqual([
      { step: 'proxy', ms: 0, text: 'ALL_PROXY', error: 'PROXY_VARIABLE' },
    ])
  })
})
