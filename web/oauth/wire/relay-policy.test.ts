import { describe, expect, test } from 'vitest'
import { RelayPolicy, type RelayOrigins } from './relay-policy.ts'

const REMOTE = 'https://mcp.example/mcp'
const AS = 'https://auth.example'
const policyOf = (origins: Partial<RelayOrigins> = {}) =>
  new RelayPolicy(() => ({ server: REMOTE, known: {}, options: {}, tokens: undefined, ...origins }))

describe('a request of a sign-in goes through the proxy automatically', () => {
  test('to the origin of the MCP server, and of no other that it names', () => {
    const policy = policyOf({ known: { issuer: AS } })
    expect(policy.reasonFor('https://mcp.example/.well-known/x')).toBe('server')
    for (const url of [
      `${AS}/register`,
      'https://mcp.example:444/',
      'http://mcp.example/',
      'https://x.mcp.example/',
      '',
    ])
      expect(policy.reasonFor(url), url).toBeUndefined()
  })

  test('to an issuer that its user typed in', () => {
    const policy = policyOf({ options: { authorizationServer: `${AS}/tenant` } })
    expect(policy.reasonFor(`${AS}/register`)).toBe('typed')
  })

  test('to an issuer that the window of the sign-in has shown, not to one that another window stood for', () => {
    const at = (authorization_endpoint: string, returned?: string) =>
      policyOf({
        known: { issuer: AS, metadata: { issuer: AS, authorization_endpoint }, ...(returned ? { returned } : {}) },
      })
    expect(at(`${AS}/authorize`, 'code=1').reasonFor(`${AS}/token`)).toBe('issuer')
    expect(at(`${AS}/authorize`).reasonFor(`${AS}/token`)).toBeUndefined()
    expect(at('https://other.example/authorize', 'code=1').reasonFor(`${AS}/token`)).toBeUndefined()
  })

  test('to an origin that its user agreed to, by the URL', () => {
    const policy = policyOf()
    policy.agree(`${AS}/register?x=1`)
    expect(policy.reasonFor(`${AS}/token`)).toBe('agreed')
    expect(policy.reasonFor('https://auth.example.evil/token')).toBeUndefined()
  })
})

describe('what may be asked at addresses that are not public', () => {
  test.each([
    ['https://mcp.example/mcp', true],
    ['http://127.0.0.1:3000/mcp', false],
    ['http://localhost:3000/mcp', false],
    ['https://192.168.1.5/mcp', false],
  ])('of a server at %s, an origin that it names: public only is %s, even where its user agreed', (server, only) => {
    const policy = policyOf({ server })
    expect(policy.isPublicOnly(`${AS}/register`)).toBe(only)
    policy.agree(`${AS}/register`)
    expect(policy.isPublicOnly(`${AS}/register`)).toBe(only)
  })

  test('the server itself, and what its user typed in', () => {
    const policy = policyOf({ options: { authorizationServer: AS } })
    expect([policy.isPublicOnly(`${AS}/token`), policy.isPublicOnly('https://mcp.example/x')]).toEqual([false, false])
  })
})
