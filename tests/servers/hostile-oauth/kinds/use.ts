/** With a token: the MCP endpoint, refresh and revocation. */
import { dies, html, json, never, redirect, refusal, text } from '../answers.ts'
import {
  addresses,
  bearer,
  count,
  keep,
  members,
  onCall,
  onGrant,
  orStops,
  orWorks,
  stops,
  UNREACHED,
  withToken,
  works,
  type Endpoint,
  type Hook,
  type Kind,
  type Kinds,
} from '../kind.ts'
import { insufficient, unauthorized } from '../mcp.ts'

type Most = Partial<Record<Endpoint, number>>

/** A client gets at most this many attempts. */
const FEW: Most = { authorize: 3, token: 6, mcp: 30 }

/** Most of these end for the client in the last rule: 401 for a token that should be valid. */
const inUse = (says: string, rules: string[], hook: Hook, rest: Partial<Kind> = {}): Kind =>
  stops(says, 'use', [...new Set([...rules, 'AU-GEN-05'])], { most: FEW, ...rest, on: { mcp: withToken(hook) } })

const inCall = (says: string, rules: string[], hook: Hook, rest: Partial<Kind> = {}): Kind =>
  stops(says, 'use', rules, { drive: 'call', most: { ...FEW, authorize: 5 }, ...rest, on: { mcp: onCall(hook) } })

/** The refresh fails; signing in again works. */
const unrefreshed = (says: string, rules: string[], hook: Hook, rest: Partial<Kind> = {}): Kind =>
  stops(says, 'refresh', [...new Set([...rules, 'RFC 6749 §5.2'])], {
    drive: 'refresh',
    most: FEW,
    on: { token: onGrant('refresh_token', hook) },
    ...orWorks('By signing in anew'),
    ...rest,
  })

const refreshed = (says: string, rules: string[], hook: Hook, rest: Partial<Kind> = {}): Kind =>
  works(says, rules, { drive: 'refresh', most: FEW, ...rest, on: { token: onGrant('refresh_token', hook) } })

const unrevoked = (
  says: string,
  hook: Hook,
  rules: readonly string[] = ['RFC 7009 §2.2.1'],
  rest: Partial<Kind> = {},
): Kind => stops(says, 'revocation', rules, { drive: 'revoke', ...rest, on: { revoke: hook } })

const pageWith =
  (status: number): Hook =>
  ({ request }) => ({
    status,
    headers: { 'Content-Type': 'text/html' },
    text: `<pre>Authorization: ${request.headers.authorization}</pre>`,
  })

