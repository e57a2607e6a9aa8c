/** Grants without a user's consent: client credentials, an organisation's identity provider, workloads. */
import { describe, expect, inject, test } from 'vitest'
import { inPage } from '../../../tests/in-page.ts'
import { control } from '../../../tests/servers/control.ts'
import { knownClients, UNWANTED_USER } from '../../../tests/servers/oauth/names.ts'
import type { IdentityProvider, SignInOptions } from '../model/sign-in-state.ts'
import { decodeProof, issuerAt, logOf, realRelay, signing, type Signing, type Story } from '../signing.case.ts'

const hello = { content: [{ text: 'hello' }] }

const signed = async (story: Story): Promise<Signing> => {
  const made = signing(story)
  await made.begin()
  return made
}

const STEPS = ['challenge', 'resource-metadata', 'authorization-server', 'server-metadata', 'registration']

describe('client credentials (AU-EXT-01)', () => {
  const keys = () => control<{ jwk: JsonWebKey; pem: string }>(issuerAt('plain'), 'keys')
  const machine: SignInOptions = { grant: 'client-credentials', client: knownClients.machine, scope: 'mcp:read' }

  test.each<[what: string, client: () => Promise<SignInOptions['client']>]>([
    ['a secret, in the header', async () => knownClients.machine],
    ['a secret, in the form', async () => knownClients.machinePost],
    [
      'a key, as a JWK',
      async () => ({
        id: knownClients.machineKey.id,
        algorithm: 'ES256',
        privateKey: JSON.stringify((await keys()).jwk),
      }),
    ],
    [
      'a key, in PEM',
      async () => ({ id: knownClients.machineKey.id, algorithm: 'ES256', privateKey: (await keys()).pem }),
    ],
  ])('AU-EXT-01: a client with %s gets a token of its own, and nobody is asked', async (_, client) => {
    const made = await signed({ options: { ...machine, client: (await client())! } })
    expect(made.signIn.error).toBeUndefined()
    expect(made.asked).toEqual([])
    expect(made.record().flows[0]!.steps.map(({ step }) => step)).toEqual([...STEPS, 'token', 'use'])
    const [form] = made.forms('client_credentials')
    expect([form!.get('resource'), form!.get('scope')]).toEqual([made.url, 'mcp:read'])
    expect(await made.call('echo')).toMatchObject(hello)
  })

  test('AU-FLOW-13: a key signs an assertion for this authorization server, each time another', async () => {
    const client = { id: knownClients.machineKey.id, privateKey: (await keys()).pem, algorithm: 'ES256' }
    const made = await signed({ options: { ...machine, client } })
    await made.begin()
    const assertions = made.forms('client_credentials').map((form) => decodeProof(form.get('client_assertion')!).claims)
    expect(assertions).toHaveLength(2)
    expect(new Set(assertions.map(({ jti }) => jti)).size).toBe(2)
    for (const { iss, sub, aud } of assertions) {
      expect([iss, sub]).toEqual([knownClients.machineKey.id, knownClients.machineKey.id])
      expect([aud].flat()).toContain(issuerAt('plain'))
    }
  })

  test('a key that cannot be read is told before anything is sent with it, and is shown nowhere', async () => {
    for (const privateKey of [
      '-----BEGIN PRIVATE KEY-----\nbm90IGEga2V5IGF0IGFsbA==\n-----END PRIVATE KEY-----',
      'no key at all',
      '{"kty":"EC"}',
    ]) {
      const made = await signed({ options: { ...machine, client: { id: knownClients.machineKey.id, privateKey } } })
      expect(made.signIn.error).toMatchObject({ step: 'token', code: 'bad-private-key' })
      expect(made.forms()).toEqual([])
    }
  })

  test('a token that ran out is followed by another, for nobody has to be asked', async () => {
    const made = await signed({ options: machine })
    const { accessToken, refreshToken } = made.signIn.tokens!
    expect(refreshToken).toBeUndefined()
    made.pass(3_600_000)
    expect(await made.call('echo')).toMatchObject(hello)
    await control(made.url, 'expire')
    expect(await made.call('echo')).toMatchObject(hello)
    expect(made.signIn.tokens!.accessToken).not.toBe(accessToken)
    expect(made.forms('client_credentials')).toHaveLength(3)
  })

  test('a request that wants more scopes gets them without anybody being asked', async () => {
    const made = await signed({ options: machine, attended: true })
    expect(await made.call('touch')).toMatchObject({ content: expect.anything() })
    expect(made.signIn.stepUp).toBeUndefined()
    const scopes = () => made.forms('client_credentials').map((form) => form.get('scope'))
    expect(scopes()).toEqual(['mcp:read', 'mcp:read mcp:write'])
    // And stores them.
    await control(made.url, 'expire')
    expect(await made.call('touch')).toMatchObject({ content: expect.anything() })
    expect(scopes().at(-1)).toBe('mcp:read mcp:write')
    expect(scopes()).toHaveLength(3)
  })

  test('AU-0326-06, AU-0326-07: works in 2025-03-26 too, and says nothing of a resource', async () => {
    const url = `${inject('oauth2025Url')}/mcp/${crypto.randomUUID()}`
    const made = await signed({ url, options: machine, pinned: '2025-03-26' })
    expect(made.signIn.error).toBeUndefined()
    expect(made.forms('client_credentials').map((form) => form.has('resource'))).toEqual([false])
    expect(await made.call('echo')).toMatchObject(hello)
  })

  test('a wrong secret ends it in the words of the server', async () => {
    const made = await signed({ options: { ...machine, client: { ...knownClients.machine, secret: 'wrong-secret' } } })
    expect(made.signIn.error).toMatchObject({
      step: 'token',
      code: 'token-refused',
      fault: { facts: { error: 'invalid_client' } },
    })
  })

  test.runIf(inPage)('goes through the relay where the page may not read the answer, and is sent once', async () => {
    const made = await signed({ variant: 'as-closed-token', options: machine, relay: realRelay() })
    expect(made.signIn.error).toBeUndefined()
    expect(made.wayOf('token').at(-1)).toBe('relayed')
    expect(made.wayOf('server-metadata')).toEqual(['direct'])
    expect(await made.log({ endpoint: 'token', grant_type: 'client_credentials' }, 'closed-token')).toHaveLength(1)
  })
})

