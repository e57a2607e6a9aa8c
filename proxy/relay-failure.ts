/** Explains why a relayed request failed, and what to do. A browser would only report that it failed. */
import { DECODED_TOO_LARGE, MAX_CODINGS, TOO_MANY_CODINGS } from './body-reader.ts'
import { CertificateChanged } from './pinned-agent.ts'
import { NOT_PUBLIC } from './public-address.ts'
import type { ProxyError } from './wire.ts'

/** The stage that a request had reached. */
export type Stage = 'connecting' | 'securing' | 'waiting' | 'reading'

/** The error code of a connection that timed out. */
export const CONNECT_TIMEOUT = 'CONNECT_TIMEOUT'

const TRUST =
  'If this is the certificate of your server, trust it for this connection, or start Periscope with NODE_EXTRA_CA_CERTS set to the certificate file of the issuer.'

/** OpenSSL's codes for a certificate chain that ends in an untrusted self-signed certificate. */
const SELF_SIGNED = new Set(['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN'])

/** OpenSSL's codes for certificate errors. */
const CERTIFICATE = /^(CERT_|CRL_|UNABLE_TO_|ERROR_IN_CERT|INVALID_|HOSTNAME_MISMATCH|ERR_TLS_CERT|PATH_LENGTH)/

export function explainRelay(cause: unknown, target: URL, stage: Stage, seconds: number): ProxyError {
  const error = cause instanceof Error ? cause : new Error(String(cause))
  const system = codeOf(error)
  return { ...explain(error, system, target, stage, seconds), ...(system !== '' && { system }) }
}

function explain(error: Error, system: string, target: URL, stage: Stage, seconds: number): ProxyError {
  const port = target.port || (target.protocol === 'https:' ? '443' : '80')
  const place = `${target.hostname}:${port}`

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
      message: `Request not sent: ${error.message}, but a server on the internet named it.`,
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
        'Find out whether the certificate of the server was replaced. If not, someone may be intercepting the connection.',
    }
  }
  if (SELF_SIGNED.has(system)) {
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
  if (stage === 'securing' || system === 'EPROTO' || system.startsWith('ERR_SSL_')) {
    return {
      code: 'tls',
      message: `The TLS handshake with ${place} failed: ${reasonOf(error)}.`,
      remedy: 'If the server uses plain HTTP, write http:// in its URL.',
    }
  }
  if (system === 'HPE_HEADER_OVERFLOW') {
    return {
      code: 'too-large',
      message: `The response headers from ${place} are too large.`,
      remedy: 'Make the server send fewer or shorter headers.',
    }
  }
  if (system.startsWith('HPE_')) {
    return {
      code: 'not-http',
      message: `The response from ${place} isn't HTTP/1.1: ${error.message}.`,
      remedy:
        stage === 'reading'
          ? 'The server, or something on the network path, corrupts its responses. Look for the cause there.'
          : 'Check the port: another program may be listening there. If the server uses https, write https:// in its URL.',
    }
  }
  if (system === TOO_MANY_CODINGS || system === DECODED_TOO_LARGE) {
    return {
      code: 'encoding',
      message: `The response body from ${place} wasn't decoded: ${error.message}.`,
      remedy: `Make the server send the body with one Content-Encoding, or none. More than ${MAX_CODINGS} are rejected.`,
    }
  }
  if (stage === 'reading' && /^Z_|^ERR_.*BROTLI|^ERR_BROTLI|^ERR__ERROR/.test(system)) {
    return {
      code: 'encoding',
      message: `The body doesn't match its Content-Encoding: ${error.message}.`,
      remedy: 'Make the server send the complete body as its Content-Encoding says, or uncompressed.',
    }
  }
  if (stage === 'reading') {
    return {
      code: 'cut',
      message: `The connection to ${place} was lost in the middle of the response.`,
      remedy: 'Check the server log. The server, or something on the network path, closed the connection.',
    }
  }
  return {
    code: 'reset',
    message: `${place} closed the connection without a response${system === '' ? `: ${error.message}` : ''}.`,
    remedy: 'Check the server log. If the server uses https, write https:// in its URL.',
  }
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

/** OpenSSL's `reason` is readable; its `message` also lists source locations. */
function reasonOf(error: Error & { reason?: unknown }): string {
  return typeof error.reason === 'string' ? error.reason : error.message.trim().split('\n')[0]!
}
