/**
 * How a server's authorization server is found, in each protocol version: which URLs are requested, and in which order.
 */
import { describe, expect, inject, test } from 'vitest'
import { inPage } from '../../../tests/in-page.ts'
import { control } from '../../../tests/servers/control.ts'
import { knownClients, type VariantName } from '../../../tests/servers/oauth/names.ts'
import type { Revision } from '../../mcp/index.ts'
import type { FaultCode } from '../model/fault.ts'
import { changing, goOn, issuerAt, missing, realRelay, signing, type Signing, type Story } from '../signing.case.ts'

const signed = async (story: Story): Promise<Signing> => {
  const made = signing(story)
  await made.begin()
  return made
}

/** Requested metadata URLs, in order: `resource:<path>` at the server, `<path>` at an issuer. */
const looked = (made: Signing): string[] =>
  made.sent.flatMap(({ url }) => {
    const { origin, pathname } = new URL(url)
    if (!pathname.includes('/.well-known/')) return []
    return [origin === new URL(made.url).origin ? pathname.replace(new URL(made.url).pathname, '<path>') : pathname]
  })

const PATH = '/.well-known/oauth-protected-resource<path>'
const OAUTH = '/.well-known/oauth-authorization-server'
const OPENID = '/.well-known/openid-configuration'

const urlOf = (input: Parameters<typeof fetch>[0]): string => (input instanceof Request ? input.url : String(input))

const endOf = (made: Signing): 'authorized' | FaultCode => made.signIn.error?.code ?? 'authorized'

describe('metadata of the server', () => {
  test('AU-PRM-01, AU-PRM-02: are where the header says, and nowhere else is looked', async () => {
    const made = await signed({})
    expect(looked(made)).toEqual([PATH, OAUTH])
    // The server received it as well.
    const asked = (await made.seen()).filter(
      ({ message }) => typeof (message as { metadata?: unknown })?.metadata === 'string',
    )
    expect(asked).toHaveLength(1)
    expect(made.checks('resource-metadata')).toContain('AU-PRM-02 resource-metadata-found')
    expect(made.signIn.tokens).toMatchObject({ issuer: issuerAt('plain') })
  })

  test.each<VariantName>(['mute', 'unnamed'])(
    'AU-PRM-03: are at the address with the path inserted where no header says so (%s)',
    async (variant) => {
      const made = await signed({ variant })
      expect(looked(made)).toEqual([PATH, OAUTH])
      expect(made.checks('resource-metadata')).toContain('AU-PRM-03 resource-metadata-found')
      expect(endOf(made)).toBe('authorized')
    },
  )

  test('AU-PRM-03: are at the root after that, and speak of the origin', async () => {
    const made = await signed({ url: `${inject('oauthRootUrl')}/${crypto.randomUUID()}` })
    expect(looked(made)).toEqual([PATH, '/.well-known/oauth-protected-resource', OAUTH])
    expect(endOf(made)).toBe('authorized')
    expect(made.signIn.tokens).toMatchObject({ resource: inject('oauthRootUrl') })
    expect(await made.call('echo')).toMatchObject({ content: [{ text: 'hello' }] })
  })

  test('AU-PRM-02: an address in a header that is no https address is not asked', async () => {
    const made = await signed({
      alter: (url, response) => {
        if (response.status !== 401 || url.includes('.well-known')) return response
        const header = 'Bearer resource_metadata="http://metadata.example/evil", scope="mcp:read"'
        return new Response('{}', { status: 401, headers: { 'WWW-Authenticate': header } })
      },
    })
    expect(looked(made)).toEqual([PATH, OAUTH])
    expect(made.checks('resource-metadata')).toContain('!AU-PRM-02 resource-metadata-url-unsafe')
    expect(endOf(made)).toBe('authorized')
  })

  test.each<[what: string, resource: unknown, end: 'authorized' | FaultCode]>([
    ['of another server', 'http://127.0.0.1:1/mcp', 'resource-mismatch'],
    ['of another path of this one', '/v1/plain/another', 'resource-mismatch'],
    ['of nobody', undefined, 'resource-mismatch'],
    ['of no text', 7, 'resource-mismatch'],
  ])('AU-PRM-05: that speak %s are not used', async (_, resource, end) => {
    const alter = changing(/oauth-protected-resource/, (said) => ({
      ...said,
      resource:
        typeof resource === 'string' && resource.startsWith('/')
          ? new URL(resource, inject('oauthUrl')).href
          : resource,
    }))
    const made = await signed({ alter })
    expect(endOf(made)).toBe(end)
    expect(made.signIn.error).toMatchObject({ step: 'resource-metadata', fault: { rule: 'AU-PRM-05' } })
    // No other URL was requested.
    expect(looked(made)).toEqual([PATH])
  })

  test('AU-PRM-06: that name no authorization server end it', async () => {
    const made = await signed({
      alter: changing(/oauth-protected-resource/, (said) => ({ ...said, authorization_servers: [] })),
    })
    expect(made.signIn.error).toMatchObject({ step: 'resource-metadata', code: 'no-authorization-servers' })
  })

  test('AU-PRM-04: may be missing, where its user says which authorization server it is', async () => {
    const made = await signed({
      alter: missing(/oauth-protected-resource/),
      options: { authorizationServer: issuerAt('plain') },
      pinned: '2025-11-25',
    })
    expect(endOf(made)).toBe('authorized')
    expect(made.signIn.tokens).toMatchObject({ issuer: issuerAt('plain'), resource: made.url })
  })

  test('AU-ASM-07: an authorization server that is offered without https is not asked', async () => {
    const authorization_servers = ['http://authorization.example', 'ftp://127.0.0.1', 'not an address']
    const made = await signed({
      alter: changing(/oauth-protected-resource/, (said) => ({ ...said, authorization_servers })),
    })
    expect(made.signIn.error).toMatchObject({ step: 'authorization-server', code: 'unsafe-url' })
    expect(looked(made)).toEqual([PATH])
  })
})

