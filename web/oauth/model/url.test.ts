/** Which URLs may be requested, where metadata is located, and the resource identifier of a server. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  canonicalResource,
  httpUrl,
  isLoopback,
  resourceMetadataUrls,
  resourceOf,
  safeUrl,
  serverMetadataUrls,
} from './url.ts'

const REMOTE = 'https://mcp.example/mcp'
const LOCAL = 'http://127.0.0.1:8080/mcp'

describe('AU-ASM-07, AU-FLOW-12: an address that somebody else wrote', () => {
  test.each<[url: unknown, remote: boolean, local: boolean]>([
    ['https://auth.example', true, true],
    ['https://auth.example:8443/x?y=1', true, true],
    ['http://auth.example', false, false],
    ['http://127.0.0.1:1/x', false, true],
    ['http://localhost/x', false, true],
    ['http://LOCALHOST/x', false, true],
    ['http://[::1]:1/x', false, true],
    ['http://app.localhost/x', false, true],
    // An IP address can be written in many ways.
    ['http://2130706433/x', false, true],
    ['http://0x7f.1/x', false, true],
    // Looks like this machine, but isn't.
    ['http://localhost.example.com/x', false, false],
    ['http://127.0.0.1.example.com/x', false, false],
    ['http://127.0.0.1@evil.example/x', false, false],
    ['https://user:password@auth.example', false, false],
    ['http://0.0.0.0/x', false, false],
    ['http://192.168.1.1/x', false, false],
    // Private network addresses are allowed for servers in private networks.
    ['https://10.0.0.1/x', false, true],
    ['https://172.31.255.255/x', false, true],
    ['https://172.32.0.1/x', true, true],
    ['https://192.168.1.1/x', false, true],
    ['https://169.254.169.254/x', false, true],
    ['https://100.64.0.1/x', false, true],
    ['https://100.63.0.1/x', true, true],
    ['https://0.0.0.0/x', false, true],
    ['https://[::]/x', false, true],
    ['https://[::ffff:10.0.0.1]/x', false, true],
    ['https://[::ffff:1.1.1.1]/x', true, true],
    ['https://[64:ff9b::7f00:1]/x', false, true],
    ['https://[fe80::1]/x', false, true],
    ['https://[fd00::1]/x', false, true],
    ['https://[2606:4700::1111]/x', true, true],
    ['https://localhost./x', false, true],
    ['https://api.localhost./x', false, true],
    ['https://127.0.0.1./x', false, true],
    ['https://10.example.com/x', true, true],
    // An https URL on this machine is allowed for servers on this machine.
    ['https://localhost/x', false, true],
    ['javascript:alert(1)', false, false],
    ['JavaScript:alert(1)', false, false],
    [' javascript:alert(1)', false, false],
    ['data:text/html,x', false, false],
    ['vbscript:x', false, false],
    ['file:///etc/passwd', false, false],
    ['blob:https://auth.example/1', false, false],
    ['ws://127.0.0.1/', false, false],
    ['/auth', false, false],
    ['//auth.example', false, false],
    ['', false, false],
    [`https://auth.example/${'x'.repeat(5000)}`, false, false],
    [null, false, false],
    [7, false, false],
    [['https://auth.example'], false, false],
  ])('%j is safe beside a remote server: %s, beside a local one: %s', (url, remote, local) => {
    expect([safeUrl(url, REMOTE) !== undefined, safeUrl(url, LOCAL) !== undefined]).toEqual([remote, local])
  })

  test('is https, or on this machine, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl(),
          fc.string(),
          fc.webUrl().map((url) => url.replace(/^https/, 'http')),
        ),
        (text) => {
          for (const server of [REMOTE, LOCAL]) {
            const url = safeUrl(text, server)
            if (!url) continue
            expect(url.protocol === 'https:' || isLoopback(url)).toBe(true)
            expect([url.username, url.password]).toEqual(['', ''])
            expect(httpUrl(text)?.href).toBe(url.href)
          }
        },
      ),
    )
  })
})

describe('AU-FLOW-05: a server as a resource', () => {
  test.each([
    ['https://MCP.Example.com/Server/MCP', 'https://mcp.example.com/Server/MCP'],
    ['HTTPS://mcp.example.com', 'https://mcp.example.com'],
    ['https://mcp.example.com/', 'https://mcp.example.com'],
    ['https://mcp.example.com:443/mcp', 'https://mcp.example.com/mcp'],
    ['https://mcp.example.com:8443', 'https://mcp.example.com:8443'],
    ['https://mcp.example.com/mcp#part', 'https://mcp.example.com/mcp'],
    ['https://mcp.example.com/mcp/', 'https://mcp.example.com/mcp/'],
    ['https://mcp.example.com/mcp?tenant=1', 'https://mcp.example.com/mcp?tenant=1'],
  ])('%s is called %s', (server, resource) => expect(canonicalResource(server)).toBe(resource))

  test('has a scheme, no fragment, a host in lower case, and is called the same when it is called by that', () => {
    fc.assert(
      fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), (server) => {
        const resource = canonicalResource(server)
        expect(resource).toMatch(/^https?:\/\/[^A-Z/?#]*/)
        expect(resource).not.toContain('#')
        expect(canonicalResource(resource)).toBe(resource)
        const [one, other] = [new URL(resource), new URL(server)]
        expect([one.origin, one.pathname, one.search]).toEqual([other.origin, other.pathname, other.search])
      }),
    )
  })
})

