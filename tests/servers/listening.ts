/** Shared by all HTTP peers of the tests: a free port on loopback, closing, and CORS for pages of other origins. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export interface Peer {
  /** Origin, such as `http://127.0.0.1:40001`. */
  readonly url: string
  close(): Promise<void>
}

/**
 * @param closing runs first, and may still send responses
 * @param at another loopback address or a fixed port
 */
export const listen = async (
  server: Server,
  closing: () => Promise<void> = async () => {},
  { host = '127.0.0.1', port = 0 }: { readonly host?: string; readonly port?: number } = {},
): Promise<Peer> => {
  // A client may send a request while an idle connection is being closed: let clients close it first.
  server.keepAliveTimeout = 120_000
  // `closeAllConnections` misses connections still in their TLS handshake, and `close` would wait for them.
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`,
    close: async () => {
      await closing()
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/**
 * Sets the CORS headers of a correct server, and answers preflights.
 *
 * @returns whether the request has already been answered
 */
export const allowPages = (request: IncomingMessage, response: ServerResponse): boolean => {
  response.setHeader('Access-Control-Allow-Origin', '*')
  response.setHeader('Access-Control-Expose-Headers', 'Mcp-Session-Id, WWW-Authenticate')
  if (request.method !== 'OPTIONS') return false
  response.setHeader('Access-Control-Allow-Methods', 'GET, POST, DELETE')
  response.setHeader('Access-Control-Allow-Headers', request.headers['access-control-request-headers'] ?? '')
  response.setHeader('Access-Control-Allow-Private-Network', 'true')
  response.writeHead(204).end()
  return true
}

export const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

/** Resolves after `ms`, or as soon as the response closes, so that nothing outlives a closed peer. */
export const pause = (ms: number, response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      response.off('close', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    response.once('close', done)
    if (response.destroyed) done()
  })
