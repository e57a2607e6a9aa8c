/** Servers over HTTP that respond, but not as MCP requires; URLs that aren't the endpoint; and servers that require a sign-in. */
import { initializeResult, initializing, mcp, nowhere, respond, responseTo, rpcError, site, sse, type Message, type Options } from './site.ts' // prettier-ignore
import { targetsOf, type Started, type Target } from './target.ts'

const protocol = targetsOf('protocol')
const MISLEADS = /\bCORS\b|Access-Control|preflight|nothing (is )?listening|(is|are) not running|certificate|sign in/i

/** `initialize` gets this response, with 200. */
const toInitialize = (body: (message: Message) => object) => async (): Promise<Started> =>
  site(initializing((message, response) => respond(response, 200, body(message))))
const result = (message: Message, changed: object) => ({ jsonrpc: '2.0', id: message.id, result: { ...initializeResult(message), ...changed } }) // prettier-ignore

export const protocolTargets: readonly Target[] = [
  protocol(
    'unknown-version',
    "The server responds with protocolVersion 1.0, which isn't a version of MCP.",
    toInitialize((message) => result(message, { protocolVersion: '1.0' })),
    { names: /version/i, misleads: MISLEADS, by: 'server', remedy: 'Respond with a version such as 2025-11-25.' },
  ),
  protocol(
    'future-version',
    "The server responds with protocolVersion 2031-01-01, which Periscope doesn't know.",
    toInitialize((message) => result(message, { protocolVersion: '2031-01-01' })),
    { names: /version[^]*2031-01-01/i, misleads: MISLEADS, by: 'server', remedy: 'Respond with a version that the client offered.' }, // prettier-ignore
  ),
  protocol(
    'id-null',
    'The response to initialize has the id null instead of the id of the request.',
    toInitialize((message) => ({ ...responseTo(message), id: null })),
    { names: /\bids?\b/i, misleads: MISLEADS, by: 'server', remedy: 'Repeat the id of the request.' },
  ),
  protocol(
    'id-as-string',
    'The response has its id as a string, but the request had a number.',
    toInitialize((message) => ({ ...responseTo(message), id: String(message.id) })),
    { names: /\bids?\b|^CONNECTED/i, misleads: MISLEADS, by: 'server', remedy: 'Keep the type of the id.' },
  ),
  protocol(
    'own-result',
    'The result of initialize lacks protocolVersion, capabilities and serverInfo.',
    toInitialize(({ id }) => ({ jsonrpc: '2.0', id, result: { name: 'weather', version: '1.0.0' } })),
    {
      names: /protocolVersion|serverInfo|capabilities|response to the handshake is invalid/i,
      misleads: MISLEADS,
      by: 'server',
      remedy: 'Return protocolVersion, capabilities and serverInfo.',
    },
  ),
  protocol(
    'other-api',
    'The URL is one of another API, which responds with JSON.',
    async () => site(mcp({ message: (_, __, response) => respond(response, 200, { status: 'ok', message: 'Welcome to the Acme API v2' }) })), // prettier-ignore
    { names: /JSON-?RPC|another API/i, misleads: MISLEADS, by: 'user', remedy: 'Use the URL of the MCP endpoint.' },
  ),
  protocol(
    'graphql',
    'The URL is a GraphQL endpoint: it rejects the request with 400.',
    async () => site(mcp({ message: (_, __, response) => respond(response, 400, { errors: [{ message: 'Must provide query string.' }] }) })), // prettier-ignore
    {
      names: /GraphQL/,
      heading: /GraphQL/,
      misleads: MISLEADS,
      by: 'user',
      remedy: 'Use the URL of the MCP endpoint.',
    },
  ),
  protocol(
    'bare-object',
    'The response lacks "jsonrpc".',
    toInitialize((message) => ({ id: message.id, result: initializeResult(message) })),
    { names: /^CONNECTED|jsonrpc|JSON-RPC/i, misleads: MISLEADS, by: 'server', remedy: 'Add "jsonrpc": "2.0".' },
  ),
  protocol(
    'broken-json',
    'The response is JSON with a log line in front of it.',
    async () =>
      site(
        initializing(
          (message, response) =>
          response.writeHead(200, { 'Content-Type': 'application/json' }).end(`DEBUG handling initialize\n${JSON.stringify(responseTo(message))}`), // prettier-ignore
        ),
      ),
    { names: /(isn't|not) (valid )?JSON|log line/i, misleads: MISLEADS, by: 'server', remedy: 'Write only JSON into the body.' }, // prettier-ignore
  ),
  protocol(
    'old-version-only',
    'The server supports 2024-11-05 only, and rejects a newer version instead of offering its own.',
    async () =>
      site(
        mcp({
          message: ({ id, method, params }, _, response) =>
            method === 'initialize' &&
            params?.protocolVersion !== '2024-11-05' &&
            respond(response, 200, { jsonrpc: '2.0', id, error: { code: -32602, message: 'Unsupported protocol version', data: { supported: ['2024-11-05'], requested: params?.protocolVersion } } }), // prettier-ignore
        }),
      ),
    { names: /version|2024-11-05|^CONNECTED/i, misleads: MISLEADS, by: 'server', remedy: 'Respond with 2024-11-05.' },
  ),
  protocol(
    'session-required',
    'The server requires a session ID even for initialize, which is what creates it.',
    async () => site(mcp({ message: (_, __, response) => respond(response, 400, rpcError(-32000, 'Bad Request: No valid session ID provided')) })), // prettier-ignore
    {
      names: /session/i,
      misleads: /\bCORS\b|Access-Control|nothing (is )?listening|certificate|sign in|session (has )?expired/i,
      by: 'server',
      remedy: 'Let initialize pass without Mcp-Session-Id.',
    },
  ),
  protocol(
    'accepted-only',
    'The server responds to initialize with 202, as if it were a notification.',
    async () => site(initializing((_, response) => response.writeHead(202).end('Accepted'))),
    { names: /202|empty/i, misleads: MISLEADS, by: 'server', remedy: 'Respond to requests in the body of the POST.' },
  ),
  protocol(
    'internal-error',
    'The handler of initialize fails, so the server responds with -32603.',
    toInitialize(({ id }) => rpcError(-32603, "Cannot read properties of undefined (reading 'apiKey')", id)),
    { names: /-32603|Cannot read properties/i, misleads: MISLEADS, by: 'server', remedy: 'Fix the handler.' },
  ),
  protocol(
    'sampling-first',
    'The stream of initialize has a server request, but ends without the response.',
    async () =>
      site(
        initializing((_, response) => {
          const request = { jsonrpc: '2.0', id: 1, method: 'roots/list' }
          response.writeHead(200, { 'Content-Type': 'text/event-stream' }).end(`data: ${JSON.stringify(request)}\n\n`)
        }),
      ),
    { names: /not the response|without (?:the|a) response/i, misleads: MISLEADS, by: 'server', remedy: 'Send the response on the same stream.' }, // prettier-ignore
  ),
  protocol(
    'event-of-another-name',
    'The events of the stream have the name “result” instead of “message”.',
    async () =>
      site(
        initializing(
          (message, response) =>
          response.writeHead(200, { 'Content-Type': 'text/event-stream' }).end(`event: result\ndata: ${JSON.stringify(responseTo(message))}\n\n`), // prettier-ignore
        ),
      ),
    { names: /event|not the response|before the response|^CONNECTED/i, misleads: MISLEADS, by: 'server', remedy: 'Name the events “message”, or not at all.' }, // prettier-ignore
  ),
]

const path = targetsOf('path')
const PATH = /\bCORS\b|Access-Control|preflight|nothing (is )?listening|certificate|sign in/i

export const pathTargets: readonly Target[] = [
  path('path-missing', 'The URL has no path, but the endpoint is /mcp.', async () => site(mcp(), { path: '/' }), {
    names: /^CONNECTED|\/mcp|path/i,
    misleads: PATH,
    by: 'user',
    remedy: 'Add /mcp.',
  }),
  path('path-of-sse', 'The URL has /mcp, but the server is an HTTP+SSE server at /sse.', async () => site(sse()), {
    names: /^CONNECTED|\/sse|path/i,
    misleads: PATH,
    by: 'user',
    remedy: 'Use /sse.',
  }),
  path(
    'path-of-page',
    'The URL is a website that documents the server: static files, which reject POST with 405.',
    async () =>
      site(
        mcp({
          first: ({ method, url }, response) =>
            method === 'GET' && url === '/'
              ? respond(response, 200, '<!doctype html><title>Acme MCP</title><h1>How to connect</h1>')
              : respond(response, 405, '<html><h1>405 Not Allowed</h1></html>'),
        }),
        { path: '/' },
      ),
    {
      names: /HTML|web ?(site|page)|405|MCP endpoint/i,
      misleads: PATH,
      by: 'user',
      remedy: 'Use the URL that the website names.',
      noButton: 'The host has no MCP endpoint. The page learns that only by searching.',
    },
  ),
  path(
    'path-of-app',
    'The URL is a web app that responds to every path and method with its page.',
    async () => site(mcp({ first: (_, response) => respond(response, 200, '<!doctype html><title>Acme</title><div id=app></div>') })), // prettier-ignore
    {
      names: /HTML|web ?page|not with MCP/i,
      misleads: PATH,
      by: 'user',
      remedy: 'Use the URL of the endpoint.',
      noButton: 'The host has no MCP endpoint. The page learns that only by searching.',
    },
  ),
  path(
    'path-moved',
    'The endpoint moved to another path (308).',
    async () =>
      site(
        mcp({
          path: '/v2/mcp',
          first: ({ url }, response) =>
            url === '/mcp' && response.writeHead(308, { Location: '/v2/mcp' }).end() !== undefined,
        }),
      ),
    { names: /^CONNECTED|redirect|\/v2\/mcp/i, misleads: PATH, by: 'user', remedy: 'Use the new URL.' },
  ),
  path(
    'path-beside-page',
    'The URL is the page of the server, which rejects POST with 405; the endpoint is /mcp.',
    async () =>
      site(
        mcp({
          first: ({ method, url }, response) =>
            url === '/' &&
            (method === 'GET'
              ? respond(response, 200, '<!doctype html><title>Acme MCP</title><h1>How to connect</h1>')
              : respond(response, 405, '<html><h1>405 Not Allowed</h1></html>')),
        }),
        { path: '/' },
      ),
    { names: /HTML|web ?(site|page)|405|MCP endpoint/i, misleads: PATH, by: 'user', remedy: 'Add /mcp.' },
  ),
  path(
    'path-beside-app',
    'The URL is a web app that responds to every path but /mcp with its page.',
    async () =>
      site(
        mcp({
          first: ({ url }, response) =>
            url !== '/mcp' && respond(response, 200, '<!doctype html><title>Acme</title><div id=app></div>'),
        }),
        { path: '/app' },
      ),
    { names: /HTML|web ?page|not with MCP/i, misleads: PATH, by: 'user', remedy: 'Use /mcp.' },
  ),
  path(
    'path-in-metadata',
    'The endpoint is at an unusual path, which only the metadata of the protected resource names.',
    async () => {
      let origin = ''
      const started = await site(
        mcp({
          path: '/team/agent',
          first: ({ url }, response) =>
            url === '/.well-known/oauth-protected-resource' &&
            respond(response, 200, { resource: `${origin}/team/agent`, authorization_servers: [] }),
        }),
        { path: '/' },
      )
      origin = new URL(started.line).origin
      return started
    },
    { names: /path|404/i, misleads: PATH, by: 'user', remedy: 'Use the URL that the metadata names.' },
  ),
  path('path-case', 'The path is /MCP instead of /mcp.', async () => site(mcp(), { path: '/MCP' }), {
    names: /path|404/i,
    misleads: PATH,
    by: 'user',
    remedy: 'Correct the path.',
  }),
]

const signIn = targetsOf('sign-in')
const NOT_NETWORK = /\bCORS\b|Access-Control|preflight|nothing (is )?listening|certificate/i
const NO_METADATA = ({ url }: { url?: string | undefined }) => url!.startsWith('/.well-known/')

/** A server whose resource metadata names this authorization server. */
const protectedBy =
  (issuer: (origin: string) => string, more: Options['first'] = () => false) =>
  async () => {
    let origin = ''
    const started = await site(
      mcp({
        first: (request, response) => {
          const { url = '' } = request
          if (more(request, response)) return true
          if (url.startsWith('/.well-known/oauth-protected-resource'))
            return respond(response, 200, { resource: `${origin}/mcp`, authorization_servers: [issuer(origin)] })
          if (url.startsWith('/.well-known/')) return respond(response, 404, { error: 'not_found' })
          const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`
          return respond(response, 401, { error: 'unauthorized' }, { 'WWW-Authenticate': `Bearer resource_metadata="${metadata}"` }) // prettier-ignore
        },
      }),
    )
    origin = new URL(started.line).origin
    return started
  }

export const signInTargets: readonly Target[] = [
  signIn(
    'static-token',
    'The server requires an API key as bearer token, and has no OAuth metadata.',
    async () =>
      site(
        mcp({
          first: (request, response) =>
            NO_METADATA(request)
              ? respond(response, 404, { error: 'not_found' })
              : respond(response, 401, { error: 'Missing API key. Send Authorization: Bearer <key>' }, { 'WWW-Authenticate': 'Bearer' }), // prettier-ignore
        }),
      ),
    { names: /API key|token|Authori[sz]ation/i, misleads: NOT_NETWORK, by: 'client', remedy: 'Add a bearer token.' },
  ),
  signIn(
    'token-rejected',
    'The token in the URL is wrong.',
    async () => {
      const { line, close } = await site(mcp({ first: (_, response) => respond(response, 403, { error: 'Invalid token in the query parameter' }) })) // prettier-ignore
      return { line: `${line}?token=wrong`, close }
    },
    { names: /403|token/i, misleads: /nothing (is )?listening|certificate/i, by: 'client', remedy: 'Correct the token.' }, // prettier-ignore
  ),
  signIn(
    'authorization-server-down',
    'A sign-in is required, but nothing listens at the authorization server.',
    protectedBy(() => nowhere().line.replace('/mcp', '')),
    { names: /authori[sz]ation server|sign-?in|metadata/i, misleads: /certificate/i, by: 'server', remedy: 'Start the authorization server.' }, // prettier-ignore
  ),
  signIn(
    'authorization-server-no-metadata',
    'A sign-in is required, but the authorization server has no metadata at its well-known URLs.',
    protectedBy((origin) => origin),
    { names: /authori[sz]ation server|sign-?in|metadata/i, misleads: /certificate|nothing (is )?listening/i, by: 'server', remedy: 'Serve the metadata (RFC 8414).' }, // prettier-ignore
  ),
  signIn(
    'resource-metadata-is-page',
    'The URL of the resource metadata returns the web app, as every unknown path does.',
    protectedBy(
      (origin) => origin,
      ({ url = '' }, response) =>
        url.startsWith('/.well-known/') && respond(response, 200, '<!doctype html><title>Console</title>'),
    ),
    { names: /oauth-protected-resource\/mcp[^]*(isn't|doesn't return|not)[^]{0,20}JSON/i, heading: /metadata/i, misleads: NOT_NETWORK, by: 'server', remedy: 'Serve the metadata before the catch-all route.' }, // prettier-ignore
  ),
  signIn(
    'resource-metadata-hidden',
    'The resource metadata is on another origin, which sends no CORS headers.',
    async () => {
      const elsewhere = await site(mcp({ origin: () => undefined, expose: null, first: (_, response) => respond(response, 200, {}) })) // prettier-ignore
      const challenge = `Bearer resource_metadata="${elsewhere.line.replace('/mcp', '/metadata')}"`
      const { line, close } = await site(mcp({ first: (_, response) => respond(response, 401, {}, { 'WWW-Authenticate': challenge }) })) // prettier-ignore
      return { line, close: async () => void (await Promise.all([close(), elsewhere.close()])) }
    },
    {
      names: /\/metadata [^]*Access-Control-Allow-Origin[^]*asks before[^]*relay/,
      heading: /this page can't read its metadata/i,
      misleads: /certificate|is wrong|nothing (is )?listening|metadata can't be read/i,
      by: 'server',
      remedy: 'Send CORS headers with the metadata, or sign in through the relay.',
      // Without a proxy, no relay can read it either.
      bare: {
        names: /\/metadata [^]*Access-Control-Allow-Origin/,
        misleads: /certificate|is wrong|nothing (is )?listening|metadata can't be read|relay/i,
      },
    },
  ),
  signIn(
    'resource-metadata-of-other',
    'The resource metadata describes http://localhost:3000/mcp, which is where the developer runs it.',
    protectedBy(
      (origin) => origin,
      ({ url = '' }, response) =>
        url.startsWith('/.well-known/oauth-protected-resource') &&
        respond(response, 200, { resource: 'http://localhost:3000/mcp', authorization_servers: ['http://localhost:3000'] }), // prettier-ignore
    ),
    { names: /localhost:3000\/mcp/, heading: /metadata/i, misleads: NOT_NETWORK, by: 'server', remedy: 'Configure the public URL as the resource.' }, // prettier-ignore
  ),
  signIn(
    'scope-for-tools',
    'Everyone may connect, but tools/list requires the scope tools:read.',
    async () =>
      site(
        mcp({
          message: ({ method }, _, response) =>
            method === 'tools/list' &&
            respond(response, 403, { error: 'insufficient_scope' }, { 'WWW-Authenticate': 'Bearer error="insufficient_scope", scope="tools:read"' }), // prettier-ignore
        }),
      ),
    {
      names: /scope tools:read/,
      overview: true,
      misleads: NOT_NETWORK,
      by: 'user',
      remedy: 'Sign in with this scope.',
    },
  ),
  signIn(
    'challenge-hidden',
    'The 401 has no WWW-Authenticate that pages may read, and there is no resource metadata.',
    async () => site(mcp({ expose: null, first: (_, response) => respond(response, 401, { error: 'unauthorized' }, { 'WWW-Authenticate': 'Bearer' }) })), // prettier-ignore
    { names: /sign-?in|401/i, misleads: /nothing (is )?listening|certificate/i, by: 'server', remedy: 'Expose WWW-Authenticate.' }, // prettier-ignore
  ),
  signIn(
    'api-key-header',
    'The server requires its key in a header X-API-Key.',
    async () => site(mcp({ first: (_, response) => respond(response, 403, { message: 'Missing X-API-Key header' }) })),
    { names: /X-API-Key/i, misleads: NOT_NETWORK, by: 'client', remedy: 'Add the header X-API-Key.' },
  ),
]
