/**
 * The authorization peers behave as described, observed with fetch and oauth4webapi only; for their tokens see
 * `oauth/tokens.test.ts`.
 */
import * as oauth from 'oauth4webapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { control } from './control.ts'
import { signInHeadlessly } from './oauth/consent.ts'
import { start, type OauthPeer } from './oauth/index.ts'
import { ISSUER_KINDS } from './oauth/issuer-kinds.ts'
import { issuerOf } from './oauth/issuers.ts'
import { decodeJwt } from './oauth/jwt.ts'
import { issuerKinds, knownClients, oauthVariants, type IssuerKindName, type VariantName } from './oauth/names.ts'
import type { Logged } from './oauth/request-log.ts'
import { REDIRECT, register, serverAt, signIn as signInAt, type Flow } from './oauth/sign-in.ts'
import { VARIANTS } from './oauth/variants.ts'
import { ask, initialize, modern, post, type Headers } from './raw.ts'

/** The origin of a page that sends requests. */
const PAGE = new URL(REDIRECT).origin

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
const call = (url: string, name: string, token: string) =>
  ask(url, modern(1, 'tools/call', { name, arguments: { text: 'hello' } }), bearer(token))

describe('protected servers', () => {
  test.each(Object.keys(oauthVariants) as VariantName[])(
    '%s names its authorization servers, and lets in whoever signed in at any of them',
    async (name) => {
      const url = at(name, 'all')
      const { issuers, asks, dpop } = VARIANTS[name]
      const metadata = await fetch(url.replace('/v1/', '/.well-known/oauth-protected-resource/v1/'))
      expect(await metadata.json()).toMatchObject({ resource: url, authorization_servers: issuers.map(issuerAt) })
      expect(await statusOf(url)).toBe(asks === 'always' ? 401 : 200)
      for (const kind of dpop ? [] : issuers) {
        const { access_token } = await signIn({ server: serverAt(issuerAt(kind)), resource: url })
        expect(await statusOf(url, bearer(access_token))).toBe(200)
      }
    },
  )

  test('have real servers behind: sessions with v1, both eras with dual, the new one alone with modern', async () => {
    const tokenFor = async (url: string) => bearer((await signIn({ resource: url })).access_token)
    const [v1, dual, new2026] = (['v1', 'dual', 'modern'] as const).map((behind) => at('plain', 'behind', behind))
    const session = (await ask(v1!, initialize(), await tokenFor(v1!))).headers.get('mcp-session-id')
    expect(session).toBeTruthy()
    const token = await tokenFor(dual!)
    expect((await ask(dual!, initialize(), token)).status).toBe(200)
    const echoed = await ask(dual!, modern(1, 'tools/call', { name: 'echo', arguments: { text: 'ja' } }), token)
    expect(echoed.last?.result).toMatchObject({ content: [{ text: 'ja' }] })
    expect((await ask(new2026!, initialize(), await tokenFor(new2026!))).last?.error?.code).toBe(-32022)
    expect((await ask(new2026!, modern(1, 'server/discover'), await tokenFor(new2026!))).status).toBe(200)
  })

  test('challenge with where the metadata are and what scope is needed, unless their variant leaves that out', async () => {
    const address = (url: string) =>
      `resource_metadata="${url.replace('/v1/', '/.well-known/oauth-protected-resource/v1/')}"`
    const plain = at('plain', 'challenge')
    expect(await challengeOf(plain)).toBe(`Bearer scope="mcp:read", ${address(plain)}`)
    expect(await challengeOf(plain, bearer('x.y.z'))).toMatch(/^Bearer error="invalid_token", error_description=/)
    expect(await challengeOf(at('unnamed', 'challenge'))).toBe('Bearer scope="mcp:read"')
    expect(await challengeOf(at('no-scope', 'challenge'))).toBe(`Bearer ${address(at('no-scope', 'challenge'))}`)
    expect(await challengeOf(at('mute', 'challenge'))).toBeNull()
    const noScopes = at('no-scopes', 'challenge').replace('/v1/', '/.well-known/oauth-protected-resource/v1/')
    expect(await (await fetch(noScopes)).json()).not.toHaveProperty('scopes_supported')
  })

  test('free works without a token, and late asks for one at tools/call alone', async () => {
    expect((await ask(at('free', 'calls', 'dual'), modern(1, 'tools/call', { name: 'touch' }))).status).toBe(200)
    const late = at('late', 'calls', 'dual')
    expect((await ask(late, modern(1, 'tools/list'))).status).toBe(200)
    expect((await ask(late, modern(1, 'tools/call', { name: 'echo' }))).status).toBe(401)
  })

  test('take tokens for themselves alone, and an Authorization header that can be read', async () => {
    const [one, other] = [at('plain', 'one'), at('plain', 'other')]
    const { access_token } = await signIn({ resource: one })
    expect([await statusOf(one, bearer(access_token)), await statusOf(other, bearer(access_token))]).toEqual([200, 401])
    const forNobody = await signIn({ scope: 'mcp:read' })
    expect(await statusOf(one, bearer(forNobody.access_token))).toBe(401)
    expect(await statusOf(one, bearer(`${access_token.slice(0, -4)}AAAA`))).toBe(401)
    expect(await statusOf(one, { Authorization: 'Bearer' })).toBe(400)
    const { access_token: opaque } = await signIn({ resource: at('opaque', 'one') })
    expect(await challengeOf(at('opaque', 'other'), bearer(opaque))).toContain('the token is for')
  })

  test('want the scope of each tool, name only what is missing, and want mcp:read always', async () => {
    const url = at('plain', 'scopes', 'dual')
    const withScope = async (scope: string) => (await signIn({ resource: url, scope })).access_token
    const read = await withScope('mcp:read')
    expect((await call(url, 'echo', read)).status).toBe(200)
    for (const [tool, scope] of [
      ['touch', 'mcp:write'],
      ['add-tool', 'mcp:admin'],
    ] as const) {
      const { status, headers } = await call(url, tool, read)
      expect([status, headers.get('www-authenticate')]).toEqual([
        403,
        expect.stringContaining(
          `error="insufficient_scope", error_description="This needs ${scope}", scope="${scope}", resource_metadata=`,
        ),
      ])
    }
    expect((await call(url, 'touch', await withScope('mcp:read mcp:write'))).status).toBe(200)
    const writeAlone = await call(url, 'touch', await withScope('mcp:write'))
    expect([writeAlone.status, writeAlone.headers.get('www-authenticate')]).toEqual([
      403,
      expect.stringContaining('scope="mcp:read"'),
    ])
  })

  test('let pages read what their variant lets them read', async () => {
    const refused = async (name: VariantName) => {
      const { headers } = await ask(at(name, 'pages'), initialize(), { Origin: PAGE })
      return [headers.get('access-control-allow-origin'), headers.get('access-control-expose-headers')]
    }
    expect(await refused('plain')).toEqual(['*', 'Mcp-Session-Id, DPoP-Nonce, WWW-Authenticate'])
    expect(await refused('hidden')).toEqual(['*', 'Mcp-Session-Id, DPoP-Nonce'])
    expect(await refused('closed-401')).toEqual([null, null])
    const preflight = await fetch(at('closed-401', 'pages'), { method: 'OPTIONS' })
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
    const metadata = await fetch(`${peer.url}/.well-known/oauth-protected-resource/v1/closed-metadata/pages`)
    expect([metadata.status, metadata.headers.get('access-control-allow-origin')]).toEqual([200, null])
  })

  test('at the root: the metadata are there alone, and the resource is the origin', async () => {
    const { rootUrl } = peer
    const well = `${rootUrl}/.well-known/oauth-protected-resource`
    expect((await fetch(`${well}/a/b`)).status).toBe(404)
    expect(await (await fetch(well)).json()).toMatchObject({
      resource: rootUrl,
      authorization_servers: [peer.issuerUrl],
    })
    expect(await challengeOf(`${rootUrl}/a/b`)).toBe('Bearer scope="mcp:read"')
    const { access_token } = await signIn({ resource: rootUrl })
    expect(await statusOf(`${rootUrl}/a/b`, bearer(access_token))).toBe(200)
  })

  test('as in 2025-03-26: the origin is the issuer, with or without metadata, and resource may be left out', async () => {
    for (const origin of [peer.url2025, peer.url2025Bare]) {
      const [resource, metadata] = await Promise.all(
        ['oauth-protected-resource', 'oauth-authorization-server'].map((name) =>
          fetch(`${origin}/.well-known/${name}`),
        ),
      )
      expect([resource!.status, metadata!.status]).toEqual([404, origin === peer.url2025 ? 200 : 404])
      expect(await challengeOf(`${origin}/mcp/a`)).toBe('Bearer')
      const server = {
        ...serverAt(origin),
        authorization_endpoint: `${origin}/authorize`,
        registration_endpoint: `${origin}/register`,
      }
      const registered = (await (await register(server, {})).json()) as oauth.Client
      for (const resource of [undefined, `${origin}/mcp/a`]) {
        const { access_token } = await signIn({ server, client: registered, resource })
        expect(await statusOf(`${origin}/mcp/a`, bearer(access_token))).toBe(200)
      }
    }
  })

  test('tell what they got, and move to other authorization servers', async () => {
    const url = at('plain', 'moves')
    const { access_token } = await signIn({ resource: url })
    await control(url, 'move', { kinds: ['tenant1'] })
    expect(await statusOf(url, bearer(access_token))).toBe(401)
    const metadata = await fetch(url.replace('/v1/', '/.well-known/oauth-protected-resource/v1/'))
    expect(await metadata.json()).toMatchObject({ authorization_servers: [issuerAt('tenant1')] })
    const seen = await control<{ headers: Headers; message: unknown }[]>(url, 'seen')
    expect(seen).toMatchObject([
      { headers: { authorization: `Bearer ${access_token}` }, message: { method: 'initialize' } },
      { method: 'GET', message: { metadata: '/.well-known/oauth-protected-resource/v1/plain/moves' } },
    ])
    await control(url, 'reset')
    expect(await statusOf(url, bearer(access_token))).toBe(200)
  })
})

