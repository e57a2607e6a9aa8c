/** A server that requires a certificate of the client (mutual TLS). */
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createSecureServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { readClientCertificate } from './client-certificate.ts'
import { makeCertificate } from './fixtures/certificate.ts'
import { serveForwardProxy } from './fixtures/forward-proxy.ts'
import { drain, listenOn, refusal, startProxy, type Closing } from './fixtures/relaying.ts'
import { explainRelay } from './relay-failure.ts'

const closing: Closing = []
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'periscope-client-certificate-'))
  return () => rmSync(folder, { recursive: true })
})
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const file = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const issuer = makeCertificate({ host: 'Acme Clients', authority: true })
const client = makeCertificate({ host: 'a client', issuer })
const own = makeCertificate({ host: 'server.example' })
const certificate = new X509Certificate(own.cert).fingerprint256

/** Responds with the name in the certificate of the client. */
const serve = async (host = 'localhost') => {
  const server = createSecureServer(
    { ...own, ca: issuer.cert, requestCert: true, rejectUnauthorized: false },
    (request, response) => {
      const { subject } = (request.socket as TLSSocket).getPeerCertificate()
      response.end(String(subject?.CN))
    },
  )
  return { port: await listenOn(server, closing), host }
}
const strict = async () => {
  const server = createSecureServer(
    { ...own, ca: issuer.cert, requestCert: true, rejectUnauthorized: true },
    (_, response) => response.end('in'),
  )
  server.on('tlsClientError', () => {})
  return await listenOn(server, closing)
}

test('goes to the origin of the URL on the command line, and to no other', async () => {
  const [named, other] = [await serve(), await serve()]
  const files = { cert: file('a.pem', client.cert), key: file('a.key', client.key) }
  const clientCertificate = await readClientCertificate(files, `https://localhost:${named.port}/mcp?a=1`)
  const proxy = await startProxy(closing, {}, { clientCertificate })
  const ask = async (port: number) =>
    (await drain(await proxy.ask({ method: 'GET', url: `https://localhost:${port}/mcp`, certificate }))).body.toString()
  expect(await ask(named.port)).toBe('a client of a test')
  expect(await ask(other.port)).toBe('undefined')
})

test('goes through the proxy of the network to the server, and not to that proxy', async () => {
  const { port } = await serve()
  const forward = await serveForwardProxy(closing, { hosts: { 'server.example:443': port } })
  const clientCertificate = { ...client, origin: 'https://server.example' }
  const env = { https_proxy: `http://127.0.0.1:${forward.port}` }
  const proxy = await startProxy(closing, {}, { clientCertificate, env })
  const { body } = await drain(await proxy.ask({ method: 'GET', url: 'https://server.example/mcp', certificate }))
  expect(body.toString()).toBe('a client of a test')
})

test('is missing, or from an issuer that the server rejects: the refusal says which', async () => {
  const port = await strict()
  const url = `https://localhost:${port}/`
  const proxy = await startProxy(closing)
  expect(await refusal(await proxy.ask({ method: 'GET', url, certificate }))).toMatchObject({
    code: 'client-certificate',
    message: `localhost:${port} requires a client certificate (mutual TLS).`,
    remedy: expect.stringContaining('--client-cert FILE'),
  })
  // A server in Node closes the connection instead of sending this alert.
  const alert = Object.assign(new Error('tlsv1 alert unknown ca:SSL alert number 48'), { code: 'EPROTO' })
  expect(explainRelay(alert, new URL(url), 'waiting', 10, true)).toMatchObject({
    code: 'client-certificate',
    message: `localhost:${port} rejected the certificate of --client-cert.`,
  })
  // Before TLS 1.3, servers use it for this and for other reasons.
  const failure = Object.assign(new Error('sslv3 alert handshake failure:SSL alert number 40'), { code: 'EPROTO' })
  expect(explainRelay(failure, new URL(url), 'waiting', 10, true)).toMatchObject({
    code: 'handshake-failure',
    message: expect.stringMatching(/doesn't accept the certificate of --client-cert, or supports no cipher suite/),
    remedy: expect.not.stringContaining('start Periscope'),
  })
})

test('may be in one file with its key', async () => {
  const cert = file('both.pem', client.key + client.cert)
  expect(await readClientCertificate({ cert }, 'https://e.com:8443/mcp')).toMatchObject({
    origin: 'https://e.com:8443',
  })
})

test.each([
  ['a missing file', () => ({ cert: join(folder, 'nowhere.pem') }), /doesn't exist/],
  ['no certificate', () => ({ cert: file('key.pem', client.key) }), /contains no certificate/],
  ['no key', () => ({ cert: file('cert.pem', client.cert) }), /contains no private key.*--client-key FILE/],
  [
    'an encrypted key',
    () => ({ cert: file('e.pem', `${client.cert}\n-----BEGIN ENCRYPTED PRIVATE KEY-----\n`) }),
    /is encrypted.*openssl pkey/,
  ],
  [
    'the key of another',
    () => ({ cert: file('c.pem', client.cert), key: file('k.pem', issuer.key) }),
    /don't work together/,
  ],
  ['an expired one', () => ({ cert: file('old.pem', expired()) }), /expired on/],
] as const)("can't be used, and the message says why: %s", async (_, files, message) => {
  await expect(readClientCertificate(files(), 'https://e.com/')).rejects.toThrow(message)
})

const expired = (): string => {
  const { cert, key } = makeCertificate({ days: -1 })
  return cert + key
}
