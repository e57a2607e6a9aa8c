/** Says why a relayed request failed: the thing, the cause, the remedy. A browser would only say that it did. */
import { DECODED_TOO_LARGE, MOST_CODINGS, TOO_MANY_CODINGS } from './inflow.ts'
import { NOT_PUBLIC } from './public-address.ts'
import type { ProxyError } from './wire.ts'

/** How far a request had come. */
export type Stage = 'connecting' | 'securing' | 'waiting' | 'reading'

/** The code of the error that a connection gets when it takes too long. */
export const CONNECT_TIMEOUT = 'CONNECT_TIMEOUT'

const TRUST =
  'If you trust this server, allow its certificate for this connection, or start Periscope with NODE_EXTRA_CA_CERTS set to the file of the certificate that vouches for it.'

/** Those that mean that nobody this machine knows vouches for the certificate; both tell of a chain of its own making. */
const SELF_SIGNED = new Set(['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN'])

/** OpenSSL's names for what is wrong with a certificate. */
const CERTIFICATE = /^(CERT_|CRL_|UNABLE_TO_|ERROR_IN_CERT|INVALID_|HOSTNAME_MISMATCH|ERR_TLS_CERT|PATH_LENGTH)/

export function explainRelay(cause: unknown, target: URL, stage: Stage, seconds: number): ProxyError {
  const error = cause instanceof Error ? cause : new Error(String(cause))
  const system = codeOf(error)
  return { ...explain(error, system, target, stage, seconds), ...(system !== '' && { system }) }
}

function explain(error: Error, system: string, target: URL, stage: Stage, seconds: number): ProxyError {
  const port = target.port || (target.protocol === 'https:' ? '443' : '80')
  const place = `${target.hostname} port ${port}`

  if (system === CONNECT_TIMEOUT && stage === 'securing') {
    return {
      code: 'timeout',
      message: `${place} took the connection, but the TLS handshake was not over within ${seconds} s.`,
      remedy: 'If the server speaks plain HTTP there, write http:// in its address.',
    }
  }
  if (system === CONNECT_TIMEOUT || system === 'ETIMEDOUT') {
    return {
      code: 'timeout',
      message: `No connection to ${place} could be had in time${system === CONNECT_TIMEOUT ? ` (${seconds} s)` : ''}.`,
      remedy: 'Check the address and the network (VPN, firewall): something on the way lets nothing through.',
    }
  }
  if (system === NOT_PUBLIC) {
    return {
      code: 'not-public',
      message: `Not sent: ${error.message}, and a server on the internet named it.`,
      remedy: 'If this is your own authorization server, enter its issuer by hand.',
    }
  }
  if (system === 'ENOTFOUND' || system.startsWith('EAI_')) {
    return {
      code: 'dns',
      message:
        system === 'EAI_AGAIN'
          ? `The name server did not answer when it was asked for \`${target.hostname}\`.`
          : `The host name \`${target.hostname}\` is not known.`,
      remedy: 'Check its spelling, and whether this machine is in the network (VPN) that knows the name.',
    }
  }
  if (system === 'ECONNREFUSED') {
    return {
      code: 'refused',
      message: `Nothing listens at ${place}${triedOf(error)}.`,
      remedy: 'Start the server, or check host and port in its address.',
    }
  }
  if (/^E(HOST|NET)(UNREACH|DOWN)$|^EADDRNOTAVAIL$|^ENONET$/.test(system)) {
    return {
      code: 'no-route',
      message: `This machine has no way to ${place} (${system}).`,
      remedy: 'Check the address, and whether this machine is in the network (VPN) of the server.',
    }
  }
  if (SELF_SIGNED.has(system)) {
    return {
      code: 'self-signed',
      message: `The certificate of ${target.hostname} is self-signed: nobody whom this machine knows vouches for it.`,
      remedy: TRUST,
    }
  }
  if (CERTIFICATE.test(system)) {
    return {
      code: 'certificate',
      message: `The certificate of ${target.hostname} is not accepted: ${error.message}.`,
      remedy: TRUST,
    }
  }
  if (stage === 'securing' || system === 'EPROTO' || system.startsWith('ERR_SSL_')) {
    return {
      code: 'tls',
      message: `The TLS handshake with ${place} failed: ${reasonOf(error)}.`,
      remedy: 'If the server speaks plain HTTP there, write http:// in its address.',
    }
  }
  if (system === 'HPE_HEADER_OVERFLOW') {
    return {
      code: 'too-large',
      message: `The headers of the answer of ${place} are over the bound.`,
      remedy: 'Make the server send fewer or shorter headers.',
    }
  }
  if (system.startsWith('HPE_')) {
    return {
      code: 'not-http',
      message: `The answer of ${place} is not HTTP/1.1: ${error.message}.`,
      remedy:
        stage === 'reading'
          ? 'The server, or something on the way to it, breaks its answers: look there.'
          : 'Check the port: another program may listen there. If the server speaks https, write https:// in its address.',
    }
  }
  if (system === TOO_MANY_CODINGS || system === DECODED_TOO_LARGE) {
    return {
      code: 'encoding',
      message: `The body of the answer of ${place} is not decoded: ${error.message}.`,
      remedy: `Make the server send the body with one Content-Encoding, or none; more than ${MOST_CODINGS} are refused.`,
    }
  }
  if (stage === 'reading' && /^Z_|^ERR_.*BROTLI|^ERR_BROTLI|^ERR__ERROR/.test(system)) {
    return {
      code: 'encoding',
      message: `The body cannot be read by its Content-Encoding: ${error.message}.`,
      remedy: 'Make the server send the body as its Content-Encoding says, or whole, or not compressed.',
    }
  }
  if (stage === 'reading') {
    return {
      code: 'cut',
      message: `The connection to ${place} was lost in the middle of the answer.`,
      remedy: 'Look into the log of the server: it, or something on the way to it, closed the connection.',
    }
  }
  return {
    code: 'reset',
    message: `${place} closed the connection without an answer${system === '' ? `: ${error.message}` : ''}.`,
    remedy: 'Look into the log of the server. If it speaks https, write https:// in its address.',
  }
}

/** With several addresses to try, the outer error has the code of the first. */
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

/** OpenSSL's own words are between places in its source. */
function reasonOf(error: Error & { reason?: unknown }): string {
  return typeof error.reason === 'string' ? error.reason : error.message.trim().split('\n')[0]!
}
