/**
 * The origin of the page that runs the client: its files, and a relay without rules for the suite's servers.
 * For tests only: it requires no token and connects to this machine only.
 */
import { createReadStream } from 'node:fs'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { isLoopback } from '../../proxy/guard.ts'
import { parsedUrl } from '../../web/mcp/url.ts'
import type { Origin } from './origin.ts'
import { LOCATION, TEST_RELAY } from './via.ts'

/** @param folder holds `index.html` and its script */
export const serveTestRelay = async (folder: string): Promise<Origin> => {
  const server = createServer({ keepAliveTimeout: 120_000 }, (incoming, response) => {
    const url = new URL(incoming.url ?? '/', 'http://localhost')
    const to = url.searchParams.get('to') ?? ''
    if (url.pathname === TEST_RELAY) return relay(incoming, response, to, url.searchParams.has(LOCATION))
    const type = TYPES[url.pathname]
    if (!type) return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': type })
    createReadStream(join(folder, url.pathname === '/' ? 'index.html' : url.pathname)).pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const { port } = server.address() as AddressInfo
  return {
    address: `http://localhost:${port}`,
    close: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

const TYPES: Readonly<Record<string, string>> = { '/': 'text/html', '/page.js': 'text/javascript' }

/**
 * Headers that belong to the connection between page and relay, or were added by the browser rather than the kernel.
 */
const NOT_PASSED = /^(host|origin|referer|connection|keep-alive|sec-.*)$/

/** @param asText returns a redirect's target in the body */
const relay = (incoming: IncomingMessage, response: ServerResponse, to: string, asText: boolean): void => {
  // A schema may reference an external URL. If the kernel requests it, the relay must not fetch it.
  if (!isLoopback(parsedUrl(to)?.hostname ?? '')) {
    return void response.writeHead(403).end('The test relay talks to this machine only.')
  }
  const headers = Object.fromEntries(Object.entries(incoming.headers).filter(([name]) => !NOT_PASSED.test(name)))
  const passed = request(to, { method: incoming.method, headers, agent: false }, (answer) => {
    if (asText) {
      answer.resume()
      const { location } = answer.headers
      return void response.writeHead(location === undefined ? 502 : 200).end(location)
    }
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    // A stream's headers must not wait for its first event.
    response.flushHeaders()
    answer.pipe(response)
    answer.on('error', () => response.destroy())
  })
  passed.on('error', (error) => {
    if (response.headersSent) response.destroy()
    else response.writeHead(502).end(error.message)
  })
  response.on('close', () => passed.destroy())
  incoming.pipe(passed)
}
