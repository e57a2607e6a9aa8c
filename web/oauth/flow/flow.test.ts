/** A sign-in in manual mode: what waits, what can be edited, and how to go back, continue and cancel. */
import { describe, expect, test } from 'vitest'
import { knownClients } from '../../../tests/servers/oauth/names.ts'
import { serverAt, signIn as leastClient } from '../../../tests/servers/oauth/sign-in.ts'
import type { Frame } from '../../mcp/index.ts'
import { NoReturn } from '../consent/index.ts'
import type { Act, Waiting } from './acts.ts'
import {
  goOn,
  issuerAt,
  logOf,
  missing,
  placeOf,
  realRelay,
  signing,
  type Signing,
  type Story,
  wrongFrames,
} from '../signing.case.ts'

/** Everything a manual sign-in waits for when nothing goes wrong. */
const ALL = [
  'request challenge',
  'request resource-metadata',
  'request server-metadata',
  'request registration',
  'leave authorization',
  'request token',
]

/** Starts in manual mode; `over` resolves to whether it got tokens. */
const byHand = (story: Story = {}) => {
  const signed = signing({ attended: true, ...story })
  const over = signed.begin('stepwise')
  return { signed, over }
}

/** Continues until it waits for this. */
const until = async (signed: Signing, what: string): Promise<Waiting> => {
  for (let waiting = await signed.next(); waiting; waiting = await signed.next()) {
    if (`${waiting.for} ${waiting.step}` === what) return waiting
    signed.signIn.act(goOn(waiting))
  }
  throw new Error(`It was over before ${what}: ${signed.signIn.error?.message}`)
}

const runsOf = (signed: Signing, step: string) =>
  signed
    .record()
    .flows.at(-1)!
    .steps.find((one) => one.step === step)!
    .runs.map(({ status }) => status)