const UNSAFE = ['http://authorization.example/x', 'javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x']

describe('metadata of the authorization server', () => {
  test.each<[rule: string, variant: VariantName, addresses: string[]]>([
    ['AU-ASM-01, AU-ASM-04', 'plain', [OAUTH]],
    ['AU-ASM-01, AU-ASM-03', 'as-tenant1', [`${OAUTH}/tenant1`]],
    ['AU-ASM-02, AU-ASM-03', 'as-oidc-inserted', [`${OAUTH}/oidc-inserted`, `${OPENID}/oidc-inserted`]],
    [
      'AU-ASM-02, AU-ASM-03',
      'as-oidc-appended',
      [`${OAUTH}/oidc-appended`, `${OPENID}/oidc-appended`, `/oidc-appended${OPENID}`],
    ],
  ])('%s: of %s are found at the last of these addresses, asked in this order', async (_, variant, addresses) => {
    const made = await signed({ variant })
    expect(looked(made).slice(1)).toEqual(addresses)
    expect(endOf(made)).toBe('authorized')
  })

  test('AU-ASM-04: of an issuer without a path are at two addresses, and nothing is guessed where they are at none', async () => {
    const made = await signed({ alter: missing(/oauth-authorization-server|openid-configuration/) })
    expect(looked(made).slice(1)).toEqual([OAUTH, OPENID])
    expect(made.signIn.error).toMatchObject({ step: 'server-metadata', code: 'no-server-metadata' })
    expect(made.steps().at(-1)).toBe(`GET ${issuerAt('plain')}${OPENID}`)
  })

  test('AU-ASM-01: their endpoints are used, whatever they are called', async () => {
    const made = await signed({
      alter: changing(/oauth-authorization-server/, (said) => ({
        ...said,
        token_endpoint: `${issuerAt('plain')}/token?tenant=1`,
      })),
    })
    expect(made.steps().at(-1)).toBe(`POST ${issuerAt('plain')}/token?tenant=1`)
    expect(endOf(made)).toBe('authorized')
  })

  test.each<[what: string, issuer: (own: string) => unknown]>([
    ['another', () => 'https://authorization.example'],
    ['the same with a slash', (own) => `${own}/`],
    ['the same in upper case', (own) => own.toUpperCase()],
    ['none', () => undefined],
  ])('AU-ASM-06: whose issuer is %s are not used', async (_, issuer) => {
    const made = await signed({
      alter: changing(/oauth-authorization-server/, (said) => ({ ...said, issuer: issuer(issuerAt('plain')) })),
    })
    expect(made.signIn.error).toMatchObject({
      step: 'server-metadata',
      code: 'issuer-mismatch',
      fault: { rule: 'AU-ASM-06' },
    })
    expect(made.steps().at(-1)).toBe(`GET ${issuerAt('plain')}${OAUTH}`)
  })

  test.each([
    ['authorization_endpoint', 'server-metadata'],
    ['token_endpoint', 'server-metadata'],
    ['registration_endpoint', 'registration'],
  ])('AU-ASM-07: whose %s is not https end it at %s', async (name, step) => {
    for (const url of UNSAFE) {
      const made = await signed({ alter: changing(/oauth-authorization-server/, (said) => ({ ...said, [name]: url })) })
      expect(made.signIn.error).toMatchObject({ step, code: 'unsafe-url' })
      expect(made.sent.some((sent) => sent.url === url)).toBe(false)
      expect(made.asked).toEqual([])
    }
  })

  test('AU-ASM-07: whose revocation_endpoint is not https leave tokens as they are', async () => {
    for (const url of UNSAFE) {
      const alter = changing(/oauth-authorization-server/, (said) => ({ ...said, revocation_endpoint: url }))
      const made = await signed({ alter })
      expect(endOf(made)).toBe('authorized')
      await made.signIn.revoke()
      expect(made.signIn.error).toMatchObject({ step: 'revocation' })
      expect(made.sent.some((sent) => sent.url === url)).toBe(false)
      expect(made.signIn.tokens).toBeDefined()
    }
  })

  test.each(['authorization_endpoint', 'token_endpoint'])(
    'AU-ASM-01: that lack %s end it: none is made up',
    async (name) => {
      const made = await signed({
        alter: changing(/oauth-authorization-server/, (said) => ({ ...said, [name]: undefined })),
      })
      expect(made.signIn.error).toMatchObject({ step: 'server-metadata', code: 'missing-endpoint' })
    },
  )

  test('AU-FLOW-03: that do not advertise PKCE end it, before the browser is sent anywhere', async () => {
    for (const methods of [undefined, ['plain'], 'S256']) {
      const alter = changing(/oauth-authorization-server|openid-configuration/, (said) => ({
        ...said,
        code_challenge_methods_supported: methods,
      }))
      const made = await signed({ alter })
      expect(made.signIn.error).toMatchObject({
        step: 'preparation',
        code: 'pkce-not-advertised',
      })
      expect(made.asked).toEqual([])
    }
  })

  test('AU-FLOW-03: in OpenID metadata neither', async () => {
    const alter = changing(/openid-configuration/, (said) => ({ ...said, code_challenge_methods_supported: undefined }))
    const made = await signed({ variant: 'as-oidc-inserted', alter })
    expect(made.signIn.error).toMatchObject({ step: 'preparation', code: 'pkce-not-advertised' })
  })

  test('AU-FLOW-01, AU-FLOW-02: whoever goes on without it being advertised has PKCE with S256 all the same', async () => {
    const alter = changing(/oauth-authorization-server/, (said) => ({
      ...said,
      code_challenge_methods_supported: undefined,
    }))
    const made = signing({ alter, attended: true })
    const over = made.begin('automatic')
    await made.drive((waiting) => (waiting.for === 'help' ? { do: 'go-on' } : goOn(waiting)))
    expect(await over).toBe(true)
    expect(Object.fromEntries(made.asked[0]!.searchParams)).toMatchObject({ code_challenge_method: 'S256' })
    expect(made.done('preparation')).toMatchObject({ outcome: 'forced' })
  })
})

