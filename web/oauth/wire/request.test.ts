/**
 * The requests of a sign-in: each is judged separately, bounded, shown without its secrets, and sent only once where
 * that matters.
 */
import { describe, expect, inject, test } from 'vitest'
import { inPage } from '../../../tests/in-page.ts'
import { knownClients } from '../../../tests/servers/oauth/names.ts'
import { Trace } from '../../mcp/index.ts'
import { KnownSecrets } from '../../secrets/capture.ts'
import { RelayConsent } from './relay-consent.ts'
import { jsonObjectOf, Wire, type Answer, type RequestDraft } from './request.ts'
import { goOn, issuerAt, realRelay, signing, type Signing, type Story } from '../signing.case.ts'

const signed = async (story: Story): Promise<Signing> => {
  const made = signing(story)
  await made.begin()
  return made
}

/** The browser's error when a page may not read a response. */
const hidden = () => {
  throw new TypeError('Failed to fetch')
}

const withCode = (made: Signing) => made.forms('authorization_code').filter((form) => form.has('code'))

describe('a code is good for one use', () => {
  test.runIf(inPage).each([
    ['public', { id: knownClients.public.id }],
    ['client_secret_basic', knownClients.basic],
    ['client_secret_post', knownClients.post],
  ] as const)('and goes through the relay at once where the page may not read the answer (%s)', async (_, client) => {
    const made = await signed({ variant: 'as-closed-token', options: { client }, relay: realRelay() })
    expect(made.signIn.error).toBeUndefined()
    expect(withCode(made)).toHaveLength(1)
    expect(await made.log({ endpoint: 'token', grant_type: 'authorization_code' }, 'closed-token')).toHaveLength(1)
    expect(made.wayOf('token').at(-1)).toBe('relayed')
    // The request that tests whether responses are readable has no effect.
    const looks = made.sent.filter(({ url, relayed }) => url.endsWith('/token') && !relayed)
    for (const { headers, body } of looks) {
      expect([
        headers.has('authorization'),
        [...new URLSearchParams(body).keys()].filter((name) => !/^(grant_type|client_id)$/.test(name)),
      ]).toEqual([false, []])
    }
  })

  test.each([
    ['public', { id: knownClients.public.id }],
    ['client_secret_basic', knownClients.basic],
  ] as const)('and is not sent a second time where only its answer was hidden (%s)', async (_, client) => {
    const made = await signed({
      options: { client },
      relay: realRelay(),
      alter: (url, response, relayed) => (url.endsWith('/token') && !relayed ? hidden() : response),
    })
    expect(made.signIn.error).toBeUndefined()
    expect(withCode(made)).toHaveLength(1)
    expect(await made.log({ endpoint: 'token', grant_type: 'authorization_code' })).toHaveLength(1)
  })

  test('and is spent where there is no relay, which is said, and nothing sends it again', async () => {
    const made = signing({ attended: true, alter: (url, response) => (url.endsWith('/token') ? hidden() : response) })
    const over = made.begin()
    await made.drive((waiting) => {
      if (waiting.for !== 'help') return goOn(waiting)
      expect(waiting).toMatchObject({ step: 'token', fault: { code: 'unreadable' }, takes: ['tokens'] })
      return { do: 'cancel' }
    })
    expect(await over).toBe(false)
    expect(withCode(made)).toHaveLength(1)
  })

  test('so is a refresh token', async () => {
    let closed = false
    const made = await signed({
      relay: realRelay(),
      alter: (url, response, relayed) => (closed && url.endsWith('/token') && !relayed ? hidden() : response),
    })
    closed = true
    await made.signIn.refresh()
    // It was readable before, so there was no test request: whether this one arrived is unknown, and it isn't sent
    // again.
    expect(made.signIn.error).toMatchObject({ step: 'refresh', code: 'unreadable' })
    expect(made.forms('refresh_token')).toHaveLength(1)
  })
})

describe('each address is judged by itself', () => {
  test('one that a page may not read is asked through the relay, and from then on', async () => {
    const made = await signed({
      relay: realRelay(),
      alter: (url, response, relayed) => (url.includes('oauth-authorization-server') && !relayed ? hidden() : response),
    })
    expect(made.signIn.error).toBeUndefined()
    expect(made.wayOf('server-metadata')).toEqual(['direct', 'relayed'])
    expect(made.wayOf('resource-metadata')).toEqual(['direct'])
    await made.begin()
    expect(made.wayOf('server-metadata')).toEqual(['direct', 'relayed', 'relayed'])
  })

  test('one where nobody is, is told apart from one that hides, where there is a relay', async () => {
    const nobody = 'http://127.0.0.1:9'
    const offer = async (url: string, response: Response) =>
      url.includes('oauth-protected-resource')
        ? Response.json({ ...((await response.json()) as object), authorization_servers: [nobody] })
        : response
    const alone = await signed({ alter: offer })
    expect(alone.signIn.error).toMatchObject({ step: 'server-metadata', code: 'unreadable' })
    const relayed = signing({ alter: offer, relay: realRelay() })
    relayed.signIn.agreeToRelay(nobody)
    await relayed.signIn.begin('automatic')
    expect(relayed.signIn.error).toMatchObject({ step: 'server-metadata' })
    expect(relayed.signIn.error!.code).not.toBe('unreadable')
  })
})

