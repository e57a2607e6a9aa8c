/**
 * Finds out how far a connection to a server gets below HTTP: name resolution, TCP, TLS. Nothing is sent but a TLS
 * handshake, so it has no effect on the server. A browser reports none of this.
 */
import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import { checkServerIdentity, connect as connectSecure, type DetailedPeerCertificate, type TLSSocket } from 'node:tls'
import { promisify } from 'node:util'
import { type Environment, type ForwardProxy, ForwardProxyError, forwardProxyFor } from './forward-proxy.ts'
import { withoutBrackets } from './public-address.ts'
import { Refusal } from './refusal.ts'
import { openTunnel, secureProxy, settled } from './tunnel.ts'
import type { NetworkCertificate, NetworkReport, NetworkStep } from './wire.ts'

interface CheckLimits {
  /** ms per step. Two of them still leave room for an explanation within 5 s. */
  readonly step: number
  /** ms to wait for a greeting: servers of other protocols, such as SSH or SMTP, speak first. */
  readonly greeting: number
}
const LIMITS: CheckLimits = { step: 2_000, greeting: 150 }
/** Bytes of a greeting that are reported. */
const LONGEST_GREETING = 100
/** Checks at a time. */
const MOST = 8
/** Certificates of a chain, names of a certificate and addresses of a name that are reported. */
const MOST_LISTED = 10

type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>

const resolveAll: Resolve = async (hostname) => await promisify(systemLookup)(hostname, { all: true })

interface CheckOptions {
  /** Default: the system's resolver. */
  readonly resolve?: Resolve
  readonly limits?: Partial<CheckLimits>
  /** Names the proxies of the user's network. Default: that of this process. */
  readonly env?: Environment | undefined
}

let open = 0

/**
 * @param target http or https
 * @returns the steps up to the first that failed. Never rejects otherwise
 * @throws {Refusal} 429 `too-many`
 */
export async function checkNetwork(
  target: URL,
  { resolve = resolveAll, limits, env }: CheckOptions = {},
): Promise<NetworkReport> {
  if (open >= MOST) {
    throw new Refusal(429, {
      code: 'too-many',
      message: `${MOST} network checks are already running. Try again in a few seconds.`,
    })
  }
  open++
  try {
    return { steps: await stepsTo(target, resolve, { ...LIMITS, ...limits }, env) }
  } finally {
    open--
  }
}

async function stepsTo(
  target: URL,
  resolve: Resolve,
  { step, greeting }: CheckLimits,
  env: Environment | undefined,
): Promise<readonly NetworkStep[]> {
  const steps: NetworkStep[] = []
  let proxy: ForwardProxy | undefined
  try {
    proxy = forwardProxyFor(target, env)
    if (proxy) steps.push({ step: 'proxy', ms: 0, text: `${proxy.place} (${proxy.variable})` })
  } catch (error) {
    if (!(error instanceof ForwardProxyError)) throw error
    return [{ step: 'proxy', ms: 0, text: error.variable, error: error.code }]
  }
  const hostname = withoutBrackets(target.hostname)
  const secure = target.protocol === 'https:'
  const port = Number(target.port) || (secure ? 443 : 80)
  const first = proxy ?? { hostname, port }
  const addresses = await timed('dns', steps, () => limited(step, resolve(first.hostname)), (found) => ({ addresses: found.slice(0, MOST_LISTED).map(({ address }) => address) })) // prettier-ignore
  if (!addresses) return steps
  const socket = await timed('tcp', steps, () => reach(step, first.port, first.hostname, addresses), ({ remoteAddress = '' }) => ({ remote: remoteAddress })) // prettier-ignore
  if (!socket) return steps
  try {
    // Over plain HTTP, a proxy connects to the server only with a request.
    const through = proxy && secure ? await timed('tunnel', steps, () => limited(step, tunnelOf(socket, proxy, target)), () => ({})) : socket // prettier-ignore
    if (!through) return steps
    if (secure) await timed('tls', steps, () => handshake(step, through, hostname), describeTls)
    else if (!proxy) {
      const text = await greetingOf(socket, greeting)
      if (text !== '') steps.push({ step: 'greeting', ms: greeting, text })
    }
  } finally {
    socket.destroy()
  }
  return steps
}

async function tunnelOf(socket: Socket, proxy: ForwardProxy, target: URL): Promise<Socket> {
  const connection = proxy.secure ? await secureProxy(socket, proxy.hostname) : socket
  return await openTunnel(connection, proxy, target)
}

