import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inPage } from '../../../tests/in-page.ts'
import type { TokenSet } from '../model/sign-in-state.ts'
import { logOf, issuerAt, placeOf, signing } from '../signing.case.ts'
import { CREDENTIALS } from './storage-keys.ts'
import { clientOf, Device, ISSUER, REDIRECT, SERVER, tokensOf } from './vault.case.ts'
import { Vault } from './vault.ts'

const OTHER = 'https://other.example/mcp'
const DAY = 86_400_000

/** The fields of a record that the tests check. */
interface Kept {
  readonly server?: string
  readonly registration?: { readonly issuer: string }
}

describe('in memory', () => {
  test('tokens belong to one server, however its address is written (AU-TOK-06)', () => {
    const vault = new Vault()
    vault.putTokens(tokensOf({ server: 'https://MCP.example:443/mcp', accessToken: 'a' }))
    expect(vault.tokensFor('https://mcp.example/mcp#top')?.accessToken).toBe('a')
    // Callers compare the URL with their own (AU-GEN-04).
    expect(vault.tokensFor('https://mcp.example/mcp')?.server).toBe('https://mcp.example/mcp')
    for (const other of ['https://mcp.example/mcp/', 'https://mcp.example/', 'http://mcp.example/mcp', OTHER]) {
      expect(vault.tokensFor(other), other).toBeUndefined()
    }
    vault.forget('https://mcp.example/mcp')
    expect(vault.tokensFor('https://MCP.example:443/mcp')).toBeUndefined()
  })

  test('a client is used with the authorization server that knows it, and no other (AU-PRM-07, AU-REG-12)', () => {
    const vault = new Vault()
    vault.putRegistration(clientOf({ clientId: 'one' }))
    expect(vault.registrationFor(ISSUER, REDIRECT)?.clientId).toBe('one')
    // Compared as exact strings (AU-FLOW-09).
    for (const issuer of [`${ISSUER}/`, 'https://AS.example', 'https://evil.example', '']) {
      expect(vault.registrationFor(issuer, REDIRECT), issuer).toBeUndefined()
    }
    expect(vault.registrationFor(ISSUER, 'https://elsewhere.example/callback')).toBeUndefined()
    expect(vault.registrationFor(ISSUER, REDIRECT, 'another')).toBeUndefined()
    vault.putRegistration(clientOf({ clientId: 'two' }))
    expect(vault.registrationFor(ISSUER, REDIRECT)?.clientId).toBe('two')
  })

  test('a client whose secret is over is registered anew (RFC 7591 section 3.2.1)', () => {
    let now = 1000
    const vault = new Vault({ now: () => now })
    vault.putRegistration(clientOf({ clientSecret: 's', secretExpiresAt: 2000 }))
    expect(vault.registrationFor(ISSUER, REDIRECT)).toBeDefined()
    now = 2000
    expect(vault.registrationFor(ISSUER, REDIRECT)).toBeUndefined()
  })

  test('nothing is written unless its user wants it to be', () => {
    const device = new Device()
    const vault = device.tab()
    vault.putRegistration(clientOf())
    vault.putTokens(tokensOf())
    expect(device.entries.size).toBe(0)
    expect(vault.isRemembered(SERVER)).toBe(false)
    expect(vault.entries()).toMatchObject([{ server: SERVER, kept: 'memory', remembered: false }])
    expect(device.tab().tokensFor(SERVER)).toBeUndefined()
  })

  test('a client without tokens is shown by itself, and goes when a newer one takes its place', () => {
    const vault = new Vault()
    vault.putRegistration(clientOf({ clientId: 'denied' }))
    expect(vault.entries()).toMatchObject([{ issuer: ISSUER, clientId: 'denied', hasTokens: false, kept: 'memory' }])
    vault.putRegistration(clientOf({ clientId: 'the-client' }))
    vault.putTokens(tokensOf())
    expect(vault.entries()).toMatchObject([{ server: SERVER, clientId: 'the-client', clientSource: 'dynamic' }])
    expect(vault.registrationFor(ISSUER, REDIRECT, 'denied')).toBeUndefined()
    // The tokens are stored with this one.
    vault.forgetClient(ISSUER, 'the-client')
    expect(vault.registrationFor(ISSUER, REDIRECT)).toBeDefined()
    vault.putRegistration(clientOf({ clientId: 'another' }))
    vault.forgetClient(ISSUER, 'another')
    expect(vault.entries()).toHaveLength(1)
  })
})

