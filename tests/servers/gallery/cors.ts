/**
 * Servers with one mistake in CORS each. With a proxy they connect through it, and the Overview names the mistake; without
 * one, a page can only try what it may send.
 */
import { ALLOWED, mcp, respond, responseTo, rpcError, setCors, site, sse, type Options } from './site.ts'
import { targetsOf, type Started, type Target } from './target.ts'

const target = targetsOf('cors')
const MISLEADS =
  /nothing (is )?listening|(is|are) not running|refused the connection|certificate|can't be resolved|your (token|credential)s? (is|are)/i
/** The response to a GET is hidden: the header is missing, names another origin, or occurs twice. */
const HIDDEN = {
  names: /(missing|lacks|without)[^]{0,60}Access-Control-Allow-Origin[^]{0,60}another origin[^]{0,60}(twice|several)/i,
  misleads: /nothing (is )?listening|is running|certificate/i,
}
/** No header gets through, so the response to OPTIONS is to blame as a whole. */
const PREFLIGHT = {
  names: /OPTIONS|preflight/i,
  misleads: /nothing (is )?listening|is running|certificate|doesn't allow (the header )?content-type/i,
}
const lacks = (name: string) => ({
  names: new RegExp(`(allow|Allow-Headers)[^]{0,60}${name}`, 'i'),
  misleads: /nothing (is )?listening|is running|certificate|names another origin/i,
})

const server = (options: Options) => async (): Promise<Started> => site(mcp(options))
const without = (...names: readonly string[]) => ALLOWED.split(', ').filter((name) => !names.includes(name)).join(', ') // prettier-ignore
const refuses = (status: number, body: object) => ((_, response) => respond(response, status, body)) satisfies Options['first'] // prettier-ignore

/** Ports that browsers refuse to open. */
const UNSAFE = [10080, 6666, 6667, 6668, 6669, 6697, 5061, 6566, 4190]

const onUnsafePort = async () => {
  for (const port of UNSAFE) {
    try {
      return await site(mcp(), { port })
    } catch {
      // Another program has it.
    }
  }
  throw new Error(`None of the ports ${UNSAFE.join(', ')} is free`)
}

