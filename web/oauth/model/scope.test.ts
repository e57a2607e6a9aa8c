/** Which scopes are requested, which are granted, and what happens if they aren't enough. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { VariantName } from '../../../tests/servers/oauth/names.ts'
import { profileFor } from './profile.ts'
import { chooseScope, mayAskFor, scopesOf, scopeToRegister, union } from './scope.ts'
import { changing, goOn, signing, type Signing, type Story } from '../signing.case.ts'

const hello = { content: [{ text: 'hello' }] }
const ALL = 'mcp:read mcp:write mcp:admin'

/** The scope of each authorization request, as sent; `null`: none. */
const asked = (made: Signing): (string | null)[] => made.asked.map(({ searchParams }) => searchParams.get('scope'))

const signed = async (story: Story = {}): Promise<Signing> => {
  const made = signing(story)
  expect(await made.begin()).toBe(true)
  return made
}

describe('the first time', () => {
  test.each<[variant: VariantName, rule: string, scope: string | null]>([
    ['plain', 'the scope of the challenge', 'mcp:read offline_access'],
    ['no-scope', 'all scopes of the metadata', `${ALL} offline_access`],
    ['no-scopes', 'none, and the parameter is left out', null],
  ])('AU-SCOPE-01: at %s it is %s', async (variant, _, scope) => {
    const made = await signed({ variant })
    expect(asked(made)).toEqual([scope])
    // The server received the same.
    const [logged] = await made.log({ endpoint: 'authorization', method: 'GET' })
    expect(new URL(logged!.url, made.url).searchParams.get('scope')).toBe(scope)
    expect(made.signIn.tokens!.scope?.split(' ')).toContain('mcp:read')
  })

  test('AU-SCOPE-02: a challenge counts as it is, whatever the metadata list', async () => {
    const alter = changing(/oauth-protected-resource/, (said) => ({ ...said, scopes_supported: ['mcp:admin'] }))
    const made = await signed({ alter })
    expect(asked(made)).toEqual(['mcp:read offline_access'])
  })

  test('it is what its user says, and none where they say none', async () => {
    expect(asked(await signed({ options: { scope: ' mcp:read  mcp:write mcp:read ' } }))).toEqual([
      'mcp:read mcp:write',
    ])
    expect(asked(await signed({ options: { scope: '' } }))).toEqual([null])
  })

  test('AU-SCOPE-06: offline_access is asked for where the server offers it, with consent, and brings a refresh token', async () => {
    const made = await signed({ variant: 'as-offline' })
    expect(asked(made)).toEqual(['mcp:read offline_access'])
    expect(made.asked[0]!.searchParams.get('prompt')).toBe('consent')
    expect(made.signIn.tokens!.refreshToken).toBeDefined()
    // Clients didn't request it before 2026-07-28.
    const older = await signed({ variant: 'as-offline', pinned: '2025-11-25' })
    expect([asked(older), older.signIn.tokens!.refreshToken]).toEqual([['mcp:read'], undefined])
  })

  test('AU-SCOPE-08: what is granted may be less, and is what counts', async () => {
    const made = await signed({ variant: 'no-scope', choice: { only: ['mcp:read'] } })
    expect(made.signIn.tokens).toMatchObject({ scope: 'mcp:read', requestedScope: `${ALL} offline_access` })
    expect(made.checks('use')).toContain('AU-SCOPE-08 scope-narrower')
    expect(made.done('use')!.checks.find(({ rule }) => rule === 'AU-SCOPE-08')!.values).toMatchObject({
      granted: 'mcp:read',
    })
  })
})

