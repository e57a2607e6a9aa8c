/** What goes wrong where servers are deployed: gateways, tunnels, load balancers, platforms, redirects and frameworks. */
import { createServer } from 'node:http'
import { listen } from '../listening.ts'
import { errorPage, initializing, mcp, nowhere, rawSite, respond, responseTo, rpcError, site, sse, type Message, type Options } from './site.ts' // prettier-ignore
import { targetsOf, type Explanation, type Started, type Target } from './target.ts'

const http = targetsOf('http')
const network = targetsOf('network')
const protocol = targetsOf('protocol')
const path = targetsOf('path')
const cors = targetsOf('cors')

const NOT_NETWORK = /\bCORS\b|Access-Control|preflight|nothing (is )?listening|certificate/i
const NOT_SIGN_IN = /\bCORS\b|Access-Control|preflight|nothing (is )?listening|certificate|sign in/i
/** The response to a GET is hidden, for whatever reason. */
const HIDDEN: Explanation = {
  names: /Access-Control-Allow-Origin/i,
  misleads: /nothing (is )?listening|is running|certificate/i,
}

const server = (options: Options) => async (): Promise<Started> => site(mcp(options))
const always = (status: number, body: object | string, headers: Readonly<Record<string, string>> = {}) =>
  server({ first: (_, response) => respond(response, status, body, headers) })
/** The same, as gateways send it: without CORS. */
const bare = (status: number, body: object | string, headers: Readonly<Record<string, string>> = {}) => {
  const first = ((_, response) => respond(response, status, body, headers)) satisfies Options['first']
  return server({ origin: () => undefined, expose: null, preflight: first, first })
}
/** `initialize` gets this body, with 200. */
const toInitialize = (type: string, body: (message: Message) => string | Buffer) => async (): Promise<Started> =>
  site(initializing((message, response) => response.writeHead(200, { 'Content-Type': type }).end(body(message))))
/** A page instead of the server, for requests without the header that leaves it out. */
const tunnel = (page: string) =>
  server({
    allow: '*',
    first: ({ headers }, response) =>
      headers['ngrok-skip-browser-warning'] === undefined && respond(response, 200, page),
  })
const EVENTS = 'text/event-stream'
const JSON_TYPE = 'application/json'
const redirects = (status: number, to: (from: string) => string | undefined) => async (): Promise<Started> =>
  site(
    mcp({
      path: '/v2/mcp',
      first: ({ url = '' }, response) => {
        const location = to(url)
        if (url.startsWith('/v2/') || location === undefined) return false
        return response.writeHead(status, location === '' ? {} : { Location: location }).end() !== undefined
      },
    }),
  )
/** An HTTP+SSE server at `/sse`. */
const events = (options: Parameters<typeof sse>[0]) => async (): Promise<Started> => {
  const { line, close } = await site(sse(options))
  return { line: line.replace(/\/mcp$/, '/sse'), close }
}

