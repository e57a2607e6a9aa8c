/** Whole sign-ins with real authorization servers: a correct client's outcome at every kind of server. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { inPage } from '../../tests/in-page.ts'
import { knownClients, oauthVariants, type VariantName } from '../../tests/servers/oauth/names.ts'
import type { AuthStep } from '../mcp/index.ts'
import type { FaultCode } from './model/fault.ts'
import type { PendingSignIn } from './consent/consent.ts'
import { changing, issuerAt, realRelay, signing, type Signing, type Story } from './signing.case.ts'
import { Vault } from './vault/vault.ts'

/** Where an unattended sign-in ends: with tokens that the server accepts, or at a step, for a reason. */
type End = 'authorized' | readonly [step: AuthStep, code: FaultCode]

/** Without CORS, as in Node, or with a relay for what a page can't read. */
const ENDS: Readonly<Record<VariantName, End>> = {
  plain: 'authorized',
  opaque: 'authorized',
  short: 'authorized',
  hidden: 'authorized',
  mute: 'authorized',
  unnamed: 'authorized',
  'no-scope': 'authorized',
  'no-scopes': 'authorized',
  'closed-401': 'authorized',
  'closed-metadata': 'authorized',
  // The first issuer it names doesn't register clients; the user has to choose one of the others.
  several: ['registration', 'no-registration'],
  free: 'authorized',
  late: 'authorized',
  dpop: 'authorized',
  'dpop-nonces': 'authorized',
  'as-plain': 'authorized',
  'as-tenant1': 'authorized',
  'as-oidc-inserted': 'authorized',
  'as-oidc-appended': 'authorized',
  'as-own-cors': 'authorized',
  'as-closed-metadata': 'authorized',
  'as-closed-registration': 'authorized',
  'as-closed-token': 'authorized',
  'as-closed-revocation': 'authorized',
  'as-closed': 'authorized',
  'as-by-hand': ['registration', 'no-registration'],
  'as-documents': ['registration', 'no-registration'],
  'as-documents-too': 'authorized',
  'as-native-only': 'authorized',
  'as-web-only': ['registration', 'redirect-uri-refused'],
  'as-nonces': 'authorized',
  'as-offline': 'authorized',
  'as-no-refresh': 'authorized',
  'as-coop': 'authorized',
  'as-enterprise': ['registration', 'no-registration'],
  'as-idp': ['registration', 'no-registration'],
}

/** The responses a page can't read, and the steps where it finds out. */
const UNREADABLE: Partial<Record<VariantName, readonly AuthStep[]>> = {
  'closed-401': ['challenge'],
  'closed-metadata': ['resource-metadata'],
  'as-own-cors': ['registration', 'token'],
  'as-closed-metadata': ['server-metadata'],
  'as-closed-registration': ['registration'],
  'as-closed-token': ['token'],
  'as-closed': ['server-metadata', 'registration', 'token'],
}

const variants = Object.keys(oauthVariants) as VariantName[]

const endOf = async (story: Story): Promise<{ signed: Signing; end: End | undefined }> => {
  const signed = signing(story)
  const ok = await signed.begin()
  const { error } = signed.signIn
  return { signed, end: ok ? 'authorized' : error && [error.step, error.code] }
}

