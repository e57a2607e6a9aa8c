/** Kinds without a fault: the baseline, and acceptable variations. */
import { random, registered, remember } from '../authorization-server.ts'
import {
  addresses,
  bearer,
  body,
  callback,
  challenge,
  count,
  keep,
  members,
  onCall,
  onGrant,
  orStops,
  orWorks,
  stops,
  works,
  type Hook,
  type Kind,
  type Kinds,
} from '../kind.ts'
import { bearerChallenge, insufficient } from '../mcp.ts'
import { refusal, text } from '../answers.ts'

/** Registers a client with a secret, whatever it requested. */
export const withSecret = (method: string, secret?: string): Hook =>
  body((well, { world, door }) => {
    const redirectUris = (well['redirect_uris'] as string[]).map(String)
    return registered(world, door, { redirectUris, method, ...(secret === undefined ? {} : { secret }) }, well)
  })

const withCode = (make: () => string): Hook =>
  callback((parameters, { world, door }) => {
    const grant = world.codes.get(parameters.get('code') ?? '')
    if (!grant) return
    const code = remember(world, door, 'code', make())
    keep(world.codes, code, grant)
    parameters.set('code', code)
  })

/** The challenge names no scope. */
export const unscoped = challenge(({ world }) =>
  bearerChallenge({ resource_metadata: addresses(world)['resource-metadata'] }),
)

/** Found only through the origin's well-known URL. */
const root = (resource: (origin: string) => string): Partial<Kind> => ({
  root: true,
  places: { resourceMetadata: 'root', serverMetadata: ['oidc-inserted'] },
  resource: (mcp) => resource(new URL(mcp).origin),
  on: { mcp: challenge(() => 'Bearer') },
})

