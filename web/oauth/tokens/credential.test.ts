/** Tokens in use: refreshed once for all callers when they expire, rejected, revoked, cleared, and bound to a key. */
import { describe, expect, inject, test } from 'vitest'
import { inPage } from '../../../tests/in-page.ts'
import { control } from '../../../tests/servers/control.ts'
import { decodeProof, logOf, issuerAt, realRelay, signing, type Signing, type Story } from '../signing.case.ts'
import { Vault } from '../vault/vault.ts'

const hello = { content: [{ text: 'hello' }] }

/** Signed in and connected. */
const signed = async (story: Story = {}): Promise<Signing> => {
  const made = signing(story)
  expect(await made.begin()).toBe(true)
  return made
}

const expire = (made: Signing) => control(made.url, 'expire')
const endGrants = (made: Signing) => control(made.url, 'end-grants')
const refreshes = async (made: Signing) => await made.log({ endpoint: 'token', grant_type: 'refresh_token' })

/** Authorization headers of the requests to the server, in order, without repetitions. */
const tokensSeen = async (made: Signing): Promise<unknown[]> => [
  ...new Set((await made.seen()).map(({ headers }) => headers.authorization).filter((each) => each !== undefined)),
]

describe('a token that has run out', () => {
  test('is refreshed before it is sent, where its end is known', async () => {
    const made = await signed()
    const before = made.signIn.tokens!
    made.pass(3_600_000)
    expect(await made.call('echo')).toMatchObject(hello)
    const after = made.signIn.tokens!
    expect(after.accessToken).not.toBe(before.accessToken)
    expect(await refreshes(made)).toHaveLength(1)
    expect(made.credentials()).toEqual(['used', 'expired', 'used'])
    // The old token was not sent again.
    expect(await tokensSeen(made)).toEqual([`Bearer ${before.accessToken}`, `Bearer ${after.accessToken}`])
    expect(made.record().afterwards).toMatchObject([{ step: 'refresh', status: 'ok' }])
  })

  test('is used up to the end of its life, though that is seconds away', async () => {
    const made = await signed({ variant: 'short' })
    await made.call('echo')
    expect(await refreshes(made)).toHaveLength(0)
    made.pass(2_900)
    await made.call('echo')
    expect(await refreshes(made)).toHaveLength(1)
  })

  test('AU-TOK-05: is refreshed once where the server says so, and the request is sent again with the new one', async () => {
    const made = await signed()
    const before = made.signIn.tokens!
    await expire(made)
    expect(await made.call('echo')).toMatchObject(hello)
    const after = made.signIn.tokens!
    expect([after.accessToken === before.accessToken, after.refreshToken === before.refreshToken]).toEqual([
      false,
      false,
    ])
    expect(await refreshes(made)).toHaveLength(1)
    expect(made.credentials()).toEqual(['used', 'refused', 'used'])
    // No prompt and no discovery.
    expect(made.asked).toHaveLength(1)
    const again = made
      .frames()
      .filter((frame) => frame.kind === 'http' && frame.phase === 'request' && frame.again !== undefined)
    expect(again).toHaveLength(1)
  })

  test('AU-FLOW-04: is refreshed for the same resource', async () => {
    const made = await signed()
    await made.signIn.refresh()
    expect(made.forms('refresh_token').map((form) => form.get('resource'))).toEqual([made.url])
    expect((await refreshes(made))[0]).toMatchObject({ status: 200, parameters: { resource: made.url } })
  })

  test('AU-TOK-04: is refreshed once for all who need one at the same time, and each refresh token is used once', async () => {
    const made = await signed()
    for (const round of [1, 2, 3]) {
      await expire(made)
      if (round === 3) made.pass(3_600_000)
      const calls = await Promise.all(Array.from({ length: 6 }, () => made.call('echo')))
      for (const answer of calls) expect(answer).toMatchObject(hello)
      const used = made.forms('refresh_token').map((form) => form.get('refresh_token'))
      expect([used.length, new Set(used).size]).toEqual([round, round])
    }
    expect(made.checksAfterwards()).toEqual(Array.from({ length: 3 }, () => 'AU-TOK-04 refresh-rotated'))
  })

  test('AU-TOK-05: ends in a sign-in where the refresh is refused; the same refresh token is not tried again', async () => {
    const made = await signed()
    await expire(made)
    await endGrants(made)
    await expect(made.call('echo')).rejects.toMatchObject({ code: 'unauthorized' })
    expect(made.signIn.refused).toMatchObject({ status: 401, challenge: { error: 'invalid_token' } })
    expect(await refreshes(made)).toMatchObject([{ status: 400 }])
    for (let n = 0; n < 3; n++) await expect(made.call('echo')).rejects.toMatchObject({ code: 'unauthorized' })
    expect(await refreshes(made)).toHaveLength(1)
    expect(made.record().afterwards).toMatchObject([
      { step: 'refresh', status: 'failed', run: { fault: { code: 'token-refused' } } },
    ])
    // A new sign-in fixes it, and its tokens are refreshed normally.
    expect(await made.begin()).toBe(true)
    expect(await made.call('echo')).toMatchObject(hello)
    await expire(made)
    expect(await made.call('echo')).toMatchObject(hello)
  })

  test('AU-TOK-05: a server that is never content is asked twice for each request, and no more', async () => {
    let refusing = false
    const refusal = () =>
      new Response('{}', { status: 401, headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' } })
    const made = await signed({
      alter: (url, response) => (refusing && url.startsWith(inject('oauthUrl')) ? refusal() : response),
    })
    refusing = true
    const before = made.sent.length
    await expect(made.call('echo')).rejects.toMatchObject({ code: 'unauthorized' })
    const sent = made.sent.slice(before)
    expect(sent.filter(({ url }) => url === made.url)).toHaveLength(2)
    expect(sent.filter(({ url }) => url.endsWith('/token'))).toHaveLength(1)
  })

  test('AU-TOK-03: ends in a sign-in where there is no refresh token, and nothing is asked for one', async () => {
    const made = await signed({ variant: 'as-no-refresh' })
    expect(made.signIn.tokens!.refreshToken).toBeUndefined()
    made.pass(3_600_000)
    // It may be valid for longer than announced: the server decides.
    expect(await made.call('echo')).toMatchObject(hello)
    await expire(made)
    await expect(made.call('echo')).rejects.toMatchObject({ code: 'unauthorized' })
    expect(made.forms('refresh_token')).toEqual([])
    await made.signIn.refresh()
    expect(made.signIn.error).toMatchObject({ step: 'refresh', code: 'token-refused', fault: { rule: 'AU-TOK-03' } })
  })

  test('is refreshed at once when its user says so', async () => {
    const made = await signed()
    const { accessToken } = made.signIn.tokens!
    await made.signIn.refresh()
    expect(made.signIn.error).toBeUndefined()
    expect(made.signIn.tokens!.accessToken).not.toBe(accessToken)
    expect(await made.call('echo')).toMatchObject(hello)
  })

  test('of another tab is taken over, where that one refreshed it first', async () => {
    const vault = new Vault({})
    const first = await signed({ vault })
    const second = signing({ url: first.url, vault })
    await second.connect()
    await expire(first)
    const answers = await Promise.all([first, second].map((each) => each.call('echo')))
    expect(answers).toMatchObject([hello, hello])
    expect(await refreshes(first)).toHaveLength(1)
  })
})

describe('tokens that are not wanted any more', () => {
  test('are revoked at the server, both of them, and work no more at once', async () => {
    const made = await signed({ variant: 'opaque' })
    const { accessToken, refreshToken } = made.signIn.tokens!
    await made.signIn.revoke()
    expect(made.signIn.error).toBeUndefined()
    expect(made.signIn.tokens).toBeUndefined()
    const told = made.forms().filter((form) => form.has('token_type_hint'))
    expect(told.map((form) => [form.get('token_type_hint'), form.get('token')])).toEqual([
      ['refresh_token', refreshToken],
      ['access_token', accessToken],
    ])
    await expect(made.call('echo')).rejects.toMatchObject({ code: 'unauthorized' })
    const response = await fetch(made.url, {
      method: 'POST',
      headers: { Authorization: `Bearer ${accessToken}` },
      body: '{}',
    })
    expect(response.status).toBe(401)
    expect(made.record().afterwards).toMatchObject([{ step: 'revocation', status: 'ok' }])
  })

  test('are gone where an access token cannot be taken back, for its refresh token was', async () => {
    const made = await signed()
    const { refreshToken } = made.signIn.tokens!
    await made.signIn.revoke()
    expect(made.signIn.error).toBeUndefined()
    expect(made.signIn.tokens).toBeUndefined()
    const [logged] = await logOf(issuerAt('plain'), { endpoint: 'revocation', token: refreshToken })
    expect(logged).toMatchObject({ status: 200 })
  })

  test('stay where the server could not be told, and the reason is told', async () => {
    const made = await signed({
      alter: (url, response) => (url.endsWith('/revocation') ? new Response('', { status: 503 }) : response),
    })
    await made.signIn.revoke()
    expect(made.signIn.error).toMatchObject({ step: 'revocation', code: 'http-status' })
    expect(made.signIn.tokens).toBeDefined()
    expect(await made.call('echo')).toMatchObject(hello)
  })

  test('are revoked through the relay where the page may not read the answer', async ({ skip }) => {
    if (!inPage) skip('Node is not bound by CORS')
    const made = await signed({ variant: 'as-closed-revocation', relay: realRelay() })
    await made.signIn.revoke()
    expect(made.signIn.error).toBeUndefined()
    expect(made.sent.filter(({ relayed }) => relayed).every(({ url }) => url.endsWith('/revocation'))).toBe(true)
    expect(made.sent.filter(({ relayed, status }) => relayed && status === 200).length).toBeGreaterThan(0)
  })

  test('are forgotten here without a word to anybody', async () => {
    const made = await signed()
    const before = made.sent.length
    made.signIn.forget()
    expect(made.sent).toHaveLength(before)
    expect(made.signIn.tokens).toBeUndefined()
    expect(made.credentials()).toContain('forgotten')
    await expect(made.call('echo')).rejects.toMatchObject({ code: 'unauthorized' })
  })
})

describe('tokens from elsewhere', () => {
  test('are used as they are, and are in no frame', async () => {
    const first = await signed()
    const { accessToken } = first.signIn.tokens!
    const made = signing({ url: first.url })
    made.signIn.paste(`  Bearer ${accessToken}\n`)
    await made.connect()
    expect(await made.call('echo')).toMatchObject(hello)
    expect(made.signIn.tokens).toMatchObject({ accessToken, server: first.url })
    expect(made.signIn.tokens!.issuer).toBeUndefined()
  })

  test('that do not work are refused, and nothing is tried with them', async () => {
    const made = signing()
    made.signIn.paste('not-a-token-of-this-server', 'nor-a-refresh-token-of-it')
    await expect(made.connect()).rejects.toMatchObject({ code: 'unauthorized' })
    expect(made.forms()).toEqual([])
    // No refresh either: the token endpoint of a pasted refresh token is unknown.
    expect(made.auth().filter((frame) => 'step' in frame && frame.step === 'refresh')).toEqual([])
  })
})

describe('tokens that are bound to a key', () => {
  const proofs = async (made: Signing) =>
    (await made.seen()).flatMap(({ method, headers }) =>
      typeof headers.dpop === 'string' ? [{ method, headers, ...decodeProof(headers.dpop) }] : [],
    )

  test('are asked for where the server says that it takes no others, and each request has a fresh proof', async () => {
    const made = await signed({ variant: 'dpop' })
    expect(made.signIn.tokens).toMatchObject({ tokenType: 'DPoP' })
    await made.call('echo')
    await made.session!.close()
    const all = await proofs(made)
    expect(all.length).toBeGreaterThan(4)
    expect(new Set(all.map(({ claims }) => claims.jti)).size).toBe(all.length)
    for (const { method, claims, headers } of all) {
      expect(claims).toMatchObject({ htm: method, htu: made.url, ath: expect.any(String) })
      expect(headers.authorization).toMatch(/^DPoP /)
    }
    expect(new Set(all.map(({ method }) => method))).toEqual(new Set(['POST', 'GET', 'DELETE']))
    // One key for all; it isn't extractable from the page.
    expect(new Set(all.map(({ header }) => JSON.stringify(header.jwk))).size).toBe(1)
    expect(made.signIn.tokens!.dpopKey!.privateKey.extractable).toBe(false)
  })

  test('are refreshed with the same key', async () => {
    const made = await signed({ variant: 'dpop' })
    await expire(made)
    expect(await made.call('echo')).toMatchObject(hello)
    expect(made.signIn.tokens).toMatchObject({ tokenType: 'DPoP' })
    const keys = new Set((await proofs(made)).map(({ header }) => JSON.stringify(header.jwk)))
    expect(keys.size).toBe(1)
  })

  test('have the nonces that both servers want, and are asked anew only when those change', async () => {
    const made = await signed({ variant: 'dpop-nonces' })
    const statuses = (await made.log({ endpoint: 'token' }, 'nonces')).map(({ status }) => status)
    expect(statuses).toEqual([400, 200])
    const refused = () => made.sent.filter(({ url, status }) => url === made.url && status === 401).length
    const before = refused()
    await made.call('echo')
    expect(refused()).toBe(before)
    await control(made.url, 'new-nonce')
    expect(await made.call('echo')).toMatchObject(hello)
    expect(refused()).toBe(before + 1)
  })

  test('that ran out while the nonce changed are refreshed all the same', async () => {
    const made = await signed({ variant: 'dpop-nonces' })
    await expire(made)
    await control(made.url, 'new-nonce')
    expect(await made.call('echo')).toMatchObject(hello)
    expect(made.forms('refresh_token').length).toBeGreaterThan(0)
  })

  test('are asked for where its user wants so, and taken by a server that takes any', async () => {
    const made = signing({ options: { dpop: true } })
    await made.begin()
    const [form] = made.forms('authorization_code')
    expect(form).toBeDefined()
    const token = made.sent.find(({ url }) => url.endsWith('/token'))!
    expect(token.headers.get('dpop')).toBeTruthy()
  })
})