describe('a changed issuer (AU-PRM-08)', () => {
  test('discards what the old one gave out for that server, on the device too', () => {
    const device = new Device()
    const vault = device.tab()
    const before = tokensOf()
    vault.putRegistration(clientOf({ clientSecret: 'secret-of-the-old' }))
    vault.putTokens(before)
    vault.remember(SERVER, true)
    expect(vault.issuerChanged(SERVER, ISSUER)).toBeUndefined()
    expect(vault.issuerChanged(SERVER, 'https://new.example')).toEqual(before)
    expect(vault.tokensFor(SERVER)).toBeUndefined()
    expect(vault.registrationFor(ISSUER, REDIRECT)).toBeUndefined()
    expect(device.text).not.toMatch(/token-|secret-of-the-old/)
    // The server stays remembered.
    vault.putTokens(tokensOf({ issuer: 'https://new.example', accessToken: 'of-the-new' }))
    expect(device.tab().tokensFor(SERVER)?.accessToken).toBe('of-the-new')
  })

  test('leaves other servers of the old one alone, and tokens that were pasted', () => {
    const vault = new Vault()
    vault.putRegistration(clientOf())
    vault.putTokens(tokensOf())
    vault.putTokens(tokensOf({ server: OTHER }))
    vault.issuerChanged(SERVER, 'https://new.example')
    expect(vault.tokensFor(OTHER)).toBeDefined()
    expect(vault.registrationFor(ISSUER, REDIRECT)).toBeDefined()
    const { issuer: _, ...pasted } = tokensOf()
    vault.putTokens(pasted)
    expect(vault.issuerChanged(SERVER, 'https://new.example')).toBeUndefined()
    expect(vault.tokensFor(SERVER)).toEqual(pasted)
  })
})

