/** The MCP endpoint without a token: 401 and its header. */
import { dies, endless, html, json, never, trickle } from '../answers.ts'
import {
  addresses,
  asOlder,
  bearer,
  challenge,
  orStops,
  orWorks,
  stops,
  UNREACHED,
  works,
  type Exchange,
  type Hook,
  type Kind,
  type Kinds,
  type Reply,
} from '../kind.ts'
import { bearerChallenge } from '../mcp.ts'

/** For requests without a token. */
const bare =
  (hook: Hook): Hook =>
  (exchange, well) =>
    bearer(exchange) === undefined ? hook(exchange, well) : well()

/** A valid but unusual header: only it says where the metadata is. */
const odd = (says: string, header: (right: string, evil: string, exchange: Exchange) => string | string[]): Kind =>
  works(says, ['AU-PRM-02'], {
    places: { resourceMetadata: 'custom' },
    on: {
      mcp: challenge((exchange) => {
        const evil = addresses(exchange.world, 'evil').moved('resource-metadata')
        return header(`resource_metadata="${addresses(exchange.world)['resource-metadata']}"`, evil, exchange)
      }),
    },
  })

/** A header that can't be parsed reliably. The metadata is at its well-known URL. */
const malformed = (says: string, header: (url: string, evil: string) => string | string[] | null): Kind =>
  works(says, ['AU-PRM-02', 'AU-PRM-03'], {
    on: {
      mcp: challenge(({ world }) =>
        header(addresses(world)['resource-metadata'], addresses(world, 'evil').moved('resource-metadata')),
      ),
    },
    ...orStops('The server breaks RFC 9110 §11.6.1, and may be told so', 'challenge', 'resource-metadata'),
  })

/** A `resource_metadata` that must not be requested. The metadata is at its well-known URL as well. */
const unsafe = (says: string, url: (exchange: Exchange) => string): Kind =>
  stops(says, 'resource-metadata', ['SEC-10', 'AU-PRM-02'], {
    on: { mcp: challenge((exchange) => bearerChallenge({ resource_metadata: url(exchange) })) },
    ...orWorks('By the well-known place, when the address in the header is passed over'),
  })

const byWellKnown = orWorks('By the well-known place, when its user asks to sign in all the same')

