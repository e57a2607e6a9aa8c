/**
 * Healthy servers, slow and unusual ones included. Each must connect, and nothing may be said against it. Those of other
 * folders are the peers of the other tests.
 */
import { resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { makeCertificate } from '../../../proxy/fixtures/certificate.ts'
import { everythingStdio, start as startEverything } from '../everything.ts'
import { type Peer } from '../listening.ts'
import { start as startModern } from '../modern/index.ts'
import { start as startRich } from '../rich/index.ts'
import { start as startSse } from '../sse/index.ts'
import { start as startVersed } from '../versed/index.ts'
import { start as startWebSocket } from '../web-socket/index.ts'
import { mcp, respond, responseTo, rpcError, secureSite, setCors, site, sse, type Message, type Options } from './site.ts' // prettier-ignore
import { CONNECTED, script, targetsOf, type Started, type Target } from './target.ts'

const healthy = targetsOf('healthy')
const FINE = {
  names: CONNECTED,
  // What is said while it connects must leave open that it is merely slow.
  misleads: /nothing (is )?listening|certificate|isn't (an HTTP server|MCP)|can't be used/i,
  by: 'server',
  remedy: 'Nothing to do.',
} as const

const entry = (id: string, cause: string, start: Target['start'], rest: Partial<Target> = {}): Target =>
  healthy(id, cause, start, { ...FINE, ...rest })

/** A static copy can't start it. */
const PROCESS = { bare: 'none' } as const

/** A peer at this path. */
const peer =
  (start: () => Promise<Peer>, path = '') =>
  async (): Promise<Started> => {
    const { url, close } = await start()
    return { line: `${url}${path}`, close }
  }
const server =
  (options: Options, ...place: Parameters<typeof site> extends [unknown, ...infer Rest] ? Rest : never) =>
  async (): Promise<Started> =>
    site(mcp(options), ...place)

/** Each request gets its response after a while, in this way. */
const responding = (
  write: (message: Message, response: Parameters<NonNullable<Options['message']>>[2]) => unknown,
): Options => ({
  stateless: true,
  message: (message, _, response) => {
    if (message.id === undefined || message.method === 'server/discover') return false
    write(message, response)
    return true
  },
})
const EVENTS = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' }
const eventOf = (message: Message) => `event: message\ndata: ${JSON.stringify(responseTo(message))}\n\n`
const command =
  ({ command, args }: { readonly command: string; readonly args: readonly string[] }) =>
  async () => ({
    line: [command, ...args].join(' '),
    close: async () => {},
  })
const program = (file: string, ...args: readonly string[]) => ({
  command: 'node',
  args: [resolve(import.meta.dirname, '..', file), ...args],
})
const SERVE = "require('./stdio.cjs').serve((response) => console.log(JSON.stringify(response)))"

export const healthyTargets: readonly Target[] = [
  entry('everything', 'The reference server, over Streamable HTTP.', peer(startEverything)),
  entry('everything-stdio', 'The reference server, over stdio.', command(everythingStdio), PROCESS),
  entry('modern-dual', 'The SDK v2, with and without a handshake.', peer(startModern, '/dual/gallery')),
  entry('modern-only', 'The SDK v2, without a handshake.', peer(startModern, '/modern/gallery')),
  entry('modern-stdio', 'The SDK v2, over stdio.', command(program('modern-stdio.mjs')), PROCESS),
  entry('rich-v1', 'Every feature, on the SDK v1.', peer(startRich, '/v1/gallery')),
  entry('rich-v2', 'Every feature, on the SDK v2.', peer(startRich, '/v2/gallery')),
  entry('sse', 'HTTP+SSE (2024-11-05), on the SDK v1.', peer(startSse, '/sse')),
  entry('version-2025-03-26', 'A server of 2025-03-26.', peer(startVersed, '/v1/2025-03-26/gallery')),
  entry('version-2024-11-05', 'A server of 2024-11-05.', peer(startVersed, '/v1/2024-11-05/gallery')),
  entry('web-socket', 'A WebSocket, on the SDK v1.', async () => {
    const { url, close } = await startWebSocket()
    return { line: `${url}/v1/2025-11-25/gallery`, close }
  }),
  entry('sse-unusual', 'HTTP+SSE with CRLF, comments and a relative endpoint.', async () => {
    const { line, close } = await site(sse({ newline: '\r\n' }))
    return { line: line.replace(/\/mcp$/, '/sse'), close }
  }),
  entry('stateless', 'A server without sessions, which responds with JSON.', server({ stateless: true })),
  entry(
    'slow-initialize',
    'The response to initialize takes 8 s, on an event stream.',
    server(
      responding((message, response) => {
        response.writeHead(200, EVENTS).flushHeaders()
        setTimeout(() => response.end(eventOf(message)), message.method === 'initialize' ? 8_000 : 0)
      }),
    ),
  ),
  entry(
    'slow-first-byte',
    'Each response takes 3 s until its first byte.',
    server(responding((message, response) => setTimeout(() => respond(response, 200, responseTo(message)), 3_000))),
    { advice: /^(Most responses begin after more than 2 s[^]*)?$/ },
  ),
  entry(
    'slow-body',
    'Each response arrives in ten parts, over 3 s.',
    server(
      responding((message, response) => {
        const text = JSON.stringify(responseTo(message))
        response.writeHead(200, { 'Content-Type': 'application/json' })
        const size = Math.ceil(text.length / 10)
        for (let part = 0; part < 10; part++)
          setTimeout(() => response.write(text.slice(part * size, (part + 1) * size)), part * 300)
        setTimeout(() => response.end(), 3_000)
      }),
    ),
  ),
  entry(
    'heartbeats',
    'The stream of a response sends comments for 4 s first.',
    server(
      responding((message, response) => {
        response.writeHead(200, EVENTS).flushHeaders()
        const beat = setInterval(() => response.write(': ping\n\n'), 500)
        setTimeout(() => {
          clearInterval(beat)
          response.end(eventOf(message))
        }, 4_000)
      }),
    ),
  ),
  entry(
    'notification-first',
    'The stream of a response has a notification before the response.',
    server(
      responding((message, response) => {
        const note = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'warming up' } }
        response.writeHead(200, EVENTS).end(`data: ${JSON.stringify(note)}\n\n${eventOf(message)}`)
      }),
    ),
  ),
  entry(
    'slow-202',
    'The server takes 2 s to accept a notification.',
    server({
      stateless: true,
      message: ({ id }, _, response) =>
        id === undefined && setTimeout(() => response.writeHead(202).end(), 2_000) !== undefined,
    }),
  ),
  entry(
    'gzip',
    'Responses are compressed.',
    server(
      responding((message, response) => {
        const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }
        response.writeHead(200, headers).end(gzipSync(JSON.stringify(responseTo(message))))
      }),
    ),
  ),
  entry(
    'charset',
    'The Content-Type has a charset in capital letters.',
    server(
      responding((message, response) =>
        respond(response, 200, responseTo(message), { 'Content-Type': 'Application/JSON; Charset=UTF-8' }),
      ),
    ),
  ),
  entry(
    'byte-order-mark',
    'Each body begins with a byte order mark.',
    server(
      responding((message, response) =>
        response
          .writeHead(200, { 'Content-Type': 'application/json' })
          .end(`\uFEFF${JSON.stringify(responseTo(message))}`),
      ),
    ),
  ),
  entry(
    'discover-200',
    'The server responds to server/discover with 200 and the error “Method not found”.',
    server({
      message: ({ id, method }, _, response) =>
        method === 'server/discover' && respond(response, 200, rpcError(-32601, 'Method not found', id)),
    }),
  ),
  entry(
    'own-origin',
    'Access-Control-Allow-Origin repeats the origin of the request instead of *.',
    server({ origin: ({ headers }) => headers.origin }),
  ),
  entry(
    'many-tools',
    'The server has 1,000 tools.',
    server({
      tools: Array.from({ length: 1_000 }, (_, at) => ({ name: `tool_${at}`, description: `Does ${at}`, inputSchema: { type: 'object' } })), // prettier-ignore
    }),
  ),
  entry('no-tools', 'The server has no tools.', server({ tools: [] })),
  entry('ipv6', 'The URL has an IPv6 address.', server({}, { host: '::1' })),
  entry('subdomain-of-localhost', 'The host name is weather.localhost.', async () => {
    const { line, close } = await site(mcp())
    return { line: line.replace('127.0.0.1', 'weather.localhost'), close }
  }),
  entry('query', 'The URL has a query.', server({}, { path: '/mcp?tenant=acme&debug=' })),
  entry('root-path', 'The endpoint is at /.', server({ path: '/' }, { path: '/' })),
  entry(
    'redirect-of-post',
    'The server redirects POST (307), but allows OPTIONS at both URLs.',
    server({
      path: '/mcp/',
      first: ({ url }, response) =>
        url === '/mcp' && response.writeHead(307, { Location: '/mcp/' }).end() !== undefined,
    }),
  ),
  entry('no-delete', "The server doesn't allow DELETE.", server({ methods: 'POST' })),
  entry(
    'stream-of-its-own',
    'The server offers an event stream for its own messages.',
    server({
      first: (request, response) => {
        if (request.method !== 'GET') return false
        setCors(request, response)
        response.writeHead(200, EVENTS).write(': open\n\n')
        return true
      },
    }),
  ),
  entry(
    'tls',
    'HTTPS with a certificate that only the proxy trusts.',
    async () => {
      const { key, cert } = makeCertificate({})
      return await secureSite(mcp(), { key, cert })
    },
    { names: /^CONNECTED|isn't trusted|self-signed/i, misleads: /nothing (is )?listening/i, bare: 'none' },
  ),
  entry(
    'slow-start',
    'A process that needs 5 s before it reads anything, with a banner on stdout and logs on stderr.',
    script(`console.log('\\u001b[32m✔\\u001b[0m weather-mcp v1.0.0 – listening on stdio')
console.error('npm warn deprecated inflight@1.0.6: This module is not supported, and leaks memory.')
console.error('ERROR: cache is cold (harmless)')
setTimeout(() => { ${SERVE} }, 5_000)`),
    PROCESS,
  ),
  entry(
    'chatty-stderr',
    'A process that writes 2,000 lines to stderr.',
    script(`for (let line = 0; line < 2_000; line++) console.error('DEBUG pool: connection %d refused, will retry', line)
${SERVE}`),
    PROCESS,
  ),
  entry(
    'ignores-unknown',
    "A process that doesn't respond to methods that it doesn't know.",
    script(`require('./stdio.cjs').serve((response) => response.error || console.log(JSON.stringify(response)))`),
    PROCESS,
  ),
  entry(
    'windows-lines',
    'A process that ends its lines with CRLF.',
    script(`require('./stdio.cjs').serve((response) => process.stdout.write(JSON.stringify(response) + '\\r\\n'))`),
    PROCESS,
  ),
  entry(
    'logs-messages',
    'A process that sends a log message before each response.',
    script(`require('./stdio.cjs').serve((response) => {
  console.log(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'working' } }))
  console.log(JSON.stringify(response))
})`),
    PROCESS,
  ),
  entry('versed-stdio', 'A process of 2024-11-05.', command(program('versed-stdio.mjs', '2024-11-05')), PROCESS),
]