describe('on the device', () => {
  test('tokens and their client outlive the page, and both go when they are forgotten', () => {
    const device = new Device()
    const vault = device.tab()
    const tokens = tokensOf({ extra: { note: 'not written' } })
    vault.remember(SERVER, true)
    vault.putRegistration(clientOf({ method: 'client_secret_post', clientSecret: 'given-out' }))
    vault.putTokens(tokens)
    // This page has more than is stored.
    expect(vault.tokensFor(SERVER)).toEqual(tokens)
    const { extra: _, ...written } = tokens
    const later = device.tab()
    expect(later.isRemembered(SERVER)).toBe(true)
    expect(later.tokensFor(SERVER)).toEqual(written)
    expect(later.registrationFor(ISSUER, REDIRECT)?.clientSecret).toBe('given-out')
    expect(later.entries()).toMatchObject([
      { server: SERVER, issuer: ISSUER, clientSource: 'dynamic', scope: 'mcp:read', kept: 'device', remembered: true },
    ])
    later.forget(SERVER)
    expect(device.entries.size).toBe(0)
    expect(later.registrationFor(ISSUER, REDIRECT)).toBeUndefined()
  })

  test('what is not to be remembered any more is in this page only', () => {
    const device = new Device()
    const vault = device.tab()
    vault.putRegistration(clientOf())
    vault.putTokens(tokensOf({ accessToken: 'kept' }))
    vault.remember(SERVER, true)
    vault.remember(SERVER, false)
    expect(device.entries.size).toBe(0)
    expect(vault.tokensFor(SERVER)?.accessToken).toBe('kept')
    expect(vault.registrationFor(ISSUER, REDIRECT)).toBeDefined()
  })

  test('one record is for one server: to forget one leaves the others and their client', () => {
    const device = new Device()
    const vault = device.tab()
    vault.putRegistration(clientOf())
    for (const server of [SERVER, OTHER]) {
      vault.putTokens(tokensOf({ server }))
      vault.remember(server, true)
    }
    expect(device.entries.size).toBe(3)
    vault.forget(SERVER)
    expect(device.tab().tokensFor(OTHER)).toBeDefined()
    expect(device.tab().registrationFor(ISSUER, REDIRECT)).toBeDefined()
    vault.forgetIssuer(ISSUER)
    expect(device.entries.size).toBe(0)
    expect(vault.entries()).toEqual([])
  })

  test('all that was written by any version can be cleared at once, and nothing else', () => {
    const device = new Device()
    device.entries.set('periscope.theme', 'dark')
    device.entries.set(`${CREDENTIALS}7.server.x`, 'of a later version')
    device.entries.set(`${CREDENTIALS}2.use.${SERVER}`, '1')
    const vault = device.tab()
    vault.putTokens(tokensOf())
    vault.remember(SERVER, true)
    // A tab that ended during a refresh left this entry behind: other tabs must not wait for it.
    expect(device.text).not.toContain('.use.')
    vault.forgetAll()
    expect([...device.entries.keys()]).toEqual(['periscope.theme'])
    expect(vault.tokensFor(SERVER)).toBeUndefined()
  })

  test('what nobody used for 90 days is gone; a refresh counts as use', async () => {
    const device = new Device()
    let now = Date.now()
    const vault = device.tab({ now: () => now })
    vault.putTokens(tokensOf())
    vault.remember(SERVER, true)
    now += 89 * DAY
    await vault.exchange(SERVER, () => Promise.resolve(tokensOf({ accessToken: 'newer' })))
    now += 89 * DAY
    expect(device.tab({ now: () => now }).tokensFor(SERVER)?.accessToken).toBe('newer')
    now += 2 * DAY
    expect(device.tab({ now: () => now }).tokensFor(SERVER)).toBeUndefined()
    expect(device.entries.size).toBe(0)
  })

  test.each([
    ['bound', 'tokens that are bound to a key', tokensOf({ tokenType: 'DPoP' })],
    ['address', 'a server with a user in its address', tokensOf({ server: 'https://me:pass@mcp.example/mcp' })],
    [
      'address',
      'a server with a key in its address',
      tokensOf({ server: 'https://mcp.example/mcp?apiKey=k3y-in-address' }),
    ],
    ['refused', 'a token that no header can carry', tokensOf({ accessToken: 'line\nend' })],
    ['refused', 'a token without end', tokensOf({ accessToken: 'x'.repeat(200_000) })],
  ] as const)('says “%s” of %s, and keeps them in memory', (unkept, _, tokens) => {
    const device = new Device()
    const vault = device.tab()
    vault.putTokens(tokens)
    vault.remember(tokens.server, true)
    expect(vault.isRemembered(tokens.server)).toBe(true)
    expect(vault.tokensFor(tokens.server)).toEqual(tokens)
    expect(vault.entries()).toMatchObject([{ kept: 'memory', remembered: true, unkept }])
    for (const secret of ['token-', 'me:pass', 'k3y-in', 'line', 'xxx']) expect(device.text).not.toContain(secret)
  })

  test('a storage that is full or refused loses nothing, and what is out of date there goes', async () => {
    const device = new Device()
    const vault = device.tab()
    vault.remember(SERVER, true)
    vault.putTokens(tokensOf({ accessToken: 'first' }))
    device.full = true
    await vault.exchange(SERVER, () => Promise.resolve(tokensOf({ accessToken: 'second' })))
    expect(vault.tokensFor(SERVER)?.accessToken).toBe('second')
    expect(vault.entries()).toMatchObject([{ kept: 'memory', unkept: 'refused' }])
    // Another tab would use a refresh token a second time.
    expect(device.tab().tokensFor(SERVER)).toBeUndefined()
    device.full = false
    vault.putTokens(tokensOf({ accessToken: 'third' }))
    expect(device.tab().tokensFor(SERVER)?.accessToken).toBe('third')
    device.refused = true
    expect(vault.tokensFor(SERVER)?.accessToken).toBe('third')
    vault.putTokens(tokensOf({ accessToken: 'fourth' }))
    expect(vault.tokensFor(SERVER)?.accessToken).toBe('fourth')
    expect(vault.entries()).toMatchObject([{ kept: 'memory', unkept: 'refused' }])
    vault.forgetAll()
    expect(vault.entries()).toEqual([])
  })

  test('what another hand wrote is taken up whole or dropped, whatever it is', () => {
    const device = new Device()
    const vault = device.tab()
    vault.putRegistration(clientOf({ clientSecret: 'secret' }))
    vault.putTokens(tokensOf())
    vault.remember(SERVER, true)
    const good = [...device.entries] as [key: string, text: string][]
    expect(good).toHaveLength(2)
    const name = fc.constantFrom('at', 'server', 'accessToken', 'refreshToken', 'tokenType', 'receivedAt', 'issuer',
      'tokenEndpoint', 'scope', 'clientId', 'source', 'method', 'clientSecret', 'redirectUri', 'tokens', 'registration') // prettier-ignore
    const spoiled = (text: string, member: string, value: unknown) =>
      JSON.stringify(JSON.parse(text, (key, was: unknown) => (key === member ? value : was)))
    fc.assert(
      fc.property(fc.nat(1), fc.oneof(fc.tuple(name, fc.jsonValue()), fc.string()), (which, change) => {
        const [key, text] = good[which]!
        const written = typeof change === 'string' ? change : spoiled(text, change[0], change[1])
        device.entries.clear()
        for (const [one, as] of good) device.entries.set(one, as)
        device.entries.set(key, written)
        const tab = device.tab()
        const tokens = tab.tokensFor(SERVER)
        const client = tab.registrationFor(ISSUER, REDIRECT)
        for (const [what, keyOf] of [
          [tokens, good[0]![0]],
          [client, good[1]![0]],
        ] as const) {
          if (what === undefined && keyOf.includes(key)) expect(device.entries.get(key)).not.toBe(written)
        }
        if (tokens) {
          expect(tokens).toMatchObject({ server: SERVER, tokenType: 'Bearer' })
          expect(() => new Headers({ authorization: `Bearer ${tokens.accessToken}` })).not.toThrow()
          for (const url of [tokens.issuer, tokens.tokenEndpoint]) expect(url ?? ISSUER).toMatch(/^https?:/)
        }
        if (client) expect(client).toMatchObject({ issuer: ISSUER, source: 'dynamic', redirectUri: REDIRECT })
        expect(tab.entries().length).toBeLessThanOrEqual(2)
      }),
    )
  })
})