export const deploymentTargets: readonly Target[] = [
  http(
    'deploy-gateway-502-hidden',
    'The gateway responds with 502 itself, and adds no CORS headers to its own pages.',
    bare(502, errorPage('502 Bad Gateway')),
    {
      names: /gateway|502/i,
      misleads: /nothing (is )?listening|sign in|certificate/i,
      by: 'server',
      remedy: 'Start the server behind the gateway.',
      bare: HIDDEN,
    },
  ),
  http(
    'deploy-tunnel-offline',
    'The tunnel of ngrok ended, so its gateway responds with 404 ERR_NGROK_3200.',
    always(404, '<!DOCTYPE html><html><head><title>ngrok</title></head><body>The endpoint a1b2.ngrok-free.app is offline. <p>ERR_NGROK_3200</p></body></html>', { 'Ngrok-Error-Code': 'ERR_NGROK_3200' }), // prettier-ignore
    { names: /ngrok[^]{0,80}offline|tunnel/i, misleads: NOT_SIGN_IN, by: 'user', remedy: 'Start the tunnel again.' },
  ),
  http(
    'deploy-tunnel-warning',
    'ngrok shows browsers a page with a warning instead of passing the request on.',
    tunnel('<!DOCTYPE html><html><head><title>ngrok - You are about to visit</title></head><body>You are about to visit a1b2.ngrok-free.app. ERR_NGROK_6024. To remove this page, set the request header ngrok-skip-browser-warning.</body></html>'), // prettier-ignore
    { names: /ngrok/i, heading: /ngrok/i, misleads: NOT_SIGN_IN, by: 'client', remedy: 'Add the header ngrok-skip-browser-warning.' }, // prettier-ignore
  ),
  http(
    'deploy-cloudflare-1033',
    'Cloudflare responds with 530 and error 1033, because no tunnel is connected.',
    bare(530, '<!doctype html><html><head><title>Cloudflare Tunnel error | mcp.example.com</title></head><body>Error 1033 Cloudflare Tunnel error</body></html>', { Server: 'cloudflare' }), // prettier-ignore
    {
      names: /gateway|530|1033|tunnel/i,
      misleads: /nothing (is )?listening|sign in|certificate/i,
      by: 'server',
      remedy: 'Start cloudflared.',
      bare: HIDDEN,
    },
  ),
  http(
    'deploy-aws-no-route',
    'AWS API Gateway has no route for this path and method, which it calls a missing authentication token.',
    server({
      path: '/prod/mcp',
      first: ({ url = '' }, response) =>
        !url.startsWith('/prod/mcp') &&
        respond(response, 403, { message: 'Missing Authentication Token' }, { 'X-Amzn-Errortype': 'MissingAuthenticationTokenException' }), // prettier-ignore
    }),
    { names: /route|stage|path/i, misleads: NOT_NETWORK, by: 'user', remedy: 'Add the stage and the path of the route.' }, // prettier-ignore
  ),
  http(
    'deploy-aws-iam',
    'AWS requires signed requests (Signature Version 4) at this function URL.',
    always(403, { Message: 'Forbidden. For troubleshooting Function URL authorization issues, see: https://docs.aws.amazon.com/lambda/latest/dg/urls-auth.html' }), // prettier-ignore
    { names: /authori[sz]ation|forbidden|403/i, misleads: NOT_NETWORK, by: 'server', remedy: 'Set AuthType to NONE, or put a gateway in front.' }, // prettier-ignore
  ),
  http(
    'deploy-azure-stopped',
    'The app is stopped in Azure, which responds with 403.',
    always(403, '<!DOCTYPE html><html><head><title>Web App - Unavailable</title></head><body><h1>Error 403 - This web app is stopped.</h1></body></html>'), // prettier-ignore
    {
      names: /stopped|behind the gateway[^.]* is running/i,
      misleads: NOT_NETWORK,
      by: 'server',
      remedy: 'Start the app.',
    },
  ),
  http(
    'deploy-no-app',
    'The platform knows no app of this name any more.',
    bare(404, { status: 'error', code: 404, message: 'Application not found', request_id: 'x' }),
    {
      names: /Application not found|404/i,
      misleads: /nothing (is )?listening|sign in|certificate/i,
      by: 'user',
      remedy: 'Use the URL of the new deployment.',
      bare: HIDDEN,
    },
  ),
  http(
    'deploy-function-crash',
    'The function crashes before it handles the request.',
    always(500, 'A server error has occurred\n\nFUNCTION_INVOCATION_FAILED\n\ncle1::x', { 'X-Vercel-Error': 'FUNCTION_INVOCATION_FAILED' }), // prettier-ignore
    { names: /FUNCTION_INVOCATION_FAILED|500/i, misleads: NOT_SIGN_IN, by: 'server', remedy: 'Read its log.' },
  ),
  http(
    'deploy-431',
    'The request headers are too large for the gateway, because of cookies.',
    always(431, errorPage('431 Request Header Fields Too Large')),
    { names: /431|headers?[^.]{0,20}too large/i, misleads: NOT_SIGN_IN, by: 'client', remedy: 'Send fewer headers.' },
  ),
  http(
    'deploy-no-affinity',
    'Two instances without sticky sessions: the one that gets the next request knows no such session.',
    server({
      message: ({ method }, _, response) =>
        method === 'initialize' || method === 'server/discover'
          ? false
          : respond(response, 404, rpcError(-32001, 'Session not found')),
    }),
    { names: /session/i, misleads: /\bCORS\b|Access-Control|certificate|no MCP endpoint|check the path/i, by: 'server', remedy: 'Send each session to one instance, or share sessions.' }, // prettier-ignore
  ),
  http(
    'deploy-session-stripped',
    'The gateway drops the request header Mcp-Session-Id.',
    server({
      message: ({ method }, _, response) =>
        method === 'initialize' || method === 'server/discover'
          ? false
          : respond(response, 400, rpcError(-32000, 'Bad Request: Mcp-Session-Id header is required')),
    }),
    { names: /Mcp-Session-Id|session/i, misleads: /certificate|nothing (is )?listening|expired/i, by: 'server', remedy: 'Let the gateway pass the header on.' }, // prettier-ignore
  ),
  http(
    'deploy-initialized-500',
    'The server fails with 500 at notifications/initialized.',
    server({
      message: ({ method }, _, response) =>
        method === 'notifications/initialized' && respond(response, 500, { error: "KeyError: 'id'" }),
    }),
    { names: /^CONNECTED|500|initialized/i, misleads: NOT_SIGN_IN, by: 'server', remedy: 'Accept notifications, which have no id.' }, // prettier-ignore
  ),
  http(
    'deploy-initialized-hangs',
    'The server never responds to notifications/initialized.',
    server({ message: ({ method }) => method === 'notifications/initialized' }),
    { names: /^CONNECTED|initialized|hasn't sent any response headers/i, misleads: NOT_SIGN_IN, by: 'server', remedy: 'Respond to notifications with 202.' }, // prettier-ignore
  ),
  http(
    'deploy-probe-hangs',
    'The server never responds to methods that it does not know.',
    server({ message: ({ method }) => method === 'server/discover' }),
    { names: /^CONNECTED|Pin 2025-11-25/, misleads: NOT_SIGN_IN, by: 'server', remedy: 'Respond with -32601.' }, // prettier-ignore
  ),
  path(
    'deploy-redirect-301',
    'The server redirects /mcp with 301, so browsers turn the POST into a GET.',
    redirects(301, () => '/v2/mcp'),
    { names: /redirect|\/v2\/mcp/i, misleads: NOT_SIGN_IN, by: 'user', remedy: 'Use the new URL.' },
  ),
  path(
    'deploy-redirect-loop',
    'The server redirects the URL to itself.',
    redirects(307, (from) => from),
    {
      names: /redirect/i,
      misleads: /nothing (is )?listening|certificate|sign in/i,
      by: 'server',
      remedy: 'End the loop.',
      // A browser reports a loop like any other failure.
      bare: { names: /No response from|redirect/i, misleads: /certificate|sign in/i },
    },
  ),
  path(
    'deploy-redirect-https',
    'The server redirects to https at a port where nothing listens.',
    redirects(308, () => nowhere('https').line),
    {
      names: /redirect|https:\/\/127\.0\.0\.1:4\b/i,
      noButton: 'Whether something listens where a redirect leads is only known once it is followed, which names it.',
      misleads: /sign in/i,
      by: 'server',
      remedy: 'Enable https, or stop redirecting.',
      bare: { names: /No response from|redirect/i },
    },
  ),
  path(
    'deploy-redirect-foreign',
    'The server redirects to another host, which lets no page in.',
    async () => {
      const other = await site(mcp({ origin: () => undefined, expose: null, preflight: (_, response) => respond(response, 405, {}) })) // prettier-ignore
      const { line, close } = await redirects(307, () => other.line)()
      return { line, close: async () => void (await Promise.all([close(), other.close()])) }
    },
    {
      names: /^CONNECTED|redirect/i,
      misleads: /certificate|sign in|nothing (is )?listening/i,
      by: 'user',
      remedy: 'Use the URL that it redirects to.',
      bare: { names: /redirect|Access-Control|No response from/i, misleads: /certificate|sign in/i },
    },
  ),
  path(
    'deploy-redirect-nowhere',
    'The server responds with 302 without a Location.',
    redirects(302, () => ''),
    {
      names: /302|redirect|Location/i,
      misleads: NOT_SIGN_IN,
      by: 'server',
      remedy: 'Name the target in Location.',
    },
  ),
  protocol(
    'deploy-json-in-string',
    'The function returns its JSON as a string, which the framework encodes once more.',
    toInitialize(JSON_TYPE, (message) => JSON.stringify(JSON.stringify(responseTo(message)))),
    { names: /(encoded|serialized|string)[^.]{0,60}(twice|string|again|JSON)|isn't JSON-RPC/i, misleads: NOT_SIGN_IN, by: 'server', remedy: 'Return the object.' }, // prettier-ignore
  ),
  protocol(
    'deploy-lambda-envelope',
    'The gateway passes the envelope of the function on: statusCode, headers and a body as text.',
    toInitialize(JSON_TYPE, (message) => JSON.stringify({ statusCode: 200, body: JSON.stringify(responseTo(message)) })), // prettier-ignore
    { names: /JSON-?RPC|statusCode/i, misleads: NOT_SIGN_IN, by: 'server', remedy: 'Use the proxy integration.' },
  ),
  protocol(
    'deploy-utf-16',
    'The JSON is encoded in UTF-16.',
    toInitialize(JSON_TYPE, (message) => Buffer.from(`\uFEFF${JSON.stringify(responseTo(message))}`, 'utf16le')),
    { names: /UTF-16|(isn't|not) (valid )?JSON|encoding/i, misleads: NOT_SIGN_IN, by: 'server', remedy: 'Use UTF-8.' },
  ),
  protocol(
    'deploy-trailing-html',
    'A comment of a monitoring tool follows the JSON.',
    toInitialize(JSON_TYPE, (message) => `${JSON.stringify(responseTo(message))}\n<!-- served by cache-lhr -->`),
    { names: /(isn't|not) (valid )?JSON/i, misleads: NOT_SIGN_IN, by: 'server', remedy: 'Write only JSON into the body.' }, // prettier-ignore
  ),
  protocol(
    'deploy-ndjson-stream',
    'The body of the event stream is plain lines of JSON, without “data:”.',
    toInitialize(EVENTS, (message) => `${JSON.stringify(responseTo(message))}\n\n`),
    { names: /data:|event stream[^.]{0,60}(without|no|ended|isn't)|SSE/i, misleads: NOT_SIGN_IN, by: 'server', remedy: 'Write data: in front.' }, // prettier-ignore
  ),
  protocol(
    'deploy-no-blank-line',
    'The event has no blank line at its end, so it never counts as complete.',
    toInitialize(EVENTS, (message) => `event: message\ndata: ${JSON.stringify(responseTo(message))}\n`),
    { names: /blank line|empty line|incomplete|event stream ended without/i, misleads: NOT_SIGN_IN, by: 'server', remedy: 'End each event with a blank line.' }, // prettier-ignore
  ),
  protocol(
    'deploy-split-data',
    'The JSON of an event is spread over lines, of which only the first begins with “data:”.',
    toInitialize(EVENTS, (message) => `data: ${JSON.stringify(responseTo(message), null, 2)}\n\n`),
    { names: /(isn't|not) (valid )?JSON|data:|line/i, misleads: NOT_SIGN_IN, by: 'server', remedy: 'Write the JSON on one line.' }, // prettier-ignore
  ),
  protocol(
    'deploy-result-and-error',
    'The response has both a result and "error": {}.',
    toInitialize(JSON_TYPE, (message) => JSON.stringify({ ...responseTo(message), error: {} })),
    { names: /^CONNECTED|error beside|handshake is invalid|JSON-RPC/i, misleads: NOT_SIGN_IN, by: 'server', remedy: 'Send either.' }, // prettier-ignore
  ),
  protocol(
    'deploy-other-rpc',
    'The URL is that of another JSON-RPC service, which does not know initialize.',
    server({ message: ({ id }, _, response) => respond(response, 200, rpcError(-32601, 'the method initialize does not exist/is not available', id)) }), // prettier-ignore
    { names: /-32601|does not exist|rejected the handshake/i, misleads: NOT_SIGN_IN, by: 'user', remedy: 'Use the URL of the MCP server.' }, // prettier-ignore
  ),
  protocol(
    'deploy-sse-endpoint-json',
    'The endpoint event has JSON instead of a URL.',
    events({ endpoint: '{"uri":"/messages/?session_id=1"}' }),
    { names: /endpoint/i, misleads: NOT_SIGN_IN, by: 'server', remedy: 'Write the URL alone.' },
  ),
  protocol(
    'deploy-sse-prefix',
    'The gateway serves the stream below /api, but the endpoint event names a URL without it.',
    async () => {
      const inner = sse()
      const { url, close } = await listen(
        createServer((request, response) => {
          if (!request.url!.startsWith('/api/')) return void respond(response, 404, '<html><h1>404 page not found</h1></html>') // prettier-ignore
          request.url = request.url!.slice('/api'.length)
          inner(request, response)
        }),
      )
      return { line: `${url}/api/sse`, close }
    },
    {
      names: /\/messages\/|endpoint/i,
      misleads: /nothing (is )?listening|certificate|sign in/i,
      by: 'server',
      remedy: 'Configure the path that the server has behind the gateway (root_path).',
      bare: { names: /\/messages\//i, misleads: /is running|certificate/i },
    },
  ),
  protocol(
    'deploy-sse-no-affinity',
    'The URL for messages belongs to another instance, which does not know the session.',
    events({ endpoint: '/messages/?session_id=of-another-instance' }),
    { names: /session/i, misleads: NOT_SIGN_IN, by: 'server', remedy: 'Send each session to one instance.' },
  ),
  cors(
    'deploy-cors-list',
    'Access-Control-Allow-Origin lists several origins, separated by commas.',
    server({ origin: ({ headers }) => headers.origin && `https://app.example.com, ${headers.origin}` }),
    {
      names: /several|list|more than one|exactly one|only one|comma/i,
      misleads: /nothing (is )?listening|certificate/i,
      by: 'server',
      remedy: 'Send the one origin of the request.',
      bare: HIDDEN,
    },
  ),
  cors(
    'deploy-cors-pattern',
    'Access-Control-Allow-Origin has a pattern, http://127.0.0.1:*, which browsers compare literally.',
    server({ origin: () => 'http://127.0.0.1:*' }),
    {
      names: /http:\/\/127\.0\.0\.1:\*/i,
      misleads: /nothing (is )?listening|certificate/i,
      by: 'server',
      remedy: 'Send the origin of the request.',
      bare: HIDDEN,
    },
  ),
  cors('deploy-cors-null', 'Access-Control-Allow-Origin is “null”.', server({ origin: () => 'null' }), {
    names: /allows only null|“null”|null[^.]{0,40}origin/i,
    misleads: /nothing (is )?listening|certificate/i,
    by: 'server',
    remedy: 'Send the origin of the request.',
    bare: HIDDEN,
  }),
  cors(
    'deploy-cors-page',
    'OPTIONS gets the page of a web app with 200, without CORS headers.',
    server({ preflight: (_, response) => respond(response, 200, '<!doctype html><title>Acme</title>') }),
    {
      names: /OPTIONS|preflight/i,
      misleads: /nothing (is )?listening|is running|certificate/i,
      by: 'server',
      remedy: 'Respond to OPTIONS with 204 and CORS headers.',
    },
  ),
  cors(
    'deploy-cors-429',
    'The rate limiter in front of CORS responds with 429.',
    server({
      origin: ({ method }) => (method === 'OPTIONS' ? '*' : undefined),
      first: ({ method }, response) => method === 'POST' && respond(response, 429, { error: 'Too Many Requests' }, { 'Retry-After': '30' }), // prettier-ignore
    }),
    {
      names: /429|rate/i,
      misleads: /nothing (is )?listening|is running|certificate|sign in/i,
      by: 'user',
      remedy: 'Wait.',
      bare: { names: /Access-Control-Allow-Origin/i, misleads: /nothing (is )?listening|certificate/i },
    },
  ),
  network(
    'deploy-bad-header',
    'The server writes a response header with a line break in it, so its response is not HTTP.',
    async () =>
      rawSite((socket) =>
        socket.once(
          'data',
          () =>
          socket.end('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-Trace: one\n two: \x00 three\r\nbroken line\r\n\r\n{}'), // prettier-ignore
        ),
      ),
    {
      names: /(isn't|not|didn't)[^.]{0,30}HTTP|header/i,
      misleads: /nothing (is )?listening|certificate|sign in/i,
      by: 'server',
      remedy: 'Encode the header.',
      bare: { names: /No response from|Access-Control/i, misleads: /certificate|sign in/i },
    },
  ),
  network(
    'deploy-bad-chunk',
    'The server declares chunks, but writes the body without their lengths.',
    async () =>
      rawSite((socket) =>
        socket.once(
          'data',
          () =>
          socket.end('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nAccess-Control-Allow-Origin: *\r\nAccess-Control-Allow-Headers: *\r\nTransfer-Encoding: chunked\r\n\r\n{"jsonrpc":"2.0"}'), // prettier-ignore
        ),
      ),
    {
      names: /(isn't|not|didn't)[^.]{0,30}HTTP|chunk|broke|cut|lost/i,
      misleads: /nothing (is )?listening|certificate|sign in/i,
      by: 'server',
      remedy: 'Frame the body as declared.',
    },
  ),
  network(
    'deploy-proxy-protocol',
    'The port expects the PROXY protocol, and closes connections that begin with HTTP.',
    async () => rawSite((socket) => socket.once('data', () => socket.destroy())),
    {
      names: /clos|reset/i,
      misleads: /\bCORS\b(?! isn't)|Access-Control|nothing (is )?listening/i,
      by: 'server',
      remedy: 'Connect through the load balancer.',
      bare: { names: /No response from/i, misleads: /Access-Control|hides the response/i },
    },
  ),
]