describe('a page that may not read an answer', () => {
  test.runIf(inPage)('goes on with what its user has, or through the relay for that one address', async () => {
    const made = signing({ variant: 'closed-metadata', attended: true })
    const over = made.begin()
    await made.drive((waiting) => {
      if (waiting.for !== 'help') return goOn(waiting)
      expect(waiting).toMatchObject({
        step: 'resource-metadata',
        fault: { code: 'unreadable' },
        takes: ['metadata', 'go-on'],
      })
      return {
        do: 'supply',
        supply: { kind: 'metadata', document: { resource: made.url, authorization_servers: [issuerAt('plain')] } },
      }
    })
    expect(await over).toBe(true)
  })

  test.runIf(inPage)(
    'finds metadata at its address where it may not see the header that names them (BR-03)',
    async () => {
      const made = await signed({ variant: 'hidden' })
      expect(made.checks('challenge')).toEqual(['RFC 9110 section 11.6.1 challenge-hidden'])
      expect(looked(made)).toEqual([PATH, OAUTH])
      expect(endOf(made)).toBe('authorized')
    },
  )

  test.runIf(inPage)('does so in 2025-06-18 too, which knew the header alone', async () => {
    const made = await signed({ variant: 'hidden', pinned: '2025-06-18' })
    expect(looked(made)).toEqual([PATH, OAUTH])
    expect(endOf(made)).toBe('authorized')
  })

  test('asks the relay for nothing that it may read', async () => {
    const made = await signed({ relay: realRelay() })
    expect(endOf(made)).toBe('authorized')
    expect(made.sent.filter(({ relayed }) => relayed)).toEqual([])
  })

  test('asks through the relay where its user says so', async () => {
    const made = signing({ attended: true, relay: realRelay() })
    const over = made.begin('stepwise')
    let said = false
    await made.drive((waiting) => {
      if (waiting.step !== 'server-metadata' || said) return goOn(waiting)
      said = true
      return { do: 'again', relay: `${issuerAt('plain')}${OAUTH}` }
    })
    expect(await over).toBe(true)
    expect(made.wayOf('server-metadata')).toEqual(['relayed'])
    expect(made.wayOf('token')).not.toContain('relayed')
  })
})

