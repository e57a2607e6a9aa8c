/**
 * A server on the internet names addresses of this machine and of private networks as sign-in endpoints. None of them
 * may receive a request, from the page or from the proxy, even if the user agrees to everything.
 *
 * These tests have no internet. The responses of the hostile server and its authorization server are faked at the
 * page's `fetch`, and its names are resolved where the proxy would ask the system's resolver. The flow, the relay, the
 * proxy and the attacked machine (a listener on loopback, and every connection the proxy opens) are real.
 */
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listenOn, startProxy, type Closing, type Proxy } from '../../proxy/fixtures/relaying.ts'
import type { Lookup } from '../../proxy/public-address.ts'
import { relayFetch, Trace } from '../../web/mcp/index.ts'
import { ProxyChannel } from '../../web/mcp/transports/proxy-channel.ts'
import { SignIn } from '../../web/oauth/sign-in.ts'
import { Vault } from '../../web/oauth/vault/vault.ts'

const SERVER = 'https://mcp.example'
const AS = 'https://auth.example'

/** Hosts for a URL. The first seven reach this machine's loopback, where a server listens. */
const HOSTS = [
  '127.0.0.1',
  'localhost',
  'app.localhost.',
  '2130706433',
  '0x7f.1',
  '0.0.0.0',
  '[::ffff:127.0.0.1]',
  '[::1]',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '[fe80::1]',
  '[fd00::1]',
]
/** The attacker's host names. Only the proxy learns their addresses. */
const NAMES: Readonly<Record<string, string>> = {
  'loopback.attacker.example': '127.0.0.1',
  'metadata.attacker.example': '169.254.169.254',
  'mapped.attacker.example': '::ffff:127.0.0.1',
}

const ENDPOINTS = [
  'resource_metadata',
  'issuer',
  'authorization_endpoint',
  'registration_endpoint',
  'token_endpoint',
  'revocation_endpoint',
  'jwks_uri',
  'introspection_endpoint',
] as const
type Endpoint = (typeof ENDPOINTS)[number]

const closing: Closing = []
let proxy: Proxy
let channel: ProxyChannel
let port: number
/** Connections to the listener on loopback. */
let connections = 0

beforeAll(async () => {
  const target = createServer((socket) => {
    connections++
    socket.destroy()
  })
  port = await listenOn(target, closing)
  const lookup: Lookup = (name, _, callback) => {
    const address = NAMES[name]
    if (address === undefined) return callback(Object.assign(new Error(name), { code: 'ENOTFOUND' }), [])
    callback(null, [{ address, family: address.includes(':') ? 6 : 4 }])
  }
  proxy = await startProxy(closing, {}, { lookup })
  channel = new ProxyChannel({ base: proxy.base, token: proxy.token })
})
afterAll(async () => {
  for (const close of closing.splice(0)) await close()
})

/** Responses of the hostile server and its authorization server, with one URL replaced. */
const hostile = (endpoint: Endpoint, evil: string): ((url: string) => Response) => {
  const at = (name: Endpoint, url: string) => ({ [name]: name === endpoint ? evil : url })
  const issuer = endpoint === 'issuer' ? new URL(evil).origin : AS
  const metadata = {
    issuer: AS,
    code_challenge_methods_supported: ['S256'],
    response_types_supported: ['code'],
    ...at('authorization_endpoint', `${AS}/authorize`),
    ...at('registration_endpoint', `${AS}/register`),
    ...at('token_endpoint', `${AS}/token`),
    ...at('revocation_endpoint', `${AS}/revoke`),
    ...at('jwks_uri', `${AS}/jwks`),
    ...at('introspection_endpoint', `${AS}/introspect`),
  }
  const challenge = `Bearer resource_metadata="${endpoint === 'resource_metadata' ? evil : `${SERVER}/.well-known/oauth-protected-resource`}"`
  return (url) => {
    if (url === `${SERVER}/mcp`) return new Response('', { status: 401, headers: { 'WWW-Authenticate': challenge } })
    if (url.includes('oauth-protected-resource'))
      return Response.json({ resource: `${SERVER}/mcp`, authorization_servers: [issuer] })
    if (url.includes('/.well-known/')) return Response.json(metadata)
    if (url === `${AS}/register`)
      return Response.json({ client_id: 'c', redirect_uris: ['http://127.0.0.1:1/callback'] }, { status: 201 })
    if (url === `${AS}/token`)
      return Response.json({ access_token: 'a', token_type: 'Bearer', refresh_token: 'r', expires_in: 3600 })
    return new Response('', { status: 404 })
  }
}

