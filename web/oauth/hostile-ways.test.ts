/**
 * The same sign-ins by other routes: through the local proxy, after the server rejected a connection, and with the
 * response returned like the callback page does it.
 */
import { describe, expect, test } from 'vitest'
import { inPage, onlyWhatBrowsersChange } from '../../tests/in-page.ts'
import { patient } from '../../tests/patience.ts'
import { kinds } from '../../tests/servers/hostile-oauth/kinds.ts'
import { challenges } from '../../tests/servers/hostile-oauth/kinds/challenges.ts'
import { use } from '../../tests/servers/hostile-oauth/kinds/use.ts'
import { BROWSER_KINDS, check, Client, clientOf, endsOf, type Story } from './hostile.case.ts'
import { awaitReturn, LONGEST_QUERY, type Astray, type ReturnChannel } from './consent/return.ts'

const listed = (names: readonly string[]) => names.map((name) => ({ name, says: kinds[name]!.says }))
const names = Object.keys(kinds)

describe('with the local proxy for all that the page may not read, a sign-in ends as without CORS, with', () => {
  const some = onlyWhatBrowsersChange ? BROWSER_KINDS : names
  test.concurrent.each(listed(some))('$name: $says', async ({ name }) => {
    const client = await clientOf(name, { blind: true })
    const end = await client.drive()
    await client.end()
    await check(client, end, endsOf(client.kind, true))
    expect(answeredDirectly(client)).toEqual([])
  })

  const hidden = names.filter((name) => kinds[name]!.page && inPage)
  test.runIf(inPage).concurrent.each(listed(hidden))(
    'BR-01: $name, and what can be read goes without the proxy',
    async ({ name }) => {
      const client = await clientOf(name, { relay: true })
      const end = await client.drive()
      await client.end()
      await check(client, end, endsOf(client.kind, true))
      expect(answeredDirectly(client).length).toBeGreaterThan(0)
    },
  )
})

describe('AU-GEN-06: a sign-in that begins with the refusal of a connection ends as any other, with', () => {
  const some = onlyWhatBrowsersChange ? Object.keys(challenges) : [...Object.keys(challenges), ...Object.keys(use)]
  test.concurrent.each(listed(some))('$name: $says', async ({ name }) => {
    const client = await clientOf(name, { refusedFirst: true })
    const end = await client.drive()
    await client.end()
    await check(client, end)
  })
})

test('SEC-10: a redirect of the server to another origin decides nothing of who is trusted', async () => {
  const client = await clientOf('challenge-redirect-evil', { refusedFirst: true })
  const end = await client.drive()
  await client.end()
  await check(client, end)
  expect(new Set((await client.world.evilLog()).map(({ at }) => at))).toEqual(new Set(['mcp']))
  expect(client.signIn.tokens?.issuer).toBe(client.world.issuer)
})

describe('AU-TOK-05: whoever signs in anew gets on where refreshing failed, with', () => {
  const some = names.filter((name) => {
    const { expect: right, tolerated } = kinds[name]!
    return right.step === 'refresh' && tolerated?.ends.some(({ outcome }) => outcome === 'authorized')
  })
  test.concurrent.each(listed([...some, 'good-issuer-changes']))('$name: $says', async ({ name }) => {
    const client = await clientOf(name)
    expect(await client.drive()).toMatchObject({ outcome: 'stopped', step: 'refresh' })
    const end = await client.ended(await client.signIn.begin('automatic', undefined, 'unauthorized'), 'call')
    await client.end()
    await check(client, end, [{ outcome: 'authorized', step: 'use' }])
  })
})

describe('AU-FLOW-06: an answer that names another sign-in is not handed over by the page that it comes back to, with', () => {
  const some = names.filter((name) => /^state-(?!replayed)|^error-no-state$/.test(name))
  test.concurrent.each(listed(some))('$name: $says', async ({ name }) => {
    const astray: Astray[] = []
    const client = await clientOf(name, byCallbackPage(astray, 300))
    const end = await client.drive()
    await client.end()
    await check(client, end, [{ outcome: 'stopped', step: 'authorization' }])
    expect(end.code).toBe('no-answer')
    const none = ['state-missing', 'state-empty', 'state-twice', 'error-no-state'].includes(name)
    expect(astray).toEqual(none ? ['no-state'] : [])
  })

  test.concurrent.each(listed(['good', 'code-missing', 'iss-wrong', 'mix-up', 'error-nasty']))(
    '$name is handed over, and judged then',
    async ({ name }) => {
      const client = await clientOf(name, byCallbackPage([], patient(20_000)))
      const end = await client.drive()
      await client.end()
      await check(client, end)
    },
  )
})

describe('a token by hand', () => {
  test.each(['tøken-🎈', 'x\0y', 'a\u2028b'])(
    'that no header takes ends in the refusal of the server: %j',
    async (token) => {
      const client = await clientOf('good')
      client.signIn.paste(token)
      await expect(client.connect()).rejects.toMatchObject({ name: 'TransportError', code: 'unauthorized' })
      await client.end()
    },
  )

  test('that a terminal broke into lines is put together again', async () => {
    const first = await clientOf('good')
    await first.drive()
    const { accessToken } = first.signIn.tokens!
    const moved = new Client('good', first.world, {})
    moved.signIn.paste(`Bearer ${accessToken.slice(0, 9)}\r\n  ${accessToken.slice(9)}\n`)
    await moved.connect()
    await Promise.all([first, moved].map((each) => each.end()))
  })
})

/** Requests of the sign-in that got a response without the proxy. */
const answeredDirectly = ({ trace }: Client): string[] => {
  const frames = [...trace].flatMap((frame) => (frame.kind === 'http' ? [frame] : []))
  const answered = new Set(frames.flatMap((frame) => (frame.phase === 'response' ? [frame.request] : [])))
  return frames.flatMap((frame) =>
    frame.phase === 'request' && frame.purpose === 'authorization' && !frame.relayed && answered.has(frame.seq)
      ? [frame.url]
      : [],
  )
}

/**
 * What `public/oauth/callback.js` does with an authorization response, without its page.
 *
 * @param timeout ms to wait for one
 */
const byCallbackPage = (astray: Astray[], timeout: number): Story => ({
  awaitReturn: (consented) => ({
    awaitReturn: async (state, signal) => {
      // First, because the authorization server may take longer than the wait for its response.
      const query = await consented(signal)
      const [channel, say] = newChannel()
      const waiting = awaitReturn({ state, signal, channel, timeout, onAstray: (why) => void astray.push(why) })
      const states = new URLSearchParams(query).getAll('state')
      if (states.length !== 1 || states[0] === '') say({ type: 'astray', reason: 'no-state' })
      else if (query.length > LONGEST_QUERY) say({ type: 'astray', reason: 'too-long' })
      else say({ type: 'returned', state: states[0], query })
      return await waiting
    },
  }),
})

const newChannel = (): [ReturnChannel, say: (message: unknown) => void] => {
  const listeners = new Set<(event: { readonly data: unknown }) => void>()
  const channel: ReturnChannel = {
    postMessage: () => {},
    addEventListener: (_, listener) => void listeners.add(listener),
    removeEventListener: (_, listener) => void listeners.delete(listener),
  }
  return [channel, (data) => [...listeners].forEach((listener) => listener({ data }))]
}