export const well: Kinds = {
  good: works('Nothing is wrong', ['AU-GEN-06']),
  'good-revoke': works('Nothing is wrong, up to the revocation', ['RFC 7009 §2.2'], {
    drive: 'revoke',
    step: 'revocation',
  }),
  'good-refresh': works('Refresh tokens work once; one used twice ends all that came of that sign-in', ['AU-TOK-04'], {
    drive: 'refresh-twice',
    most: { authorize: 1, register: 1 },
  }),
  'good-step-up': works('Wants mcp:write for tools/call, and says so with 403', ['AU-SCOPE-03', 'AU-SCOPE-04'], {
    drive: 'call',
    most: { authorize: 2, register: 1 },
    on: {
      mcp: onCall((exchange, well) => {
        const granted = exchange.world.access.get(bearer(exchange) ?? '')
        return !granted || granted.scope.split(' ').includes('mcp:write') ? well() : insufficient(exchange, 'mcp:write')
      }),
    },
  }),
  'good-no-scopes': works('No scope in the challenge, no scopes_supported', ['AU-SCOPE-01'], {
    on: {
      mcp: unscoped,
      'resource-metadata': members({ scopes_supported: undefined }),
      'server-metadata': members({ scopes_supported: undefined }),
    },
  }),
  'good-scopes-of-document': works('No scope in the challenge; two in scopes_supported', ['AU-SCOPE-01'], {
    on: { mcp: unscoped },
  }),
  'good-bare-challenge': works('401 with Bearer and no parameter; metadata at the well-known place', ['AU-PRM-03'], {
    on: { mcp: challenge(() => 'Bearer') },
  }),
  'good-oidc-inserted': works('Server metadata by OpenID Connect alone, path inserted', ['AU-ASM-02', 'AU-ASM-03'], {
    places: { serverMetadata: ['oidc-inserted'] },
  }),
  'good-oidc-appended': works('Server metadata by OpenID Connect alone, path appended', ['AU-ASM-02', 'AU-ASM-03'], {
    places: { serverMetadata: ['oidc-appended'] },
  }),
  'good-no-iss': works('No iss in the response, and none advertised', ['AU-FLOW-08'], {
    on: {
      'server-metadata': members({ authorization_response_iss_parameter_supported: undefined }),
      authorize: callback((parameters) => parameters.delete('iss')),
    },
  }),
  'good-no-refresh': works('No refresh token is issued', ['AU-TOK-03'], {
    on: { token: members({ refresh_token: undefined }) },
  }),
  'good-no-expiry': works('The lifetime of the token is not told', ['RFC 6749 §5.1'], {
    on: { token: members({ expires_in: undefined }) },
  }),
  'good-secret-basic': works('A secret nobody asked for, for client_secret_basic', ['AU-FLOW-13'], {
    on: { register: withSecret('client_secret_basic') },
  }),
  'good-secret-post': works('A secret nobody asked for, for client_secret_post alone', ['AU-FLOW-13'], {
    on: {
      'server-metadata': members({ token_endpoint_auth_methods_supported: ['client_secret_post'] }),
      register: withSecret('client_secret_post'),
    },
  }),
  'good-endpoint-query': works('The authorization endpoint has a query of its own, which stays', ['RFC 6749 §3.1'], {
    on: {
      'server-metadata': members(({ world, door }) => ({
        authorization_endpoint: `${addresses(world, door).authorize}?tenant=a%20b&keep=`,
      })),
      authorize: (exchange, well) =>
        exchange.query.get('tenant') === 'a b' && exchange.query.get('keep') === ''
          ? well()
          : text(400, 'My own query is gone')(exchange, well),
    },
  }),
  'good-token-elsewhere': works('The token endpoint has another origin, as RFC 8414 allows', ['AU-ASM-01'], {
    shares: true,
    on: { 'server-metadata': members(({ world }) => ({ token_endpoint: addresses(world, 'evil').token })) },
  }),
  'good-two-servers': works('Two authorization servers are named, one at each origin; both are well', ['AU-PRM-06'], {
    on: {
      'resource-metadata': members(({ world }) => ({
        authorization_servers: [addresses(world).issuer, addresses(world, 'evil').issuer],
      })),
    },
  }),
  'good-issuer-changes': works(
    'After expire another authorization server is named, and none refreshes: what was for the first is not for the second',
    ['AU-REG-12', 'AU-PRM-08'],
    {
      drive: 'refresh',
      most: { authorize: 2, register: 2 },
      on: {
        'resource-metadata': members(({ world }) => ({
          authorization_servers: [addresses(world, world.counts.has('expire') ? 'evil' : 'own').issuer],
        })),
        token: onGrant('refresh_token', refusal('invalid_grant')),
      },
      ...orStops('A page may not open a window by itself', 'refresh'),
    },
  ),
  'good-by-hand': stops(
    'No registration; the client by-hand is known, at redirect URIs on loopback',
    'registration',
    ['AU-REG-01', 'AU-REG-05'],
    {
      on: { 'server-metadata': members({ registration_endpoint: undefined }) },
      ...orWorks('When the client is entered by hand'),
    },
  ),
  'good-registration-token': works('The registration can be managed at the second origin, with a token', ['SEC-15'], {
    on: {
      register: members(({ world, door }) => ({
        registration_access_token: remember(world, door, 'registration-token', random('manage')),
        registration_client_uri: `${addresses(world, 'evil').base}/manage`,
      })),
    },
  }),
  'good-opener-severed': works('The authorization endpoint sends Cross-Origin-Opener-Policy: same-origin', ['BR-09'], {
    on: {
      authorize: async (_, well) => {
        const reply = await well()
        return { ...reply, headers: { ...reply.headers, 'Cross-Origin-Opener-Policy': 'same-origin' } }
      },
    },
  }),
  'good-odd-client-id': works('A client id of characters that URLs and forms must encode', ['RFC 6749 §2.2'], {
    on: {
      register: body((well, { world, door }) => {
        const redirectUris = (well['redirect_uris'] as string[]).map(String)
        const id = `a b&c=d#<script>%2F+${count(world, 'clients')}`
        return registered(world, door, { redirectUris, method: 'none', id }, well)
      }),
    },
  }),
  'good-odd-secret': works('A secret of characters that Basic must encode as a form does', ['RFC 6749 §2.3.1'], {
    on: { register: withSecret('client_secret_basic', 'a:b%c+d e&f="g"') },
  }),
  'good-odd-code': works('A code of characters that URLs and forms must encode', ['RFC 6749 §4.1.2'], {
    on: { authorize: withCode(() => `${random('code')} &=+%2F#/\\"~`) },
  }),
  'good-long-code': works('A code of 4,000 characters', ['RFC 6749 §4.1.2'], {
    on: { authorize: withCode(() => random('code').padEnd(4000, '~')) },
  }),
  'root-good': works(
    'Metadata of the whole origin alone; an issuer without a path, by OpenID Connect',
    ['AU-PRM-03', 'AU-ASM-04'],
    {
      ...root((origin) => origin),
    },
  ),
  'root-resource-slash': works('Metadata of the whole origin, which it names with a slash at its end', ['AU-FLOW-05'], {
    ...root((origin) => `${origin}/`),
    ...orStops('RFC 9728 §3.3 compares it with what the address was made of', 'resource-metadata'),
  }),
  'root-resource-other': stops('Metadata of the whole origin, for another path', 'resource-metadata', ['AU-PRM-05'], {
    ...root((origin) => `${origin}/other`),
  }),
  'root-issuer-slash': stops(
    'The issuer is named with a slash at its end, and has none',
    'server-metadata',
    ['AU-ASM-06'],
    {
      ...root((origin) => origin),
      on: {
        mcp: challenge(() => 'Bearer'),
        'resource-metadata': members(({ world }) => ({ authorization_servers: [`${addresses(world).issuer}/`] })),
      },
    },
  ),
}