describe('step by step', () => {
  test('nothing leaves before it was shown, and what leaves is what was shown', async () => {
    const { signed, over } = byHand()
    const stood: string[] = []
    for (let waiting = await signed.next(); waiting; waiting = await signed.next()) {
      stood.push(`${waiting.for} ${waiting.step}`)
      const before = signed.sent.length
      // Time passes, and nothing continues automatically.
      await new Promise((resolve) => setTimeout(resolve, 5))
      expect(signed.sent).toHaveLength(before)
      expect(signed.asked).toHaveLength(waiting.step === 'token' ? 1 : 0)
      signed.signIn.act(goOn(waiting))
      if (waiting.for !== 'request') continue
      await expect.poll(() => signed.sent.length).toBeGreaterThan(before)
      const { method, url, body = '' } = waiting.draft
      expect(signed.sent[before]).toMatchObject({ method, url, body })
      if (waiting.step === 'token') break
    }
    expect(stood).toEqual(ALL)
    expect(await over).toBe(true)
    expect(await signed.call('echo')).toMatchObject({ content: [{ text: 'hello' }] })
  })

  test('what its user changes is what the server gets', async () => {
    const { signed, over } = byHand()
    await signed.drive((waiting) => {
      if (waiting.for === 'request' && waiting.step === 'registration') {
        const said = JSON.parse(waiting.draft.body!) as { redirect_uris: string[] }
        const body = {
          ...said,
          client_name: 'Edited',
          redirect_uris: [...said.redirect_uris, 'http://127.0.0.1/callback'],
        }
        return { do: 'send', draft: { ...waiting.draft, body: JSON.stringify(body) } }
      }
      if (waiting.for === 'leave') {
        const url = new URL(waiting.url)
        url.searchParams.set('scope', 'mcp:read mcp:write')
        url.searchParams.set('redirect_uri', 'http://127.0.0.1/callback')
        return { do: 'leave', url: url.href }
      }
      if (waiting.for === 'request' && waiting.step === 'token') {
        const form = new URLSearchParams(waiting.draft.body)
        form.set('redirect_uri', 'http://127.0.0.1/callback')
        return { do: 'send', draft: { ...waiting.draft, body: form.toString() } }
      }
      return goOn(waiting)
    })
    await over
    const [asked] = await signed.log({ endpoint: 'authorization', method: 'GET' })
    expect(asked!.parameters).toMatchObject({ scope: 'mcp:read mcp:write', redirect_uri: 'http://127.0.0.1/callback' })
    const [registered] = await logOf(issuerAt('plain'), { endpoint: 'registration', client: asked!.client })
    expect(registered!.parameters).toMatchObject({
      client_name: 'Edited',
      redirect_uris: expect.arrayContaining(['http://127.0.0.1/callback']),
    })
    expect(signed.signIn.tokens).toMatchObject({ scope: 'mcp:read mcp:write' })
  })

  test('going back makes later steps run anew, with a secret and a state of their own', async () => {
    const { signed, over } = byHand()
    await until(signed, 'request token')
    signed.signIn.act({ do: 'back', to: 'preparation' })
    expect(await signed.drive()).toEqual(['leave authorization', 'request token'])
    expect(await over).toBe(true)
    expect(runsOf(signed, 'registration')).toEqual(['ok'])
    expect(runsOf(signed, 'authorization')).toEqual(['ok', 'ok'])
    expect(runsOf(signed, 'token')).toEqual(['undone', 'ok'])
    const parameters = (name: string) => new Set(signed.asked.map(({ searchParams }) => searchParams.get(name)))
    expect(parameters('state').size).toBe(2)
    expect(parameters('code_challenge').size).toBe(2)
    expect(await signed.log({ endpoint: 'token' })).toHaveLength(1)
  })

  test('going back to the registration registers a new client, and later sign-ins use that one', async () => {
    const { signed, over } = byHand()
    await until(signed, 'leave authorization')
    signed.signIn.act({ do: 'back', to: 'registration' })
    expect(await signed.drive()).toEqual(['request registration', 'leave authorization', 'request token'])
    expect(await over).toBe(true)
    const clients = signed.asked.map(({ searchParams }) => searchParams.get('client_id'))
    const registered = signed.steps(({ url }) => url.endsWith('/reg'))
    expect(registered).toHaveLength(2)
    expect(signed.signIn.tokens!.clientId).toBe(clients.at(-1))
    await signed.begin()
    expect(signed.steps(({ url }) => url.endsWith('/reg'))).toHaveLength(2)
    expect(signed.asked.at(-1)!.searchParams.get('client_id')).toBe(clients.at(-1))
  })

  test('the probe of the token endpoint (CORS) is shown before it is sent, and holds neither code nor secret', async () => {
    const { signed, over } = byHand({ relay: realRelay() })
    const probe = await until(signed, 'request token')
    expect(probe).toMatchObject({ for: 'request', step: 'token', probe: true })
    if (probe.for !== 'request') throw new Error('No request waits')
    expect([...new URLSearchParams(probe.draft.body).keys()].toSorted()).toEqual(['client_id', 'grant_type'])
    const posts = () => signed.sent.filter(({ url }) => url.endsWith('/token'))
    expect(posts()).toHaveLength(0)
    signed.signIn.act({ do: 'send' })
    const exchange = await signed.next()
    expect(exchange).toMatchObject({ for: 'request', step: 'token' })
    expect(exchange).not.toHaveProperty('probe')
    expect(posts()).toHaveLength(1)
    signed.signIn.act({ do: 'send' })
    expect(await over).toBe(true)
    expect(posts().map(({ body }) => new URLSearchParams(body).has('code'))).toEqual([false, true])
  })

  test('nobody can go back to what has not been, and a step may be run again', async () => {
    const { signed, over } = byHand()
    await until(signed, 'request server-metadata')
    signed.signIn.act({ do: 'back', to: 'token' })
    signed.signIn.act({ do: 'again' })
    expect(await signed.drive()).toEqual(ALL.slice(2))
    expect(await over).toBe(true)
    expect(runsOf(signed, 'server-metadata')).toEqual(['undone', 'ok'])
  })

  test('with other options a step runs as if they had been there from the beginning', async () => {
    const { signed, over } = byHand()
    await until(signed, 'leave authorization')
    signed.signIn.act({ do: 'back', to: 'preparation' })
    signed.signIn.act({ do: 'again', options: { scope: 'mcp:read mcp:admin' } })
    await signed.drive()
    expect(await over).toBe(true)
    expect(signed.asked.map(({ searchParams }) => searchParams.get('scope'))).toEqual(['mcp:read mcp:admin'])
    // Remembered for the next sign-in.
    expect(signed.signIn.options).toMatchObject({ scope: 'mcp:read mcp:admin' })
  })

  test('one of several authorization servers is chosen by the user (AU-PRM-06)', async () => {
    const { signed, over } = byHand({ variant: 'several' })
    const stood = await signed.drive((waiting) => {
      if (waiting.for !== 'choice') return goOn(waiting)
      expect(waiting.offered).toEqual([issuerAt('by-hand'), issuerAt('plain'), issuerAt('tenant1')])
      return { do: 'choose', issuer: issuerAt('tenant1') }
    })
    expect(stood).toContain('choice authorization-server')
    expect(await over).toBe(true)
    expect(signed.signIn.tokens).toMatchObject({ issuer: issuerAt('tenant1') })
  })

  test('what does not fit the moment does nothing', async () => {
    const { signed } = byHand()
    const all: readonly Act[] = [
      { do: 'leave' },
      { do: 'choose', issuer: issuerAt('plain') },
      { do: 'go-on' },
      { do: 'supply', supply: { kind: 'metadata', document: {} } },
      { do: 'returned', query: 'code=1' },
      { do: 'back', to: 'token' },
      { do: 'mode', mode: 'stepwise' },
    ]
    const waiting = await until(signed, 'request registration')
    const frames = signed.trace.length
    for (const act of all) signed.signIn.act(act)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(signed.signIn.flow!.waiting).toBe(waiting)
    expect(signed.trace).toHaveLength(frames)
  })
})

