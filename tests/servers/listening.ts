/** What every HTTP peer of the tests shares: a free port on loopback, an end, and leave for pages of other origins. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Peer {
  /** Origin, such as `http://127.0.0.1:40001`. */
  readonly url: string
  close(): Promise<void>
}

export const listen = async (server: Server, closing: () => Promise<void> = async () => {}): Promise<Peer> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      await closing()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/**
 * Sets the CORS headers that a well-kept server sends, and answers preflights.
 *
 * @returns whether the request is answered already
 */
export const allowPages = (request: IncomingMessage, response: ServerResponse): boolean => {
  response.setHeader('Access-Control-Allow-Origin', '*')
  response.setHeader('Access-Control-Expose-Headers', 'Mcp-Session-Id, WWW-Authenticate')
  if (request.method !== 'OPTIONS') return false
  response.setHeader('Access-Control-Allow-Methods', 'GET, POST, DELETE')
  response.setHeader('Access-Control-Allow-Headers', request.headers['access-control-request-headers'] ?? '')
  response.writeHead(204).end()
  return true
}