describe('several tabs', () => {
  test('what one forgets, or is cleared by hand, the others forget, and are told', () => {
    const device = new Device()
    const [one, two] = [device.tab(), device.tab()]
    one.putTokens(tokensOf())
    one.remember(SERVER, true)
    expect(two.tokensFor(SERVER)).toBeDefined()
    let told = 0
    const stop = two.subscribe(() => told++)
    one.forget(SERVER)
    expect(told).toBeGreaterThan(0)
    expect(two.tokensFor(SERVER)).toBeUndefined()
    expect(two.entries()).toEqual([])
    stop()
    const before = told
    one.putTokens(tokensOf())
    one.remember(SERVER, true)
    expect(told).toBe(before)
    device.entries.clear()
    expect(one.tokensFor(SERVER)).toBeUndefined()
    expect(one.isRemembered(SERVER)).toBe(false)
  })

  test('a tab with a sign-in of its own keeps it, and sees what is on the device besides', () => {
    const device = new Device()
    const [one, two] = [device.tab(), device.tab()]
    two.putTokens(tokensOf({ accessToken: 'of-two' }))
    one.putTokens(tokensOf({ accessToken: 'of-one' }))
    one.remember(SERVER, true)
    expect(two.tokensFor(SERVER)?.accessToken).toBe('of-two')
    expect(two.isRemembered(SERVER)).toBe(false)
    expect(two.entries().map(({ kept }) => kept)).toEqual(['memory', 'device'])
    two.putTokens(tokensOf({ accessToken: 'of-two-again' }))
    expect(device.text).not.toContain('of-two')
    two.forget(SERVER)
    expect(device.entries.size).toBe(0)
    expect(one.tokensFor(SERVER)).toBeUndefined()
  })

  test('the tab that stops to remember has the tokens from then on, and no other', () => {
    const device = new Device()
    const [one, two] = [device.tab(), device.tab()]
    one.putTokens(tokensOf())
    one.remember(SERVER, true)
    expect(two.tokensFor(SERVER)).toBeDefined()
    two.remember(SERVER, false)
    expect(one.tokensFor(SERVER)).toBeUndefined()
    expect(two.tokensFor(SERVER)).toBeDefined()
  })
})

