/** What a connection is shown as in code: the calls that it made, and a request for its tools if it made none. */
import type { Exchange, Link, Revision } from '../../mcp/index.ts'
import { isReferences, maskWords, secretsInUrl, withoutPlaces } from '../../secrets/index.ts'
import type { SentRequest } from '../../trace/index.ts'
import { customTransport, type Settings, type Target } from '../connect/index.ts'

/** A menu of more is a list to search in, which the trace is. */
const MOST = 30

const OFFERED = /^(?:tools|resources|prompts)\/(?:call|read|get|list|templates\/list)$|^completion\/complete$/

/** The connection's own calls, newest first; lists once. The first one is the newest request for its tools, if any. */
export const offeredCalls = (all: readonly Exchange[], link: Link): readonly Exchange[] => {
  const offered: Exchange[] = []
  const lists = new Set<string>()
  for (let at = all.length - 1; at >= 0 && offered.length < MOST; at--) {
    const each = all[at]!
    if (each.link !== link || each.direction !== 'sent' || !OFFERED.test(each.method)) continue
    if (each.subject === undefined) {
      if (lists.has(each.method)) continue
      lists.add(each.method)
    }
    offered.push(each)
  }
  const isListing = ({ method }: Exchange) => method === 'tools/list'
  return [...offered.filter(isListing), ...offered.filter((each) => !isListing(each))]
}

const HIDDEN = '••••'

const hidden = (value: string): string =>
  isReferences(value) ? value : `${/^(?:Bearer|Basic|Token) /i.exec(value)?.[0] ?? ''}${HIDDEN}`

/** A request for the tools of a server that wasn't connected. Values of headers and variables are hidden, like secrets. */
export const listingRequest = (target: Target, { transport, revision }: Settings): SentRequest | undefined => {
  const message = { jsonrpc: '2.0', id: 2, method: 'tools/list' }
  switch (target.kind) {
    case 'sample':
      return undefined
    case 'custom': {
      const { url } = target
      // Nothing but the local proxy opens the others, which the program's note says.
      if (customTransport(url) !== 'WebSocket') return { message }
      return { message, webSocket: withoutPlaces(url, secretsInUrl(url), () => HIDDEN) }
    }
    case 'url': {
      const url = withoutPlaces(target.url, secretsInUrl(target.url), () => HIDDEN)
      const version: Revision = revision && revision < '2026' ? revision : '2025-11-25'
      return {
        message,
        http: {
          url,
          headers: [
            ...target.headers.map(([name, value]) => [name, hidden(value)] as const),
            ['content-type', 'application/json'],
            ['accept', 'application/json, text/event-stream'],
            // Without a session its header stays empty, and cURL leaves it out.
            ['mcp-session-id', ''],
            ['mcp-protocol-version', version],
          ],
          ...(transport === 'http-sse' ? { stream: url } : {}),
        },
        initialize: {
          jsonrpc: '2.0',
          id: 1,
          method: 'initialize',
          params: { protocolVersion: version, capabilities: {}, clientInfo: { name: 'example', version: '1.0.0' } },
        },
      }
    }
    case 'command': {
      const [command = '', ...args] = maskWords([target.command, ...target.args], HIDDEN)
      const env = Object.fromEntries(
        Object.entries(target.env).map(([name, value]) => [name, isReferences(value) ? value : `\${env:${name}}`]),
      )
      return { message, process: { command, args, env, ...(target.cwd === undefined ? {} : { cwd: target.cwd }) } }
    }
  }
}
