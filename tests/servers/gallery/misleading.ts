/** Faults that look like another one: a status, a header or a first response that says less than what is wrong, or something else. */
import { initializing, mcp, rawSite, respond, responseTo, rpcError, site, type Options } from './site.ts'
import { answering, webSocketSite } from './web-socket.ts'
import { targetsOf, type Started, type Target } from './target.ts'

const tls = targetsOf('tls')
const http = targetsOf('http')
const protocol = targetsOf('protocol')
const signIn = targetsOf('sign-in')

const NOT_NETWORK = /\bCORS\b|Access-Control|preflight|nothing (is )?listening|certificate/i

const server = (options: Options) => async (): Promise<Started> => site(mcp(options))
const always = (status: number, body: object | string, headers: Readonly<Record<string, string>> = {}) =>
  server({ first: (_, response) => respond(response, status, body, headers) })
const isProbe = (method: string | undefined) => method === 'initialize' || method === 'server/discover'

/** A WebSocket that responds with 426 over HTTP. */
const upgrading = (headers: Readonly<Record<string, string>>) => async (): Promise<Started> => {
  const refuse = mcp({ first: (_, response) => respond(response, 426, 'Upgrade Required', headers) })
  const { line, close } = await webSocketSite(answering, refuse)
  return { line: line.replace('ws', 'http'), close }
}