describe('a request that wants more (AU-SCOPE-03)', () => {
  /** An attended sign-in for reading only. */
  const reader = (story: Story = {}) => signed({ attended: true, ...story })

  /** Waits until the user is asked to decide. */
  const asking = (made: Signing) => expect.poll(() => made.signIn.stepUp, { interval: 10 }).toBeDefined()

  test('AU-SCOPE-03, AU-SCOPE-04: asks its user, signs in for what there was and what is missing, and goes on', async () => {
    const made = await reader()
    const before = made.signIn.tokens!
    const call = made.call('touch')
    await asking(made)
    expect(made.signIn.stepUp).toMatchObject({
      operation: 'tools/call touch',
      attempt: 1,
      held: 'mcp:read offline_access',
      refused: { status: 403, challenge: { error: 'insufficient_scope', scope: 'mcp:write' } },
    })
    // Nothing happens before that.
    expect(made.asked).toHaveLength(1)
    await made.signIn.decideStepUp(true)
    expect(await call).toMatchObject({ content: expect.anything() })
    expect(asked(made)).toEqual(['mcp:read offline_access', 'mcp:read offline_access mcp:write'])
    expect(made.signIn.tokens!.scope!.split(' ')).toEqual(expect.arrayContaining(['mcp:read', 'mcp:write']))
    expect(made.signIn.tokens!.accessToken).not.toBe(before.accessToken)
    expect(made.record().flows.map(({ why, outcome }) => [why, outcome])).toEqual([
      ['asked', 'authorized'],
      ['insufficient-scope', 'authorized'],
    ])
    // The same client, which is registered for all scopes.
    expect(made.steps((sent) => sent.url.endsWith('/reg'))).toHaveLength(1)
    expect(await made.call('echo')).toMatchObject(hello)
  })

  test('is refused where its user declines, and asks again when it is made again', async () => {
    const made = await reader()
    for (let n = 0; n < 4; n++) {
      const call = made.call('touch')
      await asking(made)
      expect(made.signIn.stepUp!.attempt).toBe(1)
      await made.signIn.decideStepUp(false)
      await expect(call).rejects.toMatchObject({ code: 'http-status', details: { status: 403 } })
    }
    expect(made.asked).toHaveLength(1)
    expect(await made.call('echo')).toMatchObject(hello)
  })

  test('asks once for all that want it at the same time', async () => {
    const made = await reader()
    const calls = Array.from({ length: 4 }, () => made.call('touch'))
    await asking(made)
    const waiting = () => made.sent.filter(({ url, status }) => url === made.url && status === 403).length
    await expect.poll(waiting).toBe(4)
    await made.signIn.decideStepUp(true)
    for (const answer of await Promise.all(calls)) expect(answer).toMatchObject({ content: expect.anything() })
    expect(made.asked).toHaveLength(2)
    // Four calls caused one attempt.
    expect(made.signIn.stepUp).toBeUndefined()
    expect(await made.call('touch')).toMatchObject({ content: expect.anything() })
  })

  test('asks again where another wanted something else, and loses nothing of the first', async () => {
    const made = await reader()
    const first = made.call('touch')
    await asking(made)
    const second = made.call('add-tool')
    const waiting = () => made.sent.filter(({ url, status }) => url === made.url && status === 403).length
    await expect.poll(waiting).toBe(2)
    await made.signIn.decideStepUp(true)
    expect(await first).toMatchObject({ content: expect.anything() })
    await asking(made)
    expect(made.signIn.stepUp!.refused.challenge!.scope).toBe('mcp:admin')
    await made.signIn.decideStepUp(true)
    expect(await second).toMatchObject({ content: expect.anything() })
    expect(asked(made).at(-1)).toBe('mcp:read offline_access mcp:write mcp:admin')
  })

  test('that is given up takes its question along, unless others wait for the answer', async () => {
    const made = await reader()
    const call = () => made.session!.call('tools/call', { name: 'touch', arguments: {} })
    const [first, second] = [call(), call()]
    const refused = () => made.sent.filter(({ url, status }) => url === made.url && status === 403).length
    await expect.poll(refused).toBe(2)
    await asking(made)
    first.cancel('never mind')
    await expect(first.result).rejects.toMatchObject({ code: 'cancelled' })
    // The cancelled request's state is cleared after a moment.
    await new Promise((resolve) => setTimeout(resolve, 3200))
    expect(made.signIn.stepUp).toBeDefined()
    second.cancel('nor that')
    await expect.poll(() => made.signIn.stepUp).toBeUndefined()
    expect(made.asked).toHaveLength(1)
  })

  test('stands still while its user is asked: that time is not the server’s', async () => {
    const idle = 3000
    const made = await reader({ idle })
    const call = made.call('touch')
    await asking(made)
    await new Promise((resolve) => setTimeout(resolve, idle + 700))
    await made.signIn.decideStepUp(true)
    expect(await call).toMatchObject({ content: expect.anything() })
  })

  test('AU-SCOPE-05: is refused for good after a few sign-ins that did not help, each operation by itself', async () => {
    let never = false
    const made = await reader({
      alter: (_, response) => {
        if (!never || response.status === 401 || !response.headers.has('mcp-session-id')) return response
        const header = 'Bearer error="insufficient_scope", scope="mcp:write"'
        return new Response('{}', { status: 403, headers: { 'WWW-Authenticate': header } })
      },
    })
    never = true
    const call = made.call('touch')
    for (const attempt of [1, 2]) {
      await expect.poll(() => made.signIn.stepUp?.attempt, { interval: 10 }).toBe(attempt)
      await made.signIn.decideStepUp(true)
    }
    await expect(call).rejects.toMatchObject({ code: 'http-status', details: { status: 403 } })
    expect(made.asked).toHaveLength(3)
    expect(made.credentials()).toContain('gave-up')
    // It stays rejected without another prompt.
    await expect(made.call('touch')).rejects.toMatchObject({ details: { status: 403 } })
    expect([made.asked.length, made.signIn.stepUp]).toEqual([3, undefined])
    const other = made.call('add-tool')
    await expect.poll(() => made.signIn.stepUp?.operation, { interval: 10 }).toBe('tools/call add-tool')
    await made.signIn.decideStepUp(false)
    await expect(other).rejects.toMatchObject({ details: { status: 403 } })
  })

  test('AU-SCOPE-04: in 2025-11-25 the server says all that it wants; where it does not, nobody is asked for ever', async () => {
    const made = await signed({ pinned: '2025-11-25' })
    await expect(made.call('touch')).rejects.toMatchObject({ details: { status: 403 } })
    expect(asked(made)).toEqual(['mcp:read', 'mcp:write', 'mcp:read'])
    expect(made.credentials()).toContain('gave-up')
  })

  test('begins by itself where nobody is there to ask', async () => {
    const made = await signed()
    expect(await made.call('touch')).toMatchObject({ content: expect.anything() })
    expect(asked(made)).toHaveLength(2)
  })

  test('is refused where the sign-in comes to nothing, as soon as its user stops it', async () => {
    const made = await reader()
    const call = made.call('touch')
    await asking(made)
    made.choice = { answer: 'deny' }
    const decided = made.signIn.decideStepUp(true)
    const stood = await made.drive((waiting) => (waiting.for === 'help' ? { do: 'cancel' } : goOn(waiting)))
    await decided
    expect(stood).toEqual(['help callback'])
    await expect(call).rejects.toMatchObject({ details: { status: 403 } })
    // The previous tokens still work.
    expect(await made.call('echo')).toMatchObject(hello)
  })

  test('may come while the sign-in itself connects, which then goes on', async () => {
    const made = signing({ options: { scope: 'mcp:write' } })
    expect(await made.begin()).toBe(true)
    expect(asked(made)).toEqual(['mcp:write', 'mcp:write mcp:read'])
    expect(made.record().flows.map(({ why, outcome }) => [why, outcome])).toEqual([
      ['asked', 'authorized'],
      ['insufficient-scope', 'authorized'],
    ])
    expect(made.signIn.error).toBeUndefined()
    expect(await made.call('echo')).toMatchObject(hello)
  })
})

