/** Explains why a relayed request failed, and what to do. A browser would only report that it failed. */
import { DECODED_TOO_LARGE, MAX_CODINGS, NOT_ENCODED, STILL_ENCODED, TOO_MANY_CODINGS } from './body-reader.ts'
import { ForwardProxyError, type ForwardProxy } from './forward-proxy.ts'
import { HTTP2_CODE } from './http2-request.ts'
import { CertificateChanged } from './pinned-agent.ts'
import { NOT_PUBLIC } from './public-address.ts'
import type { ProxyError } from './wire.ts'

/** The stage that a request had reached. `proxy`: on its way to, or at, the proxy of the user's network. */
export type Stage = 'proxy' | 'connecting' | 'securing' | 'waiting' | 'reading'

/** The error code of a server that ignored the only protocol it was offered (ALPN). */
export const NOT_NEGOTIATED = 'NOT_NEGOTIATED'

/** The error code of a connection that timed out. */
export const CONNECT_TIMEOUT = 'CONNECT_TIMEOUT'

const TRUST =
  "If this is your server's certificate, trust it for this connection, or restart Periscope with NODE_EXTRA_CA_CERTS pointing to the CA file."

const CLIENT_CERTIFICATE_REMEDY =
  'Start Periscope with the URL of the server and --client-cert FILE, a PEM file with your certificate and its private key.'

const LOG_REMEDY = 'Check the server log. The server, or something on the network path, closed the connection.'

const ENCODING_REMEDY = 'Make the server send the complete body as its Content-Encoding says, or uncompressed.'

const CORRUPT_REMEDY = 'Check the server and any proxies on the network path. One of them is corrupting responses.'

/** OpenSSL's code for a certificate that is its own issuer. If the last of a chain is, it is an unknown authority. */
const SELF_SIGNED = 'DEPTH_ZERO_SELF_SIGNED_CERT'

/** OpenSSL's codes for certificate errors. */
const CERTIFICATE =
  /^(SELF_SIGNED_CERT_IN_CHAIN|CERT_|CRL_|UNABLE_TO_|ERROR_IN_CERT|INVALID_|HOSTNAME_MISMATCH|ERR_TLS_CERT|PATH_LENGTH)/

/** @param identified a client certificate was sent if the server required one */
export function explainRelay(
  cause: unknown,
  target: URL,
  stage: Stage,
  seconds: number,
  identified = false,
): ProxyError {
  const error = cause instanceof Error ? cause : new Error(String(cause))
  const system = codeOf(error)
  const rejected = identified ? rejectedBy(alertOf(error), placeOf(target)) : undefined
  return { ...(rejected ?? explain(error, system, target, stage, seconds)), ...(system !== '' && { system }) }
}

/** Over plain http, these come with the server's response. */
const NOT_THE_PROXYS: ReadonlySet<string> = new Set([NOT_PUBLIC, 'HPE_HEADER_OVERFLOW', 'HPE_UPGRADE'])

/**
 * Failures of the proxy of the user's network. They name it and its variable, so that the server isn't blamed.
 * @returns `undefined` if it isn't to blame
 */
