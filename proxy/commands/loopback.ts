/** What a server on this machine's own addresses needs: a place to listen, and to know who may ask. */
import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parsedUrl } from '../../web/mcp/url.ts'

const NAMES = /^(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|localhost|\[::1\])(?::\d+)?$/i

/** @returns the port @throws {NodeJS.ErrnoException} it cannot be had */
export function listenOnLoopback(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
}

/** A page of elsewhere that made a name of its own point here has that name in `Host` (DNS rebinding, SEC-07). */
export function hasLoopbackHost({ headers }: IncomingMessage): boolean {
  return NAMES.test(headers.host ?? '')
}

/** Whether a page may ask: one of this machine, or nobody's. */
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