/** Runs a step and reports it. @returns `undefined` if it failed */
async function timed<Found>(
  step: 'dns' | 'tcp' | 'tunnel' | 'tls',
  steps: NetworkStep[],
  run: () => Promise<Found>,
  describe: (found: Found) => Omit<NetworkStep, 'step' | 'ms'>,
): Promise<Found | undefined> {
  const begun = performance.now()
  const ms = (): number => Math.round((performance.now() - begun) * 10) / 10
  try {
    const found = await run()
    steps.push({ step, ms: ms(), ...describe(found) })
    return found
  } catch (error) {
    steps.push({ step, ms: ms(), error: codeOf(error) })
    return undefined
  }
}

/** The code of the system or of OpenSSL; if all addresses failed, that of the first. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  return typeof code === 'string' ? code : String(message)
}

const TIMEOUT = 'TIMEOUT'

async function limited<Value>(limit: number, work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error('No response in time'), { code: TIMEOUT })), limit)
  })
  try {
    return await Promise.race([work, over])
  } finally {
    clearTimeout(timer)
  }
}

/** Connects to the first address that accepts. */
async function reach(
  limit: number,
  port: number,
  hostname: string,
  addresses: readonly LookupAddress[],
): Promise<Socket> {
  // The addresses are known by now; they aren't resolved twice.
  const lookup: LookupFunction = (_, { all }, done) =>
    all ? done(null, [...addresses]) : done(null, addresses[0]?.address ?? '', addresses[0]?.family)
  const socket = connect({ host: hostname, port, lookup, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 500 })
  try {
    await limited(limit, settled(socket, 'connect'))
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  }
}

/** Any certificate is accepted, so that it can be reported. Nothing is sent over the connection. */
async function handshake(limit: number, socket: Socket, hostname: string): Promise<TLSSocket> {
  const secured = connectSecure({
    // As browsers do: some servers refuse a handshake without it.
    ALPNProtocols: ['h2', 'http/1.1'],
    socket,
    rejectUnauthorized: false,
    // For an address, Node would compare the certificate with `localhost`.
    checkServerIdentity: (_, certificate) => checkServerIdentity(hostname, certificate),
    // A literal address is no server name (RFC 6066 section 3).
    ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
  })
  await limited(limit, settled(secured, 'secureConnect'))
  return secured
}

/** Whether the certificate is trusted, and valid for the name. */
function describeTls(secured: TLSSocket): Omit<NetworkStep, 'step' | 'ms'> {
  const chain = chainOf(secured.getPeerCertificate(true))
  const { authorizationError } = secured as { readonly authorizationError?: unknown }
  const untrusted = secured.authorized || !authorizationError ? undefined : codeOf(wrapped(authorizationError))
  return {
    protocol: secured.getProtocol() ?? '',
    chain,
    ...(untrusted === undefined ? {} : { untrusted }),
  }
}

/** Node reports it as a code or as an error. */
const wrapped = (fault: unknown): unknown => (typeof fault === 'string' ? { code: fault } : fault)

function chainOf(leaf: DetailedPeerCertificate): readonly NetworkCertificate[] {
  const chain: NetworkCertificate[] = []
  const seen = new Set<string>()
  let next: DetailedPeerCertificate | undefined = leaf
  while (next?.fingerprint256 && !seen.has(next.fingerprint256) && chain.length < MOST_LISTED) {
    seen.add(next.fingerprint256)
    chain.push({
      subject: nameOf(next.subject),
      issuer: nameOf(next.issuer),
      validFrom: isoOf(next.valid_from),
      validTo: isoOf(next.valid_to),
      names: (next.subjectaltname ?? '').split(', ').filter(Boolean).slice(0, MOST_LISTED),
      fingerprint256: next.fingerprint256,
    })
    next = next.issuerCertificate
  }
  return chain
}

const nameOf = (name: DetailedPeerCertificate['subject']): string =>
  [name?.CN, name?.O].filter(Boolean).flat().join(', ').slice(0, 200)

function isoOf(text: string): string {
  const time = Date.parse(text)
  return Number.isNaN(time) ? text : new Date(time).toISOString()
}

/** What the server says before it is spoken to; '' if it waits, as HTTP servers do. */
function greetingOf(socket: Socket, limit: number): Promise<string> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(''), limit)
    socket.once('data', (bytes: Buffer) => {
      clearTimeout(timer)
      resolve(bytes.subarray(0, LONGEST_GREETING).toString('latin1'))
    })
    socket.once('error', () => resolve(''))
    socket.once('close', () => resolve(''))
  })
}
