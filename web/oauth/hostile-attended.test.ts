/**
 * Attended sign-ins at hostile authorization servers: at a fault the flow waits, says what it needs, and continues as
 * far as possible. A step forced despite a rule stays marked permanently.
 */
import { describe, expect, test } from 'vitest'
import type { WorldControl } from '../../tests/servers/hostile-oauth/control.ts'
import type { Expect } from '../../tests/servers/hostile-oauth/kind.ts'
import { kinds } from '../../tests/servers/hostile-oauth/kinds.ts'
import type { AuthStep, JsonObject } from '../mcp/index.ts'
import type { Act } from './flow/acts.ts'
import type { FaultCode } from './model/fault.ts'
import { check, clientOf, type Client } from './hostile.case.ts'

type Takes = 'metadata' | 'tokens' | 'go-on'

/** Where it waits, why, what it accepts, and what the user does then. */
interface Stand {
  readonly step: AuthStep
  readonly code: FaultCode
  readonly takes: readonly Takes[]
  readonly act: Act | ((world: WorldControl) => Act)
}

const GO_ON: Act = { do: 'go-on' }
const CANCEL: Act = { do: 'cancel' }

const metadata = (document: JsonObject): Act => ({ do: 'supply', supply: { kind: 'metadata', document } })

const ofResource = ({ mcp, issuer }: WorldControl): Act =>
  metadata({ resource: mcp, authorization_servers: [issuer], scopes_supported: ['mcp:read'] })

const ofServer = ({ issuer, authorize, token, register }: WorldControl): Act =>
  metadata({
    issuer,
    authorization_endpoint: authorize,
    token_endpoint: token,
    registration_endpoint: register,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  })

const AUTHORIZED: Expect = { outcome: 'authorized', step: 'use' }
const stopped = (step: Expect['step']): Expect => ({ outcome: 'stopped', step })

const at = (step: AuthStep, code: FaultCode, takes: readonly Takes[], act: Stand['act']): Stand => ({
  step,
  code,
  takes,
  act,
})

const STORIES: Readonly<Record<string, { readonly stands: readonly Stand[]; readonly end: Expect }>> = {
  'challenge-dies': {
    stands: [at('challenge', 'unreadable', ['go-on'], GO_ON)],
    end: AUTHORIZED,
  },
  'prm-named-missing': {
    stands: [at('resource-metadata', 'no-resource-metadata', ['metadata', 'go-on'], ofResource)],
    end: AUTHORIZED,
  },
  'prm-redirect-evil': {
    stands: [at('resource-metadata', 'redirected', ['metadata', 'go-on'], ofResource)],
    end: AUTHORIZED,
  },
  'prm-body-endless': {
    stands: [at('resource-metadata', 'too-large', ['metadata', 'go-on'], ofResource)],
    end: AUTHORIZED,
  },
  'prm-no-servers': {
    stands: [at('resource-metadata', 'no-authorization-servers', ['metadata', 'go-on'], ofResource)],
    end: AUTHORIZED,
  },
  'prm-slash': {
    stands: [at('resource-metadata', 'resource-mismatch', ['go-on'], GO_ON)],
    end: AUTHORIZED,
  },
  'asm-missing': {
    stands: [at('server-metadata', 'no-server-metadata', ['metadata', 'go-on'], ofServer)],
    end: AUTHORIZED,
  },
  'asm-issuer-slash': {
    // The authorization response must name the issuer that the user accepted.
    stands: [
      at('server-metadata', 'issuer-mismatch', ['go-on'], GO_ON),
      at('callback', 'iss-mismatch', ['go-on'], GO_ON),
    ],
    end: AUTHORIZED,
  },
  'asm-token-missing': {
    stands: [at('server-metadata', 'missing-endpoint', ['metadata'], ofServer)],
    end: AUTHORIZED,
  },
  'asm-token-http': {
    stands: [at('server-metadata', 'unsafe-url', ['metadata'], ofServer)],
    end: AUTHORIZED,
  },
  'asm-authorize-javascript': {
    stands: [at('server-metadata', 'unsafe-url', ['metadata'], CANCEL)],
    end: stopped('server-metadata'),
  },
  'asm-no-code-grant': {
    stands: [
      at('server-metadata', 'unsupported-grant', ['go-on'], GO_ON),
      at('token', 'token-refused', ['tokens'], CANCEL),
    ],
    end: stopped('token'),
  },
  'asm-pushed-only': {
    stands: [
      at('preparation', 'unsupported-grant', ['go-on'], GO_ON),
      at('callback', 'authorization-error', [], CANCEL),
    ],
    end: stopped('callback'),
  },
  'pkce-missing': {
    stands: [at('preparation', 'pkce-not-advertised', ['go-on'], GO_ON)],
    end: AUTHORIZED,
  },
  'good-by-hand': {
    stands: [
      at('registration', 'no-registration', [], {
        do: 'again',
        options: { client: { id: 'by-hand', method: 'none' } },
      }),
    ],
    end: AUTHORIZED,
  },
  'register-web': {
    stands: [at('registration', 'redirect-uri-refused', [], { do: 'again', options: { applicationType: 'web' } })],
    end: AUTHORIZED,
  },
  'register-other-uri': {
    stands: [at('registration', 'redirect-uri-refused', ['go-on'], GO_ON)],
    end: AUTHORIZED,
  },
  'iss-missing': {
    stands: [at('callback', 'iss-missing', ['go-on'], GO_ON)],
    end: AUTHORIZED,
  },
  'iss-wrong-error': {
    // Only a user who continues sees the other issuer's text.
    stands: [at('callback', 'iss-mismatch', ['go-on'], GO_ON), at('callback', 'authorization-error', [], CANCEL)],
    end: stopped('callback'),
  },
  'state-changed': {
    stands: [at('callback', 'state-mismatch', ['go-on'], GO_ON)],
    end: AUTHORIZED,
  },
  'code-twice': {
    stands: [at('callback', 'repeated-parameter', [], CANCEL)],
    end: stopped('callback'),
  },
  'token-500': {
    stands: [
      at('token', 'token-refused', ['tokens'], { do: 'back', to: 'preparation' }),
      at('token', 'token-refused', ['tokens'], CANCEL),
    ],
    end: stopped('token'),
  },
  'type-mac': {
    stands: [at('token', 'token-type', ['tokens', 'go-on'], GO_ON)],
    end: AUTHORIZED,
  },
  'token-line-break': {
    stands: [at('token', 'bad-token-response', ['tokens'], CANCEL)],
    end: stopped('token'),
  },
  'use-401': {
    // The sign-in got tokens; the next request shows that the server doesn't accept them.
    stands: [at('use', 'token-not-accepted', ['go-on'], GO_ON)],
    end: stopped('use'),
  },
}

