import { createServer } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { listenOn, refusal, startProxy, drain, type Closing } from './fixtures/relaying.ts'
import { isPublicAddress, mayBePublic, publicLookup, type Lookup } from './public-address.ts'

const closing: Closing = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const PRIVATE = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::ffff:127.0.0.1',
  '::ffff:a9fe:a9fe',
  '::ffff:10.0.0.1',
  '64:ff9b::10.0.0.1',
  '64:ff9b::7f00:1',
  '2001::1',
  '2002:7f00:1::',
  'fc00::1',
  'fdff::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
]
const PUBLIC = [
  '1.1.1.1',
  '100.63.255.255',
  '100.128.0.1',
  '172.15.0.1',
  '172.32.0.1',
  '192.167.1.1',
  '223.255.255.255',
]
const PUBLIC_IPV6 = ['2606:4700:4700::1111', '::ffff:1.1.1.1', '64:ff9b::1.1.1.1', '2a00:1450::1']

test.each(PRIVATE)('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false))
test.each([...PUBLIC, ...PUBLIC_IPV6])('%s is public', (address) => expect(isPublicAddress(address)).toBe(true))

test.each([
  'http://localhost/',
  'http://LOCALHOST./',
  'http://api.localhost:1/',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0177.0.0.1/',
  'http://127.0.0.1./',
  'http://0/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://①②⑦.0.0.1/',
])('%s means no public host in any spelling', (url) => expect(mayBePublic(new URL(url).hostname)).toBe(false))

describe('a relayed request to public addresses only', () => {
  /** A server on loopback that counts requests. */
  const target = async () => {
    let came = 0
    const server = createServer((_, response) => response.end(`${++came}`))
    const port = await listenOn(server, closing)
    return { port, came: () => came }
  }
  const answering = (...addresses: string[]): Lookup => {
    return (_, __, callback) =>
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      )
  }

  test.each(['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '0.0.0.0', '127.1'])(
    'is not sent to %s, and without the word it is',
    async (host) => {
      const { port, came } = await target()
      const proxy = await startProxy(closing)
      const url = `http://${host}:${port}/`
      expect(await refusal(await proxy.ask({ url, publicOnly: true }))).toMatchObject({
        status: 400,
        code: 'not-public',
      })
      expect(came()).toBe(0)
      if (host !== 'localhost') expect((await drain(await proxy.ask({ url }))).body.toString()).toBe('1')
    },
  )

  test.each([
    ['a private address', ['127.0.0.1']],
    ['a public and a private one', ['1.1.1.1', '127.0.0.1']],
    ['an address of IPv4 in IPv6', ['::ffff:127.0.0.1']],
  ])('is not sent to a name that means %s', async (_, addresses) => {
    const { port, came } = await target()
    const proxy = await startProxy(closing, {}, { lookup: answering(...addresses) })
    const answer = await proxy.ask({ url: `http://auth.example:${port}/`, publicOnly: true })
    expect(await refusal(answer)).toMatchObject({
      ...{ status: 400, code: 'not-public', system: 'NOT_PUBLIC' },
      message: expect.stringContaining(addresses.at(-1)!),
    })
    expect(came()).toBe(0)
  })

  test.each([{ all: true }, { all: false }])(
    'is connected to the addresses that were looked at, so that a name cannot mean others a moment later (%j)',
    async (options) => {
      let asked = 0
      const lookup = publicLookup((...given) => answering(asked++ === 0 ? '1.1.1.1' : '127.0.0.1')(...given))
      const found = await new Promise((resolve, reject) => {
        lookup('rebinding.example', options, (error, address) => (error ? reject(error) : resolve(address)))
      })
      expect([asked, found]).toEqual([1, options.all ? [{ address: '1.1.1.1', family: 4 }] : '1.1.1.1'])
    },
  )
})
