/** For servers that only this machine may reach: listening on loopback, and checking Host and Origin. */
import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parsedUrl } from '../../web/mcp/url.ts'

const NAMES = /^(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|localhost|\[::1\])(?::\d+)?$/i

/** @returns the port @throws {NodeJS.ErrnoException} the port isn't available */
export function listenOnLoopback(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
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