describe('an organisation’s identity provider (AU-EXT-02)', () => {
  const idToken = (claims: object = {}) => control<string>(issuerAt('idp'), 'id-token', claims)
  const options = async (change: Partial<IdentityProvider> = {}): Promise<SignInOptions> => ({
    grant: 'enterprise',
    client: knownClients.enterprise,
    idp: {
      tokenEndpoint: `${issuerAt('idp')}/token`,
      clientId: knownClients.idp.id,
      clientSecret: knownClients.idp.secret,
      idToken: await idToken(),
      ...change,
    },
  })

  test('AU-EXT-02: who is signed in there reaches the server without a second sign-in', async () => {
    const made = await signed({ variant: 'as-enterprise', options: await options() })
    expect(made.signIn.error).toBeUndefined()
    expect(made.asked).toEqual([])
    expect(made.record().flows[0]!.steps.map(({ step }) => step)).toEqual([...STEPS, 'assertion', 'token', 'use'])
    const [exchange] = made.forms('urn:ietf:params:oauth:grant-type:token-exchange')
    expect(Object.fromEntries(exchange!)).toMatchObject({
      requested_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
      audience: issuerAt('enterprise'),
      resource: made.url,
    })
    expect(made.forms('urn:ietf:params:oauth:grant-type:jwt-bearer')).toHaveLength(1)
    expect(await made.call('echo')).toMatchObject(hello)
  })

  test('a public client of it needs no secret', async () => {
    const idp = { clientId: knownClients.idpPublic.id, idToken: await idToken({ aud: knownClients.idpPublic.id }) }
    const { idp: given, ...rest } = await options(idp)
    const { clientSecret: _, ...without } = given!
    const made = await signed({
      variant: 'as-enterprise',
      options: { ...rest, idp: without, client: knownClients.enterprisePublic },
    })
    expect(made.signIn.error).toBeUndefined()
  })

  test('a grant is asked for again when the token ran out', async () => {
    const made = await signed({ variant: 'as-enterprise', options: await options() })
    await control(made.url, 'expire')
    expect(await made.call('echo')).toMatchObject(hello)
    expect(made.forms('urn:ietf:params:oauth:grant-type:jwt-bearer')).toHaveLength(2)
  })

  test.each<[what: string, claims: object, error: string]>([
    ['an ID token that is over', { exp: 1 }, 'invalid_grant'],
    ['an ID token of another client', { aud: 'somebody-else' }, 'invalid_grant'],
    ['a user who may use no server', { sub: UNWANTED_USER }, 'access_denied'],
  ])('%s ends it there, in the words of the identity provider', async (_, claims, error) => {
    const made = await signed({ variant: 'as-enterprise', options: await options({ idToken: await idToken(claims) }) })
    expect(made.signIn.error).toMatchObject({ step: 'assertion', code: 'token-refused', fault: { facts: { error } } })
    // The authorization server received no request.
    expect(made.forms('urn:ietf:params:oauth:grant-type:jwt-bearer')).toEqual([])
  })

  test('is not asked at an address without https, nor without an ID token', async () => {
    const unsafe = await signed({
      variant: 'as-enterprise',
      options: await options({ tokenEndpoint: 'http://idp.example/token' }),
    })
    expect(unsafe.signIn.error).toMatchObject({ step: 'assertion', code: 'unsafe-url' })
    const without = await signed({ variant: 'as-enterprise', options: await options({ idToken: '' }) })
    expect(without.signIn.error).toMatchObject({ step: 'assertion', code: 'assertion-missing' })
    expect([...unsafe.forms(), ...without.forms()]).toEqual([])
  })
})