describe('from one way of driving to the other', () => {
  test('what waits is sent as soon as nobody looks any more, and nothing waits after it', async () => {
    const { signed, over } = byHand()
    await until(signed, 'request registration')
    signed.signIn.act({ do: 'mode', mode: 'automatic' })
    expect(await over).toBe(true)
  })

  test('whoever wants to look from now on is asked from the next request on', async () => {
    const signed = signing({ attended: true })
    signed.signIn.subscribe(() => {
      if (signed.signIn.consentUrl && signed.signIn.flow!.mode === 'automatic')
        signed.signIn.act({ do: 'mode', mode: 'stepwise' })
    })
    const over = signed.begin('automatic')
    expect(await signed.drive()).toEqual(['request token'])
    expect(await over).toBe(true)
  })

  test('a user who is signing in is not sent there once more', async () => {
    let answer = (_query: string): void => {}
    const sent: string[] = []
    const { signed, over } = byHand({
      host: {
        awaitReturn: (state) => {
          sent.push(state)
          return new Promise((resolve) => (answer = resolve))
        },
      },
    })
    await until(signed, 'leave authorization')
    signed.signIn.act({ do: 'leave' })
    await expect.poll(() => sent.length).toBe(1)
    const url = signed.signIn.consentUrl!
    for (const act of ['send', 'go-on', 'leave'] as const) signed.signIn.act({ do: act })
    signed.signIn.act({ do: 'mode', mode: 'automatic' })
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(sent).toHaveLength(1)
    answer((await signed.user(url)).toString())
    expect(await over).toBe(true)
  })
})

describe('where nobody returns', () => {
  const gone = { awaitReturn: () => Promise.reject(new NoReturn('no-answer', 'No response came back')) }
  /** Requests to the authorization endpoint that a page sent, rather than the browser's window. */
  const asksOf = (signed: Signing) => signed.steps(({ url }) => url.includes('code_challenge='))

  test('the authorization endpoint is asked once why', async () => {
    const signed = signing({ host: gone })
    expect(await signed.begin('automatic')).toBe(false)
    expect(asksOf(signed)).toHaveLength(1)
    expect(signed.record().flows[0]).toMatchObject({ fault: { code: 'no-answer' } })
  })

  test('nothing is sent step by step that was not shown', async () => {
    const { signed, over } = byHand({ host: gone })
    await until(signed, 'help authorization')
    expect(asksOf(signed)).toEqual([])
    signed.signIn.cancel()
    expect(await over).toBe(false)
  })
})

