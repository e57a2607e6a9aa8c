/**
 * Access control of the proxy (rules 13 and 14). Access means running programs, so every route, including the static page,
 * requires an exact Host (against DNS rebinding) and its own Origin (against other sites). The API also requires the token;
 * only the route that hands it out requires a launch code instead.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { hostname, networkInterfaces } from 'node:os'
import type { Context, MiddlewareHandler } from 'hono'
import type { ProxyError, TokenHeader } from './wire.ts'

const TOKEN_HEADER: TokenHeader = 'Periscope-Token'

/** Where a page exchanges its launch code for the token. */
export const LAUNCH_PATH = '/api/launch'

/** A new token for one launch: 256 random bits. */
export function createToken(): string {
  return randomBytes(32).toString('base64url')
}

/**
 * The values of `Host` that the proxy accepts.
 * @param named the address to listen on
 */
export function hostsFor(named: string, port: number): string[] {
  const names = ['127.0.0.1', 'localhost', '[::1]', bracketed(named.toLowerCase())]
  if (isWildcard(named)) {
    names.push(hostname().toLowerCase(), ...interfaces())
  }
  // Clients omit the default port.
  return [...new Set(names)].flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]))
}

/** This machine's addresses that other machines can reach. */
export function interfaces(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter((entry) => !entry.internal && !entry.address.startsWith('fe80:'))
    .map((entry) => bracketed(entry.address))
}

export function isWildcard(host: string): boolean {
  return host === '0.0.0.0' || host === '::' || host === '[::]'
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
}

/** An IPv6 address in the form that URLs use. */
export function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
}

export interface GuardOptions {
  readonly token: string
  /** Exact values of `Host`, such as `127.0.0.1:6275`. */
  readonly allowedHosts: readonly string[]
}

export function guard({ token, allowedHosts }: GuardOptions): MiddlewareHandler {
  const hosts = new Set(allowedHosts)
  const origins = new Set(allowedHosts.flatMap((host) => [`http://${host}`, `http://${host.replace(/:80$/, '')}`]))
  const expected = digest(token)
  const remedy = `Open the URL that Periscope printed in the terminal. It accepts ${allowedHosts.join(', ')}.`

  return async (c, next) => {
    const host = c.req.header('host') ?? ''
    if (!hosts.has(host.toLowerCase())) {
      return refuse(c, {
        code: 'forbidden',
        message: `Periscope doesn't accept the Host header "${printable(host)}".`,
        remedy,
      })
    }
    const origin = c.req.header('origin')
    if (origin !== undefined && !origins.has(origin)) {
      return refuse(c, {
        code: 'forbidden',
        message: `The page at "${printable(origin)}" isn't allowed to use this Periscope.`,
        remedy: 'Open the URL that Periscope printed in the terminal.',
      })
    }
    if (isApi(c) && !isLaunch(c)) {
      const given = c.req.header(TOKEN_HEADER)
      // Digests have equal length, so the comparison doesn't even reveal the token's length.
      if (!timingSafeEqual(digest(given ?? ''), expected)) {
        return refuse(c, {
          code: 'forbidden',
          message: given
            ? 'The token belongs to another launch of Periscope.'
            : `The "${TOKEN_HEADER}" header with the access token is missing.`,
          remedy: 'Press Enter in the terminal that runs Periscope, and open the URL it prints.',
        })
      }
    }
    return next()
  }
}

export function isApi(c: Context): boolean {
  return c.req.path === '/api' || c.req.path.startsWith('/api/')
}

function isLaunch(c: Context): boolean {
  return c.req.method === 'POST' && c.req.path === LAUNCH_PATH
}

function refuse(c: Context, error: ProxyError): Response {
  // Outside the API, a user may see this in a browser tab.
  return isApi(c) ? c.json({ error }, 403) : c.text(`${error.message}\n${error.remedy ?? ''}\n`, 403)
}

/** For comparisons in constant time. */
export function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** Truncates untrusted text for a message. */
function printable(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
