import fc from 'fast-check'
import type * as oauth from 'oauth4webapi'
import { expect, test } from 'vitest'
import { clientSecretBasic } from './token-request.ts'

const as: oauth.AuthorizationServer = { issuer: 'https://auth.example.com' }

/** The header's content, before a server decodes it. */
const sentFor = async (id: string, secret: string): Promise<string> => {
  const headers = new Headers()
  await clientSecretBasic(secret)(as, { client_id: id }, new URLSearchParams(), headers)
  const [scheme, credentials = ''] = headers.get('authorization')!.split(' ')
  expect(scheme).toBe('Basic')
  return atob(credentials)
}

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