describe('a sign-in that nobody helps', () => {
  test.each(variants)('ends at %s as it should', async (variant) => {
    const hidden = inPage ? UNREADABLE[variant]?.[0] : undefined
    const { signed, end } = await endOf({ variant })
    expect(end).toEqual(hidden === undefined ? ENDS[variant] : [hidden, 'unreadable'])
    expect(signed.record().flows.map(({ outcome }) => outcome)).toEqual([
      end === 'authorized' ? 'authorized' : 'failed',
    ])
    if (end !== 'authorized') return
    // The token works.
    expect(await signed.call('echo')).toMatchObject({ content: [{ text: 'hello' }] })
  })

  test.runIf(inPage).each(Object.entries(UNREADABLE))(
    'ends at %s as if there were no CORS, with a relay for the steps that need one and for no other',
    async (name, steps) => {
      const variant = name as VariantName
      const { signed, end } = await endOf({ variant, relay: realRelay() })
      expect(end).toEqual('authorized')
      const relayed = signed.record().flows[0]!.steps.filter(({ run }) => run?.requests.some((each) => each.relayed))
      expect(relayed.map(({ step }) => step)).toEqual(steps)
      // A code works once, so it was sent only where the response could be read.
      expect(await signed.log({ endpoint: 'token', grant_type: 'authorization_code' }, kindOf(variant))).toHaveLength(1)
      expect(signed.forms('authorization_code').filter((form) => form.has('code'))).toHaveLength(1)
    },
  )
})

const kindOf = (variant: VariantName) => (variant.startsWith('as-') ? variant.slice(3) : 'plain') as 'plain'

describe('what the browser brings back', () => {
  const unsaid = changing(/\.well-known\/oauth-authorization-server/, (said) => ({
    ...said,
    authorization_response_iss_parameter_supported: undefined,
  }))

  /** The server's response is changed in transit. @returns how it ended, and how many codes were exchanged */
  const afterChange = async (back: Story['back'], promised = true) => {
    const { signed, end } = await endOf({ back, ...(promised ? {} : { alter: unsaid }) })
    return { signed, end, traded: (await signed.log({ endpoint: 'token' })).length }
  }

  test.each<[what: string, back: (query: URLSearchParams) => void]>([
    ['no state', (query) => query.delete('state')],
    ['another state', (query) => query.set('state', 'another')],
    ['the state in other letters', (query) => query.set('state', query.get('state')!.toLowerCase())],
  ])('AU-FLOW-06: an answer with %s is discarded', async (_, back) => {
    expect(await afterChange(back)).toMatchObject({ end: ['callback', 'state-mismatch'], traded: 0 })
  })

  const another = (query: URLSearchParams) => query.set('iss', 'http://127.0.0.1:1')
  const none = (query: URLSearchParams) => query.delete('iss')

  test.each<[what: string, promised: boolean, back: (query: URLSearchParams) => void, end: 'authorized' | FaultCode]>([
    ['promised and there', true, () => {}, 'authorized'],
    ['promised and another', true, another, 'iss-mismatch'],
    ['promised and not there', true, none, 'iss-missing'],
    ['not promised, and there', false, () => {}, 'authorized'],
    ['not promised, and another', false, another, 'iss-mismatch'],
    ['not promised, and not there', false, none, 'authorized'],
  ])(
    'AU-FLOW-08, AU-FLOW-11: where the issuer is %s, the code is handed over or not',
    async (_, promised, back, end) => {
      const ended = await afterChange(back, promised)
      expect(ended).toMatchObject(end === 'authorized' ? { end, traded: 1 } : { end: ['callback', end], traded: 0 })
    },
  )

  test.each<[what: string, change: (issuer: string) => string]>([
    ['with a slash', (issuer) => `${issuer}/`],
    ['in upper case', (issuer) => issuer.toUpperCase()],
    ['with a percent sign', (issuer) => issuer.replace('127', '%3127')],
    ['with a dot in its path', (issuer) => `${issuer}/.`],
  ])('AU-FLOW-09: the issuer %s is another', async (_, change) => {
    const ended = await afterChange((query) => query.set('iss', change(query.get('iss')!)))
    expect(ended).toMatchObject({ end: ['callback', 'iss-mismatch'], traded: 0 })
  })

  test('AU-FLOW-10: an error in the name of another issuer is neither believed nor shown', async () => {
    const { signed, end } = await afterChange((query) => {
      query.delete('code')
      query.set('error', 'access_denied')
      query.set('error_description', 'WORDS OF A STRANGER')
      another(query)
    })
    expect(end).toEqual(['callback', 'iss-mismatch'])
    const { error } = signed.signIn
    expect(JSON.stringify([signed.done('callback'), error!.message, error!.fault])).not.toMatch(/STRANGER|denied/)
  })

  test.each<[what: string, back: (query: URLSearchParams) => void, code: FaultCode]>([
    ['an error', (query) => (query.delete('code'), query.set('error', 'server_error')), 'authorization-error'],
    ['no code', (query) => query.delete('code'), 'no-code'],
    ['two codes', (query) => query.append('code', 'another'), 'repeated-parameter'],
    ['two states', (query) => query.append('state', 'another'), 'repeated-parameter'],
  ])('with %s ends it, and nothing is traded', async (_, back, code) => {
    expect(await afterChange(back)).toMatchObject({ end: ['callback', code], traded: 0 })
  })

  test('a user who says no ends it, in the words of the server', async () => {
    const { signed, end } = await endOf({ choice: { answer: 'deny' } })
    expect(end).toEqual(['callback', 'denied'])
    expect(signed.signIn.error!.fault.facts).toEqual({ error: 'access_denied', description: 'The user said no' })
    expect(signed.signIn.tokens).toBeUndefined()
    signed.choice = {}
    expect(await signed.begin()).toBe(true)
  })
})

