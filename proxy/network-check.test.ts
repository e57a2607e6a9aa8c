import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { createServer as createRawServer } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { makeCertificate } from './fixtures/certificate.ts'
import { type Closing, listenOn } from './fixtures/relaying.ts'
import { checkNetwork } from './network-check.ts'

const closing: Closing = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** Long enough for a machine so busy that a server of this process answers late. */
const LONG = { step: 60_000, greeting: 60_000 }
const check = async (url: string, limits = { step: LONG.step }) => (await checkNetwork(new URL(url), { limits })).steps

describe('the network check', () => {
  test('names the address and the duration of each step, and sends nothing to an HTTP server', async () => {
    let requests = 0
    const port = await listenOn(
      createServer(() => requests++),
      closing,
    )
    const steps = await check(`http://127.0.0.1:${port}/mcp`)
    expect(steps).toEqual([
      { step: 'dns', ms: expect.any(Number), addresses: ['127.0.0.1'] },
      { step: 'tcp', ms: expect.any(Number), remote: '127.0.0.1' },
    ])
    expect(requests).toBe(0)
  })

  test('stops at the first step that fails, with the code of the system', async () => {
    // Not a port that was freed: another test may get it meanwhile.
    expect((await check('http://127.0.0.1:1/')).at(-1)).toMatchObject({ step: 'tcp', error: 'ECONNREFUSED' })
    const unknown = () => Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' }))
    const { steps } = await checkNetwork(new URL('http://nowhere.invalid/'), { resolve: unknown })
    expect(steps).toEqual([{ step: 'dns', ms: expect.any(Number), error: 'ENOTFOUND' }])
  })

  test('a name server that stays silent costs two seconds', async () => {
    const { steps } = await checkNetwork(new URL('http://slow.invalid/'), { resolve: () => new Promise(() => {}) })
    expect(steps).toEqual([{ step: 'dns', ms: expect.any(Number), error: 'TIMEOUT' }])
  })

  test('offers the protocols that browsers offer, for a server that refuses others', async () => {
    const offered: string[][] = []
    const ALPNCallback = ({ protocols }: { readonly protocols: string[] }) => {
      offered.push(protocols)
      return 'h2'
    }
    const port = await listenOn(createSecureServer({ ...makeCertificate(), ALPNCallback }), closing)
    expect((await check(`https://127.0.0.1:${port}/`)).at(-1)).toMatchObject({ step: 'tls', protocol: 'TLSv1.3' })
    expect(offered).toEqual([['h2', 'http/1.1']])
  })

  test('shows a certificate that nobody trusts, its issuer, its names and when it is valid', async () => {
    const authority = makeCertificate({ host: 'authority' })
    const { key, cert } = makeCertificate({ host: 'localhost', days: -1, issuer: authority })
    const port = await listenOn(createSecureServer({ key, cert }), closing)
    const tls = (await check(`https://127.0.0.1:${port}/`)).at(-1)!
    expect(tls).toMatchObject({ step: 'tls', protocol: 'TLSv1.3', untrusted: expect.stringMatching(/^[A-Z_]+$/) })
    const [leaf] = tls.chain!
    expect(leaf).toMatchObject({
      subject: 'localhost of a test',
      issuer: 'authority of a test',
      names: ['DNS:localhost'],
    })
    expect(Date.parse(leaf!.validTo)).toBeLessThan(Date.now())
    expect(leaf!.fingerprint256).toMatch(/^([\dA-F]{2}:){31}[\dA-F]{2}$/)
  })

  test('tells plain HTTP behind https, and a server that speaks first, by what arrives', async () => {
    const plain = await listenOn(createServer(), closing)
    expect((await check(`https://127.0.0.1:${plain}/`)).at(-1)).toMatchObject({
      step: 'tls',
      error: expect.any(String),
    })
    const ssh = await listenOn(
      createRawServer((socket) => void socket.write('SSH-2.0-OpenSSH_9.6\r\n')),
      closing,
    )
    expect((await check(`http://127.0.0.1:${ssh}/`, LONG)).at(-1)).toMatchObject({
      step: 'greeting',
      text: 'SSH-2.0-OpenSSH_9.6\r\n',
    })
  })

  test('refuses a ninth check while eight are running', async () => {
    let go = () => {}
    const waiting = new Promise<never>((_, reject) => (go = () => reject(new Error('over'))))
    waiting.catch(() => {})
    const running = Array.from({ length: 8 }, () =>
      checkNetwork(new URL('http://slow.invalid/'), { resolve: () => waiting }),
    )
    await expect(checkNetwork(new URL('http://slow.invalid/'))).rejects.toMatchObject({ status: 429 })
    go()
    await Promise.all(running)
  })
})
