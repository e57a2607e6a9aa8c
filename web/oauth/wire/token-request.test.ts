import fc from 'fast-check'
import type * as oauth from 'oauth4webapi'
import { expect, test } from 'vitest'
import { clientSecretBasic, readTokens } from './token-request.ts'

const as: oauth.AuthorizationServer = { issuer: 'https://auth.example.com' }

/** The header's content, before a server decodes it. */
const sentFor = async (id: string, secret: string): Promise<string> => {
  const headers = new Headers()
  await clientSecretBasic(secret)(as, { client_id: id }, new URLSearchParams(), headers)
  const [scheme, credentials = ''] = headers.get('authorization')!.split(' ')
  expect(scheme).toBe('Basic')
  return atob(credentials)
}

const answer = {
  answered: true,
  seq: 1,
  url: 'https://auth.example.com/token',
  status: 200,
  headers: new Headers({ 'content-type': 'application/json' }),
  relayed: false,
} as const

const decoded = (part: string): string => new URLSearchParams(`x=${part}`).get('x')!

test('AU-FLOW-13: a server that decodes what a client sends of itself gets every id and secret back (RFC 6749 section 2.3.1)', async () => {
  const any = fc.string({ unit: 'grapheme' })
  await fc.assert(
    fc.asyncProperty(any, any, async (id, secret) => {
      const parts = (await sentFor(id, secret)).split(':')
      expect(parts.map(decoded)).toEqual([id, secret])
    }),
  )
})

test('AU-FLOW-13: so does a server that decodes nothing, for the letters that ids and secrets are usually made of', async () => {
  const usual = fc.stringMatching(/^[A-Za-z0-9*._-]+$/)
  await fc.assert(
    fc.asyncProperty(usual, usual, async (id, secret) => {
      expect(await sentFor(id, secret)).toBe(`${id}:${secret}`)
    }),
  )
})

test('RFC 6750 section 2.1: a token that an Authorization header may not carry is used, and reported', async () => {
  const found = async (token: string) => {
    const text = JSON.stringify({ access_token: token, token_type: 'Bearer', expires_in: 3600 })
    const { tokens, remarks } = await readTokens(
      { ...answer, text, shown: text },
      { as, client: { client_id: 'c' }, now: 0, server: 'https://h/mcp' },
    )
    expect(tokens?.accessToken).toBe(token)
    return remarks.filter(({ ok }) => ok === false).map(({ rule, keyword, say }) => `${rule} ${keyword} ${say}`)
  }
  for (const token of ['a-b.c_d~e+f/g==', 'x', '1']) expect(await found(token), token).toEqual([])
  for (const token of ['7|abc', 'user:7', 'a=b', 'a#b!']) {
    expect(await found(token), token).toEqual(['RFC 6750 section 2.1 MUST token-syntax'])
  }
})

test('RFC 6749 appendix A.17, RFC 6750 section 5.3: a refresh token is ASCII, and no cookie without Secure has the token', async () => {
  const found = async (refresh: string, cookie?: string) => {
    const text = JSON.stringify({
      access_token: 'secret-1',
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: refresh,
    })
    const headers = new Headers(answer.headers)
    if (cookie !== undefined) headers.append('set-cookie', cookie)
    const context = { as, client: { client_id: 'c' }, now: 0, server: 'https://h/mcp' }
    const { remarks } = await readTokens({ ...answer, headers, text, shown: text }, context)
    return remarks.filter(({ ok }) => ok === false).map(({ rule, say }) => `${rule} ${say}`)
  }
  expect(await found('r-1')).toEqual([])
  expect(await found('clé')).toEqual(['RFC 6749 appendix A.17 parameter-characters'])
  // Pages never see cookies, so only the proxy and other runtimes can report them.
  const isVisible = new Headers([['set-cookie', 'a=b']]).getSetCookie().length === 1
  const insecure = isVisible ? ['RFC 6750 section 5.3 token-in-cookie'] : []
  expect(await found('r-1', 't=secret-1; Path=/; HttpOnly')).toEqual(insecure)
  expect(await found('r-1', 't=secret-1; Path=/; Secure; HttpOnly')).toEqual([])
  expect(await found('r-1', 'sid=1; HttpOnly')).toEqual([])
})