describe('beside a connection', () => {
  test('AU-GEN-06: a refusal is what the sign-in begins with, and nothing is asked twice', async () => {
    const signed = signing()
    await expect(signed.connect()).rejects.toMatchObject({ code: 'unauthorized' })
    expect(signed.signIn.refused).toMatchObject({ status: 401, challenge: { scope: 'mcp:read' } })
    expect(await signed.begin()).toBe(true)
    expect(signed.record().flows[0]).toMatchObject({ why: 'unauthorized', outcome: 'authorized' })
    expect(signed.wayOf('challenge')).toEqual([])
    expect(signed.signIn.refused).toBeUndefined()
    expect(await signed.call('echo')).toMatchObject({ content: [{ text: 'hello' }] })
  })

  test('AU-GEN-06: a refusal no longer holds once the connection opens in another way, as with a header by hand', async () => {
    const signed = signing()
    await expect(signed.connect()).rejects.toMatchObject({ code: 'unauthorized' })
    expect(signed.signIn.refused).toBeDefined()
    let changes = 0
    signed.signIn.subscribe(() => changes++)
    signed.signIn.connected()
    expect(signed.signIn.refused).toBeUndefined()
    expect(changes).toBe(1)
  })

  test('AU-GEN-02: all requests have the token in their header, whatever they are for', async () => {
    const signed = signing()
    await signed.begin()
    await signed.call('echo')
    await signed.session!.close()
    const all = (await signed.seen()).filter(({ message }) => !isAsking(message))
    // Requests before the first token, such as the sign-in's probe, are left out.
    const after = all.slice(all.findIndex(({ headers }) => headers.authorization !== undefined))
    expect(new Set(after.map(({ method }) => method))).toEqual(new Set(['POST', 'GET', 'DELETE']))
    const { accessToken } = signed.signIn.tokens!
    for (const { headers } of after) expect(headers.authorization).toBe(`Bearer ${accessToken}`)
  })

  test('AU-GEN-03, AU-TOK-02: whatever is sent in the life of tokens, no address and no frame ever holds a secret', async () => {
    const signed = signing({ variant: 'opaque' })
    await signed.begin()
    await signed.signIn.refresh()
    await signed.call('echo')
    await signed.signIn.revoke()
    expect(signed.signIn.error).toBeUndefined()
    expect(signed.secrets.length).toBeGreaterThan(4)
    const addresses = signed.sent.map(({ url }) => url)
    expect(addresses.length).toBeGreaterThan(10)
    const frames = JSON.stringify(signed.frames())
    for (const secret of signed.secrets) {
      expect([frames.includes(secret), addresses.some((url) => url.includes(secret))]).toEqual([false, false])
    }
  })

  test('a server that works without is not asked about, nor is any that it offers', async () => {
    const signed = signing({ variant: 'free' })
    await signed.connect()
    await signed.call('echo')
    expect(signed.auth()).toEqual([])
    expect(signed.steps()).toEqual([])
    expect((await signed.seen()).filter(({ message }) => isAsking(message))).toEqual([])
    expect((await signed.seen()).every(({ headers }) => headers.authorization === undefined)).toBe(true)
  })

  test('one that asks late is signed in to in the middle, and the session goes on with the token', async () => {
    const signed = signing({ variant: 'late' })
    const session = await signed.connect()
    await expect(signed.call('echo')).rejects.toMatchObject({ code: 'unauthorized' })
    expect(await signed.begin()).toBe(true)
    expect(await signed.call('echo')).toMatchObject({ content: [{ text: 'hello' }] })
    expect(signed.session).toBe(session)
    expect((await signed.seen()).filter(({ message }) => methodOf(message) === 'initialize')).toHaveLength(1)
  })

  test('AU-GEN-07: a header by hand counts more than tokens of an earlier day, until its user signs in', async () => {
    const vault = new Vault({})
    const first = signing({ vault })
    await first.begin()
    const mine = signing({ url: first.url, vault, headers: [['Authorization', 'Bearer my-own-token-from-elsewhere']] })
    await expect(mine.connect()).rejects.toMatchObject({ code: 'unauthorized' })
    const sent = async () => (await mine.seen()).at(-1)!.headers.authorization
    expect(await sent()).toBe('Bearer my-own-token-from-elsewhere')
    expect(await mine.begin()).toBe(true)
    await mine.call('echo')
    expect(await sent()).toBe(`Bearer ${mine.signIn.tokens!.accessToken}`)
  })

  test('AU-GEN-04, AU-TOK-06: tokens of one server are shown to no other, and each of a path is one of its own', async () => {
    const vault = new Vault({})
    const [first, second] = [signing({ vault }), signing({ vault })]
    await first.begin()
    await expect(second.connect()).rejects.toMatchObject({ code: 'unauthorized' })
    expect((await second.seen()).every(({ headers }) => headers.authorization === undefined)).toBe(true)
    expect(await second.begin()).toBe(true)
    expect(second.signIn.tokens!.accessToken).not.toBe(first.signIn.tokens!.accessToken)
    // The token isn't sent to another origin that the same connection is redirected to.
    for (const url of ['http://127.0.0.1:1/messages', 'https://elsewhere.example/mcp']) {
      expect(await first.signIn.credential.headers({ method: 'POST', url })).toEqual([])
    }
    // The same authorization server already knows this client: it is registered once, but has two tokens.
    expect(second.steps().filter((step) => step.endsWith('/reg'))).toEqual([])
    expect(first.signIn.tokens).toMatchObject({ issuer: issuerAt('plain'), resource: first.url, server: first.url })
    expect(second.signIn.tokens).toMatchObject({ issuer: issuerAt('plain'), resource: second.url, server: second.url })
  })
})