test('no order of events brings into the storage, or into the list, what must not be there', async () => {
  const servers = [SERVER, OTHER, 'https://mcp.example/mcp?token=never-in-address']
  const kinds = ['plain', 'bound', 'pasted'] as const
  const sources = ['dynamic', 'by-hand', 'metadata-document', 'with-key'] as const
  const act = fc.record({
    act: fc.constantFrom('tokens', 'client', 'remember', 'apart', 'forget', 'forget-issuer', 'forget-all', 'issuer',
      'exchange', 'full', 'reload'), // prettier-ignore
    server: fc.constantFrom(...servers),
    kind: fc.constantFrom(...kinds),
    source: fc.constantFrom(...sources),
    issuer: fc.constantFrom(ISSUER, 'https://as2.example'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 24 }), async (acts) => {
      const device = new Device()
      let vault = device.tab()
      let all: TokenSet[] = []
      const make = (kind: (typeof kinds)[number], server: string, issuer: string): TokenSet => {
        const { issuer: from, ...rest } = tokensOf({ server, issuer })
        const tokens: TokenSet = {
          ...rest,
          ...(kind === 'pasted' ? {} : { issuer: from! }),
          ...(kind === 'bound'
            ? { tokenType: 'DPoP', accessToken: `never-${rest.accessToken}`, refreshToken: 'never' }
            : {}),
        }
        all = [...all, tokens]
        return tokens
      }
      for (const { act, server, kind, source, issuer } of acts) {
        if (act === 'tokens') vault.putTokens(make(kind, server, issuer))
        else if (act === 'remember') vault.remember(server, true)
        else if (act === 'apart') vault.remember(server, false)
        else if (act === 'forget') vault.forget(server)
        else if (act === 'forget-issuer') vault.forgetIssuer(issuer)
        else if (act === 'forget-all') vault.forgetAll()
        else if (act === 'issuer') vault.issuerChanged(server, issuer)
        else if (act === 'full') device.full = !device.full
        else if (act === 'reload') vault = device.tab()
        else if (act === 'exchange') {
          await vault.exchange(server, () => Promise.resolve(make(kind, server, issuer))).catch(() => {})
        } else {
          const typed = { clientSecret: 'never-typed', privateKey: 'never-key' }
          const given = { clientSecret: 'given-secret' }
          const more = { dynamic: given, 'with-key': { ...given, privateKey: 'never-key' } }[source as string] ?? typed
          vault.putRegistration(clientOf({ issuer, source: source === 'with-key' ? 'dynamic' : source, ...more }))
        }
        expect(device.text).not.toContain('never')
        // Tokens are stored only for remembered servers, and at most one set each.
        const there = all.filter(({ accessToken }) => device.text.includes(`${accessToken}\\"`))
        for (const { server: of } of there) expect(vault.isRemembered(of), of).toBe(true)
        expect(new Set(there.map(({ server: of }) => of)).size).toBe(there.length)
        // The list contains everything that is stored, and no secrets.
        const list = vault.entries()
        const [listed, kept] = [
          JSON.stringify(list),
          [...device.entries.values()].map((text) => JSON.parse(text) as Kept),
        ]
        for (const { server: of, registration } of kept)
          expect(listed).toContain(JSON.stringify(of ?? registration!.issuer))
        expect(listed.replaceAll('token=never-in-address', '')).not.toMatch(/token-\d|never|given-secret/)
        if (act === 'forget-all') expect([device.entries.size, list.length]).toEqual([0, 0])
      }
    }),
  )
})

