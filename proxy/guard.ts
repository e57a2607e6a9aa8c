/**
 * Who may talk to the proxy (rules 13 and 14). Whoever reaches it can start programs, so every route, the static page
 * too, wants an exact Host (against DNS rebinding) and an own Origin (against other sites), and the API wants the token;
 * but for the one route that hands it out, which wants a launch code.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { hostname, networkInterfaces } from 'node:os'
import type { Context, MiddlewareHandler } from 'hono'
import type { ProxyError, TokenHeader } from './wire.ts'

const TOKEN_HEADER: TokenHeader = 'Periscope-Token'

/** Where a page that has no token yet exchanges its launch code for one. */
export const LAUNCH_PATH = '/api/launch'

/** A new token: 256 random bits, for one launch. */
export function createToken(): string {
  return randomBytes(32).toString('base64url')
}

/**
 * The values of `Host` under which the proxy is reached.
 * @param named the address the user asked to listen on
 */
export function hostsFor(named: string, port: number): string[] {
  const names = ['127.0.0.1', 'localhost', '[::1]', bracketed(named.toLowerCase())]
  if (isWildcard(named)) {
    names.push(hostname().toLowerCase(), ...interfaces())
  }
  // A client leaves the default port out.
  return [...new Set(names)].flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]))
}

/** The addresses of this machine that other machines can reach. */
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

/** An IPv6 address as it stands in a URL. */
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
        message: `Periscope doesn't accept the Host header \`${printable(host)}\`.`,
        remedy,
      })
    }
    const origin = c.req.header('origin')
    if (origin !== undefined && !origins.has(origin)) {
      return refuse(c, {
        code: 'forbidden',
        message: `The page at \`${printable(origin)}\` isn't allowed to use this Periscope.`,
        remedy: 'Open the URL that Periscope printed in the terminal.',
      })
    }
    if (isApi(c) && !isLaunch(c)) {
      const given = c.req.header(TOKEN_HEADER)
      // Digests have one length, so the comparison tells nothing, not even how long the token is.
      if (!timingSafeEqual(digest(given ?? ''), expected)) {
        return refuse(c, {
          code: 'forbidden',
          message: given
            ? 'The token belongs to another launch of Periscope.'
            : `The \`${TOKEN_HEADER}\` header with the access token is missing.`,
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
  // A person may see it in a tab: there it is a sentence, not JSON.
  return isApi(c) ? c.json({ error }, 403) : c.text(`${error.message}\n${error.remedy ?? ''}\n`, 403)
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** What a stranger sent is cut before it is shown. */
function printable(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