describe('2025-06-18', () => {
  const pinned: Revision = '2025-06-18'

  test('AU-PRM-03: the header alone says where metadata are', async () => {
    expect(endOf(await signed({ pinned }))).toBe('authorized')
    const made = await signed({ pinned, variant: 'unnamed' })
    expect(made.signIn.error).toMatchObject({ step: 'resource-metadata', code: 'no-resource-metadata' })
    expect(looked(made)).toEqual([])
  })

  test('AU-ASM-05: RFC 8414 alone says where those of the authorization server are', async () => {
    const tenant = await signed({ pinned, variant: 'as-tenant1' })
    expect([endOf(tenant), looked(tenant).slice(1)]).toEqual(['authorized', [`${OAUTH}/tenant1`]])
    const made = await signed({ pinned, variant: 'as-oidc-inserted' })
    expect(made.signIn.error).toMatchObject({ step: 'server-metadata', code: 'no-server-metadata' })
    expect(looked(made).slice(1)).toEqual([`${OAUTH}/oidc-inserted`])
  })

  test('resource is sent, scopes are left to the server, and servers need not advertise PKCE', async () => {
    const alter = changing(/oauth-authorization-server/, (said) => ({
      ...said,
      code_challenge_methods_supported: undefined,
    }))
    const made = await signed({ pinned, alter })
    expect(endOf(made)).toBe('authorized')
    const { searchParams } = made.asked[0]!
    expect([
      searchParams.get('resource'),
      searchParams.get('scope'),
      searchParams.get('code_challenge_method'),
    ]).toEqual([made.url, null, 'S256'])
  })
})

