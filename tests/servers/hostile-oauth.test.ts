/** Each kind behaves as described, observed with fetch only. The client's own tests cover how a good client reacts. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { patient } from '../patience.ts'
import { worldOf, type WorldControl } from './hostile-oauth/control.ts'
import { differences, show } from './hostile-oauth/differences.ts'
import { start } from './hostile-oauth/index.ts'
import { ENDPOINTS, STEPS, type Endpoint, type Kind } from './hostile-oauth/kind.ts'
import { kinds } from './hostile-oauth/kinds.ts'
import { answers } from './hostile-oauth/shown/answers.ts'
import { documents } from './hostile-oauth/shown/documents.ts'
import { ask, documentOf, REDIRECT_URI, walk, type Answer, type Walk } from './hostile-oauth/walk.ts'
import { ask as askMcp, initialize, modern } from './raw.ts'

let peer: Awaited<ReturnType<typeof start>>
beforeAll(async () => void (peer = await start()))
afterAll(() => peer.close())

const world = (kind: string, key = 'test') => worldOf(peer.url, kind, key)
const kindOf = (name: string): Kind => kinds[name]!

/** A world after a walk through it. */
const walked = async (name: string, key = 'test'): Promise<{ at: WorldControl; walk: Walk }> => {
  const at = await world(name, key)
  return { at, walk: await walk(at, kindOf(name)) }
}

const answerOf = ({ answers }: Walk, request: string) => answers.get(request) as Answer

describe('the table', () => {
  test('names each kind once, and what each one shows', () => {
    expect(Object.keys({ ...documents, ...answers })).toEqual(Object.keys(kinds))
    expect(Object.keys(documents).length + Object.keys(answers).length).toBe(Object.keys(kinds).length)
  })

  test('says a sentence of each, the rules by which it is judged, and an end that a client can reach', () => {
    const file = join(import.meta.dirname, '../../web/lint/requirements.json')
    const rows = new Set((JSON.parse(readFileSync(file, 'utf8')) as { id: string }[]).map(({ id }) => id))
    for (const [name, { says, rules, expect: ends, tolerated, most }] of Object.entries(kinds)) {
      expect(says, name).toMatch(/^[A-Z\da-z].{5,}[^.]$/)
      expect(rules, name).not.toEqual([])
      for (const rule of rules) expect(rows.has(rule) || /^RFC \d+ §[\d.]+$/.test(rule), `${name} ${rule}`).toBe(true)
      if (ends.outcome === 'stopped') expect(rules, name).toContain(ends.rule)
      for (const { step } of [ends, ...(tolerated?.ends ?? [])]) expect(STEPS, name).toContain(step)
      for (const endpoint of Object.keys(most ?? {})) expect(ENDPOINTS, name).toContain(endpoint)
    }
  })

  test('has no two kinds that show the same', () => {
    const same = new Map<string, string[]>()
    for (const [name, lines] of Object.entries({ ...documents, ...answers })) {
      const key = JSON.stringify(lines)
      if (lines.length > 0) same.set(key, [...(same.get(key) ?? []), name])
    }
    // What else the first one does is tested below.
    const pair = ['good-issuer-changes', 'refresh-refused']
    expect([...same.values()].filter(({ length }) => length > 1)).toEqual([pair])
    const nothing = Object.entries({ ...documents, ...answers }).filter(([, { length }]) => length === 0)
    // Kinds without a fault, and kinds that differ only for other requests, which are tested below.
    expect(nothing.map(([name]) => name)).toEqual([
      'good',
      'good-revoke',
      'good-refresh',
      'register-native',
      'cors-simple-metadata',
      'cors-simple-token',
      'cors-simple-register',
      'cors-authorization',
    ])
  })
})

