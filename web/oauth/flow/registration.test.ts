/**
 * How authorization servers learn about this client: pre-registered, by its metadata document, or by dynamic
 * registration; and that no other server does.
 */
import { describe, expect, test } from 'vitest'
import { control } from '../../../tests/servers/control.ts'
import { knownClients, type IssuerKindName } from '../../../tests/servers/oauth/names.ts'
import { clientDocumentFor, clientDocumentUrlOf } from '../wire/client-document.ts'
import type { GivenClient } from '../model/sign-in-state.ts'
import {
  changing,
  goOn,
  issuerAt,
  logOf,
  REDIRECT,
  signing,
  type Sent,
  type Signing,
  type Story,
} from '../signing.case.ts'
import { Vault } from '../vault/vault.ts'

const signed = async (story: Story = {}): Promise<Signing> => {
  const made = signing(story)
  await made.begin()
  return made
}

const registers = (made: Signing) => made.steps(({ url }) => url.endsWith('/reg'))

/** The registration the server received. */
const registered = async (made: Signing, kind: IssuerKindName = 'plain') =>
  (await logOf(issuerAt(kind), { endpoint: 'registration', client: made.signIn.tokens!.clientId }))[0]!.parameters

const tokenRequest = (made: Signing): Sent => made.sent.find(({ url }) => url.endsWith('/token'))!

describe('a client that registers itself', () => {
  test('AU-REG-06, AU-REG-07, AU-REG-09, AU-REG-10: says what it is, where it comes back to, and that it wants refresh tokens', async () => {
    const made = await signed()
    expect(await registered(made)).toEqual({
      client_name: 'Periscope',
      application_type: 'native',
      redirect_uris: [REDIRECT],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: 'mcp:read offline_access mcp:write mcp:admin',
    })
    expect(made.asked[0]!.searchParams.get('redirect_uri')).toBe(REDIRECT)
  })

  test('AU-REG-07: is of the web where a host serves it, and says nothing of it before 2026-07-28', async () => {
    const redirectUri = 'https://periscope.example/oauth/callback.html'
    const hosted = await signed({ host: { redirectUri } })
    expect(await registered(hosted)).toMatchObject({ application_type: 'web', redirect_uris: [redirectUri] })
    const older = await signed({ pinned: '2025-11-25' })
    expect(await registered(older)).not.toHaveProperty('application_type')
  })

  test('AU-REG-11: comes back to https or to this machine, or is not registered at all', async () => {
    for (const redirectUri of [
      'http://192.168.1.7:6280/oauth/callback.html',
      'ftp://127.0.0.1/callback',
      'callback.html',
    ]) {
      const made = await signed({ host: { redirectUri } })
      expect(made.signIn.error).toMatchObject({
        step: 'registration',
        code: 'unsafe-url',
        fault: { rule: 'AU-REG-11' },
      })
      expect([registers(made), made.asked]).toEqual([[], []])
    }
    for (const redirectUri of ['http://localhost:1/oauth/callback.html', 'http://[::1]:1/oauth/callback.html']) {
      const made = await signed({ host: { redirectUri } })
      expect(made.signIn.error?.fault.rule).not.toBe('AU-REG-11')
    }
  })

  test.each([
    ['web-only', undefined, 'web'],
    ['native-only', 'web', 'native'],
  ] as const)(
    'AU-REG-08: refused over its redirect URI at %s is told so, and may register as the other',
    async (kind, first, then) => {
      const made = signing({ variant: `as-${kind}`, attended: true, options: first ? { applicationType: first } : {} })
      const over = made.begin()
      const faults: unknown[] = []
      await made.drive((waiting) => {
        if (waiting.for !== 'help') return goOn(waiting)
        faults.push(waiting.fault)
        return { do: 'again', options: { applicationType: then } }
      })
      expect(await over).toBe(true)
      expect(faults).toEqual([
        expect.objectContaining({
          code: 'redirect-uri-refused',
          rule: 'AU-REG-08',
          facts: expect.objectContaining({ error: 'invalid_redirect_uri' }),
        }),
      ])
      expect(await registered(made, kind)).toMatchObject({ application_type: then })
      expect(registers(made)).toHaveLength(2)
    },
  )

  test('AU-REG-10: does not go on where the server registered another redirect URI', async () => {
    const alter = changing(/\/reg$/, (said) => ({ ...said, redirect_uris: ['https://elsewhere.example/callback'] }))
    const made = await signed({ alter })
    expect(made.signIn.error).toMatchObject({ step: 'registration', code: 'redirect-uri-refused' })
    expect(made.asked).toEqual([])
  })

  test('AU-REG-12: is registered once with each authorization server, and known again by it alone', async () => {
    const vault = new Vault({})
    const first = await signed({ vault })
    const again = await signed({ vault })
    const other = await signed({ vault, variant: 'as-tenant1' })
    const { clientId } = first.signIn.tokens!
    expect([again.signIn.tokens!.clientId === clientId, registers(again)]).toEqual([true, []])
    expect(other.signIn.tokens!.clientId).not.toBe(clientId)
    expect(registers(other)).toEqual([`POST ${issuerAt('tenant1')}/reg`])
    expect(other.sent.some(({ url, body }) => `${url} ${body}`.includes(clientId!))).toBe(false)
    expect(again.checks('registration')).toContain('AU-REG-12 registered-before')
  })

  test('AU-REG-12: with another place to come back to it is another client', async () => {
    const vault = new Vault({})
    const first = await signed({ vault })
    const second = await signed({ vault, host: { redirectUri: 'http://127.0.0.1:40999/callback' } })
    expect(second.signIn.tokens!.clientId).not.toBe(first.signIn.tokens!.clientId)
  })

  test('registers anew where it was registered for less than is asked for now', async () => {
    const vault = new Vault({})
    const few = changing(/oauth-protected-resource/, (said) => ({ ...said, scopes_supported: ['mcp:read'] }))
    const first = await signed({ vault, alter: few })
    const second = await signed({ vault, variant: 'no-scope' })
    expect(second.signIn.tokens).toMatchObject({ scope: expect.stringContaining('mcp:admin') })
    expect(second.signIn.tokens!.clientId).not.toBe(first.signIn.tokens!.clientId)
  })

  test('is known in another life of the page, with what it was registered for', async () => {
    const kept = new Map<string, string>()
    const store = {
      get length() {
        return kept.size
      },
      key: (index: number) => [...kept.keys()][index] ?? null,
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => void kept.set(name, value),
      removeItem: (name: string) => void kept.delete(name),
    }
    const few = changing(/oauth-protected-resource/, (said) => ({ ...said, scopes_supported: ['mcp:read'] }))
    const first = signing({ vault: new Vault({ store }), alter: few })
    first.signIn.remembered = true
    await first.begin()
    const same = await signed({ vault: new Vault({ store }), alter: few })
    expect(same.signIn.tokens!.clientId).toBe(first.signIn.tokens!.clientId)
    const more = await signed({ vault: new Vault({ store }), variant: 'no-scope' })
    expect(more.signIn.tokens!.clientId).not.toBe(first.signIn.tokens!.clientId)
  })

  test('AU-FLOW-13: proves itself with the secret that it was given, where the server takes no client without one', async () => {
    for (const [supported, way] of [
      [['client_secret_basic', 'client_secret_post'], 'basic'],
      [['client_secret_post'], 'post'],
    ] as const) {
      const alter = changing(/oauth-authorization-server/, (said) => ({
        ...said,
        token_endpoint_auth_methods_supported: supported,
      }))
      const made = await signed({ alter })
      expect(made.signIn.error).toBeUndefined()
      expect(await registered(made)).toMatchObject({ token_endpoint_auth_method: `client_secret_${way}` })
      const { headers, body } = tokenRequest(made)
      expect([headers.get('authorization')?.startsWith('Basic ') ?? false, body.includes('client_secret=')]).toEqual(
        way === 'basic' ? [true, false] : [false, true],
      )
      // Used in everything that follows as well.
      await made.signIn.refresh()
      expect(made.signIn.error).toBeUndefined()
    }
  })
})