describe('authorization servers', () => {
  test.each(Object.keys(issuerKinds) as IssuerKindName[])('%s has its metadata where its kind says', async (kind) => {
    const issuer = issuerAt(kind)
    const path = new URL(issuer).pathname.replace(/\/$/, '')
    const places = {
      'oauth-inserted': `${peer.issuerUrl}/.well-known/oauth-authorization-server${path}`,
      'openid-inserted': `${peer.issuerUrl}/.well-known/openid-configuration${path}`,
      'openid-appended': `${issuer}/.well-known/openid-configuration`,
    }
    const { metadata, registration, documents } = ISSUER_KINDS[kind]
    for (const [place, url] of Object.entries(places)) {
      const response = await fetch(url)
      expect([place, response.status]).toEqual([place, metadata.some((each) => each === place) ? 200 : 404])
      if (response.status === 404) continue
      const document = (await response.json()) as object
      const { registration_endpoint, ...rest } = serverAt(issuer)
      expect(document).toMatchObject({ ...rest, code_challenge_methods_supported: ['S256'] })
      expect(document).toMatchObject(registration ? { registration_endpoint } : {})
      expect('registration_endpoint' in document).toBe(registration)
      expect('client_id_metadata_document_supported' in document).toBe(documents ?? false)
    }
    const asked = await control<object[]>(issuer, 'log', { endpoint: 'metadata' })
    expect(asked.length).toBeGreaterThanOrEqual(3)
  })

  test.each(Object.keys(issuerKinds) as IssuerKindName[])('%s lets pages in where its kind says', async (kind) => {
    const server = serverAt(issuerAt(kind))
    const { metadata, closed, registration } = ISSUER_KINDS[kind]
    const well = `/.well-known/${metadata.includes('openid-appended') ? 'openid-configuration' : ''}`
    const parts = {
      ...(well.endsWith('/') ? {} : { metadata: server.issuer + well }),
      ...(registration ? { registration: server.registration_endpoint } : {}),
      token: server.token_endpoint,
      revocation: server.revocation_endpoint,
    }
    for (const [part, url = ''] of Object.entries(parts)) {
      const headers = {
        Origin: PAGE,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'content-type',
      }
      const preflight = await fetch(url, { method: 'OPTIONS', headers })
      const answer = await fetch(url, { method: part === 'metadata' ? 'GET' : 'POST', headers: { Origin: PAGE } })
      const open = closed === 'own' ? part !== 'registration' : !closed.some((each) => each === part)
      const allows = [preflight, answer].map((each) => each.headers.get('access-control-allow-origin') !== null)
      expect([part, ...allows]).toEqual([part, open, open])
    }
  })

  test('own-cors answers pages of public clients from the origin they redirect to, and no others', async () => {
    const { token_endpoint = '' } = serverAt(issuerAt('own-cors'))
    const allowed = async (client_id: string, origin: string, rest: object = {}) => {
      const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x', client_id, ...rest })
      const response = await fetch(token_endpoint, { method: 'POST', headers: { Origin: origin }, body })
      return response.headers.get('access-control-allow-origin')
    }
    const { id, secret } = knownClients.post
    const { client_id } = (await (await register(serverAt(issuerAt('own-cors')), {})).json()) as oauth.Client
    expect(await allowed(client_id, PAGE)).toBe(PAGE)
    expect(await allowed(client_id, 'http://127.0.0.1:1')).toBeNull()
    expect(await allowed(id, PAGE, { client_secret: secret })).toBeNull()
  })

  test('register anyone, or nobody, or only with one application_type', async () => {
    const answer = async (kind: IssuerKindName, application_type: string) => {
      const response = await register(serverAt(issuerAt(kind)), { application_type, client_name: 'types' })
      return [response.status, ((await response.json().catch(() => ({}))) as { error?: string }).error]
    }
    expect(await answer('plain', 'native')).toEqual([201, undefined])
    expect(await answer('plain', 'web')).toEqual([201, undefined])
    expect(await answer('native-only', 'native')).toEqual([201, undefined])
    expect(await answer('native-only', 'web')).toEqual([400, 'invalid_redirect_uri'])
    expect(await answer('web-only', 'native')).toEqual([400, 'invalid_redirect_uri'])
    expect(await answer('web-only', 'web')).toEqual([201, undefined])
    expect((await answer('by-hand', 'native'))[0]).toBe(404)
    const logged = await log('native-only', { endpoint: 'registration', client_name: 'types' })
    expect(logged.map(({ status, parameters }) => [status, parameters['application_type']])).toEqual([
      [201, 'native'],
      [400, 'web'],
    ])
  })

  test('documents reads the client from the address that is its id, when it is published', async () => {
    const client_id = 'https://periscope.example/oauth/client.json'
    const resource = at('as-documents', 'cimd')
    const document = {
      client_id,
      client_name: 'Published',
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: 'none',
    }
    const server = serverAt(issuerAt('documents'))
    await expect(signIn({ server, client: { client_id }, resource })).rejects.toThrow('invalid_client')
    await control(issuerAt('documents'), 'publish', { url: client_id, document })
    const { access_token } = await signIn({ server, client: { client_id }, resource })
    expect(await statusOf(resource, bearer(access_token))).toBe(200)
    await expect(signIn({ client: { client_id }, resource })).rejects.toThrow('invalid_client')
  })

  test('tell what they were asked, parameter by parameter, and see that a scope was left out', async () => {
    const resource = at('plain', 'logged')
    const { scope } = await signIn({ resource })
    expect(scope).toBe('mcp:read')
    const [asked] = await log('plain', { endpoint: 'authorization', resource })
    expect(asked).toMatchObject({
      method: 'GET',
      status: 303,
      client: 'known-public',
      parameters: { code_challenge_method: 'S256', response_type: 'code', redirect_uri: REDIRECT },
    })
    expect(asked?.parameters).not.toHaveProperty('scope')
    const [token] = await log('plain', { endpoint: 'token', resource })
    expect(token).toMatchObject({ status: 200, parameters: { grant_type: 'authorization_code', resource } })
  })

  test('want PKCE, and the verifier that belongs to it; a code is for one use', async () => {
    const query = { client_id: knownClients.public.id, response_type: 'code', redirect_uri: REDIRECT, state: 's' }
    const back = await signInHeadlessly(`${peer.issuerUrl}/auth?${new URLSearchParams(query)}`)
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      error: 'invalid_request',
      state: 's',
      iss: peer.issuerUrl,
    })
    const verifier = oauth.generateRandomCodeVerifier()
    const code_challenge = await oauth.calculatePKCECodeChallenge(verifier)
    const challenged = { ...query, code_challenge, code_challenge_method: 'S256' }
    const again = await signInHeadlessly(`${peer.issuerUrl}/auth?${new URLSearchParams(challenged)}`)
    const trade = async (code_verifier: string) => {
      const form = {
        grant_type: 'authorization_code',
        code: again.searchParams.get('code') ?? '',
        redirect_uri: REDIRECT,
      }
      const body = new URLSearchParams({ ...form, client_id: query.client_id, code_verifier })
      return (await fetch(`${peer.issuerUrl}/token`, { method: 'POST', body })).status
    }
    expect(await trade(oauth.generateRandomCodeVerifier())).toBe(400)
    const fresh = await signInHeadlessly(`${peer.issuerUrl}/auth?${new URLSearchParams(challenged)}`)
    again.search = fresh.search
    expect([await trade(verifier), await trade(verifier)]).toEqual([200, 400])
  })

  test('send the user back with access_denied when he says no, and with less scope when he unchecks one', async () => {
    const resource = at('plain', 'says-no')
    await expect(signIn({ resource, choice: { answer: 'deny' } })).rejects.toMatchObject({ error: 'access_denied' })
    const less = await signIn({ resource, scope: 'mcp:read mcp:write', choice: { only: ['mcp:read'] } })
    expect(less.scope).toBe('mcp:read')
  })

  test('know a user who comes again with his cookies, and ask for consent only', async () => {
    const resource = at('plain', 'again')
    const cookies = new Map<string, string>()
    const first = await signIn({ resource, choice: { user: 'grace', cookies } })
    const second = await signIn({ resource, scope: 'mcp:read mcp:admin', choice: { user: 'nobody asks', cookies } })
    expect([first, second].map(({ access_token }) => decodeJwt(access_token).claims['sub'])).toEqual(['grace', 'grace'])
  })

  test('follow their own forms for a test in a page', async () => {
    const query = { client_id: knownClients.public.id, response_type: 'code', redirect_uri: REDIRECT, state: 'page' }
    const challenge = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' }
    const url = `${issuerAt('tenant1')}/auth?${new URLSearchParams({ ...query, ...challenge })}`
    const back = new URL(await control<string>(peer.issuerUrl, 'sign-in', { url }))
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      state: 'page',
      iss: issuerAt('tenant1'),
      code: expect.any(String),
    })
    const denied = new URL(await control<string>(peer.issuerUrl, 'sign-in', { url, answer: 'deny' }))
    expect(denied.searchParams.get('error')).toBe('access_denied')
  })

  test('coop severs the opener from its pages, and no other kind does', async () => {
    const query = {
      client_id: knownClients.public.id,
      response_type: 'code',
      redirect_uri: REDIRECT,
      scope: 'mcp:read',
    }
    const challenge = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' }
    const policy = async (kind: IssuerKindName) => {
      const url = `${issuerAt(kind)}/auth?${new URLSearchParams({ ...query, ...challenge })}`
      const first = await fetch(url, { redirect: 'manual' })
      const headers = {
        Cookie: first.headers
          .getSetCookie()
          .map((line) => line.split(';')[0])
          .join('; '),
      }
      const page = await fetch(new URL(first.headers.get('location') ?? '', url), { headers })
      expect(await page.text()).toContain('<button type="submit">Sign in</button>')
      return page.headers.get('cross-origin-opener-policy')
    }
    expect([await policy('coop'), await policy('plain')]).toEqual(['same-origin', null])
  })
})

test('close() ends every address', async () => {
  const own = await start()
  const { close, ...urls } = own
  expect(await statusOf(`${own.url}/v1/plain/a`)).toBe(401)
  await close()
  for (const url of Object.values(urls)) await expect(post(`${url}/mcp`, initialize())).rejects.toThrow()
})