describe('a walk by one who believes everything', () => {
  const seen = new Map<string, { lines: string[]; letIn: boolean }>()
  beforeAll(async () => {
    const well = new Map<string, ReadonlyMap<string, string>>()
    for (const name of ['good-refresh', 'good-revoke', 'good']) {
      const { at, walk } = await walked(name, 'well')
      for (const [request, parts] of show(walk, at)) well.set(request, parts)
    }
    const go = async (name: string) => {
      const { at, walk } = await walked(name, 'walk')
      seen.set(name, { lines: differences(well, show(walk, at)), letIn: walk.letIn })
    }
    const names = Object.keys(kinds)
    // Slow kinds run in parallel, the others in sequence.
    const waiting = Promise.all(names.filter((name) => kindOf(name).slow).map(go))
    for (const name of names) if (!kindOf(name).slow) await go(name)
    await waiting
  }, patient(90_000))

  test.each(Object.entries({ ...documents, ...answers }))('%s', (name, lines) => {
    expect(seen.get(name)?.lines).toEqual(lines)
  })

  test('gets in wherever a good client does', () => {
    // These need what a walk doesn't do: more scope, another authorization server, one more attempt.
    const more = ['good-step-up', 'good-issuer-changes', 'use-401-sometimes']
    const refused = Object.keys(kinds).filter(
      (name) => kindOf(name).expect.outcome === 'authorized' && !seen.get(name)?.letIn,
    )
    expect(refused).toEqual(more)
  })
})