export function explainForwardProxy(
  cause: unknown,
  target: URL,
  stage: Stage,
  seconds: number,
  proxy: ForwardProxy | undefined,
): ProxyError | undefined {
  if (!(cause instanceof Error)) return undefined
  const system = codeOf(cause)
  if (!proxy) {
    if (!(cause instanceof ForwardProxyError)) return undefined
    const { fault, variable } = cause
    return {
      code: 'forward-proxy-variable',
      message:
        fault.is === 'socks'
          ? `${variable} names a SOCKS proxy, which Periscope doesn't support.`
          : `${variable} isn't the URL of a proxy.`,
      remedy: `Set ${variable} to the URL of an HTTP proxy, such as http://proxy.example:8080, or list the server in NO_PROXY.`,
      system,
    }
  }
  if (!(cause instanceof ForwardProxyError) && (stage !== 'proxy' || NOT_THE_PROXYS.has(system ?? ''))) return undefined
  const name = `The proxy ${proxy.place} (${proxy.variable})`
  const check = `Check the proxy and ${proxy.variable}, or list the server in NO_PROXY.`
  const status = cause instanceof ForwardProxyError && cause.fault.is === 'status' ? cause.fault.status : undefined
  return { ...ofProxy(), ...(system !== '' && { system }) }

  function ofProxy(): ProxyError {
    const place = placeOf(target)
    if (status === 407) {
      const given = proxy!.authorization !== undefined
      return {
        code: 'forward-proxy-auth',
        message: given
          ? `${name} rejected the user name or the password (407).`
          : `${name} requires a user name and a password (407).`,
        remedy: `Put both into ${proxy!.variable}: http://USER:PASSWORD@HOST:PORT. Periscope supports only Basic.`,
      }
    }
    if (status !== undefined && status >= 500) {
      return {
        code: 'forward-proxy-unreachable',
        message: `${name} couldn't reach ${place} (${status}).`,
        remedy: 'Check the URL, and whether the server can be reached from the proxy.',
      }
    }
    if (status !== undefined) {
      return {
        code: 'forward-proxy-denied',
        message: `${name} refused to connect to ${place} (${status}).`,
        remedy: `Allow ${place} at the proxy, or list the server in NO_PROXY.`,
      }
    }
    if (system === 'ENOTFOUND' || system.startsWith('EAI_')) {
      return { code: 'forward-proxy-dns', message: `${name} has a host name that can't be resolved.`, remedy: check }
    }
    if (system === CONNECT_TIMEOUT || system === 'ETIMEDOUT') {
      return {
        code: 'forward-proxy-timeout',
        message: `${name} didn't let the connection through within ${seconds} s.`,
        remedy: check,
      }
    }
    if (system === 'ECONNREFUSED') {
      return { code: 'forward-proxy-refused', message: `${name} isn't running: nothing is listening there.`, remedy: check } // prettier-ignore
    }
    return {
      code: 'forward-proxy-failed',
      message: `${name} failed: ${reasonOf(cause as Error)}.`,
      remedy: check,
    }
  }
}

const placeOf = (target: URL): string =>
  `${target.hostname}:${target.port || (target.protocol === 'https:' ? '443' : '80')}`