describe('2025-03-26', () => {
  const pinned: Revision = '2025-03-26'
  const place = (url: string) => `${url}/mcp/${crypto.randomUUID()}`

  test('AU-0326-01, AU-0326-03: the origin of the server is asked, with the version, and is the issuer', async () => {
    const made = await signed({ pinned, url: place(inject('oauth2025Url')) })
    expect(endOf(made)).toBe('authorized')
    expect(looked(made)).toEqual([OAUTH])
    const asked = made.sent.find(({ url }) => url.endsWith(OAUTH))!
    expect([new URL(asked.url).origin, asked.headers.get('mcp-protocol-version')]).toEqual([
      inject('oauth2025Url'),
      pinned,
    ])
    expect(made.signIn.tokens).toMatchObject({ issuer: inject('oauth2025Url') })
    expect(await made.call('echo')).toMatchObject({ content: [{ text: 'hello' }] })
  })

  test('AU-0326-04, AU-0326-05, AU-0326-07: it registers, has PKCE, and says nothing of a resource', async () => {
    const made = await signed({ pinned, url: place(inject('oauth2025Url')) })
    expect(made.steps().filter((step) => step.startsWith('POST') && !step.includes('/mcp/'))).toEqual(
      ['/register', '/token'].map((path) => `POST ${inject('oauth2025Url')}${path}`),
    )
    const { searchParams } = made.asked[0]!
    expect([
      searchParams.get('code_challenge_method'),
      searchParams.has('resource'),
      searchParams.has('scope'),
    ]).toEqual(['S256', false, false])
    const [form] = made.forms('authorization_code')
    expect([form!.get('code_verifier')?.length, form!.has('resource')]).toEqual([43, false])
    await made.signIn.refresh()
    expect(made.signIn.error).toBeUndefined()
    expect(made.forms('refresh_token')[0]!.has('resource')).toBe(false)
  })

  test('AU-0326-02: without metadata there are three addresses at the origin, and only then', async () => {
    const made = await signed({ pinned, url: place(inject('oauth2025BareUrl')) })
    expect(endOf(made)).toBe('authorized')
    expect(looked(made)).toEqual([OAUTH])
    const origin = inject('oauth2025BareUrl')
    expect(made.steps().slice(-2)).toEqual([`POST ${origin}/register`, `POST ${origin}/token`])
    expect(made.asked[0]!.href.startsWith(`${origin}/authorize?`)).toBe(true)
    expect(made.done('server-metadata')!.learned).toMatchObject({ metadataSource: 'defaults' })
  })

  test('AU-0326-03: where a server does not take the version from a page, it is asked without', async () => {
    const url = place(inject('oauth2025Url'))
    const refusing: typeof fetch = async (input, init) => {
      if (new Headers(init?.headers).has('mcp-protocol-version') && urlOf(input).includes('.well-known'))
        throw new TypeError('Failed to fetch')
      return await fetch(input, init)
    }
    const made = await signed({ pinned, url, host: { fetch: refusing } })
    expect(endOf(made)).toBe('authorized')
    expect(made.wayOf('server-metadata')).toEqual(['direct', 'direct'])
  })

  test.each(['oauth2025Url', 'oauth2025BareUrl'] as const)(
    'a server of then is signed in to without a pin, where all newer ways led nowhere (%s)',
    async (name) => {
      const made = await signed({ url: place(inject(name)) })
      expect(looked(made).slice(0, 2)).toEqual([PATH, '/.well-known/oauth-protected-resource'])
      expect(endOf(made)).toBe('authorized')
      expect(made.checks('resource-metadata')).toContain('AU-0326-01 origin-is-issuer')
      expect(await made.call('echo')).toMatchObject({ content: [{ text: 'hello' }] })
    },
  )

  test('AU-0326-07: to a server that wants to hear nothing of a resource, its user says nothing of it', async () => {
    const made = await signed({ url: place(inject('oauth2025Url')), options: { resource: false } })
    expect(endOf(made)).toBe('authorized')
    expect(made.asked[0]!.searchParams.has('resource')).toBe(false)
    expect(made.forms('authorization_code')[0]!.has('resource')).toBe(false)
  })
})

describe('a server that moves to another authorization server', () => {
  test('AU-PRM-07, AU-PRM-08, AU-REG-12: is signed in to anew there, with a client of its own, and what was before is gone', async () => {
    const made = await signed({})
    const before = made.signIn.tokens!
    await control(made.url, 'move', { kinds: ['tenant1'] })
    await expect(made.call('echo')).rejects.toMatchObject({ code: 'unauthorized' })
    const [steps, sent] = [made.steps().length, made.sent.length]
    expect(await made.begin()).toBe(true)
    const after = made.signIn.tokens!
    expect(made.credentials()).toContain('issuer-changed')
    expect([after.issuer, after.clientId === before.clientId]).toEqual([issuerAt('tenant1'), false])
    // The first issuer receives no request, and the second receives nothing that belongs to the first.
    expect(
      made
        .steps()
        .slice(steps)
        .filter((step) => step.startsWith('POST')),
    ).toEqual(['/reg', '/token'].map((path) => `POST ${issuerAt('tenant1')}${path}`))
    for (const { body, headers } of made.sent.slice(sent)) {
      for (const secret of [before.accessToken, before.refreshToken!, before.clientId!]) {
        expect(body.includes(secret) || (headers.get('authorization') ?? '').includes(secret)).toBe(false)
      }
    }
    expect(await made.call('echo')).toMatchObject({ content: [{ text: 'hello' }] })
  })

  test('AU-GEN-04: tokens of the one before are shown to it no more from then on, whatever becomes of the sign-in', async () => {
    const made = signing({ options: { client: { id: knownClients.public.id } } })
    expect(await made.begin()).toBe(true)
    await control(made.url, 'move', { kinds: ['by-hand'] })
    expect(await made.begin()).toBe(false)
    expect(made.signIn.error).toMatchObject({
      step: 'registration',
      code: 'issuer-changed',
      fault: { rule: 'AU-REG-13' },
    })
    expect(made.signIn.tokens).toBeUndefined()
    await made.session!.close()
    await expect(made.connect()).rejects.toMatchObject({ code: 'unauthorized' })
    expect((await made.seen()).at(-1)!.headers.authorization).toBeUndefined()
  })
})