describe('where nothing is wrong', () => {
  /** A client of a world, up to its authorization code. */
  const begin = async (at: WorldControl, authorize: Record<string, string> = {}, method = 'none') => {
    const asked = { redirect_uris: [REDIRECT_URI], token_endpoint_auth_method: method, grant_types: ['refresh_token'] }
    const client = documentOf(await ask(at.register, { method: 'POST', body: JSON.stringify(asked) }))
    const url = new URL(at.authorize)
    const parameters = {
      response_type: 'code',
      client_id: client?.['client_id'] as string,
      redirect_uri: REDIRECT_URI,
      state: 's',
      code_challenge: '7w_YNF9DSfIdPf_pRjSq646_kPr-2-o9NAl16JGghdM',
      code_challenge_method: 'S256',
      resource: at.mcp,
      ...authorize,
    }
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
    const led = (await ask(url.href)) as Answer
    const back = new URL(led.headers.get('location') ?? 'http://nowhere/').searchParams
    const token = async (form: Record<string, string> = {}, headers: Record<string, string> = {}) => {
      const whole = {
        grant_type: 'authorization_code',
        code: back.get('code') ?? '',
        client_id: client?.['client_id'] as string,
        redirect_uri: REDIRECT_URI,
        code_verifier: 'v'.repeat(43),
        resource: at.mcp,
        ...form,
      }
      return documentOf(await ask(at.token, { method: 'POST', headers, body: new URLSearchParams(whole) })) ?? {}
    }
    return { client, led, back, token }
  }

  test('answers clients of both eras that have a token', async () => {
    const { at, walk } = await walked('good', 'eras')
    const token = documentOf(answerOf(walk, 'token'))?.['access_token'] as string
    const headers = { Authorization: `Bearer ${token}` }
    const discovered = await askMcp(at.mcp, modern(1, 'server/discover'), headers)
    expect(discovered.last?.result).toMatchObject({ resultType: 'complete', supportedVersions: ['2026-07-28'] })
    const listed = await askMcp(at.mcp, modern(2, 'tools/list'), headers)
    expect(listed.last?.result).toMatchObject({ tools: [{ name: 't' }], ttlMs: 0 })
    expect((await askMcp(at.mcp, initialize(), headers)).last?.result).toMatchObject({ protocolVersion: '2025-11-25' })
    expect(
      (await askMcp(at.mcp, initialize(), { Authorization: 'Bearer x' })).headers.get('www-authenticate'),
    ).toContain('error="invalid_token"')
    expect((await askMcp(`${at.mcp}?access_token=${token}`, initialize())).status).toBe(401)
  })

  test.each([
    ['an unknown client', { client_id: 'x' }, 400],
    ['another redirect URI', { redirect_uri: `${REDIRECT_URI}/x` }, 400],
    ['no PKCE', { code_challenge: '' }, 'invalid_request'],
    ['plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['another resource', { resource: 'https://mcp.example.com/mcp' }, 'invalid_target'],
    ['no code', { response_type: 'token' }, 'unsupported_response_type'],
  ])('the authorization endpoint takes %s for an error', async (_, authorize, error) => {
    const { led, back } = await begin(await world('good'), authorize)
    if (typeof error === 'number') return expect(led.status).toBe(error)
    expect([...back.keys()]).toEqual(['error', 'error_description', 'state', 'iss'])
    expect(back.get('error')).toBe(error)
  })

  test.each([
    ['another verifier', { code_verifier: 'w'.repeat(43) }, 'invalid_grant'],
    ['no verifier', { code_verifier: '' }, 'invalid_grant'],
    ['another redirect URI', { redirect_uri: 'https://evil.example/' }, 'invalid_grant'],
    ['another resource', { resource: 'https://mcp.example.com/mcp' }, 'invalid_target'],
    ['another client', { client_id: 'by-hand' }, 'invalid_grant'],
    ['a secret of a client that has none', { client_secret: 'x' }, 'invalid_client'],
    ['another grant', { grant_type: 'password' }, 'unsupported_grant_type'],
  ])('the token endpoint takes %s for an error', async (_, form, error) => {
    const { token } = await begin(await world('good'))
    expect(await token(form)).toMatchObject({ error })
  })

  test('a client proves itself as it was registered, and in no other way', async () => {
    for (const [method, right] of [
      ['client_secret_basic', 'basic'],
      ['client_secret_post', 'post'],
    ] as const) {
      const at = await world('good', method)
      for (const way of ['basic', 'post', 'none'] as const) {
        const { client, token } = await begin(at, {}, method)
        const secret = client?.['client_secret'] as string
        const basic = { Authorization: `Basic ${btoa(`${String(client?.['client_id'])}:${secret}`)}` }
        const answer = await token(way === 'post' ? { client_secret: secret } : {}, way === 'basic' ? basic : {})
        expect(Object.keys(answer).includes('access_token'), `${method} by ${way}`).toBe(way === right)
      }
    }
  })

  test('a code that comes twice ends what came of it, and so does a refresh token', async () => {
    const at = await world('good', 'twice')
    const inside = async (token: unknown) =>
      (await askMcp(at.mcp, initialize(), { Authorization: `Bearer ${token as string}` })).status === 200
    const { token } = await begin(at)
    const first = await token()
    expect(await inside(first['access_token'])).toBe(true)
    expect(await token()).toMatchObject({ error: 'invalid_grant' })
    expect(await inside(first['access_token'])).toBe(false)

    const other = await begin(at)
    const { refresh_token } = (await other.token()) as { refresh_token: string }
    const refresh = () => other.token({ grant_type: 'refresh_token', refresh_token })
    const fresh = await refresh()
    expect(await inside(fresh['access_token'])).toBe(true)
    expect(await refresh()).toMatchObject({ error: 'invalid_grant' })
    expect(await inside(fresh['access_token'])).toBe(false)
  })

  test('a token with mcp:write may call, where one with mcp:read may not', async () => {
    const at = await world('good-step-up', 'scopes')
    for (const [scope, status] of [
      ['mcp:read', 403],
      ['mcp:read mcp:write', 200],
    ] as const) {
      const { access_token } = (await (await begin(at, { scope })).token()) as { access_token: string }
      const call = { id: 1, method: 'tools/call', params: { name: 't' } }
      const headers = { Authorization: `Bearer ${access_token}` }
      expect((await askMcp(at.mcp, call, headers)).status, scope).toBe(status)
      expect((await askMcp(at.mcp, initialize(), headers)).status).toBe(200)
    }
  })

  test('each refusal asks for what its kind says, and a third request fails where only some do', async () => {
    const asks = async (kind: string) => {
      const at = await world(kind, 'asks')
      const { access_token } = (await (await begin(at, { scope: 'mcp:read' })).token()) as { access_token: string }
      const call = { id: 1, method: 'tools/call', params: { name: 't' } }
      const answers: string[] = []
      for (let round = 0; round < 3; round++) {
        const { status, headers } = await askMcp(at.mcp, call, { Authorization: `Bearer ${access_token}` })
        answers.push(/ scope="([^"]*)"/.exec(headers.get('www-authenticate') ?? '')?.[1] ?? String(status))
      }
      return answers
    }
    expect(await asks('call-403-same')).toEqual(['mcp:admin', 'mcp:admin', 'mcp:admin'])
    expect(await asks('call-403-growing')).toEqual(['mcp:0', 'mcp:0 mcp:1', 'mcp:0 mcp:1 mcp:2'])
    expect(await asks('call-403-other')).toEqual(['mcp:1', 'mcp:2', 'mcp:3'])
    expect(await asks('call-403-granted')).toEqual(['mcp:read', 'mcp:read', 'mcp:read'])
    expect(await asks('use-401-sometimes')).toEqual(['200', '200', '401'])
  })

  test('after expire, good-issuer-changes is let in by the second authorization server and refreshes at none', async () => {
    const { at, walk } = await walked('good-issuer-changes', 'moves')
    expect(documentOf(answerOf(walk, 'prm'))?.['authorization_servers']).toEqual([at.issuer])
    const { authorization_servers: now } = documentOf(await ask(at['resource-metadata'])) ?? {}
    expect(now).toEqual([`${at.evil}/as`])
    const second = { ...at, register: `${at.evil}/as/register`, authorize: `${at.evil}/as/authorize` }
    const { token, back } = await begin({ ...second, token: `${at.evil}/as/token` })
    expect(back.get('iss')).toBe(`${at.evil}/as`)
    expect(await token()).toHaveProperty('access_token')
    expect(await token({ grant_type: 'refresh_token' })).toEqual({ error: 'invalid_grant' })
  })

  test('registration tells native from web where it says so', async () => {
    const register = async (kind: string, application_type?: string) => {
      const body = JSON.stringify({ redirect_uris: [REDIRECT_URI], application_type })
      return ((await ask((await world(kind)).register, { method: 'POST', body })) as Answer).status
    }
    expect([await register('register-native', 'native'), await register('register-native', 'web')]).toEqual([201, 400])
    expect([await register('register-web', 'web'), await register('register-web', 'native')]).toEqual([201, 400])
    // An omitted `application_type` means web in OpenID Connect.
    expect([await register('register-native'), await register('register-web')]).toEqual([400, 201])
  })
})