function explain(error: Error, system: string, target: URL, stage: Stage, seconds: number): ProxyError {
  const place = placeOf(target)

  if (system === CONNECT_TIMEOUT && stage === 'securing') {
    return {
      code: 'timeout',
      message: `${place} accepted the connection, but the TLS handshake didn't finish within ${seconds} s.`,
      remedy: 'If the server uses plain HTTP, write http:// in its URL.',
    }
  }
  if (system === CONNECT_TIMEOUT || system === 'ETIMEDOUT') {
    return {
      code: 'timeout',
      message: `Connecting to ${place} timed out${system === CONNECT_TIMEOUT ? ` (${seconds} s)` : ''}.`,
      remedy: 'Check the URL and the network (VPN, firewall). Something is blocking the connection.',
    }
  }
  if (system === NOT_PUBLIC) {
    return {
      code: 'not-public',
      message: `Request not sent: ${error.message}, but the URL came from a server on the internet.`,
      remedy: 'If this is your own authorization server, enter its issuer manually.',
    }
  }
  if (system === 'ENOTFOUND' || system.startsWith('EAI_')) {
    return {
      code: 'dns',
      message:
        system === 'EAI_AGAIN'
          ? `The DNS server didn't respond to the query for "${target.hostname}".`
          : `The host name "${target.hostname}" can't be resolved.`,
      remedy: 'Check the spelling, and whether this machine is on the network (VPN) that resolves the name.',
    }
  }
  if (system === 'ECONNREFUSED') {
    return {
      code: 'refused',
      message: `Nothing is listening at ${place}${triedOf(error)}.`,
      remedy: 'Start the server, or check the host and port.',
    }
  }
  if (/^E(HOST|NET)(UNREACH|DOWN)$|^EADDRNOTAVAIL$|^ENONET$/.test(system)) {
    return {
      code: 'no-route',
      message: `This machine has no route to ${place} (${system}).`,
      remedy: "Check the URL, and whether this machine is on the server's network (VPN).",
    }
  }
  if (error instanceof CertificateChanged) {
    return {
      code: 'certificate-changed',
      message: `The certificate of ${target.hostname} changed, so nothing was sent. Trusted: ${error.trusted}. Found: ${error.found}.`,
      remedy:
        "Check whether the server's certificate was replaced. If not, someone may be intercepting the connection.",
    }
  }
  if (system === SELF_SIGNED) {
    return {
      code: 'self-signed',
      message: `The certificate of ${target.hostname} is self-signed. This machine doesn't trust it.`,
      remedy: TRUST,
    }
  }
  if (CERTIFICATE.test(system)) {
    return {
      code: 'certificate',
      message: `The certificate of ${target.hostname} was rejected: ${error.message}.`,
      remedy: TRUST,
    }
  }
  if (isHttp2(error)) {
    return target.protocol === 'https:'
      ? {
          code: 'http2',
          message: `${place} speaks only HTTP/2, but doesn't negotiate it in the TLS handshake (ALPN).`,
          remedy: 'Make the server negotiate HTTP/2, which browsers require as well, or accept HTTP/1.1.',
        }
      : {
          code: 'http2',
          message: `${place} speaks only HTTP/2 without TLS, which the relay doesn't support.`,
          remedy: "Make the server accept HTTP/1.1 as well. Browsers don't speak HTTP/2 without TLS either.",
        }
  }
  if (refusesProtocol(error)) {
    return {
      code: 'tls',
      message: `${place} accepts none of the HTTP versions that it was offered in the TLS handshake (ALPN).`,
      remedy: 'Make the server accept HTTP/1.1.',
    }
  }
  const handshake = explainHandshake(error, system, place)
  if (handshake) return handshake
  if (stage === 'securing' || system === 'EPROTO' || system.startsWith('ERR_SSL_')) {
    const message = `The TLS handshake with ${place} failed: ${reasonOf(error)}.`
    if (NOT_TLS.test(reasonOf(error)))
      return { code: 'not-tls', message, remedy: 'If the server uses plain HTTP, write http:// in its URL.' }
    return system === 'ECONNRESET' || system === 'EPIPE'
      ? { code: 'tls-closed', message, remedy: TLS_CLOSED_REMEDY }
      : { code: 'tls', message, remedy: TLS_REMEDY }
  }
  if (system === 'HPE_HEADER_OVERFLOW') {
    return {
      code: 'too-large',
      message: `The response headers from ${place} are too large.`,
      remedy: 'Make the server send fewer or shorter headers.',
    }
  }
  if (system === 'ERR_HTTP2_ERROR') {
    return {
      code: 'not-http',
      message: `The response from ${place} isn't valid HTTP/2: ${error.message}.`,
      remedy: CORRUPT_REMEDY,
    }
  }
  if (system.startsWith('HPE_')) {
    return {
      code: 'not-http',
      message: `The response from ${place} isn't HTTP/1.1: ${error.message}.`,
      remedy:
        stage === 'reading'
          ? CORRUPT_REMEDY
          : 'Check the port: another program may be listening there. If the server uses https, write https:// in its URL.',
    }
  }
  if (system === TOO_MANY_CODINGS || system === DECODED_TOO_LARGE) {
    return {
      code: 'encoding',
      message: `The response body from ${place} wasn't decoded: ${error.message}.`,
      remedy: `Make the server send the body with one Content-Encoding, or none. Periscope decodes at most ${MAX_CODINGS} codings per body.`,
    }
  }
  if (system === NOT_ENCODED || system === STILL_ENCODED) {
    return {
      code: 'encoding',
      message:
        system === NOT_ENCODED
          ? `The body from ${place} isn't compressed, although its Content-Encoding says it is.`
          : `The body from ${place} has one more layer of compression than its Content-Encoding declares.`,
      remedy: ENCODING_REMEDY,
    }
  }
  if (stage === 'reading' && /^Z_|^ERR_.*BROTLI|^ERR_BROTLI|^ERR__ERROR/.test(system)) {
    return {
      code: 'encoding',
      message: `The body doesn't match its Content-Encoding: ${error.message}.`,
      remedy: ENCODING_REMEDY,
    }
  }
  if (stage === 'reading') {
    return {
      code: 'cut',
      message: `The connection to ${place} was lost in the middle of the response.`,
      remedy: LOG_REMEDY,
    }
  }
  if (system.startsWith(HTTP2_CODE)) {
    return {
      code: 'reset',
      message: `The HTTP/2 stream to ${place} was closed without a response: ${error.message}.`,
      remedy:
        error.message === 'PROTOCOL_ERROR'
          ? 'Check the server log. Responses with headers that HTTP/2 forbids, such as Connection, also end like this.'
          : LOG_REMEDY,
    }
  }
  return {
    code: 'reset',
    message: `${place} closed the connection without a response${system === '' ? `: ${error.message}` : ''}.`,
    remedy: 'Check the server log. If the server uses https, write https:// in its URL.',
  }
}

