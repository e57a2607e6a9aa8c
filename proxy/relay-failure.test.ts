import { X509Certificate } from 'node:crypto'
import {
  createSecureServer as createSecureHttp2,
  createServer as createHttp2,
  type Http2SecureServer,
  type Http2Server,
} from 'node:http2'
import { createServer as createSecureServer } from 'node:https'
import type { TlsOptions } from 'node:tls'
import { afterEach, describe, expect, test } from 'vitest'
import { makeCertificate, type CertificateOptions } from './fixtures/certificate.ts'
import { listenOn, refusal, serve, serveRaw, startProxy, drain, type Closing } from './fixtures/relaying.ts'

const closing: Closing = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

describe('why there is no answer', () => {
  test('a port where nobody listens', async () => {
    const proxy = await startProxy(closing)
    // Not a port that was freed: another test may get it meanwhile.
    const port = 1
    const alone = await refusal(await proxy.ask({ url: `http://127.0.0.1:${port}/mcp` }))
    expect(alone).toMatchObject({ status: 502, code: 'refused', system: 'ECONNREFUSED', remedy: /Start the server/ })
    expect(alone.message).toBe(`Nothing is listening at 127.0.0.1:${port}.`)
    expect(await refusal(await proxy.ask({ url: `http://localhost:${port}/mcp` }))).toMatchObject({ code: 'refused' })
  })

  test('a name that is not known', async () => {
    const proxy = await startProxy(closing)
    expect(await refusal(await proxy.ask({ url: 'http://no-such-host.invalid/' }))).toMatchObject({
      status: 502,
      code: 'dns',
      message: /no-such-host\.invalid/,
    })
  })

  test('a server that takes the connection and closes it, or talks something else', async () => {
    const proxy = await startProxy(closing)
    const closes = await serveRaw(closing, (socket) => socket.end())
    expect(await refusal(await proxy.ask({ url: closes }))).toMatchObject({ status: 502, code: 'reset' })
    const talks = await serveRaw(closing, (socket) => socket.end('220 mail.example ESMTP\r\n'))
    expect(await refusal(await proxy.ask({ url: talks }))).toMatchObject({ code: 'not-http', remedy: /port/ })
    const upgrades = await serveRaw(closing, (socket) =>
      socket.write('HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
    )
    expect(await refusal(await proxy.ask({ url: upgrades }))).toMatchObject({ code: 'not-http' })
  })

  test.each<[string, CertificateOptions, { code: string; system: string }]>([
    ['vouches for itself', {}, { code: 'self-signed', system: 'DEPTH_ZERO_SELF_SIGNED_CERT' }],
    ['has run out', { days: -1 }, { code: 'certificate', system: 'CERT_HAS_EXPIRED' }],
    [
      'is vouched for by somebody unknown',
      { issuer: makeCertificate({ host: 'authority.example' }) },
      { code: 'certificate', system: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' },
    ],
  ])('a certificate that %s is refused', async (_, wish, reason) => {
    const proxy = await startProxy(closing)
    const server = createSecureServer(makeCertificate(wish), (_, response) => response.end('hello'))
    const url = `https://localhost:${await listenOn(server, closing)}/`
    expect(await refusal(await proxy.ask({ url }))).toMatchObject({
      status: 502,
      ...reason,
      message: /localhost/,
      remedy: /trust/,
    })
  })

  test('https where plain HTTP is spoken, and the reverse', async () => {
    const proxy = await startProxy(closing)
    const plain = await serve(closing, (_, response) => response.end('hello'))
    expect(await refusal(await proxy.ask({ url: plain.replace('http:', 'https:') }))).toMatchObject({
      code: 'not-tls',
      remedy: /write http:/,
    })
    const port = await listenOn(
      createSecureServer(makeCertificate(), () => {}),
      closing,
    )
    expect(await refusal(await proxy.ask({ url: `http://localhost:${port}/` }))).toMatchObject({
      remedy: /write https:/,
    })
  })

  const refusing = async (options: TlsOptions) => {
    const certificate = makeCertificate()
    const server = createSecureServer({ ...certificate, ...options }, (_, response) => response.end('hello'))
    const url = `https://localhost:${await listenOn(server, closing)}/`
    return { url, certificate: new X509Certificate(certificate.cert).fingerprint256 }
  }

  test.each<[string, TlsOptions, { code: string; message: RegExp; remedy: RegExp }]>([
    [
      'a client certificate in TLS 1.3',
      { requestCert: true },
      { code: 'client-certificate', message: /mutual TLS/, remedy: /--client-cert FILE/ },
    ],
    [
      'a client certificate in TLS 1.2',
      { requestCert: true, maxVersion: 'TLSv1.2' },
      {
        code: 'handshake-failure',
        message: /requires a client certificate, or/,
        remedy: /--client-cert FILE.*TLS 1\.2/,
      },
    ],
    [
      'a cipher suite that its certificate doesn’t fit',
      { ciphers: 'AES128-SHA', maxVersion: 'TLSv1.2' },
      { code: 'handshake-failure', message: /supports no cipher suite/, remedy: /cipher suites/ },
    ],
    [
      'TLS 1.1',
      { minVersion: 'TLSv1', maxVersion: 'TLSv1.1' },
      { code: 'tls-version', message: /refuses: tlsv1 alert protocol version\.$/, remedy: /--tls-min-v1\.0 --tls-cipher-list=DEFAULT@SECLEVEL=0/ }, // prettier-ignore
    ],
    [
      'another host name',
      { SNICallback: (_, done) => done(Object.assign(new Error('unknown'), { code: 'X' })) },
      { code: 'tls-closed', message: /handshake with localhost:\d+ failed/, remedy: /write http:.*certificate for this host name/ }, // prettier-ignore
    ],
  ])('a server that wants %s is named as such', async (_, options, reason) => {
    const proxy = await startProxy(closing)
    expect(await refusal(await proxy.ask(await refusing(options)))).toMatchObject({ status: 502, ...reason })
  })

  test('an alert shows that the server speaks TLS, so its remedy is not plain HTTP', async () => {
    const [INTERNAL_ERROR, UNRECOGNIZED_NAME] = [80, 112]
    const proxy = await startProxy(closing)
    const alerting = async (alert: number) => {
      const alerts = await serveRaw(
        closing,
        () => {},
        (socket) => socket.once('data', () => socket.end(Buffer.from([0x15, 3, 3, 0, 2, 2, alert]))),
      )
      return await refusal(await proxy.ask({ url: alerts.replace('http:', 'https:') }))
    }
    expect(await alerting(INTERNAL_ERROR)).toMatchObject({
      code: 'tls',
      remedy: expect.not.stringContaining('http://'),
    })
    // A gateway that has many hosts says so if it doesn't have this one.
    expect(await alerting(UNRECOGNIZED_NAME)).toMatchObject({
      code: 'unrecognized-name',
      message: /no certificate for this host name/,
      remedy: /spelling of the host name/,
    })
  })

  test('a server that speaks only HTTP/2 without TLS is named; one that prefers HTTP/2 speaks HTTP/1.1', async () => {
    const proxy = await startProxy(closing)
    const certificate = makeCertificate()
    const fingerprint = new X509Certificate(certificate.cert).fingerprint256
    const at = async (server: Http2SecureServer | Http2Server) => await listenOn(server, closing)
    const respond = (_: unknown, response: { end(text: string): void }) => response.end('hello')
    const plain = `http://localhost:${await at(createHttp2(respond))}/`
    expect(await refusal(await proxy.ask({ url: plain }))).toMatchObject({ code: 'http2', message: /speaks only HTTP\/2 without TLS/, remedy: /without TLS either/ }) // prettier-ignore
    const both = `https://localhost:${await at(createSecureHttp2({ ...certificate, allowHTTP1: true }, respond))}/`
    const { head, body } = await drain(await proxy.ask({ url: both, certificate: fingerprint }))
    expect(head.timings.protocol).toBe('HTTP/1.1')
    expect(body.toString()).toBe('hello')
  })

  test('only reaching the server has a limit: a server that thinks for longer is waited for', async () => {
    // Long enough to connect within it on a busy machine.
    const connect = 2_500
    const patient = await startProxy(closing, { connect })
    const origin = await serve(closing, (_, response) => void setTimeout(() => response.end('at last'), connect + 300))
    expect((await drain(await patient.ask({ url: origin }))).body.toString()).toBe('at last')
    const hasty = await startProxy(closing, { connect: 500 })
    const silent = await serveRaw(closing, () => {})
    expect(await refusal(await hasty.ask({ url: silent.replace('http:', 'https:') }))).toMatchObject({
      status: 504,
      code: 'timeout',
      message: /handshake didn't finish within 0.5 s/,
    })
  })
})