describe('the second origin', () => {
  const leaked = async (at: WorldControl) => {
    const got = JSON.stringify(await at.evilLog())
    return (await at.secrets())
      .filter(({ door, value }) => door === 'own' && got.includes(value))
      .map(({ what }) => what)
  }

  test('gets a code from a client that falls for a mix-up, and nothing else', async () => {
    for (const name of ['mix-up', 'mix-up-unadvertised']) {
      const { at } = await walked(name, 'leak')
      expect(await leaked(at), name).toEqual(['code'])
    }
    const { at } = await walked('good', 'leak')
    expect(await leaked(at)).toEqual([])
    expect((await at.secrets()).map(({ what }) => what)).toEqual(['code', 'verifier', 'access-token', 'refresh-token'])
  })

  test('gets what a client sends after following a redirect, and answers as if nothing were wrong', async () => {
    for (const [name, endpoint] of [
      ['token-redirect', 'token'],
      ['register-redirect', 'register'],
      ['revoke-redirect', 'revoke'],
      ['use-redirect', 'mcp'],
    ] as const) {
      const { at } = await walked(name, 'redirect')
      await at.reset()
      const body = endpoint === 'mcp' ? '{"jsonrpc":"2.0","id":1,"method":"ping"}' : 'secret=1'
      await fetch(at[endpoint], { method: 'POST', headers: { Authorization: 'Bearer x' }, body })
      expect(await at.evilLog(), name).toMatchObject([{ at: endpoint, method: 'POST', body }])
    }
    const { at } = await walked('prm-redirect-evil', 'redirect')
    const document = (await (await fetch(at['resource-metadata'])).json()) as object
    expect(document).toMatchObject({ resource: at.mcp, authorization_servers: [`${at.evil}/as`] })
  })

  test('writes down what leads to no world as well', async () => {
    await fetch(`${peer.evilUrl}/nowhere?stolen=1`)
    const log = (await (await fetch(`${peer.evilUrl}/log`)).json()) as object[]
    expect(log.at(-1)).toMatchObject({ at: 'elsewhere', path: '/nowhere?stolen=1' })
  })
})

