/** Node only: a real authorization server runs here, and the committed file is read. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Provider } from 'oidc-provider'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { clientDocumentFor, clientDocumentText } from './client-document.ts'

test('the file in public/ is the template', () => {
  const file = readFileSync(join(import.meta.dirname, '../../../public/oauth/client.json'), 'utf8')
  expect(file).toBe(clientDocumentText())
})

const DOCUMENT = clientDocumentFor('https://tools.example/periscope/')
let served: unknown
const http = createServer()
let issuer = ''

beforeAll(async () => {
  // It warns about settings that only matter in production.
  for (const way of ['warn', 'info'] as const) vi.spyOn(console, way).mockImplementation(() => {})
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    features: { clientIdMetadataDocument: { enabled: true, ack: 'draft-02' } },
    fetch: async () => Response.json(served),
  })
  const listener = provider.callback()
  http.on('request', (request, response) => void listener(request, response))
})
afterAll(() => new Promise((resolve) => http.close(resolve)))

const authorize = async (redirectUri: string) => {
  const query = new URLSearchParams({
    client_id: DOCUMENT.client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid',
    state: 's',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })
  return fetch(`${issuer}/auth?${query}`, { redirect: 'manual' })
}

test('a real authorization server takes the document for a client, with its redirect URI and no other (AU-REG-02, AU-REG-03, AU-REG-10)', async () => {
  served = DOCUMENT
  const wrong = await authorize('https://evil.example/')
  expect(wrong.status).toBe(400)
  expect(await wrong.text()).toContain('redirect_uri')
  const right = await authorize(DOCUMENT.redirect_uris[0]!)
  expect(right.status).toBe(303)
  expect(right.headers.get('location')).toMatch(/\/interaction\//)
})
