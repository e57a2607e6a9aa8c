/** Where metadata is located, and the resource identifier of a server. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalResource, resourceMetadataUrls, resourceOf, serverMetadataUrls } from './well-known.ts'

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
