/** Statuses, gateways and bodies that aren't what an MCP server responds. */
import { gzipSync } from 'node:zlib'
import { errorPage, initializing, mcp, respond, responseTo, rpcError, site, sse, type Options } from './site.ts'
import { targetsOf, type Started, type Target } from './target.ts'

const target = targetsOf('http')
const MISLEADS = /\bCORS\b|Access-Control|preflight|nothing (is )?listening|(is|are) not running|certificate/i
const NOT_SIGN_IN = /\bCORS\b|Access-Control|preflight|nothing (is )?listening|certificate|sign in/i

/** Every request gets this response. */
const always =
  (status: number, body: object | string, headers: Readonly<Record<string, string>> = {}) =>
  async (): Promise<Started> =>
    site(mcp({ first: (_, response) => respond(response, status, body, headers) }))
const server = (first: Options['first']) => async (): Promise<Started> => site(mcp({ first: first! }))
const json = (body: string, headers: Readonly<Record<string, string>> = {}) => ({ 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)), ...headers }) // prettier-ignore
const EVENTS = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' }

export const httpTargets: readonly Target[] = [
  target('http-502', "The gateway is up, but the server behind it isn't.", always(502, errorPage('502 Bad Gateway')), {
    names: /gateway|reverse proxy|behind|upstream/i,
    misleads: /\bCORS\b|Access-Control|sign in|certificate/i,
    by: 'server',
    remedy: 'Start the server behind the gateway.',
  }),
  target(
    'http-504',
    'The gateway waited in vain for the server behind it.',
    always(504, errorPage('504 Gateway Time-out')),
    {
      names: /gateway/i,
      misleads: NOT_SIGN_IN,
      by: 'server',
      remedy: 'Find out why the server is slow, or let the gateway wait longer.',
    },
  ),
  target(
    'http-503-maintenance',
    'The server is down for maintenance.',
    always(503, errorPage('503 Service Unavailable: scheduled maintenance'), { 'Retry-After': '3600' }),
    { names: /maintenance|503/i, misleads: NOT_SIGN_IN, by: 'server', remedy: 'Wait for its end.' },
  ),
  target(
    'http-500',
    'The server fails at every request.',
    always(500, { detail: 'Internal Server Error: KeyError: DATABASE_URL' }),
    { names: /internal error|500/i, misleads: NOT_SIGN_IN, by: 'server', remedy: 'Fix the error that its log shows.' },
  ),
  target(
    'http-500-probe',
    'The server fails with 500 at methods that it doesn’t know, such as server/discover.',
    async () =>
      site(
        mcp({
          message: ({ method }, _, response) =>
            method === 'server/discover' && respond(response, 500, { detail: "KeyError: 'server/discover'" }),
        }),
      ),
    {
      names: /server\/discover|unknown methods|2025-11-25/i,
      misleads: NOT_SIGN_IN,
      by: 'server',
      remedy: 'Respond to unknown methods with -32601. Until then, pin 2025-11-25.',
    },
  ),
  target('http-410', 'The endpoint was removed.', always(410, { error: 'This endpoint was retired. Use /v2/mcp.' }), {
    names: /410|retired/i,
    misleads: NOT_SIGN_IN,
    by: 'user',
    remedy: 'Use /v2/mcp.',
  }),
  target(
    'http-login-page',
    'A login wall redirects each request to its page, so HTML arrives.',
    server((request, response) => {
      if (request.url!.startsWith('/login'))
        return respond(response, 200, '<!DOCTYPE html><html><head><title>Sign in - Acme SSO</title></head><body><form method="post"></form></body></html>') // prettier-ignore
      return response.writeHead(302, { Location: '/login?next=%2Fmcp' }).end() !== undefined
    }),
    {
      names: /log-?in|sign-?(in|on)|SSO|HTML|web ?page|redirect/i,
      misleads: MISLEADS,
      by: 'server',
      remedy: 'Exempt the endpoint from the login wall.',
    },
  ),
  target(
    'http-bot-check',
    'Cloudflare responds with a challenge instead of passing the request on.',
    always(
      403,
      '<!DOCTYPE html><html lang="en-US"><head><title>Just a moment...</title></head><body><noscript>Enable JavaScript and cookies to continue</noscript><script>window._cf_chl_opt={cvId:"3"}</script></body></html>',
      { Server: 'cloudflare', 'Cf-Mitigated': 'challenge' },
    ),
    {
      names: /Cloudflare|challenge|\bbots?\b|firewall|WAF/i,
      misleads: /\bCORS\b|Access-Control|nothing (is )?listening|certificate|OAuth/i,
      by: 'server',
      remedy: 'Exempt the endpoint from the rules for bots.',
    },
  ),
  target(
    'http-429',
    'The rate limit is used up.',
    always(429, { error: 'Too Many Requests', message: 'Rate limit exceeded' }, { 'Retry-After': '60' }),
    { names: /rate|too many|wait|Retry-After/i, misleads: NOT_SIGN_IN, by: 'user', remedy: 'Wait for a minute.' },
  ),
  target(
    'http-host-check',
    'The server accepts the host name localhost only, and rejects 127.0.0.1 with 421.',
    server(
      ({ headers }, response) =>
        !/^localhost(:|$)/.test(headers.host ?? '') && respond(response, 421, 'Invalid Host header'),
    ),
    {
      names: /host name|allowed[_ ]?hosts|Invalid Host|rebinding/i,
      misleads: NOT_SIGN_IN,
      by: 'server',
      remedy: 'Use localhost, or allow 127.0.0.1.',
    },
  ),
  target(
    'http-origin-check',
    'The server rejects the Origin header of this page, in a response that pages can read.',
    server(
      ({ headers }, response) =>
        headers.origin !== undefined && respond(response, 403, rpcError(-32000, 'Invalid Origin header')),
    ),
    {
      names: /origin|^CONNECTED/i,
      misleads: /nothing (is )?listening|certificate/i,
      by: 'server',
      remedy: 'Allow the origin of this page.',
    },
  ),
  target(
    'http-basic',
    'HTTP authentication with a user name and a password protects the server.',
    always(401, errorPage('401 Authorization Required'), { 'WWW-Authenticate': 'Basic realm="Staging"' }),
    {
      names: /\bBasic\b|user ?name|password/i,
      misleads: /\bCORS\b|Access-Control|nothing (is )?listening|certificate|well-known/i,
      by: 'client',
      remedy: 'Add a header Authorization: Basic.',
    },
  ),
  target(
    'http-406',
    'The server accepts only requests whose Accept header has nothing but application/json.',
    always(406, { error: 'Not Acceptable: client must accept application/json only' }),
    { names: /Accept/i, misleads: NOT_SIGN_IN, by: 'server', remedy: 'Accept both types, as the specification says.' },
  ),
  target(
    'http-413',
    'The gateway accepts no body of this size.',
    always(413, errorPage('413 Request Entity Too Large')),
    { names: /413|too large/i, misleads: NOT_SIGN_IN, by: 'server', remedy: 'Raise the limit of the gateway.' },
  ),
  target(
    'http-415',
    'The endpoint accepts forms only.',
    always(415, { error: 'Unsupported Media Type: use application/x-www-form-urlencoded' }),
    { names: /media type|content.?type|application\/json/i, misleads: NOT_SIGN_IN, by: 'user', remedy: 'Use the URL of the MCP endpoint.' }, // prettier-ignore
  ),
  target(
    'http-text-plain',
    'The response is right, but its Content-Type is text/plain.',
    async () => site(initializing((message, response) => respond(response, 200, JSON.stringify(responseTo(message))))),
    {
      names: /^CONNECTED|content.?type|text\/plain/i,
      misleads: NOT_SIGN_IN,
      by: 'server',
      remedy: 'Send Content-Type: application/json.',
    },
  ),
  target(
    'http-gzip-lie',
    "The response has Content-Encoding: gzip, but isn't compressed.",
    async () =>
      site(
        mcp({
          message: (message, _, response) => {
            const body = JSON.stringify(responseTo(message))
            return response.writeHead(200, json(body, { 'Content-Encoding': 'gzip' })).end(body) !== undefined
          },
        }),
      ),
    {
      names: /gzip|compress|Content-Encoding|decod/i,
      heading: /Content-Encoding/,
      misleads: /nothing (is )?listening|certificate|sign in|connection broke/i,
      by: 'server',
      remedy: 'Remove the header, or compress.',
      bare: { names: /can't be read[^]*Content-Encoding/i, misleads: /certificate|sign in|connection broke/i },
    },
  ),
  target(
    'http-gzip-twice',
    'The response is compressed twice, but its header says once.',
    async () =>
      site(
        mcp({
          message: (message, _, response) => {
            const body = gzipSync(gzipSync(JSON.stringify(responseTo(message))))
            const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }
            return response.writeHead(200, headers).end(body) !== undefined
          },
        }),
      ),
    {
      names: /gzip|compress|binary|(isn't|not) (valid )?JSON|encoding/i,
      misleads: NOT_SIGN_IN,
      by: 'server',
      remedy: 'Let only one of server and gateway compress.',
    },
  ),
  target(
    'http-empty',
    'initialize gets 200 with an empty body.',
    async () => site(mcp({ message: (_, __, response) => response.writeHead(200).end() !== undefined })),
    { names: /empty|no body|0 bytes/i, misleads: NOT_SIGN_IN, by: 'server', remedy: 'Respond in the body of the POST.' }, // prettier-ignore
  ),
  target(
    'http-cut-json',
    'The connection breaks in the middle of the body.',
    async () =>
      site(
        mcp({
          message: (message, _, response) => {
            response.writeHead(200, { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' })
            response.write(JSON.stringify(responseTo(message)).slice(0, 40), () =>
              setTimeout(() => response.destroy(), 50),
            )
            return true
          },
        }),
      ),
    {
      names: /cut|broke|incomplete|interrupt|truncat|closed|reset/i,
      misleads: /nothing (is )?listening|certificate|sign in|timed out/i,
      by: 'server',
      remedy: 'Find out in its log why it ended while it wrote.',
    },
  ),
  target(
    'http-short-body',
    'Content-Length is larger than the body.',
    async () =>
      site(
        mcp({
          message: (message, _, response) => {
            const body = JSON.stringify(responseTo(message))
            response.writeHead(200, json(`${body}${' '.repeat(20)}`))
            response.write(body, () => setTimeout(() => response.destroy(), 50))
            return true
          },
        }),
      ),
    {
      names: /Content-Length|broke|cut|shorter/i,
      misleads: /nothing (is )?listening|certificate|sign in/i,
      by: 'server',
      remedy: 'Count bytes instead of characters.',
    },
  ),
  target(
    'http-stream-ends',
    'The POST opens an event stream that ends without a response, because the function returned early.',
    async () =>
      site(
        mcp({
          message: (_, __, response) => {
            response.writeHead(200, EVENTS).write(': open\n\n')
            setTimeout(() => response.end(), 100)
            return true
          },
        }),
      ),
    {
      names: /(stream|connection)[^.]{0,100}(end|clos|without|broke)|without (an |any |the )?(response|message|event)/i,
      misleads: NOT_SIGN_IN,
      by: 'server',
      remedy: 'Keep the function alive until the response is written.',
    },
  ),
  target(
    'http-buffered-stream',
    'The headers of an event stream arrive, but a gateway holds back its events.',
    async () => site(mcp({ message: (_, __, response) => (response.writeHead(200, EVENTS).flushHeaders(), true) })),
    {
      names: /buffer|first event|hasn't sent an event/i,
      misleads: NOT_SIGN_IN,
      by: 'server',
      remedy: 'Turn off buffering for this path (X-Accel-Buffering: no).',
    },
  ),
  target(
    'http-open-body',
    'The response is complete, but the server never ends it, and has sent no length.',
    async () =>
      site(
        mcp({
          message: (message, _, response) => {
            response.writeHead(200, { 'Content-Type': 'application/json' })
            response.write(JSON.stringify(responseTo(message)))
            return true
          },
        }),
      ),
    {
      names: /body doesn't end|keeps the response open/i,
      misleads: NOT_SIGN_IN,
      by: 'server',
      remedy: 'End the response.',
    },
  ),
  target(
    'http-sse-buffered',
    'The stream of an HTTP+SSE server opens, but a gateway holds back its events.',
    async () => {
      const { line, close } = await site(sse({ endpoint: null }))
      return { line: line.replace(/\/mcp$/, '/sse'), close }
    },
    { names: /endpoint|hasn't sent an event|buffer/i, misleads: NOT_SIGN_IN, by: 'server', remedy: 'Send the endpoint event first, and turn off buffering.' }, // prettier-ignore
  ),
  target(
    'http-get-buffered',
    'A gateway buffers the event stream of GET, so that not even its headers arrive. POST works.',
    async () => site(mcp({ first: ({ method }) => method === 'GET' })),
    {
      names: /GET[^]*has sent no response headers[^]*buffer/i,
      misleads: /nothing (is )?listening|certificate|Access-Control/i,
      overview: true,
      by: 'server',
      remedy: 'Turn off buffering in the gateway.',
    },
  ),
  target(
    'http-one-transport',
    'The server shares one stateless transport among all requests, so only the first one succeeds.',
    async () => {
      let used = false
      return await site(
        mcp({
          message: (_, __, response) => {
            if (!used) return !(used = true)
            return respond(response, 500, rpcError(-32603, 'Internal server error: Stateless transport cannot be reused across requests.')) // prettier-ignore
          },
        }),
      )
    },
    {
      names: /reuse|one request|first re(quest|sponse)|only request|transport for all clients/i,
      misleads: NOT_SIGN_IN,
      by: 'server',
      remedy: 'Create a transport for each request.',
    },
  ),
  target(
    'http-vercel-protection',
    'The deployment is protected: its page asks visitors to sign in with the hosting provider.',
    always(
      401,
      '<!doctype html><html lang=en><head><title>Authentication Required</title></head><body>Vercel Authentication</body></html>',
      { 'Set-Cookie': '_vercel_sso_nonce=1' },
    ),
    { names: /sign-?in|401|Authentication/i, misleads: MISLEADS, by: 'server', remedy: 'Turn off the protection of the deployment, or pass its bypass header.' }, // prettier-ignore
  ),
]
