/** Certificates that the user trusts by their fingerprint: rule 12. */
import { X509Certificate } from 'node:crypto'
import { createServer as createSecureServer, type Server } from 'node:https'
import type { Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { afterEach, expect, test } from 'vitest'
import { until } from '../tests/patience.ts'
import { type Certificate, makeCertificate } from './fixtures/certificate.ts'
import { drain, listenOn, refusal, serveRaw, startProxy, type Closing, type Proxy } from './fixtures/relaying.ts'

const closing: Closing = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const fingerprintOf = ({ cert }: Certificate): string => new X509Certificate(cert).fingerprint256

const serve = async (certificate: Certificate): Promise<{ server: Server; url: string }> => {
  const server = createSecureServer(certificate, (request, response) => request.pipe(response))
  return { server, url: `https://localhost:${await listenOn(server, closing)}/` }
}

/** A TLS server that only counts what it is sent. */
const serveCounting = async (certificate: Certificate) => {
  const seen = { closed: 0, bytes: 0 }
  const server = createTlsServer(certificate, (socket) => {
    socket.on('data', (chunk) => (seen.bytes += chunk.length))
    socket.on('error', () => {})
  })
  server.on('connection', (socket: Socket) => socket.once('close', () => seen.closed++))
  return { seen, url: `https://localhost:${await listenOn(server, closing)}/` }
}

const post = async (proxy: Proxy, url: string, certificate?: string): Promise<Response> =>
  await proxy.ask({ method: 'POST', url, ...(certificate === undefined ? {} : { certificate }) }, { body: 'secret' })

test.each([
  ['self-signed', {}],
  ['expired', { days: -1 }],
  ['of another host', { host: 'elsewhere.example' }],
  ['of a private CA', { issuer: makeCertificate({ host: 'authority.example' }) }],
])('a certificate %s is accepted for the request that has its fingerprint, and for no other', async (_, wish) => {
  const proxy = await startProxy(closing)
  const certificate = makeCertificate(wish)
  const { url } = await serve(certificate)
  const relayed = await drain(await post(proxy, url, fingerprintOf(certificate)))
  expect(relayed.body.toString()).toBe('secret')
  expect(relayed.head).toMatchObject({ remote: /127\.0\.0\.1/, timings: { connect: expect.any(Number), tls: expect.any(Number) } }) // prettier-ignore
  expect((await refusal(await post(proxy, url))).code).toMatch(/^(self-signed|certificate)$/)
  expect((await drain(await post(proxy, url, fingerprintOf(certificate)))).body.toString()).toBe('secret')
})

test('a certificate with another fingerprint is refused with both of them, before anything is sent', async () => {
  const proxy = await startProxy(closing)
  const certificate = makeCertificate()
  // It has the same name and issuer.
  const trusted = fingerprintOf(makeCertificate())
  const { seen, url } = await serveCounting(certificate)
  const found = fingerprintOf(certificate)
  expect(await refusal(await post(proxy, url, trusted))).toMatchObject({
    status: 502,
    code: 'certificate-changed',
    system: 'CERTIFICATE_CHANGED',
    message: `The certificate of localhost changed, so nothing was sent. Trusted: ${trusted}. Found: ${found}.`,
    remedy: /intercepting/,
  })
  await until(() => seen.closed === 1)
  expect(seen.bytes).toBe(0)
})

test('a certificate that is replaced between two requests is refused', async () => {
  const proxy = await startProxy(closing)
  const before = makeCertificate()
  const { server, url } = await serve(before)
  expect((await drain(await post(proxy, url, fingerprintOf(before)))).body.toString()).toBe('secret')
  const after = makeCertificate()
  server.setSecureContext(after)
  expect(await refusal(await post(proxy, url, fingerprintOf(before)))).toMatchObject({ code: 'certificate-changed' })
  expect((await drain(await post(proxy, url, fingerprintOf(after)))).body.toString()).toBe('secret')
})

test('requests at the same time with different fingerprints share no connection', async () => {
  const proxy = await startProxy(closing)
  const certificate = makeCertificate()
  const { url } = await serve(certificate)
  const [own, others] = [fingerprintOf(certificate), fingerprintOf(makeCertificate())]
  const asked = Array.from({ length: 12 }, (_, at) => at % 2 === 0)
  const outcomes = await Promise.all(
    asked.map(async (right) => {
      const response = await post(proxy, url, right ? own : others)
      return response.status === 200 ? (await drain(response)).body.toString() : (await refusal(response)).code
    }),
  )
  expect(outcomes).toEqual(asked.map((right) => (right ? 'secret' : 'certificate-changed')))
})

test('a handshake that never ends is given up, and ended when the page cancels', async () => {
  const fingerprint = fingerprintOf(makeCertificate())
  let [opened, closed] = [0, 0]
  const silent = await serveRaw(closing, () => {}, (socket) => {
    opened++
    socket.once('close', () => closed++)
  }) // prettier-ignore
  const url = silent.replace('http:', 'https:')
  const hasty = await startProxy(closing, { connect: 300 })
  expect(await refusal(await post(hasty, url, fingerprint))).toMatchObject({ status: 504, code: 'timeout' })
  await until(() => closed === 1)

  const proxy = await startProxy(closing)
  const cancel = new AbortController()
  const asked = proxy.ask({ url, certificate: fingerprint }, { signal: cancel.signal }).catch(() => {})
  await until(() => opened === 2)
  cancel.abort()
  await until(() => closed === 2)
  await asked
})

test.each([
  ['that is none', { url: 'https://h/', certificate: 'AB:CD' }],
  ['in lower case', { url: 'https://h/', certificate: fingerprintOf(makeCertificate()).toLowerCase() }],
  ['without TLS', { url: 'http://h/', certificate: fingerprintOf(makeCertificate()) }],
])('a fingerprint %s is refused', async (_, request) => {
  const proxy = await startProxy(closing)
  expect(await refusal(await proxy.ask(request))).toMatchObject({ status: 400, code: 'bad-request' })
})
