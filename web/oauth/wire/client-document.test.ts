import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parsedUrl } from '../../mcp/url.ts'
import {
  checkClientDocument,
  clientDocumentFor,
  clientDocumentText,
  clientDocumentUrlOf,
  type DocumentProblem,
} from './client-document.ts'
import { redirectUriOf } from '../consent/return.ts'

const BASE = 'https://tools.example/periscope/'
const URL_OF_OURS = 'https://tools.example/periscope/oauth/client.json'
const REDIRECT = 'https://tools.example/periscope/oauth/callback.html'

test('the document of a hosted copy names itself, its redirect URI, and a public client that wants refresh tokens (AU-REG-02, AU-REG-09)', () => {
  expect(clientDocumentFor(BASE)).toMatchObject({
    client_id: URL_OF_OURS,
    client_name: 'Periscope',
    client_uri: BASE,
    redirect_uris: [REDIRECT],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: 'web',
  })
})

test('what is written for any folder passes its own check there, and nowhere else (AU-REG-03)', () => {
  const base = fc
    .tuple(fc.webAuthority(), fc.array(fc.webSegment({ size: '-1' }).filter((part) => part !== '')))
    .map(([host, path]) => `https://${host}/${path.map((part) => `${part}/`).join('')}`)
    .filter((text) => parsedUrl(text) !== undefined && !text.includes('@'))
  fc.assert(
    fc.property(base, (text) => {
      // A page knows its own folder in the browser's normalized form.
      const { href } = new URL(text)
      const document: unknown = JSON.parse(clientDocumentText(text))
      expect(checkClientDocument(document, clientDocumentUrlOf(href), redirectUriOf(href))).toEqual([])
      const codes = checkClientDocument(document, URL_OF_OURS, REDIRECT).map(({ code }) => code)
      expect(codes).toEqual(['client-id-differs', 'redirect-uri-missing'])
    }),
  )
})

test.each([
  ['http://tools.example/', /isn't https/],
  ['http://localhost:6275/', /isn't https/],
  ['https://tools.example/periscope', /slash/],
  ['https://tools.example/?x', /query/],
  ['https://tools.example/#', /fragment/],
  ['https://me:secret@tools.example/', /password/],
  ['tools.example', /isn't a URL/],
])('nobody can host it at %s, and is told why', (base, why) => {
  expect(() => clientDocumentFor(base)).toThrow(why)
})

describe('the check of a document (AU-REG-03) finds', () => {
  const good = clientDocumentFor(BASE)
  const { client_name: _, ...nameless } = good
  const { redirect_uris: __, ...homeless } = good
  const { token_endpoint_auth_method: ___, ...defaulted } = good

  test.each<[what: string, document: unknown, expected: DocumentProblem['code'][]]>([
    ['nothing', good, []],
    ['nothing in one that says no more than it must', { ...good, grant_types: undefined, logo_uri: undefined }, []],
    ['nothing in another redirect URI beside', { ...good, redirect_uris: ['https://a.example/', REDIRECT] }, []],
    ['no key of a private one', { ...good, token_endpoint_auth_method: 'private_key_jwt' }, []],
    ['the template', JSON.parse(clientDocumentText()), ['not-set-up']],
    ['no object: nothing', undefined, ['not-an-object']],
    ['no object: a list', [good], ['not-an-object']],
    ['no object: the page of a static host', '<!doctype html>', ['not-an-object']],
    ['another id', { ...good, client_id: `${URL_OF_OURS}?` }, ['client-id-differs']],
    [
      'an id that differs in case alone',
      { ...good, client_id: URL_OF_OURS.replace('tools', 'Tools') },
      ['client-id-differs'],
    ],
    ['no name', nameless, ['no-client-name']],
    ['an empty name', { ...good, client_name: ' ' }, ['no-client-name']],
    ['no redirect URIs', homeless, ['no-redirect-uris']],
    ['an empty list of them', { ...good, redirect_uris: [] }, ['no-redirect-uris']],
    ['that ours is not in it', { ...good, redirect_uris: [`${REDIRECT}/`] }, ['redirect-uri-missing']],
    ['no code grant', { ...good, grant_types: ['client_credentials'] }, ['no-authorization-code']],
    ['no code response', { ...good, response_types: ['token'] }, ['no-authorization-code']],
    ['a secret that all can read', { ...good, client_secret: 'x' }, ['has-secret']],
    [
      'a method that needs one',
      { ...good, token_endpoint_auth_method: 'client_secret_post' },
      ['shared-secret-method'],
    ],
    ['that such a method is the default', defaulted, ['shared-secret-method']],
    ['more than a server reads', { ...good, software_statement: 'x'.repeat(6000) }, ['too-large']],
  ])('%s', (_, document, expected) => {
    const problems = checkClientDocument(document && JSON.parse(JSON.stringify(document)), URL_OF_OURS, REDIRECT)
    expect(problems.map(({ code }) => code)).toEqual(expected)
  })

  test.each<[url: string, expected: DocumentProblem['code'][]]>([
    ['http://tools.example/client.json', ['not-https']],
    ['http://127.0.0.1:6275/oauth/client.json', ['not-https']],
    ['https://tools.example', ['no-path']],
    ['https://tools.example/', ['no-path']],
    ['https://tools.example/a/../client.json', ['dot-segment']],
    ['https://tools.example/a/%2E/client.json', ['dot-segment']],
    ['https://tools.example/a/...json/client.json', []],
    ['https://tools.example/client.json#', ['has-fragment']],
    ['https://me@tools.example/client.json', ['has-credentials']],
    ['https://tools.example:8443/client.json?v=1', []],
    ['client.json', ['no-url']],
  ])('what is wrong with the address %s', (url, expected) => {
    const problems = checkClientDocument({ ...good, client_id: url }, url, REDIRECT)
    expect(problems.map(({ code }) => code)).toEqual(expected)
  })

  test('only short texts, and never fails, whatever a host answers with', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), fc.string(), (document, url, redirectUri) => {
        for (const { found = '' } of checkClientDocument(document, url, redirectUri)) {
          expect(found.length).toBeLessThanOrEqual(201)
        }
      }),
    )
  })
})
