/**
 * What server authors can paste is correct: headers that a browser accepts, JSON that parses, URLs that are requested.
 */
import { describe, expect, test } from 'vitest'
import type { AuthStep } from '../../mcp/index.ts'
import { fault, type FaultCode } from '../model/fault.ts'
import { fixFor, fixForCheck, pageOf, type Place } from './server-fix.ts'
import { canonicalResource, resourceMetadataUrls } from '../model/well-known.ts'

const place: Place = {
  origin: 'http://localhost:6275',
  server: 'https://mcp.example/mcp',
  issuer: 'https://as.example/t1',
  redirectUri: 'http://localhost:6275/oauth/callback.html',
  request: { method: 'POST', url: 'https://as.example/t1/register', headers: ['content-type', 'Accept'] },
}
const fix = (code: FaultCode, facts = {}, at = place, step: AuthStep = 'token') =>
  fixFor(fault(code, '', undefined, facts), at, step)

describe('to paste', () => {
  test('CORS headers name this page, the method and the headers of the request that failed, and no more', () => {
    expect(fix('unreadable').split('\n')).toEqual([
      'Access-Control-Allow-Origin: http://localhost:6275',
      'Access-Control-Allow-Methods: POST',
      'Access-Control-Allow-Headers: content-type',
    ])
    const request = { method: 'POST', url: place.server!, headers: ['content-type', 'mcp-protocol-version'] }
    expect(
      fix('unreadable', {}, { ...place, request })
        .split('\n')
        .slice(2),
    ).toEqual([
      'Access-Control-Allow-Headers: content-type, mcp-protocol-version',
      'Access-Control-Expose-Headers: WWW-Authenticate',
    ])
  })

  test('the resource metadata stand where they are asked for, and speak of the server', () => {
    const text = fix('no-resource-metadata')
    expect(text).toContain(`GET ${resourceMetadataUrls(place.server!)[0]!.url}\n`)
    const document = JSON.parse(/\{[\s\S]*\n\}/.exec(text)![0]) as { resource: string }
    expect(document.resource).toBe(canonicalResource(place.server!))
    expect(text).toContain('WWW-Authenticate: Bearer resource_metadata="https://mcp.example/')
  })

  test.each([
    ['resource-mismatch', { expected: 'https://mcp.example/mcp' }, { resource: 'https://mcp.example/mcp' }],
    ['issuer-mismatch', { expected: 'https://as.example/t1' }, { issuer: 'https://as.example/t1' }],
    ['missing-endpoint', { name: 'token_endpoint' }, { token_endpoint: 'https://as.example/t1/token' }],
    ['pkce-not-advertised', {}, { code_challenge_methods_supported: ['S256'] }],
    ['token-type', {}, { token_type: 'Bearer' }],
  ] as const)('%s: the member that is missing', (code, facts, expected) => {
    expect(JSON.parse(fix(code, facts))).toEqual(expected)
  })

  test.each(['token-type', 'no-access-token'] as const)('%s: a token exchange has another response', (code) => {
    expect(JSON.parse(fix(code, {}, place, 'assertion'))).toMatchObject({
      issued_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
      token_type: 'N_A',
    })
    expect(fix('toString' as FaultCode, {}, place, 'assertion')).toBe('')
  })

  test('a redirect has the issuer letter by letter, encoded as a form', () => {
    const location = new URL(fix('iss-mismatch', { expected: 'https://as.example/t1?a=b&c' }).replace('Location: ', ''))
    expect(location.searchParams.get('iss')).toBe('https://as.example/t1?a=b&c')
    expect(location.origin + location.pathname).toBe(place.redirectUri)
  })

  test('there is nothing where nothing is known, or where others are to blame', () => {
    expect(fix('no-answer')).toBe('')
    expect(fix('no-server-metadata', { issuer: 'no address' })).toBe('')
    expect(fixFor({ code: 'a-code-of-later', explanation: '' }, place, 'token')).toBe('')
    expect(fixFor({ code: 'toString', explanation: '' }, place, 'token')).toBe('')
    expect(fix('no-resource-metadata', {}, { origin: place.origin })).toBe('')
  })

  test('also for what stops nobody: a hidden header', () => {
    expect(fixForCheck('challenge-hidden', place)).toBe('Access-Control-Expose-Headers: WWW-Authenticate')
    expect(fixForCheck('issuer-matches', place)).toBe('')
  })
})

test('a page on this machine is local, whatever it speaks', () => {
  expect(['https://p.example/x', 'https://localhost:1/', 'http://127.0.0.1:6275/#a', 'http://192.168.1.2/'].map(pageOf)).toEqual(
    ['https', 'local', 'local', 'local'],
  ) // prettier-ignore
})