describe('a workload', () => {
  const jwt = (claims: object = {}) => control<string>(issuerAt('enterprise'), 'workload-token', claims)

  test('hands in the JWT of its platform, and gets a token', async () => {
    const options: SignInOptions = {
      grant: 'workload',
      client: knownClients.workload,
      assertion: await jwt(),
      scope: 'mcp:read',
    }
    const made = await signed({ variant: 'as-enterprise', options })
    expect(made.signIn.error).toBeUndefined()
    expect(await made.call('echo')).toMatchObject(hello)
    const [logged] = await logOf(issuerAt('enterprise'), { endpoint: 'token', resource: made.url })
    expect(logged).toMatchObject({ status: 200, client: knownClients.workload.id })
  })

  test('that is refused is told why', async () => {
    const options: SignInOptions = {
      grant: 'workload',
      client: knownClients.workload,
      assertion: await jwt({ exp: 1 }),
    }
    const made = await signed({ variant: 'as-enterprise', options })
    expect(made.signIn.error).toMatchObject({
      step: 'token',
      code: 'token-refused',
      fault: { facts: { error: 'invalid_grant' } },
    })
    const none = await signed({
      variant: 'as-enterprise',
      options: { grant: 'workload', client: knownClients.workload },
    })
    expect(none.signIn.error).toMatchObject({ step: 'assertion', code: 'assertion-missing' })
  })
})

describe('what an authorization code is asked for, and traded with', () => {
  test('AU-FLOW-04, AU-FLOW-05: the resource is that of the server, in both requests and at the refresh', async () => {
    const made = await signed({})
    await made.signIn.refresh()
    const requests = await made.log()
    expect(
      requests.map(({ endpoint, parameters }) => [endpoint, parameters['grant_type'], parameters['resource']]),
    ).toEqual([
      ['authorization', undefined, made.url],
      ['token', 'authorization_code', made.url],
      ['token', 'refresh_token', made.url],
    ])
    expect(new URL(made.url).hash).toBe('')
    // The tokens are for it, and name it as audience.
    expect(decodeProof(made.signIn.tokens!.accessToken).claims).toMatchObject({ aud: made.url })
  })

  test('AU-FLOW-01, AU-FLOW-02: the verifier is that of the challenge, by SHA-256, and another one each time', async () => {
    const made = await signed({})
    await made.begin()
    const forms = made.forms('authorization_code')
    expect(forms).toHaveLength(2)
    const verifiers = forms.map((form) => form.get('code_verifier')!)
    expect(new Set(verifiers).size).toBe(2)
    for (const [index, verifier] of verifiers.entries()) {
      expect(verifier).toMatch(/^[\w.~-]{43,128}$/)
      const { searchParams } = made.asked[index]!
      const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier)))
      const expected = btoa(String.fromCharCode(...digest))
        .replaceAll('+', '-')
        .replaceAll('/', '_')
        .replaceAll('=', '')
      expect([searchParams.get('code_challenge_method'), searchParams.get('code_challenge')]).toEqual([
        'S256',
        expected,
      ])
    }
  })

  test('AU-FLOW-06: a state goes along, another one each time', async () => {
    const made = await signed({})
    await made.begin()
    const states = made.asked.map(({ searchParams }) => searchParams.get('state')!)
    expect(new Set(states).size).toBe(2)
    for (const state of states) expect(state.length).toBeGreaterThanOrEqual(22)
  })

  test('a code is traded once, whatever the answer', async () => {
    const made = await signed({
      alter: (url, response) => (url.endsWith('/token') ? new Response('', { status: 500 }) : response),
    })
    expect(made.signIn.error).toMatchObject({ step: 'token' })
    expect(made.forms('authorization_code')).toHaveLength(1)
  })
})