const methodOf = (message: unknown): unknown => (message as { readonly method?: unknown } | undefined)?.method

/** Requests metadata. */
const isAsking = (message: unknown): boolean =>
  (message as { readonly metadata?: unknown } | undefined)?.metadata !== undefined

describe('in another life of the page', () => {
  /** A sign-in that is abandoned halfway: its stored state as JSON, and the authorization response. */
  const leave = async (story: Story) => {
    const kept = new Map<string, string>()
    const first = signing({
      attended: true,
      ...story,
      host: {
        awaitReturn: (_state, signal) =>
          new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
        keepPending: (state, _mode, data) => (kept.set(state, JSON.stringify(data)), true),
      },
    })
    const over = first.begin()
    await expect.poll(() => first.signIn.consentUrl).toBeDefined()
    const query = (await first.user(first.signIn.consentUrl!)).toString()
    first.signIn.cancel()
    await over
    const [state, data] = [...kept][0]!
    return { first, state, data, query }
  }

  test('AU-FLOW-07: what was begun goes on with the issuer, the verifier and the state of then', async () => {
    const { first, state, data, query } = await leave({})
    const second = signing({ url: first.url })
    expect(await second.signIn.resume(JSON.parse(data) as PendingSignIn, state, query)).toBe(true)
    expect(await second.call('echo')).toMatchObject({ content: [{ text: 'hello' }] })
    expect(second.record().flows[0]!.steps.slice(0, 7).map(({ status }) => status)).toEqual([
      'known', 'known', 'known', 'known', 'known', 'known', 'ok',
    ]) // prettier-ignore
    // The recorder saw every request: discovery wasn't repeated, and the code was exchanged once.
    expect(second.steps()).toEqual([`POST ${issuerAt('plain')}/token`])
  })

  test('AU-FLOW-07: it still waits for the answer, and sends the user nowhere', async () => {
    const { first, state, data, query } = await leave({})
    const second = signing({ url: first.url, host: { awaitReturn: async () => query } })
    expect(await second.signIn.resume(JSON.parse(data) as PendingSignIn, state)).toBe(true)
    expect(second.asked).toEqual([])
  })

  test('AU-FLOW-08: the answer of another issuer than the one of then is refused', async () => {
    const { first, state, data, query } = await leave({})
    const second = signing({ url: first.url })
    const forged = new URLSearchParams(query)
    forged.set('iss', 'http://127.0.0.1:1')
    expect(await second.signIn.resume(JSON.parse(data) as PendingSignIn, state, forged.toString())).toBe(false)
    expect(second.signIn.error).toMatchObject({ code: 'iss-mismatch' })
  })

  test('what its user typed in is not kept, and is asked for again', async () => {
    const { basic } = knownClients
    const { first, state, data, query } = await leave({ options: { client: { ...basic, method: basic.method } } })
    expect(data).not.toContain(basic.secret)
    const without = signing({ url: first.url })
    expect(await without.signIn.resume(JSON.parse(data) as PendingSignIn, state, query)).toBe(false)
    expect(without.signIn.error).toMatchObject({ step: 'token', code: 'token-refused' })
    expect(JSON.parse(data)).toMatchObject({ options: { client: { id: basic.id } } })
  })
})