/** Alerts about the certificate of the client (RFC 8446 section 6.2): bad, unsupported, revoked, expired, unknown; required. */
const CLIENT_CERTIFICATE_ALERTS = new Set([42, 43, 44, 45, 46, 48, 116])
const [HANDSHAKE_FAILURE, PROTOCOL_VERSION, UNRECOGNIZED_NAME, NO_APPLICATION_PROTOCOL] = [40, 70, 112, 120]

const alertOf = ({ message }: Error): number => Number(/SSL alert number (\d+)/.exec(message)?.[1])

/** The server refused what it was offered in ALPN, by an alert (RFC 7301 section 3.2) or by not choosing it. */
export const refusesProtocol = (fault: unknown): boolean =>
  fault instanceof Error && (alertOf(fault) === NO_APPLICATION_PROTOCOL || codeOf(fault) === NOT_NEGOTIATED)

/**
 * A server that speaks only HTTP/2: its first bytes are a SETTINGS frame (RFC 9113 section 3.4), which must precede
 * everything else.
 */
function isHttp2(error: Error & { readonly rawPacket?: unknown }): boolean {
  const { rawPacket: first } = error
  if (!Buffer.isBuffer(first)) return false
  const [FRAME_HEADER, SETTINGS, SETTING] = [9, 4, 6]
  return first.length >= FRAME_HEADER && first.readUIntBE(0, 3) % SETTING === 0 && first[3] === SETTINGS && first.readUInt32BE(5) === 0 // prettier-ignore
}

const CHECK_CLIENT_CERTIFICATE =
  'Check that the server trusts the issuer of the certificate, and that the file contains the intermediate certificates.'

/** What an alert means after the certificate of `--client-cert` was sent. Before TLS 1.3, alert 40 may mean either. */
function rejectedBy(alert: number, place: string): ProxyError | undefined {
  if (CLIENT_CERTIFICATE_ALERTS.has(alert)) {
    return {
      code: 'client-certificate',
      message: `${place} rejected the certificate of --client-cert.`,
      remedy: CHECK_CLIENT_CERTIFICATE,
    }
  }
  if (alert !== HANDSHAKE_FAILURE) return undefined
  return {
    code: 'handshake-failure',
    message: `${place} rejected the TLS handshake: it doesn't accept the certificate of --client-cert, or supports no cipher suite that this machine allows.`,
    remedy: `${CHECK_CLIENT_CERTIFICATE} If the cipher suites of the server are too old, enable those of TLS 1.2 or newer there.`,
  }
}