export const use: Kinds = {
  'use-401': inUse('401 with any token, however fresh', ['AU-TOK-05'], (exchange) =>
    unauthorized({ error: 'invalid_token', resource_metadata: addresses(exchange.world)['resource-metadata'] }),
  ),
  'use-401-bare': inUse('401 with any token, and no challenge', ['AU-TOK-05'], text(401, 'Unauthorized')),
  'use-401-echo': inUse('401 with a page that shows the token', ['SEC-15', 'AU-TOK-05'], pageWith(401)),
  'use-401-sometimes': works('401 to every third request with a token, though it is good', ['AU-TOK-05'], {
    drive: 'call',
    most: { authorize: 3, token: 6 },
    on: {
      mcp: withToken((exchange, well) =>
        count(exchange.world, 'used') % 3 === 0 ? unauthorized({ error: 'invalid_token' }) : well(),
      ),
    },
    ...orStops('Two in a row may look as if no token were taken', 'use', 'refresh'),
  }),
  'use-403': inUse('403 with plain text to any token', ['AU-GEN-05'], text(403, 'Forbidden')),
  'use-403-page': inUse('403 with a page to any token, as from a firewall', ['AU-GEN-05'], html(403)),
  'use-403-always': inUse(
    '403 insufficient_scope to every request, with the same scope',
    ['AU-SCOPE-05'],
    (exchange) => insufficient(exchange, 'mcp:admin'),
    { most: { ...FEW, authorize: 5 } },
  ),
  'call-403-same': inCall('403 insufficient_scope to each call, with the same scope', ['AU-SCOPE-05'], (exchange) =>
    insufficient(exchange, 'mcp:admin'),
  ),
  'call-403-growing': inCall('403 insufficient_scope to each call, with a scope more', ['AU-SCOPE-05'], (exchange) => {
    const calls = count(exchange.world, 'refused')
    return insufficient(exchange, Array.from({ length: calls }, (_, at) => `mcp:${at}`).join(' '))
  }),
  'call-403-other': inCall(
    '403 insufficient_scope to each call, each time with another scope',
    ['AU-SCOPE-05', 'SEC-12'],
    (exchange) => insufficient(exchange, `mcp:${count(exchange.world, 'refused')}`),
  ),
  'call-403-granted': inCall('403 insufficient_scope for the scope that the token has', ['AU-SCOPE-05'], (exchange) =>
    insufficient(exchange, exchange.world.access.get(bearer(exchange) ?? '')?.scope),
  ),
  'call-403-no-scope': inCall('403 insufficient_scope that does not say which', ['AU-SCOPE-02'], (exchange) =>
    insufficient(exchange, undefined),
  ),
  'call-403-many': inCall('403 insufficient_scope with 500 scopes', ['AU-SCOPE-05'], (exchange) =>
    insufficient(exchange, Array.from({ length: 500 }, (_, at) => `mcp:${at}`).join(' ')),
  ),
  'call-401': inCall('401 to each call, and to nothing else', ['AU-TOK-05'], (exchange) =>
    unauthorized({ error: 'invalid_token', resource_metadata: addresses(exchange.world)['resource-metadata'] }),
  ),
  'use-redirect': inUse(
    '307 to another origin, as soon as there is a token',
    ['SEC-11', 'AU-GEN-04'],
    redirect(307, 'evil'),
  ),
  'use-redirect-302': inUse(
    '302 to another origin, as soon as there is a token',
    ['SEC-11', 'AU-GEN-04'],
    redirect(302, 'evil'),
  ),
  'use-query': inUse('Takes the token in the query alone', ['AU-GEN-03'], (exchange, well) =>
    exchange.world.access.has(exchange.query.get('access_token') ?? '') ? well() : unauthorized({}),
  ),
  'use-page': inUse('A page with status 200 to any token', ['AU-GEN-05'], html()),
  'use-500': inUse('500 that shows the token', ['SEC-15'], pageWith(500)),
  'use-never': inUse('Takes a request with a token, and never says a word', ['UT-TIME-01'], never, { slow: true }),
  'use-dies': inUse('Breaks the connection of a request with a token', [...UNREACHED], dies),
  'use-dpop': inUse('401 that wants DPoP in place of Bearer', ['RFC 9449 §7.1'], () => ({
    status: 401,
    headers: { 'WWW-Authenticate': 'DPoP error="invalid_token", algs="ES256"' },
  })),

  'refresh-refused': unrefreshed('400 with invalid_grant', ['AU-TOK-05'], refusal('invalid_grant')),
  'refresh-200-error': unrefreshed('200 with an error', ['RFC 6749 §5.2'], json(200, { error: 'invalid_grant' })),
  'refresh-page': unrefreshed('A page with status 200', ['RFC 6749 §5.1'], html()),
  'refresh-500': unrefreshed('500 with plain text', ['RFC 6749 §5.2'], text(500, 'stack overflow in line 7')),
  'refresh-429': unrefreshed(
    '429 with Retry-After: 3600',
    ['RFC 6749 §5.2'],
    text(429, 'Slow down', { 'Retry-After': '3600' }),
  ),
  'refresh-redirect': unrefreshed('307 to another origin', ['SEC-10', 'AU-TOK-02'], redirect(307, 'evil')),
  'refresh-no-token': unrefreshed('access_token is missing', ['RFC 6749 §5.1'], members({ access_token: undefined })),
  'refresh-type': unrefreshed('token_type is mac', ['RFC 6749 §7.1'], members({ token_type: 'mac' })),
  'refresh-echo': unrefreshed('400 that says again all it was sent', ['SEC-15'], (exchange, well) =>
    refusal('invalid_request', { error_description: exchange.body })(exchange, well),
  ),
  'refresh-dies': unrefreshed(
    'Uses up the refresh token, then breaks the connection',
    ['AU-TOK-04', ...UNREACHED],
    async (exchange, well) => {
      await well()
      return dies(exchange, well)
    },
  ),
  'refresh-never': unrefreshed('Never says a word', ['UT-TIME-01'], never, { slow: true }),
  'refresh-kept': refreshed(
    'The refresh token stays the same, and is not said again',
    ['AU-TOK-04', 'RFC 6749 §6'],
    async (exchange, well) => {
      const { world, body } = exchange
      const value = new URLSearchParams(body).get('refresh_token') ?? ''
      const grant = world.refresh.get(value)
      const reply = await members({ refresh_token: undefined })(exchange, well)
      if (grant) keep(world.refresh, value, grant)
      return reply
    },
    { drive: 'refresh-twice' },
  ),
  'refresh-narrower': refreshed('Less scope than before', ['AU-SCOPE-08'], members({ scope: 'mcp:nothing' })),
  'refresh-no-scope': refreshed(
    'The scope is not told: it is as before',
    ['RFC 6749 §6'],
    members({ scope: undefined }),
  ),
  'refresh-same': stops('The access token that has expired comes again', 'use', ['AU-TOK-05'], {
    drive: 'refresh',
    most: FEW,
    on: {
      token: async (exchange, well) => {
        const reply = await well()
        const { world, body } = exchange
        if (reply.status !== 200) return reply
        const first = world.kept.get('token') ?? String((reply.body as { access_token: string }).access_token)
        world.kept.set('token', first)
        if (new URLSearchParams(body).get('grant_type') !== 'refresh_token') return reply
        return members({ access_token: first })(exchange, () => Promise.resolve(reply))
      },
    },
    ...orWorks('By signing in anew'),
  }),
  'refresh-dead': stops('Refreshes well, and every token that comes of it is dead', 'use', ['AU-TOK-05'], {
    drive: 'refresh',
    most: FEW,
    on: {
      token: async (exchange, well) => {
        const reply = await well()
        if (exchange.world.counts.has('expire')) exchange.world.access.clear()
        return reply
      },
    },
  }),
  'refresh-wider': refreshed('More scope than before', ['AU-SCOPE-08'], members({ scope: 'mcp:read mcp:write admin' })),

  'revoke-503': unrevoked('503 with Retry-After: 120', text(503, 'Later', { 'Retry-After': '120' })),
  'revoke-type': unrevoked('400 with unsupported_token_type', refusal('unsupported_token_type')),
  'revoke-client': unrevoked('401 with invalid_client', refusal('invalid_client', {}, 401)),
  'revoke-page': unrevoked('500 with a page', html(500)),
  'revoke-redirect': unrevoked('307 to another origin', redirect(307, 'evil'), ['SEC-10']),
  'revoke-never': unrevoked('Never says a word', never, ['UT-TIME-01'], { slow: true }),
  'revoke-dies': unrevoked('Breaks the connection', dies, UNREACHED),
  'revoke-204': works('204 in place of 200', ['RFC 7009 §2.2'], {
    drive: 'revoke',
    step: 'revocation',
    on: { revoke: async (_, well) => ({ ...(await well()), status: 204 }) },
    ...orStops('RFC 7009 wants 200', 'revocation'),
  }),
  'revoke-200-page': works('200 with a page, whose body means nothing', ['RFC 7009 §2.2'], {
    drive: 'revoke',
    step: 'revocation',
    on: { revoke: html() },
  }),
  'revoke-missing': stops('There is no revocation endpoint', 'revocation', ['RFC 8414 §2'], {
    drive: 'revoke',
    on: { 'server-metadata': members({ revocation_endpoint: undefined }) },
  }),
  'revoke-javascript': stops('revocation_endpoint is a javascript: URL', 'revocation', ['AU-ASM-07'], {
    drive: 'revoke',
    on: { 'server-metadata': members({ revocation_endpoint: 'javascript:alert(1)' }) },
    tolerated: { why: 'It is read with the metadata', ends: [{ outcome: 'stopped', step: 'server-metadata' }] },
  }),
  'revoke-http': stops('revocation_endpoint is http, not on loopback', 'revocation', ['AU-ASM-07'], {
    drive: 'revoke',
    on: { 'server-metadata': members({ revocation_endpoint: 'http://as.evil.example/revoke' }) },
    tolerated: { why: 'It is read with the metadata', ends: [{ outcome: 'stopped', step: 'server-metadata' }] },
  }),
}