describe('where metadata stand', () => {
  const RESOURCE = '/.well-known/oauth-protected-resource'

  test.each<[server: string, paths: string[]]>([
    ['https://a.example/mcp', [`${RESOURCE}/mcp`, RESOURCE]],
    ['https://a.example/public/mcp', [`${RESOURCE}/public/mcp`, RESOURCE]],
    ['https://a.example/mcp/', [`${RESOURCE}/mcp/`, RESOURCE]],
    ['https://a.example/mcp?tenant=1', [`${RESOURCE}/mcp?tenant=1`, RESOURCE]],
    ['https://a.example/', [RESOURCE]],
    ['https://a.example', [RESOURCE]],
  ])(
    'AU-PRM-03: those of %s, at the address with its path, then at the root, which is the only one at the root',
    (server, paths) => {
      expect(resourceMetadataUrls(server).map(({ url }) => url)).toEqual(
        paths.map((path) => `https://a.example${path}`),
      )
    },
  )

  test('AU-PRM-05: each address says which resource it is about', () => {
    fc.assert(
      // A question mark without a query means nothing.
      fc.property(
        fc.webUrl({ withQueryParameters: true }).filter((url) => !url.endsWith('?')),
        (server) => {
          const [first, root] = resourceMetadataUrls(server)
          expect(canonicalResource(resourceOf(first!.url)!)).toBe(canonicalResource(server))
          if (root) expect(resourceOf(root.url)).toBe(new URL(server).origin)
        },
      ),
    )
    for (const other of [
      'https://a.example/metadata.json',
      `https://a.example${RESOURCE}s/mcp`,
      'https://a.example/x/.well-known/oauth-protected-resource',
    ]) {
      expect(resourceOf(other)).toBeUndefined()
    }
  })

  const OAUTH = '/.well-known/oauth-authorization-server'
  const OPENID = '/.well-known/openid-configuration'

  test.each<[issuer: string, openid: boolean, paths: string[]]>([
    ['https://a.example/tenant1', true, [`${OAUTH}/tenant1`, `${OPENID}/tenant1`, `/tenant1${OPENID}`]],
    ['https://a.example/a/b', true, [`${OAUTH}/a/b`, `${OPENID}/a/b`, `/a/b${OPENID}`]],
    ['https://a.example/tenant1/', true, [`${OAUTH}/tenant1`, `${OPENID}/tenant1`, `/tenant1${OPENID}`]],
    ['https://a.example', true, [OAUTH, OPENID]],
    ['https://a.example/', true, [OAUTH, OPENID]],
    ['https://a.example/tenant1', false, [`${OAUTH}/tenant1`]],
    ['https://a.example', false, [OAUTH]],
  ])('AU-ASM-03, AU-ASM-04: those of %s, with OpenID: %s', (issuer, openid, paths) => {
    expect(serverMetadataUrls(issuer, openid).map(({ url }) => url)).toEqual(
      paths.map((path) => `https://a.example${path}`),
    )
  })
})