describe('the controls', () => {
  test('tell what a world was asked, in order, and forget it', async () => {
    const { at } = await walked('good', 'asked')
    const log = await at.log()
    expect(log.map((entry) => entry.at).join(' ')).toBe(
      'mcp resource-metadata server-metadata register authorize token mcp mcp mcp',
    )
    expect(log[5]).toMatchObject({ method: 'POST', body: expect.stringContaining('grant_type=authorization_code') })
    expect(log[6]?.headers).toHaveProperty('authorization')
    await at.reset()
    expect([await at.log(), await at.secrets()]).toEqual([[], []])
  })

  test('keep keys apart, and know no kind that is not there', async () => {
    await walked('good', 'one')
    expect(await (await world('good', 'other')).log()).toEqual([])
    await expect(world('goood')).rejects.toThrow('No kind goood')
    expect((await fetch(`${peer.url}/goood/mcp`)).status).toBe(404)
  })

  test('count no more than 1,000 requests, and 10,000 characters of each', async () => {
    const at = await world('good', 'many')
    await fetch(at.register, { method: 'POST', body: 'x'.repeat(20_000) })
    for (let round = 0; round < 11; round++)
      await Promise.all(Array.from({ length: 100 }, () => fetch(at.revoke).then((response) => response.text())))
    const log = await at.log()
    expect([log.length, log[0]?.body.length]).toEqual([1000, 10_000])
  })
})

describe('CORS', () => {
  const preflight = async (name: string, endpoint: Endpoint) => {
    const headers = { Origin: 'http://page.example', 'Access-Control-Request-Headers': 'authorization, x' }
    const response = await fetch((await world(name))[endpoint], { method: 'OPTIONS', headers })
    return `${response.status} ${response.headers.get('access-control-allow-headers')}`
  }

  test.each(['good', ...Object.keys(kinds).filter((name) => kindOf(name).page || kindOf(name).preflight)])(
    'preflights of %s allow all, but where it says otherwise',
    async (name) => {
      const { hides, preflight: allowed } = kindOf(name)
      for (const endpoint of ENDPOINTS) {
        const given = hides?.includes(endpoint) ? null : allowed?.[endpoint]
        const right = given === null ? '404 null' : `204 ${given ?? 'authorization, x'}`
        expect(await preflight(name, endpoint), endpoint).toBe(right)
      }
    },
  )
})

test('what never ends is ended by close', async () => {
  const own = await start()
  const silent = ask((await worldOf(own.url, 'asm-body-never'))['server-metadata'])
  const begun = await Promise.all(
    ['asm-body-trickle', 'asm-body-endless', 'asm-body-huge'].map(async (name) => {
      return fetch((await worldOf(own.url, name))['server-metadata'])
    }),
  )
  await own.close()
  expect(await silent).toBe('broken')
  for (const response of begun) await expect(response.text()).rejects.toThrow()
})