describe('an origin that the server names, and the page may not read', () => {
  test.each([true, undefined])(
    'is not asked through the relay before its user agrees (attended: %s)',
    async (attended) => {
      const hidden = (url: string, response: Response, relayed: boolean) => {
        if (!relayed && url.startsWith(inject('oauthIssuerUrl'))) throw new TypeError('Failed to fetch')
        return response
      }
      const made = signing({ alter: hidden, relay: realRelay(), asksToRelay: true, ...(attended ? { attended } : {}) })
      const begun = made.signIn.begin('automatic')
      if (attended) {
        await expect.poll(() => made.signIn.flow?.waiting).toMatchObject({ for: 'help', fault: { code: 'unreadable' } })
        made.signIn.cancel()
      }
      await begun
      if (!attended) expect(made.signIn.error).toMatchObject({ code: 'unreadable', step: 'server-metadata' })
      expect(made.sent.filter(({ relayed }) => relayed)).toEqual([])
    },
  )

  test('once agreed to, is asked through it, and the trace says why', async () => {
    const hidden = (url: string, response: Response, relayed: boolean) => {
      if (!relayed && url.startsWith(inject('oauthIssuerUrl'))) throw new TypeError('Failed to fetch')
      return response
    }
    const made = signing({ alter: hidden, attended: true, relay: realRelay(), asksToRelay: true })
    let asks = 0
    made.signIn.subscribe(() => {
      const { waiting } = made.signIn.flow ?? {}
      if (waiting?.for !== 'help') return
      asks++
      made.signIn.act({ do: 'again', relay: made.sent.at(-1)!.url })
    })
    expect(await made.signIn.begin('automatic')).toBe(true)
    expect(asks).toBe(1)
    const said = [...made.trace].flatMap((frame) =>
      frame.kind === 'auth' && frame.event === 'done' ? frame.checks.filter(({ say }) => say === 'relayed') : [],
    )
    expect(said.length).toBeGreaterThan(1)
    expect(said[0]).toMatchObject({ values: { origin: inject('oauthIssuerUrl'), reason: 'agreed' } })
  })
})

describe('the requests themselves', () => {
  const wire = (options: Partial<ConstructorParameters<typeof Wire>[0]> = {}) => {
    const trace = new Trace()
    const server = 'https://mcp.example/mcp'
    const consent = new RelayConsent(() => ({ server, known: {}, options: {}, tokens: undefined }))
    return { trace, wire: new Wire({ trace, link: 's1', secrets: new KnownSecrets(), consent, ...options }) }
  }
  const get = (url: string): RequestDraft => ({ method: 'GET', url, headers: [['accept', 'application/json']] })
  const metadata = () => `${inject('oauthIssuerUrl')}/.well-known/oauth-authorization-server`
  const never = new AbortController().signal

  test('have a frame for their head, one for the head of the answer, and one for its end', async () => {
    const { trace, wire: made } = wire()
    const answer = await made.send(get(metadata()), undefined, never)
    expect(answer).toMatchObject({ answered: true, status: 200, relayed: false })
    const kinds = [...trace].map((frame) => (frame.kind === 'http' ? frame.phase : frame.kind))
    expect(kinds).toEqual(['request', 'response', 'end'])
    expect(jsonObjectOf(answer as Answer)).toMatchObject({ json: { issuer: issuerAt('plain') } })
  })

  test.each([
    'javascript:alert(1)',
    'data:,x',
    'file:///etc/passwd',
    'ftp://127.0.0.1/',
    '//example.com',
    '',
    'http://user:secret@127.0.0.1/',
  ])('to %s are not sent, and that is in the trace too', async (url) => {
    let sent = 0
    const { trace, wire: made } = wire({ fetch: async () => (sent++, new Response()) })
    expect(await made.send(get(url), undefined, never)).toMatchObject({
      answered: false,
      fault: { code: 'unsafe-url' },
    })
    expect([sent, [...trace].length]).toEqual([0, 2])
  })

  test('are stopped at a bound of size, and of time, and say which', async () => {
    const { wire: small } = wire({ limits: { size: 100 } })
    expect(await small.send(get(metadata()), undefined, never)).toMatchObject({
      answered: false,
      fault: { code: 'too-large', facts: { limit: 100 } },
    })
    const { wire: quick } = wire({
      limits: { time: 20 },
      fetch: (_, init) =>
        new Promise((_resolve, reject) => init!.signal!.addEventListener('abort', () => reject(new Error('aborted')))),
    })
    expect(await quick.send(get(metadata()), undefined, never)).toMatchObject({
      answered: false,
      fault: { code: 'timeout' },
    })
  })

  test('end with the reason of whoever stops them, and their frames are whole', async () => {
    const stop = new AbortController()
    const { trace, wire: made } = wire()
    const sending = made.send(get(metadata()), undefined, stop.signal)
    stop.abort(new Error('enough'))
    await expect(sending).rejects.toThrow('enough')
    expect([...trace].at(-1)).toMatchObject({ phase: 'failed', aborted: 'stopped' })
  })

  test.each<[what: string, text: string, code: string]>([
    ['a page', '<!doctype html><h1>Hello', 'not-json'],
    ['nothing', '', 'not-json'],
    ['half an object', '{"issuer":', 'not-json'],
    ['a list', '[1]', 'not-an-object'],
    ['a text', '"x"', 'not-an-object'],
    ['null', 'null', 'not-an-object'],
  ])('that are answered with %s got no object, and it is said what they got', (_, text, code) => {
    const answer = {
      answered: true,
      seq: 0,
      url: 'https://a.example/',
      status: 200,
      headers: new Headers(),
      text,
      shown: text,
      relayed: false,
    } as const
    expect(jsonObjectOf(answer)).toMatchObject({ code })
  })

  test('carry no cookies and no address of the page', async () => {
    const seen: RequestInit[] = []
    const { wire: made } = wire({ fetch: async (_, init) => (seen.push(init!), Response.json({})) })
    await made.send(get(metadata()), undefined, never)
    expect(seen[0]).toMatchObject({ credentials: 'omit', cache: 'no-store', redirect: 'manual' })
  })
})