test.runIf(inPage)(
  'in a real browser: another page of this origin has what is remembered, and forgets it',
  async () => {
    const frame = document.body.appendChild(document.createElement('iframe'))
    try {
      const there = frame.contentWindow!
      const server = `${SERVER}/${crypto.randomUUID()}`
      const tabs = [window, there].map(
        (page) => new Vault({ store: page.localStorage, events: page, locks: page.navigator.locks }),
      )
      const [one, two] = tabs as [Vault, Vault]
      one.putTokens(tokensOf({ server }))
      one.remember(server, true)
      let runs = 0
      const run = async () => {
        runs++
        await new Promise((resolve) => setTimeout(resolve, 20))
        return tokensOf({ server, accessToken: 'next' })
      }
      const both = await Promise.all([two.exchange(server, run), one.exchange(server, run)])
      expect(both.map(({ accessToken }) => accessToken)).toEqual(['next', 'next'])
      expect(runs).toBe(1)
      const told = new Promise<void>((resolve) => two.subscribe(resolve))
      one.forget(server)
      await told
      expect(two.tokensFor(server)).toBeUndefined()
      expect(Object.keys(localStorage).filter((key) => key.startsWith(CREDENTIALS))).toEqual([])
    } finally {
      frame.remove()
    }
  },
)

describe('with a real authorization server', () => {
  test('two tabs that refresh at once use the refresh token once, and both go on (AU-TOK-04)', async () => {
    const device = new Device()
    const url = placeOf('plain')
    const [one, two] = [signing({ url, vault: device.tab() }), signing({ url, vault: device.tab() })]
    one.signIn.remembered = true
    expect(await one.begin()).toBe(true)
    await two.connect()
    await Promise.all([one.signIn.refresh(), two.signIn.refresh()])
    expect([one.signIn.error, two.signIn.error]).toEqual([undefined, undefined])
    expect(await logOf(issuerAt('plain'), { grant_type: 'refresh_token', resource: url })).toHaveLength(1)
    for (const tab of [one, two]) expect(await tab.call('echo')).toMatchObject({ content: [{ text: 'hello' }] })
    // Using it a second time would have revoked all of them. The next refresh shows that this didn't happen.
    await two.signIn.refresh()
    expect(two.signIn.error).toBeUndefined()
    expect(one.signIn.tokens?.accessToken).toBe(two.signIn.tokens?.accessToken)
  })

  test('a page that comes later goes on without a sign-in, with the same client', async () => {
    const device = new Device()
    const url = placeOf('plain')
    const before = signing({ url, vault: device.tab() })
    before.signIn.remembered = true
    await before.begin()
    const later = signing({ url, vault: device.tab() })
    await later.connect()
    expect(later.asked).toEqual([])
    await later.signIn.refresh()
    expect(later.signIn.error).toBeUndefined()
    expect(later.signIn.tokens?.clientId).toBe(before.signIn.tokens?.clientId)
    later.signIn.forget()
    expect(device.entries.size).toBe(0)
    expect(before.signIn.tokens).toBeUndefined()
  })
})
