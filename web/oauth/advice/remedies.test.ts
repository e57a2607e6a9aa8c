/** For each fault, the screen offers the remedies that apply, the most promising first. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Trace, type AuthStep } from '../../mcp/index.ts'
import type { FaultCode } from '../model/fault.ts'
import type { Act } from '../flow/acts.ts'
import {
  actsFor,
  actsForEntered,
  blameOf,
  remediesFor,
  withOptions,
  type Entered,
  type Remedy,
  type Situation,
} from './remedies.ts'
import { SignIn } from '../sign-in.ts'
import { Vault } from '../vault/vault.ts'

const at = (step: AuthStep, more: Partial<Situation> = {}): Situation => ({
  step,
  takes: [],
  attended: true,
  restarts: true,
  hasRelay: false,
  relayed: false,
  url: 'https://as.example/register',
  page: 'local',
  canRedirect: true,
  grant: 'authorization-code',
  applicationType: 'native',
  resource: true,
  ...more,
})

const told = (code: string, situation: Situation): string =>
  remediesFor(code, situation)
    .map(({ remedy, as, quiet }) => (as === 'sentence' ? `(${remedy})` : quiet ? `[${remedy}]` : remedy))
    .join(' ')

/** All codes; the compiler checks that none is missing. */
const TABLE = {
  unreadable: [
    [at('registration', { hasRelay: true }), 'relay enter-client paste-token retry (allow-page)'],
    [at('registration'), 'enter-client paste-token retry (start-proxy) (allow-page)'],
    [at('challenge', { takes: ['go-on'] }), 'retry [go-on] (start-proxy) (allow-page)'],
    [at('server-metadata', { takes: ['metadata', 'go-on'], hasRelay: true }), 'relay paste-metadata other-server paste-token retry [go-on] (allow-page)'],
    [at('token', { hasRelay: true, takes: ['tokens'] }), 'relay paste-token retry (allow-page)'],
    [at('token', { page: 'https', url: 'http://localhost:3/token' }), 'paste-token retry (start-proxy) (allow-local) (allow-page)'],
  ],
  unreachable: [[at('token'), 'retry paste-token']],
  timeout: [[at('server-metadata', { takes: ['metadata'] }), 'retry paste-metadata other-server paste-token (tell-server)']],
  'too-large': [[at('server-metadata', { takes: ['metadata'] }), 'paste-metadata other-server paste-token retry (tell-server)']],
  'not-json': [[at('registration'), 'enter-client paste-token retry (tell-server)']],
  'not-an-object': [[at('token'), 'paste-token retry (tell-server)']],
  'http-status': [[at('revocation', { attended: false, restarts: false }), '(tell-server)']],
  redirected: [[at('token', { hasRelay: true }), 'relay paste-token retry (tell-server)']],
  'unsafe-url': [
    [at('authorization-server'), 'other-server paste-token (tell-server)'],
    [at('server-metadata', { takes: ['go-on'] }), 'other-server paste-token [go-on] (tell-server)'],
  ],
  'not-challenged': [[at('challenge', { takes: ['go-on'] }), 'retry [go-on]']],
  'no-resource-metadata': [[at('resource-metadata', { takes: ['metadata', 'go-on'] }), 'paste-metadata other-server paste-token retry [go-on] (tell-server)']],
  'resource-mismatch': [[at('resource-metadata', { takes: ['go-on'] }), 'retry [go-on] (tell-server)']],
  'no-authorization-servers': [[at('resource-metadata', { takes: ['metadata', 'go-on'] }), 'other-server paste-metadata [go-on] (tell-server)']],
  'no-server-metadata': [[at('server-metadata', { takes: ['metadata', 'go-on'] }), 'paste-metadata other-server retry [go-on] (tell-server)']],
  'issuer-mismatch': [[at('server-metadata', { takes: ['go-on'] }), 'other-server retry [go-on] (tell-server)']],
  'missing-endpoint': [
    [at('server-metadata', { takes: ['metadata'] }), 'paste-metadata other-server paste-token (tell-server)'],
  ],
  'unsupported-grant': [[at('server-metadata', { takes: ['go-on'] }), 'other-server paste-token [go-on] (tell-server)']],
  'no-registration': [[at('registration'), 'enter-client paste-token (tell-server)']],
  'registration-refused': [[at('registration'), 'enter-client retry (tell-server)']],
  'redirect-uri-refused': [
    [at('registration'), 'retry-as-web enter-client (tell-server)'],
    [at('registration', { takes: ['go-on'] }), 'retry-as-web enter-client [go-on] (tell-server)'],
    [at('registration', { applicationType: 'web' }), 'retry-as-native enter-client (tell-server)'],
    [at('registration', { applicationType: undefined }), 'retry-as-web retry-as-native enter-client (tell-server)'],
  ],
  'no-client-id': [[at('registration'), 'enter-client retry (tell-server)']],
  'issuer-changed': [[at('registration', { takes: ['go-on'] }), 'enter-client [go-on]']],
  'bad-client-document': [[at('registration', { takes: ['go-on'] }), 'enter-client [go-on]']],
  'pkce-not-advertised': [[at('preparation', { takes: ['go-on'] }), 'retry [go-on] (tell-server)']],
  'bad-private-key': [[at('token'), 'enter-client']],
  'insecure-context': [[at('token', { takes: ['go-on'] }), 'enter-client paste-token [go-on]']],
  'popup-blocked': [
    [at('authorization'), 'retry redirect'],
    [at('authorization', { canRedirect: false }), 'retry'],
  ],
  'no-answer': [[at('authorization'), 'retry']],
  'taken-elsewhere': [[at('authorization'), 'sign-in-again']],
  'state-mismatch': [[at('callback', { takes: ['go-on'] }), 'sign-in-again [go-on]']],
  'iss-missing': [[at('callback', { takes: ['go-on'] }), 'sign-in-again [go-on] (tell-server)']],
  'iss-mismatch': [[at('callback', { takes: ['go-on'] }), 'sign-in-again [go-on] (tell-server)']],
  denied: [[at('callback'), 'sign-in-again']],
  'authorization-error': [
    [at('callback'), 'sign-in-again omit-resource enter-client (tell-server)'],
    [at('callback', { resource: false }), 'sign-in-again enter-client (tell-server)'],
  ],
  'no-code': [[at('callback'), 'sign-in-again (tell-server)']],
  'repeated-parameter': [[at('callback'), 'sign-in-again (tell-server)']],
  'token-refused': [
    [at('token'), 'sign-in-again enter-client omit-resource paste-token retry (tell-server)'],
    [at('token', { grant: 'client-credentials' }), 'enter-client omit-resource paste-token retry (tell-server)'],
    [at('refresh', { attended: false }), 'sign-in-again (tell-server)'],
  ],
  'no-access-token': [[at('token', { takes: ['tokens'] }), 'sign-in-again paste-token (tell-server)']],
  'token-type': [[at('token', { takes: ['tokens', 'go-on'] }), 'sign-in-again paste-token [go-on] (tell-server)']],
  'bad-token-response': [[at('token', { takes: ['tokens', 'go-on'] }), 'sign-in-again paste-token [go-on] (tell-server)']],
  'assertion-missing': [[at('assertion', { grant: 'workload' }), 'paste-token']],
  'token-not-accepted': [[at('use', { takes: ['go-on'] }), 'retry sign-in-again omit-resource paste-token [go-on] (tell-server)']],
  'too-many-attempts': [[at('token', { attended: false }), 'sign-in-again']],
  internal: [[at('token'), 'retry paste-token']],
} as const satisfies Record<FaultCode, readonly (readonly [Situation, string])[]> // prettier-ignore

