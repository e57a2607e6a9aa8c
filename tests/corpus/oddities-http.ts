/** Observed server behaviour over HTTP. */
import { inFile, type Oddity } from './oddity.ts'

const detection = inFile('web/mcp/eras/detection.test.ts')
const http = inFile('web/mcp/transports/hostile-http.test.ts')
const sse = inFile('web/mcp/transports/http-sse.test.ts')
const relay = inFile('web/mcp/transports/relay.test.ts')
const streamable = inFile('web/mcp/transports/streamable-http.test.ts')
const failure = inFile('web/app/failures/failure.test.ts')
const proxied = inFile('proxy/relay.test.ts')

export const overHttp: readonly Oddity[] = [
  {
    of: 14,
    what: 'no CORS: the relay reaches it',
    servers: ['kubernetes-mcp-server', 'figma-developer-mcp', 'executeautomation-playwright-mcp-server'],
    tests: [
      http('a server without CORS headers is unreachable, and the address is named'),
      relay('is inspected as any other, and the trace names its own address'),
      failure('the relay is offered where a browser hides the cause, there is a proxy, and it is not taken already'),
    ],
  },
  {
    of: 14,
    what: 'a preflight that knows nothing of the newest headers',
    servers: ['drawio-mcp-server', 'cyanheads-git-mcp-server'],
    tests: [
      detection(
        'BR-05: a preflight that refuses the new headers is no verdict; the handshake is tried, and the page says why',
      ),
    ],
  },
  {
    of: 14,
    what: 'the session id is not exposed to a page',
    servers: ['hostinger-api-mcp'],
    tests: [http('a session id that CORS hides is named as the reason')],
  },
  {
    of: 14,
    what: 'a foreign Origin is refused, or any host but localhost',
    servers: ['playwright-mcp', 'notionhq-notion-mcp-server', 'argocd-mcp'],
    tests: [
      proxied('the host is as typed: localhost is not 127.0.0.1'),
      proxied('nothing of the page’s own goes along: only what it asked for, and what a connection needs'),
    ],
  },
  {
    of: 15,
    what: 'GET is answered 200, 405, 404, 500, or never',
    servers: ['mcp-server-everything', 'upstash-context7-mcp', 'figma-developer-mcp', 'hostinger-api-mcp'],
    tests: [
      http('TR-HTTP-16: %s hinders nothing', 'get-405'),
      http('TR-HTTP-16: %s hinders nothing', 'get-404'),
      http('TR-HTTP-16: %s hinders nothing', 'get-500'),
      http('TR-HTTP-16: %s hinders nothing', 'get-never'),
    ],
  },
  {
    of: 15,
    what: 'DELETE is answered 200, 204, 404, 405, 500, or never',
    servers: ['mcp-server-everything', 'kubernetes-mcp-server', 'hostinger-api-mcp'],
    tests: [
      http('TR-HTTP-27: %s does not keep the session from ending', 'delete-405'),
      http('TR-HTTP-27: %s does not keep the session from ending', 'delete-never'),
    ],
  },
  {
    of: 15,
    what: 'a session that is not known any more gives 404 or 400',
    tests: [
      http('TR-HTTP-26: %s begins a new session, sends the request again, and says so', 'session-404-once'),
      http('TR-HTTP-26: %s begins a new session, sends the request again, and says so', 'session-400'),
    ],
  },
  {
    of: 16,
    what: 'event ids, and an empty event first; most have none',
    servers: ['mcp-server-everything', 'drawio-mcp-server'],
    tests: [
      http('TR-HTTP-21: a priming event is no message, and the answer arrives on the resumed stream'),
      http('TR-HTTP-24: a cut stream without event ids is lost, and the reason is given'),
    ],
  },
  {
    of: 16,
    what: 'answers come as streams or as JSON, and both have to be accepted',
    servers: ['notionhq-notion-mcp-server'],
    tests: [
      streamable('TR-HTTP-01 … -05: connects, lists 13 tools or more, calls one, and ends the session'),
      http('%s is understood all the same', 'json-no-content-type'),
    ],
  },
  {
    of: 17,
    what: 'HTTP+SSE, with a message path of any form',
    servers: ['mcp-server-everything', 'argocd-mcp', 'executeautomation-playwright-mcp-server', 'playwright-mcp'],
    tests: [sse('TR-SSE-01, TR-SSE-02, TR-SSE-03: %s is understood', 'relative')],
  },
  {
    of: 17,
    what: 'a POST to HTTP+SSE is answered 400, 404 or 405: the older transport is tried',
    servers: ['playwright-mcp', 'argocd-mcp'],
    tests: [
      detection(
        'TR-SSE-05, TR-SSE-07, TR-SSE-08: a server that answers POST with 400, 404 or 405 is asked over HTTP+SSE',
      ),
    ],
  },
  {
    of: 18,
    what: 'listens on every interface, takes a foreign Host or Origin: inspected all the same',
    servers: ['mcp-server-everything', 'mcp-server-pdf', 'drawio-mcp-server'],
  },
]
