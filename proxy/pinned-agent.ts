/**
 * Connects to a server whose certificate the user trusts, by its fingerprint. Rule 12.
 *
 * A request gets its socket only after the comparison: `https` would write it to the socket that is still shaking hands,
 * so not one byte of it depends on the order of events inside TLS. Each request has an agent of its own and no TLS
 * session is resumed, so no connection is ever used with another fingerprint than the one that it was opened for.
 */
import { Agent, type AgentOptions, type RequestOptions } from 'node:https'
import type { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'

/** The code of a `CertificateChanged`. */
const CERTIFICATE_CHANGED = 'CERTIFICATE_CHANGED'

/** The server has another certificate than the trusted one. Fingerprints are SHA-256, in hex with colons. */
export class CertificateChanged extends Error {
  override readonly name = 'CertificateChanged'
  readonly code = CERTIFICATE_CHANGED
  readonly trusted: string
  readonly found: string
  constructor(trusted: string, found: string) {
    super('The certificate changed')
    this.trusted = trusted
    this.found = found
  }
}

export interface PinnedAgentOptions extends AgentOptions {
  /** SHA-256 of the DER of the only certificate to accept, in hex with colons. */
  readonly fingerprint: string
  /** Called with the connection while it is being made: a request has none yet that could be observed or ended. */
  readonly onConnecting: (socket: TLSSocket) => void
}

export class PinnedAgent extends Agent {
  readonly #fingerprint: string
  readonly #onConnecting: (socket: TLSSocket) => void

  constructor({ fingerprint, onConnecting, ...options }: PinnedAgentOptions) {
    super({ ...options, maxCachedSessions: 0 })
    this.#fingerprint = fingerprint
    this.#onConnecting = onConnecting
  }

  override createConnection(
    options: RequestOptions,
    done: (error: Error | null, socket: Duplex) => void,
  ): Duplex | null | undefined {
    // The fingerprint is compared instead, so a certificate that this machine doesn't trust is accepted here.
    const socket = super.createConnection({ ...options, rejectUnauthorized: false }) as TLSSocket
    this.#onConnecting(socket)
    passIfPinned(socket, this.#fingerprint, done)
    return undefined
  }
}

/** Passes a connection on once its handshake is over and its certificate has this fingerprint. */
export function passIfPinned(
  socket: TLSSocket,
  fingerprint: string,
  done: (error: Error | null, socket: Duplex) => void,
): void {
  let fault: Error | undefined
  const failed = (): void => done(fault ?? new Error('The connection was closed'), socket)
  socket.on('error', (error: Error) => void (fault = error))
  socket.once('close', failed)
  socket.once('secureConnect', () => {
    const found = socket.getPeerX509Certificate()?.fingerprint256 ?? ''
    if (found !== fingerprint) return void socket.destroy(new CertificateChanged(fingerprint, found))
    socket.off('close', failed)
    done(null, socket)
  })
}