interface Attack {
  readonly endpoint: Endpoint
  readonly evil: string
  /** The user agrees to every prompt. */
  readonly agrees: boolean
}

/** @returns where the page's own fetch went, except to the two servers, and what it requested from the proxy */
const attack = async ({ endpoint, evil, agrees }: Attack) => {
  const answer = hostile(endpoint, evil)
  const direct: string[] = []
  const relayed: { readonly url: string; readonly refused: unknown }[] = []
  const relay = ({ publicOnly }: { readonly publicOnly: boolean }): typeof fetch => {
    const through = relayFetch({ channel, publicOnly })
    return async (input, init) => {
      try {
        return await through(input, init)
      } catch (error) {
        relayed.push({
          url: new Request(input).url,
          refused: (error as { details?: { relayCode?: unknown } }).details?.relayCode,
        })
        throw error
      }
    }
  }
  const signIn: SignIn = new SignIn(
    { trace: new Trace(), link: 's1', url: `${SERVER}/mcp`, authorized: async () => undefined },
    {
      vault: new Vault({}),
      redirectUri: 'http://127.0.0.1:1/callback',
      fetch: async (input) => {
        const url = new Request(input).url
        if (url.startsWith(SERVER) || url.startsWith(AS)) return answer(url)
        direct.push(url)
        // As in a browser when the preflight fails.
        throw new TypeError('Failed to fetch')
      },
      relay,
      awaitReturn: async (state) => `?code=c&state=${state}`,
      ...(agrees ? {} : { unattended: true as const }),
    },
  )
  let acts = 0
  const act = () => {
    const { waiting } = signIn.flow ?? {}
    if (waiting?.for !== 'help') return
    // Choose the relay, then continue despite every warning, then stop.
    const did = acts++
    if (did > 12) return signIn.cancel()
    if (waiting.fault.code === 'unreadable' && did < 6) signIn.act({ do: 'again', relay: direct.at(-1) ?? evil })
    else if (waiting.takes.includes('go-on')) signIn.act({ do: 'go-on' })
    else signIn.cancel()
  }
  signIn.subscribe(() => setTimeout(act))
  await signIn.begin('automatic')
  await signIn.refresh()
  await signIn.revoke()
  return { direct, relayed }
}

describe.each(HOSTS)('an endpoint on %s', (host) => {
  test.each(ENDPOINTS)('as %s of a server on the internet gets no request', async (endpoint) => {
    for (const scheme of ['https', 'http']) {
      for (const agrees of [false, true]) {
        const { direct, relayed } = await attack({ endpoint, evil: `${scheme}://${host}:${port}/x`, agrees })
        expect({ scheme, agrees, direct, relayed }).toEqual({ scheme, agrees, direct: [], relayed: [] })
      }
    }
    expect(connections).toBe(0)
  })
})

describe.each(Object.keys(NAMES))('an endpoint on %s, which means a private address', (host) => {
  test.each(ENDPOINTS)('as %s gets no request from the proxy', async (endpoint) => {
    for (const agrees of [false, true]) {
      const { relayed } = await attack({ endpoint, evil: `https://${host}:${port}/x`, agrees })
      expect(new Set(relayed.map(({ refused }) => refused))).toEqual(new Set(relayed.length > 0 ? ['not-public'] : []))
      if (!agrees) expect(relayed).toEqual([])
    }
    expect(connections).toBe(0)
  })
})

test('the same endpoint of a server on this machine is asked: developers need that', async () => {
  const before = connections
  await proxy.ask({ url: `http://127.0.0.1:${port}/x` }).then((response) => response.text())
  expect(connections).toBe(before + 1)
})