describe('a sign-in that stands still says what it takes, and goes on with that alone, with', () => {
  const all = Object.entries(STORIES).map(([name, story]) => ({ name, says: kinds[name]!.says, ...story }))
  test.concurrent.each(all)('$name: $says', async ({ name, stands, end }) => {
    const client = await clientOf(name, { attended: true })
    const sign = client.signIn.begin('automatic')
    for (const { step, code, takes, act } of stands) {
      const waiting = await standsStill(client)
      expect(waiting).toMatchObject({ step, fault: { code }, takes })
      // An action it doesn't accept does nothing.
      for (const one of UNFIT.filter(({ fits }) => !takes.includes(fits))) client.signIn.act(one.act)
      expect(client.signIn.flow!.waiting).toBe(waiting)
      client.signIn.act(typeof act === 'function' ? act(client.world) : act)
    }
    const ended = await client.ended(await sign)
    await client.end()
    expect(forcedOf(client)).toEqual(stands.flatMap(({ step, act }) => (act === GO_ON ? [step] : [])).filter(endsWell))
    await check(client, ended, [end])

    /** A step that failed in the end was not forced. */
    function endsWell(step: AuthStep): boolean {
      return !(ended.outcome === 'stopped' && ended.step === step && step !== 'use')
    }
  })
})

/** Actions that do nothing where they aren't accepted. */
const UNFIT: readonly { readonly fits: Takes; readonly act: Act }[] = [
  { fits: 'go-on', act: GO_ON },
  { fits: 'metadata', act: metadata({}) },
  {
    fits: 'tokens',
    act: {
      do: 'supply',
      supply: { kind: 'tokens', tokens: { server: '', accessToken: 'x', tokenType: 'Bearer', receivedAt: 0 } },
    },
  },
]

/** Resolves when only the user can continue. */
const standsStill = ({ signIn }: Client) =>
  new Promise((resolve) => {
    const look = () => {
      const { waiting } = signIn.flow ?? {}
      if (waiting?.for !== 'help' || waiting === last.get(signIn)) return
      last.set(signIn, waiting)
      stop()
      resolve(waiting)
    }
    const stop = signIn.subscribe(look)
    look()
  })

const last = new WeakMap<object, object>()

/** Steps that were forced despite a rule. */
const forcedOf = (client: Client): AuthStep[] =>
  client.auth().flatMap((frame) => (frame.event === 'done' && frame.outcome === 'forced' ? [frame.step] : []))
