/** The token endpoint: RFC 6749 section 5. */
import { html, json, MEGABYTE, NASTY, raw, redirect, refusal, text } from '../answers.ts'
import { issue, random } from '../authorization-server.ts'
import {
  addresses,
  body,
  members,
  orStops,
  orWorks,
  stops,
  works,
  type Exchange,
  type Hook,
  type Json,
  type JsonObject,
  type Kind,
  type Kinds,
} from '../kind.ts'

const SUCCESS = 'RFC 6749 §5.1'
const ERROR = 'RFC 6749 §5.2'
/** Rules for the characters of an access token. */
const LETTERS = [SUCCESS, 'RFC 6750 §2.1']

const refused = (says: string, hook: Hook, rules = [ERROR]): Kind =>
  stops(says, 'token', rules, { on: { token: hook } })

const granted = (says: string, change: { readonly [name: string]: Json | undefined }, rules = [SUCCESS]): Kind =>
  refused(says, members(change), rules)

/** Not conformant, but unambiguous. */
const lenient = (says: string, change: { readonly [name: string]: Json | undefined }, rules = [SUCCESS]): Kind =>
  works(says, rules, { on: { token: members(change) }, ...orStops(`${SUCCESS} has it otherwise`, 'token') })

const scope = (says: string, value: Json | undefined): Kind =>
  works(says, ['AU-SCOPE-08'], { on: { token: members({ scope: value }) } })

const base64url = (json: unknown): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(typeof json === 'string' ? json : JSON.stringify(json))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** A token in JWT form. The MCP server accepts it like any other, because tokens are opaque to a client. */
const jwt = (says: string, make: (exchange: Exchange) => { header?: unknown; claims?: unknown; text?: string }): Kind =>
  works(says, ['RFC 6749 §1.4', 'RFC 9068 §6'], {
    on: {
      token: body((well, exchange) => {
        const { world, door } = exchange
        const opaque = well['access_token'] as string
        const grant = world.access.get(opaque)!
        const { header = { typ: 'at+jwt', alg: 'RS256', kid: '1' }, claims = {}, text } = make(exchange)
        const token = text ?? `${base64url(header)}.${base64url(claims)}.${base64url(opaque)}`
        return { ...well, access_token: issue(world, door, grant, false, token)['access_token']! }
      }),
    },
  })

const now = () => Math.floor(Date.now() / 1000)

/** The claims of a valid JWT. */
const claimsFor = ({ world }: Exchange): JsonObject => {
  const { issuer, mcp } = addresses(world)
  return { iss: issuer, aud: mcp, sub: 'somebody', iat: now(), exp: now() + 3600, client_id: 'x', jti: '1' }
}

