/** The tokens of the authorization peers are as described, observed with fetch and oauth4webapi only. */
import * as oauth from 'oauth4webapi'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { control } from '../control.ts'
import { ask, initialize, type Headers } from '../raw.ts'
import { JWT_BEARER, TOKEN_EXCHANGE } from './clients.ts'
import { start, type OauthPeer } from './index.ts'
import { issuerOf } from './issuers.ts'
import { decodeJwt } from './jwt.ts'
import { knownClients, type IssuerKindName, type VariantName } from './names.ts'
import type { Logged } from './request-log.ts'
import { insecure, refresh, serverAt, signIn as signInAt, type Flow } from './sign-in.ts'

let peer: OauthPeer
beforeAll(async () => void (peer = await start()))
afterAll(() => peer.close())

const at = (variant: VariantName, key: string, behind = 'v1') => `${peer.url}/${behind}/${variant}/${key}`
const issuerAt = (kind: IssuerKindName) => issuerOf(peer.issuerUrl, kind)
const log = (kind: IssuerKindName, fits: object) => control<Logged[]>(issuerAt(kind), 'log', fits)
/** At the kind `plain` by default. */
const signIn = (flow: Partial<Flow>) => signInAt({ server: serverAt(peer.issuerUrl), ...flow })

const bearer = (token: string): Headers => ({ Authorization: `Bearer ${token}` })
const statusOf = async (url: string, headers: Headers = {}) => (await ask(url, initialize(), headers)).status
const challengeOf = async (url: string, headers: Headers = {}) =>
  (await ask(url, initialize(), headers)).headers.get('www-authenticate')
const errorOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no error',
    (error: { error?: string; code?: string }) => error.error ?? error.code,
  )