export const misleadingTargets: readonly Target[] = [
  tls(
    'unrecognized-name',
    'The gateway has no certificate for this host name, so it ends the handshake with the alert 112.',
    async () => {
      const { line, close } = await rawSite(
        (socket) => socket.once('data', () => socket.end(Buffer.from([0x15, 3, 3, 0, 2, 2, 112]))),
        'https',
      )
      return { line: line.replace('127.0.0.1', 'localhost'), close }
    },
    {
      names: /host name|server name|SNI/i,
      heading: /host name|server name|SNI/i,
      misleads: /\bCORS\b|Access-Control|nothing (is )?listening|http:\/\/|client certificate/i,
      by: 'server',
      remedy: 'Configure the host name at the gateway.',
      bare: { names: /certificate|TLS/i, misleads: /Access-Control/i },
    },
  ),
  http(
    'waf-challenge',
    'The firewall of AWS responds to each request with 202, an empty body and a challenge for browsers.',
    always(202, '', { 'X-Amzn-Waf-Action': 'challenge', 'Access-Control-Expose-Headers': 'X-Amzn-Waf-Action' }),
    {
      names: /firewall|WAF|challenge|bot/i,
      heading: /firewall|WAF|challenge/i,
      misleads: NOT_NETWORK,
      by: 'server',
      remedy: 'Exempt the endpoint from the rule.',
    },
  ),
  http(
    'upgrade-required',
    'The server speaks WebSocket only: it responds with 426.',
    upgrading({ Upgrade: 'websocket', Connection: 'Upgrade', 'Access-Control-Expose-Headers': 'Upgrade' }),
    {
      names: /WebSocket|wss?:\/\//i,
      heading: /another protocol: websocket/i,
      misleads: NOT_NETWORK,
      by: 'user',
      remedy: 'Use ws:// or wss://.',
    },
  ),
  http(
    'upgrade-unreadable',
    'The server speaks WebSocket only: it responds with 426, but CORS hides to what it wants to upgrade.',
    upgrading({ Upgrade: 'websocket', Connection: 'Upgrade' }),
    { names: /if [^.]*WebSocket/i, misleads: NOT_NETWORK, by: 'user', remedy: 'Use ws:// or wss://.' },
  ),
  http(
    'upgrade-to-http2',
    'The server requires HTTP/2 without TLS: it responds with 426 and Upgrade: h2c.',
    always(426, 'Upgrade Required', { Upgrade: 'h2c', Connection: 'Upgrade', 'Access-Control-Expose-Headers': 'Upgrade' }), // prettier-ignore
    {
      names: /HTTP\/2/i,
      heading: /h2c|HTTP\/2/i,
      misleads: /\bCORS\b|Access-Control|nothing (is )?listening|certificate|wss?:\/\//i,
      by: 'server',
      remedy: 'Let the server accept HTTP/1.1 as well.',
    },
  ),
  http(
    'cloud-run-iam',
    'Cloud Run lets in only callers with an identity token of Google.',
    always(
      403,
      '<html><head><title>403 Forbidden</title></head><body><h1>Error: Forbidden</h1><h2>Your client does not have permission to get URL <code>/mcp</code> from this server.</h2></body></html>',
    ),
    {
      names: /Cloud Run|IAM|identity token|platform/i,
      misleads: /\bCORS\b|Access-Control|nothing (is )?listening|certificate/i,
      by: 'server',
      remedy: 'Allow unauthenticated calls, or send an identity token.',
    },
  ),
  http(
    'short-length',
    'Content-Length counts characters instead of bytes, so the end of the body is missing.',
    async () =>
      site(
        initializing((message, response) => {
          const { result } = responseTo(message) as { result: object }
          const body = JSON.stringify({ jsonrpc: '2.0', id: message.id, result: { ...result, instructions: 'Wetter für Köln: 20 °C, sonnig – schön' } }) // prettier-ignore
          response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': String(body.length) })
          response.end(Buffer.from(body).subarray(0, body.length))
        }),
      ),
    {
      names: /Content-Length|\bcut\b|incomplete|truncat/i,
      heading: /Content-Length|\bcut\b|incomplete|truncat/i,
      misleads: NOT_NETWORK,
      by: 'server',
      remedy: 'Count bytes.',
    },
  ),
  http(
    'body-dropped',
    'A gateway drops the body of POST, so the server can’t parse it.',
    always(400, rpcError(-32700, 'Parse error: Unexpected end of JSON input')),
    {
      names: /(body|request)[^.]{0,80}(empty|dropp?|lost|arriv|didn't|not)|gateway[^.]{0,60}body/i,
      misleads: /\bCORS\b|Access-Control|nothing (is )?listening|certificate|sign in/i,
      by: 'server',
      remedy: 'Let the gateway pass bodies on, or parse them once only.',
    },
  ),
  protocol(
    'version-header',
    'The server rejects the MCP-Protocol-Version header with the version that it negotiated itself.',
    server({
      message: ({ method }, { headers }, response) =>
        !isProbe(method) &&
        headers['mcp-protocol-version'] !== undefined &&
        respond(response, 400, rpcError(-32000, 'Bad Request: Unsupported protocol version (supported versions: 2024-11-05, 2025-03-26)')), // prettier-ignore
    }),
    {
      names: /protocol version|MCP-Protocol-Version/i,
      misleads: /\bCORS\b|Access-Control|nothing (is )?listening|certificate|sign in|\/sse/i,
      by: 'server',
      remedy: 'Accept the negotiated version in the header.',
    },
  ),
  protocol(
    'session-never-given',
    'The server requires a session ID after initialize, but has never sent one.',
    async () => {
      return await site(
        mcp({
          message: (message, _, response) =>
            message.method === 'initialize'
              ? respond(response, 200, responseTo(message))
              : message.method !== 'server/discover' &&
                respond(response, 400, rpcError(-32000, 'Bad Request: Mcp-Session-Id header is required')),
        }),
      )
    },
    {
      // CORS may also hide it: a page can't tell.
      names: /send Mcp-Session-Id/i,
      misleads: /nothing (is )?listening|certificate|sign in|expired/i,
      by: 'server',
      remedy: 'Send Mcp-Session-Id with the response to initialize.',
      noButton:
        'A page can’t tell a session ID that CORS hides from one that was never sent. The relay, which can, names it.',
    },
  ),
  signIn(
    'insufficient-scope',
    'The token lacks a scope, which the challenge of the 403 names.',
    async () => {
      const { line, close } = await always(403, { error: 'insufficient_scope' }, { 'WWW-Authenticate': 'Bearer error="insufficient_scope", scope="mcp:tools"' })() // prettier-ignore
      return {
        line: JSON.stringify({ mcpServers: { weather: { url: line, headers: { Authorization: 'Bearer weak' } } } }),
        close,
      }
    },
    { names: /scope|mcp:tools/i, misleads: NOT_NETWORK, by: 'client', remedy: 'Sign in with that scope.' },
  ),
  signIn(
    'error-with-200',
    'The server wants a key, but says so in a JSON-RPC error with the status 200.',
    async () =>
      site(
        initializing(
          (message, response) =>
          respond(response, 200, rpcError(-32001, 'Unauthorized: provide an API key in the Authorization header', message.id)), // prettier-ignore
        ),
      ),
    {
      names: /API key|credential|Authorization|unauthori[sz]ed|token/i,
      misleads: NOT_NETWORK,
      by: 'client',
      remedy: 'Add the header.',
    },
  ),
]