export const corsTargets: readonly Target[] = [
  target('unsafe-port', 'The server is healthy, but browsers refuse to open its port.', onUnsafePort, {
    names: /block(s|ed)? port|port \d+ (is )?block/i,
    misleads: /Access-Control|OPTIONS allows|to OPTIONS/,
    by: 'server',
    remedy: 'Listen on another port.',
    bare: { names: /block(s|ed)? port/i, misleads: /Access-Control|OPTIONS allows|to OPTIONS|is running/ },
  }),
  target(
    'cors-none',
    'The server sends no CORS headers.',
    server({
      origin: () => undefined,
      expose: null,
      preflight: (_, response) => respond(response, 200, 'POST', { Allow: 'POST' }),
    }),
    {
      names: /Access-Control-Allow-Origin/i,
      misleads: MISLEADS,
      by: 'server',
      remedy: 'Add CORS middleware.',
      bare: HIDDEN,
    },
  ),
  target(
    'cors-options-405',
    'OPTIONS gets 405 without CORS headers, although other responses have them.',
    server({ preflight: refuses(405, { detail: 'Method Not Allowed' }) }),
    {
      names: /OPTIONS|preflight/i,
      misleads: MISLEADS,
      by: 'server',
      remedy: 'Respond to OPTIONS with 204 and the headers Access-Control-Allow-*.',
      bare: PREFLIGHT,
    },
  ),
  target(
    'cors-options-401',
    'The authentication in front of the server rejects OPTIONS with 401, although browsers never send credentials with it.',
    server({
      preflight: (request, response) => {
        setCors(request, response)
        return respond(response, 401, { error: 'unauthorized' }, { 'WWW-Authenticate': 'Bearer' })
      },
    }),
    {
      names: /OPTIONS|preflight/i,
      misleads: MISLEADS,
      by: 'server',
      remedy: 'Let OPTIONS through without authentication.',
      bare: PREFLIGHT,
    },
  ),
  target(
    'cors-options-500',
    'The server fails with 500 at OPTIONS, because it parses the body that OPTIONS lacks.',
    server({ preflight: refuses(500, { error: 'Unexpected end of JSON input' }) }),
    {
      names: /OPTIONS|preflight/i,
      misleads: MISLEADS,
      by: 'server',
      remedy: 'Handle OPTIONS before parsing bodies.',
      bare: PREFLIGHT,
    },
  ),
  target(
    'cors-options-hangs',
    'OPTIONS gets no response at all, because a firewall holds it back.',
    server({ preflight: () => true }),
    {
      names: /respond to OPTIONS in time|responds, but not to OPTIONS/i,
      misleads: /nothing (is )?listening|certificate/i,
      by: 'server',
      remedy: 'Let OPTIONS through.',
    },
  ),
  target(
    'cors-options-slow',
    'OPTIONS takes 12 s, because a gateway asks another service first. All else is fast.',
    server({
      preflight: (request, response) => {
        const timer = setTimeout(() => {
          setCors(request, response)
          response.writeHead(204).end()
        }, 12_000)
        response.on('close', () => clearTimeout(timer))
        return true
      },
    }),
    {
      names: /respond to OPTIONS in time|responds, but not to OPTIONS/i,
      misleads: /nothing (is )?listening|certificate|slow or stuck/i,
      by: 'server',
      remedy: 'Respond to OPTIONS immediately.',
    },
  ),
  target(
    'cors-other-origin',
    'Access-Control-Allow-Origin always names https://app.example.com.',
    server({ origin: () => 'https://app.example.com' }),
    {
      names: /app\.example\.com/i,
      misleads: MISLEADS,
      by: 'server',
      remedy: 'Allow the origin of this page.',
      bare: HIDDEN,
    },
  ),
  target(
    'cors-localhost-only',
    'The server allows http://localhost, but the page is opened at 127.0.0.1.',
    server({ origin: ({ headers }) => headers.origin?.replace('127.0.0.1', 'localhost') }),
    {
      names: /allows only http:\/\/localhost/i,
      misleads: MISLEADS,
      by: 'server',
      remedy: 'Allow both origins.',
      bare: HIDDEN,
    },
  ),
  target(
    'cors-two-headers',
    'Access-Control-Allow-Origin is sent twice, by the server and by its gateway.',
    server({ origin: () => ['*', '*'] }),
    {
      names: /twice|several|more than one|exactly one/i,
      misleads: MISLEADS,
      by: 'server',
      remedy: 'Remove one of the two.',
      bare: HIDDEN,
    },
  ),
  target(
    'cors-trailing-slash',
    'Access-Control-Allow-Origin repeats the origin of the page with a slash at its end.',
    server({ origin: ({ headers }) => headers.origin && `${headers.origin}/` }),
    {
      names: /Access-Control-Allow-Origin allows only[^]{0,60}\/,|slash/i,
      misleads: MISLEADS,
      by: 'server',
      remedy: 'Configure the origin without the slash.',
      bare: HIDDEN,
    },
  ),
  target(
    'cors-only-options',
    'Only OPTIONS gets CORS headers; the response to POST has no Access-Control-Allow-Origin.',
    server({ origin: ({ method }) => (method === 'OPTIONS' ? '*' : undefined) }),
    {
      names: /(POST|response|request)[^.]{0,80}Access-Control-Allow-Origin/i,
      misleads: MISLEADS,
      by: 'server',
      remedy: 'Send Access-Control-Allow-Origin with every response.',
      bare: HIDDEN,
    },
  ),
  target(
    'cors-errors-only',
    'Errors bypass the CORS middleware: the server fails with 500 at each POST, without Access-Control-Allow-Origin.',
    server({
      origin: ({ method }) => (method === 'POST' ? undefined : '*'),
      message: (_, __, response) => respond(response, 500, { error: 'Internal Server Error' }),
    }),
    {
      names: /\(500\)[^]*Access-Control-Allow-Origin/i,
      heading: /500/,
      misleads: /nothing (is )?listening|certificate/i,
      by: 'server',
      remedy: 'Fix the error that the log shows, and put the CORS middleware first.',
      bare: { names: /errors?[^]*Access-Control-Allow-Origin/i, misleads: /is running|certificate/i },
    },
  ),
  target(
    'cors-no-content-type',
    'Access-Control-Allow-Headers lacks Content-Type.',
    server({ allow: without('Content-Type') }),
    {
      ...lacks('Content-Type'),
      by: 'server',
      remedy: 'Add Content-Type.',
    },
  ),
  target(
    'cors-no-protocol-version',
    'Access-Control-Allow-Headers lacks MCP-Protocol-Version, so all requests after initialize fail.',
    server({ allow: without('MCP-Protocol-Version') }),
    { ...lacks('MCP-Protocol-Version'), by: 'server', remedy: 'Add MCP-Protocol-Version.' },
  ),
  target(
    'cors-no-session-id',
    'Access-Control-Allow-Headers lacks Mcp-Session-Id, so all requests after initialize fail.',
    server({ allow: without('Mcp-Session-Id') }),
    { ...lacks('Mcp-Session-Id'), by: 'server', remedy: 'Add Mcp-Session-Id.' },
  ),
  target(
    'cors-two-missing',
    'Access-Control-Allow-Headers lacks both Content-Type and MCP-Protocol-Version.',
    server({ allow: without('Content-Type', 'MCP-Protocol-Version') }),
    {
      names: /(allow|Allow-Headers)[^]{0,60}Content-Type, MCP-Protocol-Version/i,
      misleads: MISLEADS,
      by: 'server',
      remedy: 'Add both.',
    },
  ),
  target(
    'cors-not-exposed',
    "The response to initialize has an Mcp-Session-Id, but doesn't expose it, so the page can't repeat it.",
    server({ expose: null }),
    {
      names: /Expose/i,
      misleads: /nothing (is )?listening|certificate|session (has )?expired/i,
      by: 'server',
      remedy: 'Send Access-Control-Expose-Headers: Mcp-Session-Id.',
    },
  ),
  target(
    'cors-hidden-session-unneeded',
    'POST works without a session, but GET requires the Mcp-Session-Id that the response to initialize hides from pages.',
    server({
      expose: null,
      first: (request, response) =>
        request.method === 'GET' &&
        request.headers['mcp-session-id'] === undefined &&
        respond(response, 400, rpcError(-32000, 'Bad Request: Mcp-Session-Id header is required')),
      message: (message, _, response) =>
        message.id === undefined
          ? response.writeHead(202).end() !== undefined
          : respond(response, 200, responseTo(message), message.method === 'initialize' ? { 'Mcp-Session-Id': '1' } : {}), // prettier-ignore
    }),
    {
      names: /requires a session ID for GET[^]*Access-Control-Expose-Headers/i,
      misleads: MISLEADS,
      by: 'server',
      remedy: 'Send Access-Control-Expose-Headers: Mcp-Session-Id.',
    },
  ),
  target(
    'cors-two-faults',
    'Access-Control-Allow-Headers lacks Content-Type, and Mcp-Session-Id is not exposed.',
    server({ allow: without('Content-Type'), expose: 'Retry-After' }),
    {
      names: /Allow-Headers lacks Content-Type[^]*Mcp-Session-Id that pages can't read/i,
      misleads: MISLEADS,
      by: 'server',
      remedy: 'Add Content-Type, and expose Mcp-Session-Id.',
      bare: lacks('Content-Type'),
    },
  ),
  target(
    'cors-hidden-challenge',
    'Everyone may use POST, but GET requires a token: its 401 has no WWW-Authenticate that pages may read.',
    server({
      expose: 'Mcp-Session-Id',
      first: ({ method }, response) =>
        method === 'GET' && respond(response, 401, { error: 'unauthorized' }, { 'WWW-Authenticate': 'Bearer' }),
    }),
    {
      names: /WWW-Authenticate[^]*Access-Control-Expose-Headers/i,
      misleads: MISLEADS,
      by: 'server',
      remedy: 'Expose WWW-Authenticate.',
    },
  ),
  target(
    'cors-redirect',
    "The server redirects /mcp to /mcp/, which browsers don't follow after OPTIONS.",
    server({
      path: '/mcp/',
      preflight: (request, response) => {
        if (request.url !== '/mcp') return false
        setCors(request, response)
        return response.writeHead(307, { Location: '/mcp/' }).end() !== undefined
      },
      first: ({ url }, response) =>
        url === '/mcp' && response.writeHead(307, { Location: '/mcp/' }).end() !== undefined,
    }),
    { names: /redirect[^]*\/mcp\//i, misleads: MISLEADS, by: 'user', remedy: 'Use the URL with the slash.' },
  ),
  target(
    'cors-origin-403',
    'The server checks the Origin header against DNS rebinding, and rejects the one of this page with 403.',
    server({
      origin: ({ headers }) => (headers.origin ? undefined : '*'),
      preflight: refuses(403, { error: 'Origin not allowed' }),
      first: ({ headers }, response) =>
        headers.origin !== undefined && respond(response, 403, rpcError(-32000, 'Forbidden: Origin not allowed')),
    }),
    {
      names: /Origin|403/i,
      misleads: /nothing (is )?listening|certificate|token/i,
      by: 'server',
      noLines: 'The server rejects the origin, whatever its headers allow.',
      remedy: 'Add the origin of this page to the allowed ones.',
      bare: HIDDEN,
    },
  ),
  target(
    'cors-sse-messages',
    'The stream /sse has CORS headers, but the URL for messages has none and rejects OPTIONS with 405.',
    async () => {
      const messages: Options = { origin: () => undefined, expose: null, preflight: refuses(405, { detail: 'Method Not Allowed' }) } // prettier-ignore
      const { line, close } = await site(sse({ messages }))
      return { line: line.replace(/\/mcp$/, '/sse'), close }
    },
    {
      names: /responds to OPTIONS with 405[^]*no Access-Control-Allow-Origin/i,
      misleads: MISLEADS,
      by: 'server',
      remedy: 'Put the CORS middleware in front of both paths.',
      bare: { names: /OPTIONS[^]*\/messages/i, misleads: /is running|certificate/i },
    },
  ),
]