describe('tokens', () => {
  test('are refreshed with a new refresh token each time, and an old one ends them all', async () => {
    const resource = at('plain', 'refresh')
    const server = serverAt(peer.issuerUrl)
    const first = await signIn({ resource, scope: 'mcp:read mcp:write' })
    const second = await refresh(server, first.refresh_token, resource)
    expect(second).toMatchObject({ scope: 'mcp:read mcp:write', refresh_token: expect.any(String) })
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect(await statusOf(resource, bearer(second.access_token))).toBe(200)
    expect(await errorOf(refresh(server, first.refresh_token, resource))).toBe('invalid_grant')
    expect(await errorOf(refresh(server, second.refresh_token, resource))).toBe('invalid_grant')
  })

  test('are over when a test says so: access tokens at one server, and its refresh tokens', async () => {
    const [url, other] = [at('plain', 'over'), at('plain', 'not-over')]
    const [first, elsewhere] = [await signIn({ resource: url }), await signIn({ resource: other })]
    await control(url, 'expire')
    expect(await challengeOf(url, bearer(first.access_token))).toContain('error="invalid_token"')
    expect(await statusOf(other, bearer(elsewhere.access_token))).toBe(200)
    const second = await refresh(serverAt(peer.issuerUrl), first.refresh_token, url)
    expect(await statusOf(url, bearer(second.access_token))).toBe(200)
    await control(url, 'end-grants')
    expect(await errorOf(refresh(serverAt(peer.issuerUrl), second.refresh_token, url))).toBe('invalid_grant')
    expect((await refresh(serverAt(peer.issuerUrl), elsewhere.refresh_token, other)).access_token).toBeTruthy()
  })

  test('of short are over after three seconds', async () => {
    const url = at('short', 'over')
    // The peer runs in this process, so its clock is this one. On a busy machine, three real seconds may be too few.
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      const { access_token, expires_in } = await signIn({ resource: url })
      expect(expires_in).toBe(3)
      expect(await statusOf(url, bearer(access_token))).toBe(200)
      vi.setSystemTime(Date.now() + 3_000)
      expect(await statusOf(url, bearer(access_token))).toBe(401)
    } finally {
      vi.useRealTimers()
    }
  })

  test('that are opaque are worth nothing once revoked; JWTs cannot be, and their refresh tokens can', async () => {
    const server = serverAt(peer.issuerUrl)
    const client = { client_id: knownClients.public.id }
    const revoke = async (token: string) =>
      oauth.processRevocationResponse(await oauth.revocationRequest(server, client, oauth.None(), token, insecure))
    const [opaque, jwt] = [at('opaque', 'revoke'), at('plain', 'revoke')]
    const first = await signIn({ resource: opaque })
    expect(first.access_token.split('.')).toHaveLength(1)
    expect(await statusOf(opaque, bearer(first.access_token))).toBe(200)
    await revoke(first.access_token)
    expect(await statusOf(opaque, bearer(first.access_token))).toBe(401)
    const second = await signIn({ resource: jwt })
    expect(decodeJwt(second.access_token)).toMatchObject({
      header: { typ: 'at+jwt', alg: 'ES256' },
      claims: { iss: peer.issuerUrl, aud: jwt, scope: 'mcp:read', client_id: 'known-public' },
    })
    expect(await errorOf(revoke(second.access_token))).toBe('unsupported_token_type')
    await revoke(second.refresh_token ?? '')
    expect(await errorOf(refresh(server, second.refresh_token, jwt))).toBe('invalid_grant')
    const [logged] = await log('plain', { endpoint: 'revocation', token: first.access_token })
    expect(logged).toMatchObject({ status: 200, client: 'known-public' })
  })

  test('come with a refresh token as the kind says', async () => {
    const refreshable = async (kind: IssuerKindName, rest: Partial<Flow>) => {
      const answer = await signIn({ server: serverAt(issuerAt(kind)), resource: at(`as-${kind}`, 'offline'), ...rest })
      return answer.refresh_token !== undefined
    }
    const scope = 'mcp:read offline_access'
    expect(await refreshable('no-refresh', { scope })).toBe(false)
    expect(await refreshable('offline', { scope: 'mcp:read' })).toBe(false)
    expect(await refreshable('offline', { scope })).toBe(false)
    expect(await refreshable('offline', { scope, prompt: 'consent' })).toBe(true)
  })

  test('are given to known clients with a secret, in both ways, and to machines without a user', async () => {
    const resource = at('plain', 'clients')
    const server = serverAt(peer.issuerUrl)
    const { basic, post: posting, machine, machinePost, machineKey } = knownClients
    for (const [client_id, authentication] of [
      [basic.id, oauth.ClientSecretBasic(basic.secret)],
      [posting.id, oauth.ClientSecretPost(posting.secret)],
    ] as const) {
      const { access_token } = await signIn({ client: { client_id }, authentication, resource })
      expect(await statusOf(resource, bearer(access_token))).toBe(200)
    }
    const { jwk, pem } = await control<{ jwk: JsonWebKey & { kid: string }; pem: string }>(server.issuer, 'keys')
    expect(pem).toMatch(/^-----BEGIN PRIVATE KEY-----/)
    const key = await crypto.subtle.importKey('jwk', jwk, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign'])
    for (const [client_id, authentication] of [
      [machine.id, oauth.ClientSecretBasic(machine.secret)],
      [machinePost.id, oauth.ClientSecretPost(machinePost.secret)],
      [machineKey.id, oauth.PrivateKeyJwt({ key, kid: jwk.kid })],
    ] as const) {
      const parameters = { resource, scope: 'mcp:read mcp:write' }
      const response = await oauth.clientCredentialsGrantRequest(
        server,
        { client_id },
        authentication,
        parameters,
        insecure,
      )
      const { access_token, scope } = await oauth.processClientCredentialsResponse(server, { client_id }, response)
      expect([scope, await statusOf(resource, bearer(access_token))]).toEqual(['mcp:read mcp:write', 200])
    }
    const wrong = oauth.ClientSecretBasic('wrong')
    const refused = await oauth.clientCredentialsGrantRequest(server, { client_id: machine.id }, wrong, {}, insecure)
    expect(refused.status).toBe(401)
  })

  test('bound to a key work with its proofs alone, each used once', async () => {
    const url = at('dpop', 'bound')
    const DPoP = oauth.DPoP({}, await oauth.generateKeyPair('ES256'))
    const { access_token, token_type } = await signIn({ resource: url, DPoP })
    expect(token_type).toBe('dpop')
    expect(await challengeOf(url)).toMatch(/^DPoP .*algs="ES256 EdDSA"$/)
    const proven = async (handle: oauth.DPoPHandle) => {
      const headers = new globalThis.Headers()
      await (handle as unknown as { addProof(...of: unknown[]): Promise<void> }).addProof(
        new URL(url),
        headers,
        'POST',
        access_token,
      )
      return { Authorization: `DPoP ${access_token}`, DPoP: headers.get('dpop') ?? '' }
    }
    const headers = await proven(DPoP)
    expect([await statusOf(url, headers), await statusOf(url, headers)]).toEqual([200, 401])
    expect(await statusOf(url, bearer(access_token))).toBe(401)
    expect(await statusOf(url, await proven(oauth.DPoP({}, await oauth.generateKeyPair('ES256'))))).toBe(401)
    const unbound = await signIn({ resource: url })
    expect(await statusOf(url, bearer(unbound.access_token))).toBe(401)
  })

  test('bound to a key need a nonce of the issuer, and one of the server, where both want them', async () => {
    const url = at('dpop-nonces', 'bound')
    const DPoP = oauth.DPoP({}, await oauth.generateKeyPair('ES256'))
    const { access_token } = await signIn({ server: serverAt(issuerAt('nonces')), resource: url, DPoP })
    const requests = await log('nonces', { endpoint: 'token', resource: url })
    expect(requests.map(({ status }) => status)).toEqual([400, 200])
    const use = async () => {
      const headers = new globalThis.Headers({
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      })
      const body = JSON.stringify({ jsonrpc: '2.0', ...initialize() })
      const options = { ...insecure, DPoP }
      return oauth.protectedResourceRequest(access_token, 'POST', new URL(url), headers, body, options)
    }
    for (let round = 0; round < 2; round++) {
      const error: unknown = await use().catch((thrown: unknown) => thrown)
      expect(oauth.isDPoPNonceError(error)).toBe(true)
      expect((await use()).status).toBe(200)
      await control(url, 'new-nonce')
    }
  })
})

