/**
 * The connection to a server through the proxy of `forward-proxy.ts`: CONNECT for https (RFC 9110 section 9.3.6), and for
 * http a connection to the proxy, which gets the whole URL in the request line (RFC 9112 section 3.2.2).
 *
 * No library does this for Node's HTTP client with what the relay reports: those that exist pass a refused CONNECT on as
 * the server's response, and tell neither how long each part took nor where it failed.
 */
import { request } from 'node:http'
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectSecure, type ConnectionOptions, type TLSSocket } from 'node:tls'
import { errorWith } from './error-code.ts'
import { ForwardProxyError, type ForwardProxy } from './forward-proxy.ts'
import { NOT_PUBLIC, notPublic, withoutBrackets } from './public-address.ts'

export interface ProxyConnectionOptions {
  /** Called with the TCP connection while it is being made, so that it can be timed and ended. */
  readonly onConnecting: (socket: Socket) => void
  /** Rejects targets that aren't public. */
  readonly publicLookup?: LookupFunction | undefined
  /** Node's own options of TLS to the proxy, such as `ca`. */
  readonly tls?: ConnectionOptions
  /** ms per address of the proxy before the next is tried. */
  readonly attempt?: number
}

/**
 * Connects to the proxy itself. An https proxy must have a certificate that this machine trusts.
 * @throws {Error} of the system or of OpenSSL, or `NOT_PUBLIC`
 */
export async function connectToProxy(
  proxy: ForwardProxy,
  target: URL,
  { publicLookup, tls, attempt = 1_000, onConnecting }: ProxyConnectionOptions,
): Promise<Socket> {
  if (publicLookup) await checkPublic(target, publicLookup)
  const { hostname, port, secure } = proxy
  const tcp = connect({ host: hostname, port, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: attempt })
  onConnecting(tcp)
  await settled(tcp, 'connect')
  if (!secure) return tcp
  return await secureProxy(tcp, hostname, tls)
}

/**
 * TLS to the proxy. Its certificate must be one that this machine trusts.
 * @throws {Error} of OpenSSL
 */
export async function secureProxy(socket: Socket, hostname: string, tls?: ConnectionOptions): Promise<TLSSocket> {
  // For an address, `host` is what the certificate is compared with (RFC 6066 section 3: it is no server name).
  const name = isIP(hostname) === 0 ? { servername: hostname } : { host: hostname }
  const secured = connectSecure({ ...tls, socket, ...name })
  await settled(secured, 'secureConnect')
  return secured
}

/**
 * Asks the proxy to connect to the target.
 * @param socket a connection to the proxy
 * @returns a connection to the target
 * @throws {ForwardProxyError} if the proxy refuses
 */
export function openTunnel(socket: Socket, proxy: ForwardProxy, target: URL): Promise<Socket> {
  const place = `${target.hostname}:${target.port || (target.protocol === 'https:' ? 443 : 80)}`
  const { authorization, variable } = proxy
  return new Promise((resolve, reject) => {
    const asked = request({
      method: 'CONNECT',
      path: place,
      headers: ['Host', place, ...(authorization === undefined ? [] : ['Proxy-Authorization', authorization])],
      createConnection: () => socket,
    })
    asked.once('error', reject)
    // Also the event of a CONNECT that is refused.
    asked.once('connect', ({ statusCode = 0 }, tunnel: Socket, head: Buffer) => {
      if (statusCode < 200 || statusCode > 299) {
        tunnel.destroy()
        return reject(new ForwardProxyError({ is: 'status', status: statusCode }, variable))
      }
      if (head.length > 0) tunnel.unshift(head)
      resolve(tunnel)
    })
    asked.end()
  })
}

/** ms. A network with a proxy may resolve nothing else, and not say so. */
const LOOKUP_LIMIT = 3_000

/**
 * Through a proxy, the name is resolved there, so this only refuses what this machine knows not to be public. Many
 * networks with a proxy resolve no other names than their own; then it is the proxy's to refuse.
 * @throws {Error} `NOT_PUBLIC`
 */
async function checkPublic({ hostname }: URL, lookup: LookupFunction): Promise<void> {
  if (isIP(withoutBrackets(hostname)) !== 0) return
  const error = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
    const timer = setTimeout(() => resolve(new Error('No response to the lookup')), LOOKUP_LIMIT)
    lookup(hostname, { all: true }, (error) => {
      clearTimeout(timer)
      resolve(error)
    })
  })
  // A name without a dot, or of these domains, is of this network.
  const isLocal = /^[^.]+$|\.(?:local|internal|lan|home\.arpa)$/i.test(hostname.replace(/\.+$/, ''))
  if (error && (error.code === NOT_PUBLIC || isLocal)) throw error.code === NOT_PUBLIC ? error : notPublic(hostname)
}

/** @throws {Error} of the socket, or `ECONNRESET` if it closes without one */
export function settled(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once(event, () => resolve())
    socket.once('error', reject)
    socket.once('close', () => reject(errorWith('ECONNRESET', 'The connection was closed')))
  })
}