describe('where a step cannot go on', () => {
  test('what its user goes on with in spite of a broken rule is recorded as forced', async () => {
    const { signed, over } = byHand({ back: (query) => query.set('state', 'of-somebody-else') })
    const stood = await signed.drive((waiting) => {
      if (waiting.for !== 'help') return goOn(waiting)
      expect(waiting).toMatchObject({
        step: 'callback',
        fault: { code: 'state-mismatch', rule: 'AU-FLOW-06' },
        takes: ['go-on'],
      })
      return { do: 'go-on' }
    })
    expect(stood).toContain('help callback')
    expect(await over).toBe(true)
    expect(runsOf(signed, 'callback')).toEqual(['forced'])
    expect(signed.checks('callback')).toContain('!AU-FLOW-06 state-differs')
    expect(signed.done('callback')!.findings).toEqual([expect.objectContaining({ rule: 'AU-FLOW-06' })])
  })

  test('metadata of the server may be pasted (AU-PRM-04)', async () => {
    const { signed, over } = byHand({
      variant: 'several',
      alter: missing(/oauth-protected-resource/),
      pinned: '2025-11-25',
    })
    await signed.drive((waiting) => {
      if (waiting.for !== 'help') return goOn(waiting)
      expect(waiting).toMatchObject({ step: 'resource-metadata', fault: { code: 'no-resource-metadata' } })
      const document = { resource: signed.url, authorization_servers: [issuerAt('tenant1')] }
      return { do: 'supply', supply: { kind: 'metadata', document } }
    })
    expect(await over).toBe(true)
    expect(signed.signIn.tokens).toMatchObject({ issuer: issuerAt('tenant1') })
  })

  test('so may those of the authorization server, and tokens', async () => {
    const url = placeOf('plain')
    const { access_token, refresh_token } = await leastClient({
      server: serverAt(issuerAt('plain')),
      resource: url,
      scope: 'mcp:read',
    })
    const { signed, over } = byHand({
      url,
      alter: async (address, response) =>
        /\/\.well-known\/(oauth-authorization-server|openid)/.test(address) || /\/token$/.test(address)
          ? new Response('<h1>Bad gateway</h1>', { status: 502 })
          : response,
    })
    const seen: string[] = []
    await signed.drive((waiting) => {
      if (waiting.for !== 'help') return goOn(waiting)
      seen.push(`${waiting.step} ${waiting.fault.code} ${waiting.takes.join()}`)
      if (waiting.step === 'server-metadata') {
        const document = { ...serverAt(issuerAt('plain')), code_challenge_methods_supported: ['S256'] }
        return { do: 'supply', supply: { kind: 'metadata', document: JSON.parse(JSON.stringify(document)) } }
      }
      const tokens = {
        server: url,
        accessToken: access_token,
        refreshToken: refresh_token!,
        tokenType: 'Bearer',
        receivedAt: signed.now(),
      } as const
      // Actions that don't apply do nothing.
      return [
        { do: 'go-on' },
        { do: 'supply', supply: { kind: 'metadata', document: {} } },
        { do: 'supply', supply: { kind: 'tokens', tokens } },
      ]
    })
    expect(seen).toEqual(['server-metadata no-server-metadata metadata,go-on', 'token token-refused tokens'])
    expect(await over).toBe(true)
    expect(signed.record().flows[0]!.steps.find(({ step }) => step === 'server-metadata')!.run!.learned).toMatchObject({
      metadataSource: 'pasted',
    })
    expect(await signed.call('echo')).toMatchObject({ content: [{ text: 'hello' }] })
  })

  test('a client may be entered there, and the step is run again with it', async () => {
    const { signed, over } = byHand({ variant: 'as-by-hand' })
    await signed.drive((waiting) => {
      if (waiting.for !== 'help') return goOn(waiting)
      expect(waiting).toMatchObject({ step: 'registration', fault: { code: 'no-registration' } })
      return { do: 'again', options: { client: { id: knownClients.public.id } } }
    })
    expect(await over).toBe(true)
    expect(runsOf(signed, 'registration')).toEqual(['failed', 'ok'].with(0, 'undone'))
    // AU-REG-13: from now on it is bound to that issuer.
    expect(signed.signIn.options.client).toEqual({ id: knownClients.public.id, issuer: issuerAt('by-hand') })
  })

  test('metadata that are pasted are judged like any other', async () => {
    const { signed } = byHand({ alter: missing(/oauth-protected-resource/), pinned: '2025-11-25' })
    const faults: string[] = []
    await signed.drive((waiting) => {
      if (waiting.for !== 'help') return goOn(waiting)
      faults.push(waiting.fault.code)
      if (faults.length > 1) return { do: 'cancel' }
      const document = { resource: 'http://127.0.0.1:1/other', authorization_servers: [issuerAt('plain')] }
      return { do: 'supply', supply: { kind: 'metadata', document } }
    })
    expect(faults).toEqual(['no-resource-metadata', 'resource-mismatch'])
  })
})