describe('a page that was opened over plain HTTP from another machine, and has no WebCrypto,', () => {
  const insecure = () => {
    const getRandomValues = crypto.getRandomValues.bind(crypto)
    vi.stubGlobal('crypto', { getRandomValues })
  }
  afterEach(() => vi.unstubAllGlobals())

  test('signs in with PKCE S256, connects and refreshes all the same', async () => {
    const made = signing()
    insecure()
    expect(await made.signIn.begin('automatic')).toBe(true)
    const { searchParams } = made.asked[0]!
    expect(searchParams.get('code_challenge_method')).toBe('S256')
    expect(searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/)
    await made.signIn.refresh()
    expect(made.signIn.error).toBeUndefined()
  })

  test('says that tokens cannot be bound to a key, and why', async () => {
    const made = signing({ variant: 'dpop' })
    insecure()
    expect(await made.signIn.begin('automatic')).toBe(false)
    expect(made.signIn.error).toMatchObject({ code: 'insecure-context', step: 'token' })
  })

  test('says that a private key cannot sign, and why', async () => {
    const client = { ...knownClients.machineKey, privateKey: 'any' }
    const made = signing({ options: { grant: 'client-credentials', client } })
    insecure()
    expect(await made.signIn.begin('automatic')).toBe(false)
    expect(made.signIn.error).toMatchObject({ code: 'insecure-context', step: 'token' })
  })
})