describe('enterprise', () => {
  const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag'
  const idp = () => serverAt(issuerAt('idp'))
  const enterprise = () => serverAt(issuerAt('enterprise'))
  const basic = ({ id, secret }: { readonly id: string; readonly secret: string }) => ({
    Authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
  })
  const trade = async (server: oauth.AuthorizationServer, form: Record<string, string>, headers: Headers = {}) => {
    const response = await fetch(server.token_endpoint ?? '', {
      method: 'POST',
      headers,
      body: new URLSearchParams(form),
    })
    return { status: response.status, answer: (await response.json()) as { [name: string]: string } }
  }
  const exchange = (subject_token: string, resource: string, rest: Record<string, string> = {}) => ({
    grant_type: TOKEN_EXCHANGE,
    requested_token_type: ID_JAG,
    subject_token,
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    audience: issuerAt('enterprise'),
    resource,
    ...rest,
  })

  test('a user signs in at the identity provider, and reaches the server without a second sign-in', async () => {
    const resource = at('as-enterprise', 'jag')
    const client = { client_id: knownClients.idpPublic.id }
    const { id_token = '' } = await signIn({ server: idp(), client, scope: 'openid' })
    const jag = await trade(idp(), exchange(id_token, resource, { client_id: client.client_id }))
    expect(jag).toMatchObject({
      status: 200,
      answer: { issued_token_type: ID_JAG, token_type: 'N_A', scope: 'mcp:read mcp:write' },
    })
    const assertion = jag.answer['access_token'] ?? ''
    expect(decodeJwt(assertion)).toMatchObject({
      header: { typ: 'oauth-id-jag+jwt' },
      claims: {
        iss: idp().issuer,
        aud: enterprise().issuer,
        sub: 'ada',
        resource,
        client_id: knownClients.enterprisePublic.id,
      },
    })
    const form = { grant_type: JWT_BEARER, assertion, client_id: knownClients.enterprisePublic.id }
    const { status, answer } = await trade(enterprise(), form)
    expect([status, answer['token_type'], answer['scope']]).toEqual([200, 'Bearer', 'mcp:read mcp:write'])
    expect(await statusOf(resource, bearer(answer['access_token'] ?? ''))).toBe(200)
    expect(await trade(enterprise(), form)).toMatchObject({ status: 400, answer: { error: 'invalid_grant' } })
  })

  test('refuse what is not right, and say why', async () => {
    const resource = at('as-enterprise', 'refused')
    const token = (claims: object = {}) => control<string>(idp().issuer, 'id-token', claims)
    const ask = async (subject: string, rest?: Record<string, string>) =>
      (await trade(idp(), exchange(subject, resource, rest), basic(knownClients.idp))).answer
    const good = await ask(await token(), { scope: 'mcp:read' })
    expect(good['scope']).toBe('mcp:read')
    expect((await ask(await token({ exp: 1 })))['error_description']).toContain('expired')
    expect((await ask(await token({ aud: 'someone' })))['error_description']).toContain('issued to someone')
    expect((await ask(await token({ iss: 'https://elsewhere.example' })))['error']).toBe('invalid_grant')
    expect((await ask(await token({ sub: 'mallory' })))['error']).toBe('access_denied')
    expect((await ask(await token(), { audience: 'https://elsewhere.example' }))['error']).toBe('invalid_target')
    const assertion = good['access_token'] ?? ''
    // An ID-JAG isn't accepted as an ID token, nor from another client.
    expect((await ask(assertion))['error_description']).toContain('typ is oauth-id-jag+jwt')
    const other = { grant_type: JWT_BEARER, assertion, client_id: knownClients.enterprisePublic.id }
    expect((await trade(enterprise(), other)).answer['error_description']).toContain('it is for at-the-enterprise')
    const forged = { grant_type: JWT_BEARER, assertion: `${assertion.slice(0, -4)}AAAA` }
    const { answer } = await trade(enterprise(), forged, basic(knownClients.enterprise))
    expect(answer['error_description']).toContain('signature')
    const form = { grant_type: JWT_BEARER, assertion }
    expect((await trade(enterprise(), form, basic(knownClients.enterprise))).status).toBe(200)
  })

  test('a workload trades the JWT of its platform for an access token', async () => {
    const resource = at('as-enterprise', 'workload')
    const token = (claims: object = {}) => control<string>(enterprise().issuer, 'workload-token', claims)
    const attempt = async (assertion: string) =>
      trade(enterprise(), {
        grant_type: JWT_BEARER,
        assertion,
        resource,
        scope: 'mcp:read',
        client_id: knownClients.workload.id,
      })
    const { status, answer } = await attempt(await token())
    expect([status, answer['scope']]).toEqual([200, 'mcp:read'])
    expect(await statusOf(resource, bearer(answer['access_token'] ?? ''))).toBe(200)
    for (const claims of [{ aud: 'https://elsewhere.example' }, { exp: 1 }, { sub: 'spiffe://example/stranger' }])
      expect(await attempt(await token(claims))).toMatchObject({ status: 400, answer: { error: 'invalid_grant' } })
  })
})
