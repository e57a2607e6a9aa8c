/** For servers that only this machine may reach: listening on loopback, and checking Host and Origin. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parsedUrl } from '../../web/mcp/url.ts'
import { IDLE_CONNECTION } from '../limits.ts'
import { CannotRun } from './recording-file.ts'

const NAMES = /^(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|localhost|\[::1\])(?::\d+)?$/i

/** @returns the port @throws {CannotRun} the port isn't available */
export function listenOnLoopback(server: Server, port: number): Promise<number> {
  server.keepAliveTimeout = IDLE_CONNECTION
  return new Promise((resolve, reject) => {
    const failed = ({ code, message }: NodeJS.ErrnoException): void => {
      const why = code === 'EADDRINUSE' ? 'it is in use by another program' : message
      reject(new CannotRun(`Can't listen on port ${port}: ${why}. Use another port, or 0 for any free port.`))
    }
    server.once('error', failed)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', failed)
      resolve((server.address() as AddressInfo).port)
    })
  })
}

export function untilAborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve()
    else signal?.addEventListener('abort', () => resolve())
  })
}

/** Refuses a request in the way MCP clients understand. */
export function refuse(response: ServerResponse, status: number, message: string): void {
  const error = { jsonrpc: '2.0', id: null, error: { code: -32000, message } }
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(error))
}

/** Detects DNS rebinding (SEC-07): a foreign page whose host name resolves to this machine sends that name in `Host`. */
export function hasLoopbackHost({ headers }: IncomingMessage): boolean {
  return NAMES.test(headers.host ?? '')
}

/** Allows pages of this machine, and requests that come from no page. */
export function isLoopbackOrigin(origin: string | undefined): boolean {
  if (origin === undefined) return true
  return NAMES.test(parsedUrl(origin)?.host ?? '')
}

export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