describe('a client that its user knows', () => {
  test.each<[name: string, client: GivenClient, sent: (sent: Sent) => boolean]>([
    [
      'public',
      { id: knownClients.public.id },
      ({ headers, body }) => !headers.has('authorization') && body.includes('client_id=known-public'),
    ],
    [
      'client_secret_basic',
      { id: knownClients.basic.id, secret: knownClients.basic.secret },
      ({ headers }) => headers.get('authorization')!.startsWith('Basic '),
    ],
    [
      'client_secret_post',
      { ...knownClients.post },
      ({ headers, body }) =>
        !headers.has('authorization') && body.includes(`client_secret=${knownClients.post.secret}`),
    ],
  ])('AU-REG-05, AU-FLOW-13: is used as it was entered, and proves itself as %s', async (_, client, isRight) => {
    const made = await signed({ variant: 'as-by-hand', options: { client } })
    expect(made.signIn.error).toBeUndefined()
    expect(made.signIn.tokens).toMatchObject({ clientId: client.id, issuer: issuerAt('by-hand') })
    expect(isRight(tokenRequest(made))).toBe(true)
    expect(registers(made)).toEqual([])
    await made.signIn.refresh()
    expect(made.signIn.error).toBeUndefined()
    await made.signIn.revoke()
    expect(made.signIn.error).toBeUndefined()
  })

  test('with a wrong secret is refused at the token endpoint, in the words of the server', async () => {
    const made = await signed({
      variant: 'as-by-hand',
      options: { client: { id: knownClients.basic.id, secret: 'wrong-secret' } },
    })
    expect(made.signIn.error).toMatchObject({
      step: 'token',
      code: 'token-refused',
      fault: { facts: { error: 'invalid_client' } },
    })
  })

  test('AU-REG-13: belongs to the issuer that it was used with first, and is given to no other', async () => {
    const made = await signed({ options: { client: { id: knownClients.public.id } } })
    const { options } = made.signIn
    expect(options.client).toMatchObject({ issuer: issuerAt('plain') })
    await control(made.url, 'move', { kinds: ['by-hand'] })
    expect(await made.begin()).toBe(false)
    expect(made.signIn.error).toMatchObject({
      step: 'registration',
      code: 'issuer-changed',
      fault: { rule: 'AU-REG-13', facts: { bound: issuerAt('plain'), issuer: issuerAt('by-hand') } },
    })
    expect(made.asked).toHaveLength(1)
    // The user enters it for the new one.
    made.signIn.set({ client: { id: knownClients.public.id } })
    expect(await made.begin()).toBe(true)
    expect(made.signIn.tokens).toMatchObject({ issuer: issuerAt('by-hand') })
  })
})