export const tokens: Kinds = {
  'token-redirect': refused('307 to another origin', redirect(307, 'evil'), ['SEC-10', 'RFC 9700 §4.12']),
  'token-redirect-302': refused('302 to another origin', redirect(302, 'evil'), ['SEC-10', 'RFC 9700 §4.12']),
  'token-redirect-own': {
    ...refused('307 to the same origin', redirect(307, 'own'), ['SEC-10']),
    ...orWorks('The same origin answers'),
  },
  'token-201': works('201 in place of 200', [SUCCESS], {
    on: { token: async (_, well) => ({ ...(await well()), status: 201 }) },
    ...orStops(`${SUCCESS} wants 200`, 'token'),
  }),
  'token-200-error': refused('200 with an error', json(200, { error: 'invalid_grant', error_description: 'No' })),
  'token-error-and-token': refused('200 with a token and an error', members({ error: 'invalid_grant' })),
  'token-page-400': refused('400 with a page', html(400)),
  'token-500': refused('500 with plain text', text(500, 'stack overflow in line 7')),
  'token-429': refused('429 with Retry-After: 3600', text(429, 'Slow down', { 'Retry-After': '3600' })),
  'token-404': refused('404 where the metadata leads', text(404, 'Not found')),
  'token-invalid-client': refused(
    '401 with invalid_client and a challenge',
    json(401, { error: 'invalid_client' }, { 'WWW-Authenticate': 'Basic realm="as"' }),
  ),
  'token-invalid-grant': refused('400 with invalid_grant', refusal('invalid_grant')),
  'token-invalid-target': refused('400 with invalid_target', refusal('invalid_target'), ['RFC 8707 §2']),
  'token-nonce': refused(
    '400 that wants DPoP with a nonce',
    json(400, { error: 'use_dpop_nonce' }, { 'DPoP-Nonce': 'x' }),
    ['RFC 9449 §8'],
  ),
  'token-nasty': refused(
    '400 with words that are no words, and an address of another kind',
    refusal('<b>x</b>', { error_description: NASTY, error_uri: 'javascript:alert(1)' }),
    [ERROR, 'SEC-03'],
  ),
  'token-error-long': refused(
    '400 with an error_description of a megabyte',
    refusal('server_error', { error_description: 'x'.repeat(MEGABYTE) }),
    [ERROR, 'SEC-03'],
  ),
  'token-error-number': refused('400 with an error that is a number', json(400, { error: 7 })),
  'token-error-none': refused('400 with JSON that has no error', json(400, {})),
  'token-error-list': refused('400 with a list', json(400, [{ error: 'invalid_grant' }])),
  'token-echo': refused(
    '500 that says again all it was sent, secrets and all',
    async ({ body }, well) => {
      const reply = await well()
      return { status: 500, headers: { 'Content-Type': 'text/plain' }, text: `${body}\n${JSON.stringify(reply.body)}` }
    },
    ['SEC-15', ERROR],
  ),
  'token-echo-json': refused(
    '400 with an error_description that says again all it was sent',
    async (exchange, well) =>
      refusal('invalid_request', { error_description: `I got ${exchange.body}` })(exchange, well),
    ['SEC-15', ERROR],
  ),
  'token-form': refused(
    'A form in place of JSON',
    async (_, well) => {
      const { status, body } = await well()
      const form = new URLSearchParams(body as Record<string, string>)
      return { status, headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, text: form.toString() }
    },
    [SUCCESS],
  ),
  'token-text-type': works('The answer comes as text/plain', [SUCCESS], {
    on: { token: async (_, well) => ({ ...(await well()), headers: { 'Content-Type': 'text/plain' } }) },
    ...orStops(`${SUCCESS} wants application/json`, 'token'),
  }),
  'token-null-body': refused('200 with null', json(200, null), [SUCCESS]),

  'token-missing': granted('access_token is missing', { access_token: undefined }),
  'token-null': granted('access_token is null', { access_token: null }),
  'token-number': granted('access_token is a number', { access_token: 42 }),
  'token-object': granted('access_token is an object', { access_token: { value: 'x' } }),
  'token-empty': granted('access_token is the empty string', { access_token: '' }),
  'token-line-break': granted(
    'access_token has a line break, and a header after it',
    { access_token: 'x\r\nX-Injected: 1' },
    LETTERS,
  ),
  'token-unicode': granted('access_token has characters that no header takes', { access_token: 'tøken-🎈' }, LETTERS),
  'token-space': stops('access_token has spaces in it', 'token', LETTERS, {
    on: { token: members({ access_token: 'one two' }) },
    tolerated: { why: 'The MCP server does not take it', ends: [{ outcome: 'stopped', step: 'use' }] },
  }),
  'token-proto': refused(
    'access_token is missing, but for one in a member __proto__',
    raw(({ body }) => {
      const token = (body as JsonObject)['access_token'] as string
      return `{"token_type":"Bearer","__proto__":{"access_token":"${token}"}}`
    }),
    [SUCCESS],
  ),

  'type-missing': granted('token_type is missing', { token_type: undefined }),
  'type-null': granted('token_type is null', { token_type: null }),
  'type-number': granted('token_type is a number', { token_type: 1 }),
  'type-mac': granted('token_type is mac', { token_type: 'mac' }, ['RFC 6749 §7.1']),
  'type-dpop': granted('token_type is DPoP, and there was no proof', { token_type: 'DPoP' }, ['RFC 9449 §5']),
  'type-na': granted('token_type is N_A', { token_type: 'N_A' }, ['RFC 8693 §2.2.1', 'RFC 6749 §7.1']),
  'type-lower': works('token_type is bearer', ['RFC 6749 §7.1'], { on: { token: members({ token_type: 'bearer' }) } }),
  'type-upper': works('token_type is BEARER', ['RFC 6749 §7.1'], { on: { token: members({ token_type: 'BEARER' }) } }),

  'expires-string': lenient('expires_in is a string of digits', { expires_in: '3600' }),
  'expires-word': lenient('expires_in is a word', { expires_in: 'soon' }),
  'expires-null': lenient('expires_in is null', { expires_in: null }),
  'expires-negative': lenient('expires_in is negative', { expires_in: -3600 }),
  'expires-fraction': lenient('expires_in is a fraction', { expires_in: 3600.5 }),
  'expires-huge': lenient('expires_in is more than a date can hold', { expires_in: 1e300 }),
  'expires-timer': lenient('expires_in is more than a timer can hold', { expires_in: 31_536_000 }),
  'expires-zero': {
    ...lenient('expires_in is 0 each time, though the token lives on', { expires_in: 0 }, [SUCCESS, 'AU-TOK-05']),
    drive: 'call',
    most: { token: 4, authorize: 1 },
  },
  'refresh-token-number': lenient('refresh_token is a number', { refresh_token: 7 }),
  'refresh-token-null': lenient('refresh_token is null', { refresh_token: null }),
  'refresh-token-empty': lenient('refresh_token is the empty string', { refresh_token: '' }),
  'id-token': lenient('An id_token that nobody asked for, and that is none', { id_token: 'x.y.z' }, [SUCCESS]),

  'scope-narrower': scope('Less scope than was asked for', 'mcp:nothing'),
  'scope-wider': scope('More scope than was asked for', 'mcp:read mcp:write admin offline_access'),
  'scope-missing': scope('The scope is not told: it is what was asked for', undefined),
  'scope-empty': { ...scope('The scope is the empty string', ''), ...orStops(`${SUCCESS} has it otherwise`, 'token') },
  'scope-odd': scope(
    'The scope has characters that none may have, and one twice',
    'mcp:read "é" \\ <b>x</b> mcp:read \u202ea',
  ),
  'scope-list': { ...scope('The scope is a list', ['mcp:read']), ...orStops(`${SUCCESS} has it otherwise`, 'token') },
  'scope-null': { ...scope('The scope is null', null), ...orStops(`${SUCCESS} has it otherwise`, 'token') },
  'scope-many': scope('5,000 scopes', Array.from({ length: 5000 }, (_, at) => `s${at}`).join(' ')),

  'jwt-well': jwt('A JWT with which nothing is wrong', (exchange) => ({ claims: claimsFor(exchange) })),
  'jwt-audience': jwt('A JWT for another audience', (exchange) => ({
    claims: { ...claimsFor(exchange), aud: 'https://other.example/mcp' },
  })),
  'jwt-audiences': jwt('A JWT for 100 audiences', (exchange) => ({
    claims: { ...claimsFor(exchange), aud: Array.from({ length: 100 }, (_, at) => `https://${at}.example`) },
  })),
  'jwt-expired': jwt('A JWT that has expired', (exchange) => ({ claims: { ...claimsFor(exchange), exp: now() - 60 } })),
  'jwt-issuer': jwt('A JWT of another issuer', (exchange) => ({
    claims: { ...claimsFor(exchange), iss: 'https://honest.example' },
  })),
  'jwt-none': jwt('A JWT with alg none', (exchange) => ({ header: { alg: 'none' }, claims: claimsFor(exchange) })),
  'jwt-proto': jwt('A JWT with claims __proto__ and constructor', () => ({
    claims: '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"exp":"x","aud":{}}',
  })),
  'jwt-nasty': jwt('A JWT with claims that are no words', (exchange) => ({
    claims: { ...claimsFor(exchange), sub: NASTY, [NASTY]: NASTY, exp: 1e300, iat: -1e300, nbf: null },
  })),
  'jwt-deep': jwt('A JWT with a claim nested 2,000 deep', () => ({
    claims: `{"deep":${'['.repeat(2000)}${']'.repeat(2000)}}`,
  })),
  'jwt-broken': jwt('Three parts that are no JWT', () => ({ text: `a-.b_~.${random('x')}` })),
  'jwt-encrypted': jwt('Five parts, as of a JWT that only its audience reads', () => ({
    text: [base64url({ alg: 'dir', enc: 'A256GCM' }), '', 'aXY', random('x'), 'dGFn'].join('.'),
  })),
}