describe('what is offered', () => {
  for (const [code, rows] of Object.entries(TABLE)) {
    for (const [at, [situation, expected]] of rows.entries()) {
      test(`for ${code} (${at + 1})`, () => expect(told(code, situation)).toBe(expected))
    }
  }

  const drawn: fc.Arbitrary<Situation> = fc.record({
    step: fc.constantFrom<AuthStep>('challenge', 'resource-metadata', 'server-metadata', 'registration', 'authorization', 'callback', 'token', 'use'),
    takes: fc.subarray(['metadata', 'tokens', 'go-on'] as const),
    attended: fc.boolean(),
    restarts: fc.boolean(),
    hasRelay: fc.boolean(),
    relayed: fc.boolean(),
    url: fc.constantFrom(undefined, 'https://as.example/token', 'http://localhost:3/x', 'not an address'),
    page: fc.constantFrom('https' as const, 'local' as const),
    canRedirect: fc.boolean(),
    grant: fc.constantFrom('authorization-code', 'client-credentials', 'enterprise', 'workload'),
    applicationType: fc.constantFrom('native' as const, 'web' as const, undefined),
    resource: fc.boolean(),
  }) // prettier-ignore
  const codes = fc.constantFrom(...Object.keys(TABLE), 'a-code-of-later')

  test('is possible: nobody goes on where the flow does not, nor through a relay that is not there, nor acts in a recording', () => {
    fc.assert(
      fc.property(codes, drawn, (code, situation) => {
        const offers = remediesFor(code, situation)
        const buttons = offers.filter(({ as }) => as === 'button').map(({ remedy }) => remedy)
        expect(new Set(buttons).size).toBe(buttons.length)
        expect(buttons.includes('go-on')).toBe(
          situation.attended && situation.takes.includes('go-on') && told(code, situation).includes('[go-on]'),
        )
        if (!situation.attended) expect(buttons).toEqual(situation.restarts ? ['sign-in-again'] : [])
        if (!situation.hasRelay || situation.relayed) expect(buttons).not.toContain('relay')
        if (!situation.takes.includes('metadata')) expect(buttons).not.toContain('paste-metadata')
      }),
    )
  })

  test('never puts going on in spite of a rule first, nor loudly', () => {
    fc.assert(
      fc.property(codes, drawn, (code, situation) => {
        const buttons = remediesFor(code, situation).filter(({ as }) => as === 'button')
        const on = buttons.findIndex(({ remedy }) => remedy === 'go-on')
        if (on >= 0) expect([buttons[on]!.quiet, on]).toEqual([true, buttons.length - 1])
      }),
    )
  })

  test('names who must change something', () => {
    expect(blameOf('unreadable', 'challenge')).toBe('server')
    expect(blameOf('unreadable', 'registration')).toBe('authorization-server')
    expect(blameOf('token-not-accepted', 'use')).toBe('either')
    expect(blameOf('a-code-of-later', 'use')).toBe('unknown')
  })
})