describe('stopping', () => {
  test.each(ALL)('at %s ends everything', async (what) => {
    const { signed, over } = byHand()
    await until(signed, what)
    const before = signed.sent.length
    signed.signIn.cancel()
    expect(await over).toBe(false)
    expect(signed.record().flows[0]).toMatchObject({ outcome: 'cancelled', fault: { code: 'no-answer' } })
    expect(signed.signIn.flow).toMatchObject({ over: true, waiting: undefined })
    // Any click after this is too late.
    const frames = signed.trace.length
    for (const act of [{ do: 'send' }, { do: 'again' }, { do: 'back', to: 'challenge' }] as const)
      signed.signIn.act(act)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect([signed.sent.length, signed.trace.length]).toEqual([before, frames])
    expect(signed.signIn.tokens).toBeUndefined()
  })

  test('at any change whatever ends everything', async () => {
    // Called from inside a listener, when a step may be neither started nor finished.
    for (let notice = 1; ; notice++) {
      const signed = signing({ attended: true })
      let heard = 0
      let late = false
      signed.signIn.subscribe(() => {
        if (++heard !== notice) return
        // After the last step there is nothing left to stop.
        late = signed.signIn.flow!.over || signed.done('use') !== undefined
        signed.signIn.cancel()
      })
      const ok = await signed.begin()
      if (heard < notice) break
      expect([notice, ok, signed.record().flows[0]!.outcome]).toEqual([notice, late, late ? 'authorized' : 'cancelled'])
      await signed.session?.close()
    }
  })

  test('while a request is under way: its answer comes too late to be asked about', async () => {
    let release = (): void => {}
    const gate = new Promise<void>((resolve) => (release = resolve))
    let held = 0
    const signed = signing({
      attended: true,
      alter: async (url, response) => {
        if (/\/token$/.test(url) && held++ === 0) await gate
        return response
      },
    })
    const over = signed.begin()
    await expect.poll(() => held).toBe(1)
    // Starts a new sign-in from there, while the first code is being exchanged.
    signed.signIn.act({ do: 'back', to: 'preparation' })
    await expect.poll(() => held).toBe(2)
    release()
    expect(await over).toBe(true)
    expect(signed.auth().filter(({ event }) => event === 'waiting')).toEqual([])
    expect(runsOf(signed, 'token')).toEqual(['undone', 'ok'])
  })

  test('another sign-in takes the place of the one under way, with its own options and without its end', async () => {
    const { signed, over } = byHand()
    await until(signed, 'request registration')
    signed.signIn.set({ scope: 'mcp:read mcp:write' })
    const second = signed.begin('automatic')
    expect(await over).toBe(false)
    // The second one is pending: the first one's outcome doesn't affect it.
    expect([signed.signIn.flow!.over, signed.signIn.error]).toEqual([false, undefined])
    expect(signed.signIn.options).toEqual({ scope: 'mcp:read mcp:write' })
    expect(await second).toBe(true)
    expect(signed.signIn.options).toEqual({ scope: 'mcp:read mcp:write' })
    expect(signed.signIn.tokens).toMatchObject({ scope: 'mcp:read mcp:write' })
    expect(signed.record().flows.map(({ outcome }) => outcome)).toEqual(['cancelled', 'authorized'])
  })
})

test('what holds of all sign-ins is looked at after each test, and found where it does not', async () => {
  const signed = signing()
  await signed.begin()
  const frames = signed.frames()
  expect(wrongFrames(frames)).toEqual([])
  // If any ending frame is removed, the check notices.
  const endings = frames.filter((frame) =>
    frame.kind === 'auth'
      ? frame.event === 'done' || frame.event === 'end'
      : frame.kind === 'http' &&
        frame.phase === 'end' &&
        frames[frame.request]!.kind === 'http' &&
        isOfSignIn(frames[frame.request]!),
  )
  expect(endings.length).toBeGreaterThan(14)
  for (const ending of endings) {
    expect(wrongFrames(frames.filter((frame) => frame !== ending))).not.toEqual([])
    expect(wrongFrames([...frames, ending])).not.toEqual([])
  }
  expect(signed.secrets).toEqual(
    expect.arrayContaining([signed.signIn.tokens!.accessToken, signed.signIn.tokens!.refreshToken!]),
  )
})

const isOfSignIn = (frame: Frame): boolean =>
  frame.kind === 'http' && frame.phase === 'request' && frame.purpose === 'authorization'
