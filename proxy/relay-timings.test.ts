/** What a page can't measure of its requests: how long each part took. */
import { once } from 'node:events'
import { createServer as createSecureServer } from 'node:https'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { makeCertificate } from './fixtures/certificate.ts'
import { drain, listenOn, serve, startProxy, type Closing } from './fixtures/relaying.ts'
import { LIMITS } from './limits.ts'
import { Upstream } from './upstream.ts'

const closing: Closing = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

test('the wait for a server counts as its first byte, and a name is looked up but an address is not', async () => {
  const proxy = await startProxy(closing)
  let held = 0
  const hold = async (response: ServerResponse): Promise<void> => {
    const begun = performance.now()
    while (performance.now() - begun < 30) await new Promise(setImmediate)
    held = performance.now() - begun
    response.end('hello')
  }
  const origin = await serve(closing, (_, response) => void hold(response))
  const begun = performance.now()
  const { timings } = (await drain(await proxy.ask({ url: origin }))).head
  const took = performance.now() - begun
  expect(Object.keys(timings).toSorted()).toEqual(['connect', 'firstByte', 'protocol'])
  expect(timings.firstByte).toBeGreaterThanOrEqual(Math.floor(held))
  expect(timings.connect + timings.firstByte).toBeLessThan(took)

  const named = await drain(await proxy.ask({ url: origin.replace('127.0.0.1', 'localhost') }))
  expect(named.head.timings.dns).toBeGreaterThan(0)
})

test('the time of TLS is separate from that of the connection, and a resumed TLS session is marked', async () => {
  const certificate = makeCertificate({})
  const server = createSecureServer(certificate, (_, response) => response.end('hello'))
  const url = new URL(`https://localhost:${await listenOn(server, closing)}/`)
  const ask = async () => {
    const upstream = new Upstream(url, LIMITS, { ca: certificate.cert })
    upstream.request.end()
    const [response] = (await once(upstream.request, 'response')) as [IncomingMessage]
    const { timings } = upstream
    await response.resume().toArray()
    return timings
  }
  const first = await ask()
  expect(first.tls).toBeGreaterThan(0)
  expect(first.resumed).toBeUndefined()
  expect(await ask()).toMatchObject({ resumed: true, tls: expect.any(Number) })
})