describe('what a button does', () => {
  test('with other options goes back to where they are looked at', () => {
    expect(actsFor('omit-resource', at('token'))).toEqual<Act[]>([
      { do: 'back', to: 'preparation' },
      { do: 'again', options: { resource: false } },
    ])
    expect(withOptions('registration', { client: { id: 'x' } }, 'registration')).toEqual<Act[]>([
      { do: 'again', options: { client: { id: 'x' } } },
    ])
    const typed: readonly Remedy[] = ['paste-metadata', 'enter-client', 'paste-token', 'other-server']
    for (const remedy of typed) expect(actsFor(remedy, at('token'))).toBeUndefined()
  })

  test('what the user enters is handed to the step that takes it, or leads back to the one that needs it', () => {
    const enter = (entered: Entered, step: AuthStep, takes: Situation['takes'] = []) =>
      actsForEntered(entered, { step, takes }, 'https://mcp.example/mcp', 7)
    expect(enter({ kind: 'metadata', document: { issuer: 'x' } }, 'server-metadata')).toEqual<Act[]>([
      { do: 'supply', supply: { kind: 'metadata', document: { issuer: 'x' } } },
    ])
    expect(enter({ kind: 'client', id: 'c', secret: '' }, 'token')).toEqual<Act[]>([
      { do: 'back', to: 'registration' },
      { do: 'again', options: { client: { id: 'c' }, registration: 'by-hand' } },
    ])
    const issuer = { kind: 'issuer', issuer: 'https://as.example' } as const
    const options = { authorizationServer: issuer.issuer }
    expect(enter(issuer, 'resource-metadata')).toEqual<Act[]>([{ do: 'again', options }])
    expect(enter(issuer, 'server-metadata')).toEqual<Act[]>([
      { do: 'back', to: 'authorization-server' },
      { do: 'again', options },
    ])
    const token = { kind: 'token', access: 'a', refresh: 'r' } as const
    expect(enter(token, 'token')).toBeUndefined()
    expect(enter(token, 'token', ['tokens'])).toMatchObject([
      { do: 'supply', supply: { kind: 'tokens', tokens: { accessToken: 'a', refreshToken: 'r', receivedAt: 7 } } },
    ])
  })

  test('the flow does: the first act says where it goes on, the second how', async () => {
    const server = 'https://mcp.example/mcp'
    const answers: Record<string, () => Response> = {
      '/mcp': () => new Response(null, { status: 401 }),
      '/.well-known/oauth-protected-resource/mcp': () => Response.json({ resource: server, authorization_servers: ['https://as.example'] }),
      '/.well-known/oauth-authorization-server': () =>
        Response.json({ issuer: 'https://as.example', authorization_endpoint: 'https://as.example/a', token_endpoint: 'https://as.example/t', code_challenge_methods_supported: ['S256'] }),
      '/t': () => Response.json({ error: 'invalid_client' }, { status: 401 }),
    } // prettier-ignore
    const trace = new Trace()
    const urls: string[] = []
    const signIn: SignIn = new SignIn(
      { trace, link: 's1', url: server, authorized: async () => undefined },
      {
        vault: new Vault({}),
        redirectUri: 'http://127.0.0.1:9/oauth/callback.html',
        fetch: async (input) => answers[new URL(input as string).pathname]?.() ?? new Response(null, { status: 404 }),
        awaitReturn: async (state) => {
          urls.push(signIn.consentUrl!)
          return `code=c&state=${state}`
        },
      },
    )
    signIn.set({ client: { id: 'first' } })
    const over = signIn.begin('automatic')
    const helped = () =>
      expect.poll(() => signIn.flow?.waiting, { interval: 5 }).toMatchObject({ for: 'help', fault: { code: 'token-refused' } }) // prettier-ignore
    await helped()
    for (const act of withOptions('registration', { client: { id: 'second' } }, 'token')) signIn.act(act)
    await expect.poll(() => urls.length).toBe(2)
    await helped()
    const asked = urls.map((url) => new URL(url).searchParams.get('client_id'))
    signIn.act({ do: 'cancel' })
    await over
    expect(asked).toEqual(['first', 'second'])
    const begun = [...trace].flatMap((frame) => (frame.kind === 'auth' && frame.event === 'step' ? [frame.step] : []))
    expect(begun.slice(begun.indexOf('token'))).toEqual(
      ['token', 'registration', 'preparation', 'authorization', 'callback', 'token'],
    ) // prettier-ignore
  })
})