/** OpenSSL's reasons if the server's first bytes aren't TLS, such as those of plain HTTP. */
const NOT_TLS = /wrong version number|packet length too long/i

const TLS_REMEDY =
  'Check the log of the server or the gateway in front of it, and whether it has a certificate for this host name.'

/** A server of plain HTTP closes the connection as well, and so does a gateway without a certificate for the name. */
const TLS_CLOSED_REMEDY =
  'If the server uses plain HTTP, write http:// in its URL. Otherwise check the log of the server or the gateway in front of it, and whether it has a certificate for this host name.'

/** OpenSSL's reasons to refuse what a server from before TLS 1.2 offers. */
const LEGACY =
  /unsupported protocol|legacy sigalg|unsafe legacy renegotiation|(?:dh|ee) key too small|md too weak|wrong signature type/i

/** Why server and client can't agree, by the alert of the server or the reason of OpenSSL. */
function explainHandshake(error: Error, system: string, place: string): ProxyError | undefined {
  const alert = alertOf(error)
  if (CLIENT_CERTIFICATE_ALERTS.has(alert)) {
    return {
      code: 'client-certificate',
      message: `${place} requires a client certificate (mutual TLS).`,
      remedy: CLIENT_CERTIFICATE_REMEDY,
    }
  }
  if (alert === HANDSHAKE_FAILURE) {
    return {
      code: 'handshake-failure',
      message: `${place} rejected the TLS handshake: it requires a client certificate, or supports no cipher suite that this machine allows.`,
      remedy:
        'If the server requires a client certificate, start Periscope with the URL of the server and --client-cert FILE. If its cipher suites are too old, enable those of TLS 1.2 or newer there.',
    }
  }
  if (alert === UNRECOGNIZED_NAME) {
    return {
      code: 'unrecognized-name',
      message: `${place} ended the TLS handshake because it has no certificate for this host name (SNI).`,
      remedy:
        'Check the spelling of the host name. If it is right, add the name and a certificate for it to the server or the gateway in front of it.',
    }
  }
  if (alert === PROTOCOL_VERSION || (/^(EPROTO$|ERR_SSL_)/.test(system) && LEGACY.test(reasonOf(error)))) {
    return {
      code: 'tls-version',
      message: `${place} supports only old versions or algorithms of TLS, which this machine refuses: ${reasonOf(error)}.`,
      remedy: `Enable TLS 1.2 or newer at the server. Until then, start Periscope with NODE_OPTIONS="--tls-min-v1.0 --tls-cipher-list=DEFAULT@SECLEVEL=0", which weakens every connection.`,
    }
  }
  return undefined
}

/** If several addresses were tried, the code of the first error. */
function codeOf(error: Error & { code?: unknown }): string {
  if (typeof error.code === 'string') return error.code
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : []
  return first instanceof Error ? codeOf(first) : ''
}

function triedOf(error: Error): string {
  const inner = error instanceof AggregateError ? (error.errors as { address?: unknown }[]) : []
  const addresses = inner.flatMap(({ address }) => (typeof address === 'string' ? [address] : []))
  return addresses.length > 1 ? ` (tried ${addresses.join(' and ')})` : ''
}

/** OpenSSL's `reason` is readable; its `message` also lists source locations, and contains the reason for `EPROTO`. */
function reasonOf(error: Error & { reason?: unknown }): string {
  if (typeof error.reason === 'string') return error.reason
  const [first = ''] = error.message.trim().split('\n')
  return /:error:[\dA-F]+:[^:]*:[^:]*:([^:]+):/.exec(first)?.[1] ?? first
}