export const challenges: Kinds = {
  'challenge-page': works('401 with a page and no WWW-Authenticate, as from a CDN', ['AU-PRM-03'], {
    on: { mcp: bare(html(401)) },
  }),
  'challenge-page-nothing': stops(
    '401 with a page and no WWW-Authenticate, and no metadata anywhere',
    'resource-metadata',
    ['AU-PRM-04'],
    { places: { resourceMetadata: 'none' }, on: { mcp: bare(html(401)) }, ...asOlder },
  ),
  'challenge-hidden': works('A page may not read WWW-Authenticate: it is not exposed', ['BR-03', 'AU-PRM-03'], {
    on: {
      mcp: ({ response }, well) => {
        response.removeHeader('Access-Control-Expose-Headers')
        return well()
      },
    },
  }),
  'challenge-403': stops('403 in place of 401, with a good challenge', 'challenge', ['AU-GEN-05'], {
    on: {
      mcp: bare(async (_, well) => ({ ...(await well()), status: 403 })),
    },
    ...orWorks('The challenge can be read all the same'),
  }),
  'challenge-login-page': stops('302 to a page to sign in at, with status 200', 'challenge', ['AU-GEN-05'], {
    on: {
      mcp: bare((exchange, well) =>
        exchange.query.has('login')
          ? html()(exchange, well)
          : { status: 302, headers: { Location: `${addresses(exchange.world).mcp}?login` } },
      ),
    },
    ...byWellKnown,
  }),
  'challenge-redirect-evil': works('307 to another origin, which refuses, and names its own metadata', ['SEC-10'], {
    on: {
      mcp: bare(async (exchange, well): Promise<Reply> => {
        const { mcp, moved } = addresses(exchange.world, 'evil')
        if (exchange.door === 'own') return { status: 307, headers: { Location: mcp } }
        return {
          ...(await well()),
          headers: { 'WWW-Authenticate': bearerChallenge({ resource_metadata: moved('resource-metadata') }) },
        }
      }),
    },
    ...orStops('It is no 401', 'challenge'),
  }),
  'challenge-200-error': stops('200 with an error that says Unauthorized', 'challenge', ['AU-GEN-05'], {
    on: {
      mcp: bare(json(200, { jsonrpc: '2.0', id: 0, error: { code: -32001, message: 'Unauthorized' } })),
    },
    ...byWellKnown,
  }),

  'challenge-basic-first': odd('Basic before Bearer', (right) => `Basic realm="a, b", Bearer ${right}`),
  'challenge-negotiate-first': odd('Negotiate, which has no parameters, before Bearer', (right) => {
    return `Negotiate, Bearer ${right}`
  }),
  'challenge-token68-first': odd(
    'Negotiate with a token68 before Bearer',
    (right) => `Negotiate YWJj==, Bearer ${right}`,
  ),
  'challenge-between': odd('Bearer between Digest and DPoP', (right) => {
    return `Digest realm="r", nonce="n", algorithm=MD5, Bearer ${right}, scope="mcp:read", DPoP algs="ES256 RS256"`
  }),
  'challenge-quoted-trap': odd('A quoted string that holds a whole other challenge', (right, evil) => {
    return `Digest realm="a, Bearer resource_metadata=\\"${evil}\\", b", Bearer ${right}`
  }),
  'challenge-escaped-quotes': odd('Escaped quotes before the parameter', (right, evil) => {
    return `Bearer error_description="say \\"no\\", resource_metadata=\\"${evil}\\" \\\\", ${right}`
  }),
  'challenge-two-headers': odd('Two WWW-Authenticate headers', (right) => ['Basic realm="x"', `Bearer ${right}`]),
  'challenge-case': odd('bEARER, with a parameter in capitals', (right) => {
    return `bEARER ${right.replace('resource_metadata', 'RESOURCE_METADATA')}`
  }),
  'challenge-spaces': odd('Space wherever it may be, and empty items in the list', (right) => {
    return `,  ,Bearer   scope = "mcp:read" ,\t${right.replace('=', ' = ')} , `
  }),
  'challenge-own-parameters': odd('Parameters nobody knows, of both forms', (right) => {
    return `Bearer x=1, y="2", ${right}, resource="z", authorization_uri="https://evil.example/"`
  }),
  'challenge-elsewhere': works('The metadata is at another origin, which RFC 9728 does not forbid', ['AU-PRM-02'], {
    places: { resourceMetadata: 'none' },
    on: {
      mcp: challenge(({ world }) =>
        bearerChallenge({ resource_metadata: addresses(world, 'evil').moved('resource-metadata') }),
      ),
    },
    ...orStops('The other origin names its own authorization server', 'resource-metadata'),
  }),

  'challenge-empty': malformed('An empty WWW-Authenticate', () => ''),
  'challenge-commas': malformed('Nothing but commas', () => ',,, ,'),
  'challenge-no-scheme': malformed('A parameter without a scheme', (url) => `resource_metadata="${url}"`),
  'challenge-no-value': malformed('A parameter without a value', () => 'Bearer resource_metadata='),
  'challenge-unquoted': malformed('An address that is not quoted', (url) => `Bearer resource_metadata=${url}, scope=x`),
  'challenge-single-quotes': malformed('Single quotes', (url) => `Bearer resource_metadata='${url}'`),
  'challenge-open-quote': malformed(
    'A quoted string that is never closed',
    (url) => `Bearer resource_metadata="${url}`,
  ),
  'challenge-open-escape': malformed('An escape at the end of all', () => 'Bearer error="\\'),
  'challenge-semicolons': malformed('Semicolons for commas', (url) => `Bearer realm="x"; resource_metadata="${url}"`),
  'challenge-twice': malformed('resource_metadata twice, the second of another origin', (url, evil) => {
    return `Bearer resource_metadata="${url}", resource_metadata="${evil}"`
  }),
  'challenge-two-bearers': malformed('Bearer twice, the second of another origin', (url, evil) => {
    return `Bearer resource_metadata="${url}", Bearer resource_metadata="${evil}"`
  }),
  'challenge-latin1': malformed('Bytes that are no ASCII', (url) => {
    return `Bearer error_description="\u00fc\u00df\u00ff", resource_metadata="${url}"`
  }),
  'challenge-long': malformed('8,000 empty items', (url) => `${','.repeat(8000)}Bearer resource_metadata="${url}"`),
  'challenge-long-quotes': malformed('4,000 escapes in a string that is never closed', () => {
    return `Bearer realm="${'\\"'.repeat(4000)}`
  }),

  'challenge-file': unsafe('resource_metadata is a file: URL', () => 'file:///etc/passwd'),
  'challenge-javascript': unsafe('resource_metadata is a javascript: URL', () => 'javascript:alert(1)'),
  'challenge-data': unsafe('resource_metadata is a data: URL that holds a document', ({ world }) => {
    const document = { resource: addresses(world).mcp, authorization_servers: [addresses(world, 'evil').issuer] }
    return `data:application/json,${encodeURIComponent(JSON.stringify(document))}`
  }),
  'challenge-http': unsafe('resource_metadata is http, not on loopback', () => 'http://mcp.evil.example/prm'),
  'challenge-relative': unsafe('resource_metadata is a path', ({ world }) => {
    return new URL(addresses(world)['resource-metadata']).pathname
  }),

  'challenge-never': stops('Takes the first request, and never says a word', 'challenge', ['UT-TIME-01'], {
    slow: true,
    on: { mcp: bare(never) },
  }),
  'challenge-dies': stops('Breaks the connection of the first request', 'challenge', UNREACHED, {
    on: { mcp: bare(dies) },
  }),
  'challenge-endless': works('401 with a good challenge, and a body that does not end', ['AU-PRM-02'], {
    on: { mcp: bare(endless) },
  }),
  'challenge-trickle': works('401 with a good challenge, and a body of a byte now and then', ['AU-PRM-02'], {
    slow: true,
    on: { mcp: bare(trickle) },
  }),
}
