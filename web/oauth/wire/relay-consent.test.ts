import { describe, expect, test } from 'vitest'
import { RelayConsent, type RelayOrigins } from './relay-consent.ts'

const REMOTE = 'https://mcp.example/mcp'
const AS = 'https://auth.example'
const consentOf = (origins: Partial<RelayOrigins> = {}) =>
  new RelayConsent(() => ({ server: REMOTE, known: {}, options: {}, tokens: undefined, ...origins }))

describe('a request of a sign-in goes through the proxy automatically', () => {
  test('to the origin of the MCP server, and of no other that it names', () => {
    const consent = consentOf({ known: { issuer: AS } })
    expect(consent.reasonFor('https://mcp.example/.well-known/x')).toBe('server')
    for (const url of [
      `${AS}/register`,
      'https://mcp.example:444/',
      'http://mcp.example/',
      'https://x.mcp.example/',
      '',
    ])
      expect(consent.reasonFor(url), url).toBeUndefined()
  })

  test('to an issuer that its user typed in', () => {
    const consent = consentOf({ options: { authorizationServer: `${AS}/tenant` } })
    expect(consent.reasonFor(`${AS}/register`)).toBe('typed')
  })

  test('to an issuer that the window of the sign-in has shown, not to one that another window stood for', () => {
    const at = (authorization_endpoint: string, returned?: string) =>
      consentOf({
        known: { issuer: AS, metadata: { issuer: AS, authorization_endpoint }, ...(returned ? { returned } : {}) },
      })
    expect(at(`${AS}/authorize`, 'code=1').reasonFor(`${AS}/token`)).toBe('issuer')
    expect(at(`${AS}/authorize`).reasonFor(`${AS}/token`)).toBeUndefined()
    expect(at('https://other.example/authorize', 'code=1').reasonFor(`${AS}/token`)).toBeUndefined()
  })

  test('to an origin that its user agreed to, by the URL', () => {
    const consent = consentOf()
    consent.agree(`${AS}/register?x=1`)
    expect(consent.reasonFor(`${AS}/token`)).toBe('agreed')
    expect(consent.reasonFor('https://auth.example.evil/token')).toBeUndefined()
  })
})

describe('what may be asked at addresses that are not public', () => {
  test.each([
    ['https://mcp.example/mcp', true],
    ['http://127.0.0.1:3000/mcp', false],
    ['http://localhost:3000/mcp', false],
    ['https://192.168.1.5/mcp', false],
  ])('of a server at %s, an origin that it names: public only is %s, even where its user agreed', (server, only) => {
    const consent = consentOf({ server })
    expect(consent.isPublicOnly(`${AS}/register`)).toBe(only)
    consent.agree(`${AS}/register`)
    expect(consent.isPublicOnly(`${AS}/register`)).toBe(only)
  })

  test('the server itself, and what its user typed in', () => {
    const consent = consentOf({ options: { authorizationServer: AS } })
    expect([consent.isPublicOnly(`${AS}/token`), consent.isPublicOnly('https://mcp.example/x')]).toEqual([false, false])
  })
})