describe('a client that is known by its document', () => {
  /** Published where only the tests' authorization servers see it. */
  const publish = async (change: (document: object) => object = (document) => document) => {
    const base = `https://${crypto.randomUUID()}.example/`
    const url = clientDocumentUrlOf(base)
    const document = { ...clientDocumentFor(base), redirect_uris: [REDIRECT] }
    await control(issuerAt('documents'), 'publish', { url, document: change(document) })
    return url
  }

  test('AU-REG-02, AU-REG-03: has the address of its document for an id, wherever it signs in', async () => {
    const url = await publish()
    const vault = new Vault({})
    for (const variant of ['as-documents', 'as-documents-too'] as const) {
      const made = await signed({ variant, vault, host: { clientDocument: async () => url } })
      expect(made.signIn.error).toBeUndefined()
      expect(made.signIn.tokens).toMatchObject({ clientId: url })
      expect(made.asked[0]!.searchParams.get('client_id')).toBe(url)
      expect(registers(made)).toEqual([])
      expect(await made.call('echo')).toMatchObject({ content: [{ text: 'hello' }] })
      await made.signIn.refresh()
      expect(made.signIn.error).toBeUndefined()
    }
  })

  test('AU-REG-03: is not used with an address that cannot be an id', async () => {
    for (const clientDocument of [
      'http://periscope.example/oauth/client.json',
      'https://periscope.example',
      'https://periscope.example/',
      'client.json',
    ]) {
      const made = await signed({ variant: 'as-documents', options: { clientDocument } })
      expect(made.signIn.error).toMatchObject({
        step: 'registration',
        code: 'bad-client-document',
        fault: { rule: 'AU-REG-03' },
      })
      expect(made.asked).toEqual([])
    }
  })

  test('is not used before 2025-11-25, unless its user wants it', async () => {
    const clientDocument = await publish()
    const older = await signed({ variant: 'as-documents', pinned: '2025-06-18', options: { clientDocument } })
    expect(older.signIn.error).toMatchObject({ code: 'no-registration' })
    const wanted = await signed({
      variant: 'as-documents',
      pinned: '2025-06-18',
      options: { clientDocument, registration: 'metadata-document' },
    })
    expect(wanted.signIn.error).toBeUndefined()
  })
})

describe('AU-REG-01: which of the ways is taken', () => {
  const clientDocument = 'https://periscope.example/oauth/client.json'
  const client = { id: knownClients.public.id }

  /** How the client was obtained, or what stopped it. */
  const way = async (story: Story): Promise<unknown> => {
    const made = signing(story)
    await made.begin()
    const { learned, fault } = made.done('registration') ?? {}
    return learned?.clientSource ?? fault?.code
  }

  test.each<[what: string, story: Story, expected: string]>([
    ['what its user entered, first', { variant: 'as-documents-too', options: { client, clientDocument } }, 'by-hand'],
    [
      'then the document, where the server takes some',
      { variant: 'as-documents-too', options: { clientDocument } },
      'metadata-document',
    ],
    ['then registering, where there is no document', { variant: 'as-documents-too' }, 'dynamic'],
    ['registering, where the server takes none', { variant: 'plain', options: { clientDocument } }, 'dynamic'],
    [
      'asking its user, where nothing else is left',
      { variant: 'as-by-hand', options: { clientDocument } },
      'no-registration',
    ],
    [
      'what its user says: registering',
      { variant: 'as-documents-too', options: { client, clientDocument, registration: 'dynamic' } },
      'dynamic',
    ],
    [
      'what its user says: the document',
      { variant: 'as-documents-too', options: { client, clientDocument, registration: 'metadata-document' } },
      'metadata-document',
    ],
    [
      'what its user says: by hand, and there is none',
      { variant: 'plain', options: { registration: 'by-hand' } },
      'no-registration',
    ],
  ])('AU-REG-01: %s', async (_, story, expected) => {
    expect(await way(story)).toBe(expected)
  })
})