describe('a list of scopes', () => {
  const name = fc.stringMatching(/^[\x21\x23-\x5b\x5d-\x7e]{1,12}$/)
  const list = fc.array(name, { maxLength: 12 }).map((names) => names.join(' '))

  test('AU-SCOPE-04: a union holds all of both, each once, what there was first', () => {
    fc.assert(
      fc.property(list, list, (held, wanted) => {
        const both = scopesOf(union(held, wanted))
        expect(new Set(both)).toEqual(new Set([...scopesOf(held), ...scopesOf(wanted)]))
        expect(both.length).toBe(new Set(both).size)
        expect(both.slice(0, scopesOf(held).length)).toEqual(scopesOf(held))
        expect(union(both.join(' '), held)).toBe(both.join(' '))
      }),
    )
  })

  test('is bounded, whatever a server lists', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60_000 }), (text) => {
        expect(scopesOf(text).length).toBeLessThanOrEqual(500)
        expect(scopesOf(text).join(' ').length).toBeLessThanOrEqual(20_000)
      }),
    )
    expect(scopesOf(Array.from({ length: 5000 }, (_, n) => `s${n}`).join(' '))).toHaveLength(500)
  })

  test('that is registered holds what is asked for, and all that the server names', () => {
    fc.assert(
      fc.property(list, fc.array(name, { maxLength: 12 }), (wanted, supported) => {
        const registered = scopeToRegister(wanted, {
          server: 'https://mcp.example',
          resourceMetadata: { scopes_supported: supported },
        })
        expect(mayAskFor(registered, wanted)).toBe(true)
        expect(mayAskFor(registered, supported.join(' '))).toBe(true)
      }),
    )
    expect(scopeToRegister(undefined, { server: 'https://mcp.example' })).toBeUndefined()
    expect(mayAskFor(undefined, 'anything')).toBe(true)
    expect(mayAskFor('a b', 'b c')).toBe(false)
    expect(mayAskFor('a b', undefined)).toBe(true)
  })

  test.each<[what: string, supported: unknown]>([
    ['no list', 'mcp:read'],
    ['other things than names', [1, null, { a: 1 }, ['x']]],
    ['empty names', ['', ' ']],
  ])('of metadata with %s is none', (_, supported) => {
    const known = { server: 'https://mcp.example', resourceMetadata: { scopes_supported: supported as string[] } }
    expect(chooseScope(known, {}, profileFor(undefined))).toEqual({ source: 'none' })
  })
})
