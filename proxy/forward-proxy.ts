/**
 * The proxy that leads out of the user's network, as the environment names it: which requests go through it, and why one
 * couldn't. The rules are much like those of curl and Go, which differ from each other:
 *
 * - `https_proxy` for https, `http_proxy` for http, then `all_proxy`; lower case first, then upper case.
 * - `HTTP_PROXY` is ignored in a CGI program, where it holds the request header `Proxy`, which anyone may send
 *   (CVE-2016-5385, https://httpoxy.org). `REQUEST_METHOD` shows that it is one.
 * - `no_proxy` lists hosts that are reached directly: names with their subdomains, addresses, networks (CIDR), each with or
 *   without a port, or `*`.
 * - This machine is never reached through a proxy.
 */
import { BlockList, isIP } from 'node:net'
import { parsedUrl, withoutBrackets } from './public-address.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface ForwardProxy {
  /** The variable that names it, as it is spelled in the environment. */
  readonly variable: string
  /** It is reached over TLS. */
  readonly secure: boolean
  /** Without brackets. */
  readonly hostname: string
  readonly port: number
  /** `host:port`, without credentials, for texts. */
  readonly place: string
  /** The value of `Proxy-Authorization`. Never in a frame, a log or an error. */
  readonly authorization?: string
}

/** Why a request failed on its way to or through the proxy, so that the server isn't blamed. */
export type ForwardProxyFault =
  /** It rejected the CONNECT, or the request, with this status. */
  | { readonly is: 'status'; readonly status: number }
  /** The variable names a protocol that isn't supported. */
  | { readonly is: 'socks' }
  | { readonly is: 'no-url' }

export class ForwardProxyError extends Error {
  override readonly name = 'ForwardProxyError'
  readonly code: string
  readonly fault: ForwardProxyFault
  readonly variable: string
  constructor(fault: ForwardProxyFault, variable: string) {
    super(fault.is === 'status' ? `The proxy of ${variable} responded with ${fault.status}` : `${variable} is unusable`)
    this.code = fault.is === 'status' ? `PROXY_${fault.status}` : 'PROXY_VARIABLE'
    this.fault = fault
    this.variable = variable
  }
}

/**
 * @returns `undefined` if the target is reached directly
 * @throws {ForwardProxyError} if the variable's value can't be used. The error doesn't contain it: it may hold a password
 */
export function forwardProxyFor(target: URL, env: Environment = process.env): ForwardProxy | undefined {
  const isCgi = env['REQUEST_METHOD'] !== undefined
  const names = target.protocol === 'https:' ? ['https_proxy', 'HTTPS_PROXY'] : ['http_proxy', ...(isCgi ? [] : ['HTTP_PROXY'])] // prettier-ignore
  const variable = [...names, 'all_proxy', 'ALL_PROXY'].find((name) => env[name]?.trim())
  if (variable === undefined || isExcepted(target, env)) return undefined
  return parseProxy(variable, env[variable]!.trim())
}

function parseProxy(variable: string, value: string): ForwardProxy {
  if (/^socks\w*:\/\//i.test(value)) throw new ForwardProxyError({ is: 'socks' }, variable)
  const url = parsedUrl(/^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`)
  // An unescaped `#` or `/` in a password would make the name before it the host, and show a part of it.
  const isCut = value.includes('@') && url?.username === '' && url.password === ''
  if (!url || isCut || !/^https?:$/.test(url.protocol) || url.hostname === '') {
    throw new ForwardProxyError({ is: 'no-url' }, variable)
  }
  const secure = url.protocol === 'https:'
  const port = Number(url.port) || (secure ? 443 : 80)
  const authorization = basicOf(url)
  return {
    variable,
    secure,
    hostname: withoutBrackets(url.hostname),
    port,
    place: `${url.hostname}:${port}`,
    ...(authorization === undefined ? {} : { authorization }),
  }
}

function basicOf({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined
  return `Basic ${Buffer.from(`${unescaped(username)}:${unescaped(password)}`).toString('base64')}`
}

/** A `%` of a password need not begin an escape. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Whether a target is reached directly: it is this machine, or `no_proxy` lists it. */
function isExcepted(target: URL, env: Environment): boolean {
  const host = withoutBrackets(target.hostname).replace(/\.$/, '').toLowerCase()
  if (isThisMachine(host)) return true
  const port = target.port || (target.protocol === 'https:' ? '443' : '80')
  const list = env['no_proxy']?.trim() || env['NO_PROXY'] || ''
  return list.split(/[\s,]+/).some((entry) => entry !== '' && covers(entry.toLowerCase(), host, port))
}

const thisMachine = new BlockList()
thisMachine.addSubnet('127.0.0.0', 8, 'ipv4')
thisMachine.addAddress('0.0.0.0', 'ipv4')
thisMachine.addSubnet('::ffff:127.0.0.0', 104, 'ipv6')
thisMachine.addSubnet('::', 127, 'ipv6')

function isThisMachine(host: string): boolean {
  const family = isIP(host)
  if (family === 0) return host === 'localhost' || host.endsWith('.localhost')
  return thisMachine.check(host, family === 4 ? 'ipv4' : 'ipv6')
}

function covers(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true
  const [, network, bits] = /^\[?([\d.]+|[\da-f.]*:[\da-f:.]*)\]?\/(\d{1,3})$/.exec(entry) ?? []
  if (network !== undefined) return isWithin(host, network, Number(bits))
  const [, bracketed, name, own] = /^(?:\[([^\]]*)\]|(.*?))(?::(\d+))?$/.exec(isIP(entry) === 6 ? `[${entry}]` : entry)!
  if (own !== undefined && own !== port) return false
  const wanted = bracketed ?? name!.replace(/^\*?\./, '').replace(/\.$/, '')
  if (isIP(wanted) !== 0) return isWithin(host, wanted, isIP(wanted) === 4 ? 32 : 128)
  return wanted !== '' && (host === wanted || host.endsWith(`.${wanted}`))
}

function isWithin(host: string, network: string, bits: number): boolean {
  const [family, own] = [isIP(network), isIP(host)]
  if (own === 0 || family === 0 || bits > (family === 4 ? 32 : 128)) return false
  const list = new BlockList()
  list.addSubnet(network, bits, family === 4 ? 'ipv4' : 'ipv6')
  return list.check(host, own === 4 ? 'ipv4' : 'ipv6')
}
