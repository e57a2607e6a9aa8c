/** Maps the facts about a failed attempt to a diagnosis and its remedies. The texts are in the catalogue. */
import { greetingProtocol, isBlockedPort, networkVerdict, type ProcessFinding, type Reach } from '../../doctor/index.ts'
import type { ResponseFault } from '../../mcp/index.ts'
import { parsedUrl } from '../../mcp/url.ts'
import type { FailedAttempt } from './failed-attempt.ts'
import type { Remedy, Verdict, What } from './verdict.ts'
import type { HttpEvidence } from '../server/index.ts'
import type { Target } from '../connect/index.ts'
import type { NetworkStep } from '../../../proxy/wire.ts'

/** Where the page was loaded from: `location.protocol` and `location.host`. */
export interface Page {
  readonly protocol: string
  readonly host: string
}

const RESPONSE_FAULTS: readonly string[] = [
  'empty-response',
  'invalid-json',
  'cut-json',
  'other-id',
  'no-response',
  'not-json-rpc',
  'unfinished-event',
  'stray-lines',
] satisfies readonly ResponseFault[]

const isResponseFault = (fault: string | undefined): fault is ResponseFault =>
  fault !== undefined && RESPONSE_FAULTS.includes(fault)

/** Diagnoses that depend on the code alone. */
const BY_CODE: Readonly<Record<string, Verdict>> = {
  'session-expired': { what: 'unknown-session', remedies: ['keep-session', 'server-log'] },
  unauthorized: { what: 'unauthorized', remedies: ['sign-in'] },
  'spawn-failed': { what: 'spawn-failed', remedies: ['check-command'] },
  'proxy-lost': { what: 'proxy-lost', remedies: ['restart-proxy'] },
  'proxy-refused': { what: 'proxy-refused', remedies: ['from-proxy'] },
  'invalid-result': { what: 'invalid-result', remedies: ['read-body', 'server-log'] },
  'not-sendable': { what: 'not-sendable', remedies: ['check-values'] },
  unanswered: { what: 'unanswered', remedies: ['server-log'] },
  cancelled: { what: 'stopped', remedies: [] },
  'stream-lost': { what: 'stream-lost', remedies: ['server-log', 'be-patient'] },
  closed: { what: 'stream-lost', remedies: ['server-log', 'be-patient'] },
}

/** How an attempt ends with a server that returns what it gets. A status, or a process that ends, has another cause. */
const ECHOED: ReadonlySet<string> = new Set(['bad-handshake', 'timeout', 'unanswered', 'stream-lost', 'not-mcp'])

export const judgeFailure = (failed: FailedAttempt, target: Target, page: Page): Verdict => {
  const { code } = failed
  if (failed.speaksHttp) return { what: 'speaks-http', remedies: ['serve-lines'] }
  if (failed.foreignEndpoint) return { what: 'foreign-endpoint', remedies: ['foreign-endpoint'] }
  if (failed.redirect !== undefined && isLoop(failed.redirect, target))
    return { what: 'redirect-loop', remedies: ['fix-redirect-loop'] }
  if (failed.redirect !== undefined) return { what: 'redirect', remedies: ['follow-redirect'] }
  if (failed.sessionHidden)
    return { what: 'hidden-session', remedies: ['expose-session', 'send-session', ...withoutProxy(failed)] }
  const { advice, metadata } = failed
  if (advice?.is === 'firewall' && code !== 'unauthorized')
    return { what: 'firewall', remedies: ['status-firewall', ...(failed.http?.body ? (['read-body'] as const) : [])] }
  if (code === 'unauthorized' && metadata && !advice)
    return {
      what: metadata.is === 'unread' || metadata.is === 'unreachable' ? 'sign-in-unread' : 'sign-in-metadata',
      remedies: [`metadata-${metadata.is}`, ...throughRelay(failed, target)],
    }
  if (code === 'unauthorized' && advice)
    return { what: 'unauthorized', remedies: [`status-${advice.is}`, 'maybe-sign-in'] }
  if (failed.echoes && ECHOED.has(code) && !failed.finding) return { what: 'echo', remedies: ['fix-echo'] }
  if (isGraphQl(failed)) return { what: 'graphql', remedies: ['not-graphql', 'try-path'] }
  switch (code) {
    case 'unreachable':
      if (failed.certificateFault)
        return {
          what: `certificate-${failed.certificateFault}`,
          remedies: [`certificate-${failed.certificateFault}`, 'trust-certificate'],
        }
      if (greetingProtocol(failed.network) !== undefined) return { what: 'other-protocol', remedies: ['other-program'] }
      if (failed.relayCode) return { what: 'relay', remedies: [isRelayCode(failed.relayCode) ? 'relay' : 'from-proxy'] }
      if (target.kind === 'url' && isBlockedPort(target.url))
        return { what: 'blocked-port', remedies: ['other-port', ...withoutProxy(failed)] }
      return isPreflightSilent(failed) ? unansweredOptions(failed) : byReach(failed, target, page)
    case 'not-mcp':
      return byBody(failed)
    case 'http-status':
      return withHidden(byStatus(statusOf(failed), failed), failed)
    case 'timeout':
      if (failed.finding) return byOutput(failed.finding)
      if (isPreflightSilent(failed)) return unansweredOptions(failed)
      return { what: 'timeout', remedies: late(failed, target) }
    case 'process-exited':
      if (failed.finding) return byOutput(failed.finding)
      return {
        what: failed.answered ? 'exited-after-response' : 'process-exited',
        remedies: [
          ...(failed.stderr > 0 ? (['read-stderr'] as const) : []),
          failed.answered ? 'keep-reading' : 'check-environment',
          'run-by-hand',
        ],
      }
    case 'not-opened':
      return failed.closeCode === undefined
        ? { what: 'not-opened', remedies: ['from-proxy'] }
        : { what: 'web-socket', remedies: webSocket(target, failed.network) }
    case 'connection-closed': {
      const code: Remedy[] = failed.closeCode === undefined ? [] : ['close-code']
      return { what: 'connection-closed', remedies: [...code, 'server-log'] }
    }
    case 'no-proxy':
      // It responds, but doesn't accept the token of this page.
      if (failed.status === 401 || failed.status === 403 || failed.relayCode === 'forbidden')
        return { what: 'new-token', remedies: ['from-proxy'] }
      return target.kind === 'url'
        ? { what: 'no-relay', remedies: [failed.unaccepted ? 'press-enter-relay' : 'start-relay'] }
        : { what: 'no-proxy', remedies: [startProxy(failed)] }
    case 'bad-handshake': {
      const status = statusOf(failed)
      if (failed.about === 'version' || (failed.about === 'session' && failed.answered)) return byStatus(status, failed)
      if (status >= 500 || (failed.advice && NAMED.has(failed.advice.is))) return byStatus(status, failed)
      return byError(failed, target)
    }
    case 'stream-lost':
      if (failed.wrongEncoding) return { what: 'wrong-encoding', remedies: ['fix-encoding'] }
      if (failed.cut && isShortLength(failed)) return { what: 'short-length', remedies: ['short-length'] }
      return isResponseFault(failed.fault)
        ? {
            what: failed.fault,
            remedies: failed.fault === 'not-json-rpc' ? ['fix-not-json-rpc', 'try-path'] : [`fix-${failed.fault}`],
          }
        : target.kind === 'url' && failed.http?.status !== undefined
          ? byCutBody(failed.http)
          : BY_CODE['stream-lost']!
    case 'unsupported-revision':
      return {
        what: 'unsupported-revision',
        remedies: [failed.settings?.revision ? 'another-revision' : 'older-revision'],
      }
    default:
      return BY_CODE[code] ?? { what: 'internal', remedies: ['report'] }
  }
}

/** The body ends where Content-Length says, in the middle of JSON that has characters of several bytes. */
const isShortLength = ({ cut, hints }: FailedAttempt): boolean => cut?.wide === true && hints?.length === cut.size

/** The response to `initialize`: a JSON-RPC error (JSON-RPC 2.0 section 5.1), or a result that it may not have. */
const byError = ({ rpcCode, about, answered }: FailedAttempt, { kind }: Target): Verdict => {
  if (about === 'credentials') return { what: 'wants-credentials', remedies: ['add-credentials'] }
  if (about === 'session' && !answered) return { what: 'session-first', remedies: ['session-first'] }
  if (rpcCode === -32700)
    return {
      what: 'parse-error',
      remedies: [...(kind === 'url' ? (['check-request-body'] as const) : []), 'server-log'],
    }
  if (rpcCode === -32603) return { what: 'internal-error', remedies: ['server-log', 'read-body'] }
  if (rpcCode === undefined) return { what: 'invalid-handshake', remedies: ['fix-handshake', 'server-log'] }
  return { what: 'refused', remedies: ['read-body', 'server-log'] }
}

/** Fragments aren't sent. */
export const isLoop = (redirect: string, target: Target): boolean =>
  target.kind === 'url' && parsedUrl(target.url)?.href.split('#')[0] === redirect.split('#')[0]

/** The relay asks another origin that the server names only once the user agrees, which is part of the sign-in. */
const throughRelay = ({ metadata, proxy }: FailedAttempt, target: Target): Remedy[] =>
  proxy && metadata?.is === 'unread' && target.kind === 'url' && !isSameOrigin(metadata.url, target.url)
    ? ['sign-in-relay']
    : []

const isSameOrigin = (one: string, other: string): boolean => parsedUrl(one)?.origin === parsedUrl(other)?.origin

/** Nothing was sent but OPTIONS: a response to any request shows that its preflight had one as well. */
export const isPreflightSilent = ({ preflightSilent, http }: FailedAttempt): boolean =>
  preflightSilent === true && http?.status === undefined

const unansweredOptions = (failed: FailedAttempt): Verdict => ({
  what: 'preflight',
  remedies: ['answer-options', ...withoutProxy(failed)],
})

/** What the page found out itself about a request without a response. */
const byReach = (failed: FailedAttempt, target: Target, page: Page): Verdict => {
  const { reach } = failed
  if (!reach || reach.is === 'silent') return { what: 'unreachable', remedies: silent(target, page, reach) }
  switch (reach.is) {
    case 'plain':
      // A TLS server, too, often responds to plain HTTP with an error, whose status the page can't read.
      return { what: 'plain-http', remedies: ['use-http', 'check-certificate'] }
    case 'response':
      return {
        what: 'post-lost',
        remedies: ['post-log', failed.hasEndpoint ? 'allow-messages' : 'allow-response', ...withoutProxy(failed)],
      }
    // Its secrets are masked, so it is shown, but can't be opened.
    case 'redirect':
      return { what: 'redirect', remedies: ['masked-redirect'] }
    default:
      return { what: 'cors', remedies: [CORS_REMEDIES[reach.is], ...withoutProxy(failed)] }
  }
}

/** The first bytes of gzip, as far as decoding UTF-8 leaves them. */
const isGzip = (body: string): boolean => body.startsWith('\u001F') && body[2] === '\u0008'
/** JSON that was serialized twice. */
const JSON_STRING = /^\s*"\{\s*\\"/
const LOGIN_URL = /\b(?:log-?in|sign-?in|sso|auth)\b/i
/** The warning of ngrok, in place of the server. */
const TUNNEL_PAGE = /ERR_NGROK_6024|ngrok-skip-browser-warning|cdn\.ngrok\.com/i

export const isTunnelPage = ({ http }: Pick<FailedAttempt, 'http'>): boolean => TUNNEL_PAGE.test(http?.body ?? '')

/** A page with a link to a sign-in isn't one. */
const LOGIN_PAGE = /type=["']?password\b|<title>[^<]{0,80}\b(?:log|sign)[ -]?in\b/i

/** The response format of GraphQL (section 7.1), which names itself in most errors about what isn't a query. */
const isGraphQl = ({ code, text = '', http }: FailedAttempt): boolean => {
  if (code !== 'http-status' && code !== 'not-mcp' && code !== 'stream-lost') return false
  const body = http?.body ?? text
  if (!/^\s*\{\s*"(?:errors|data)"\s*:/.test(body) || body.includes('"jsonrpc"')) return false
  return /\bGraphQL\b|\bMust provide query\b|"(?:extensions|locations)"\s*:/i.test(body.slice(0, 2_000))
}

/** A body that is neither JSON nor a stream. */
const byBody = ({ fault, http }: FailedAttempt): Verdict => {
  const { body = '', redirectedTo, url = '', status, contentType = '' } = http ?? {}
  // “Accepted”, as for a notification.
  if (status === 202) return { what: 'status', remedies: ['fix-empty-response'] }
  if (isGzip(body)) return { what: 'compressed', remedies: ['fix-compressed'] }
  if (JSON_STRING.test(body)) return { what: 'json-string', remedies: ['fix-json-string'] }
  if (fault === 'invalid-json') return { what: 'invalid-json', remedies: ['fix-invalid-json'] }
  if (redirectedTo !== undefined && ((LOGIN_URL.test(redirectedTo) && !LOGIN_URL.test(url)) || LOGIN_PAGE.test(body)))
    return { what: 'login-page', remedies: ['exempt-from-login', 'try-path'] }
  if (isTunnelPage({ http })) return { what: 'tunnel-page', remedies: ['tunnel-page'] }
  const page: Remedy[] = /^\s*text\/html\b/i.test(contentType) ? ['web-page'] : []
  return { what: 'not-mcp', remedies: [...page, 'try-path', 'read-body'] }
}

/** A response that began, but isn't complete. */
const byCutBody = ({ contentType = '', cut }: HttpEvidence): Verdict => {
  const isStream = /^\s*text\/event-stream/i.test(contentType)
  if (isStream && !cut) return { what: 'stream-ended', remedies: ['keep-stream', 'server-log'] }
  return cut && !isStream
    ? { what: 'body-lost', remedies: ['check-body-headers', 'server-log'] }
    : { what: 'stream-lost', remedies: ['server-log', 'check-body-headers'] }
}

/** An error that came through the local proxy: the browser refused the request as well. */
const withHidden = ({ what, remedies }: Verdict, { hidden }: FailedAttempt): Verdict =>
  hidden === undefined
    ? { what, remedies }
    : { what, remedies: [...remedies, hidden === 'response' ? 'hidden-error' : 'hidden-too'] }

/** Relay error codes that have texts in our catalogue; the proxy has English texts for all codes. */
export const RELAY_CODES = [
  'dns',
  'refused',
  'no-route',
  'timeout',
  'not-tls',
  'tls',
  'tls-closed',
  'self-signed',
  'certificate',
  'certificate-changed',
  'reset',
  'not-http',
  'too-large',
] as const

export type RelayCode = (typeof RELAY_CODES)[number]

export const isRelayCode = (code: unknown): code is RelayCode => (RELAY_CODES as readonly unknown[]).includes(code)

/** Relay errors with a heading of their own, whose remedy is that of the local proxy. */
const HEADED = ['client-certificate', 'handshake-failure', 'unrecognized-name', 'tls-version', 'http2'] as const

export const isHeadedCode = (code: unknown): code is (typeof HEADED)[number] =>
  (HEADED as readonly unknown[]).includes(code)

/** Failures of a proxy of the user's network, which the proxy's own text names. */
export const isForwardProxyCode = (code: unknown): boolean =>
  typeof code === 'string' && code.startsWith('forward-proxy-')

export const statusOf = ({ status, http }: FailedAttempt): number => status ?? http?.status ?? 0

/** The probe got a response, but the request after it failed. */
export const isProbeUsedUp = (failed: FailedAttempt): boolean => {
  const { probe, http } = failed
  return statusOf(failed) >= 500 && probe?.status !== undefined && probe.status < 500 && probe.request !== http?.request
}

/** The SDKs say so of a transport without sessions. */
export const isUsedOnce = (failed: FailedAttempt): boolean =>
  statusOf(failed) >= 500 && /\btransport (?:cannot|can't|can not) be reused\b/i.test(failed.text ?? '')

/** Causes that the response names itself, each with its heading. */
const NAMED: ReadonlySet<string> = new Set([
  'gateway',
  'rate',
  'host-check',
  'origin-check',
  'firewall',
  'no-route',
  'https-port',
  'platform',
  'upgrade',
  'credentials',
] satisfies What[])

const byStatus = (status: number, failed: FailedAttempt): Verdict => {
  const { advice } = failed
  if (failed.about === 'session' && !failed.hasEndpoint)
    return { what: 'session-never-sent', remedies: ['give-session', 'server-log'] }
  if (failed.about === 'version') return { what: 'version-header', remedies: ['version-header', 'read-body'] }
  if (failed.hasEndpoint && [400, 404, 405, 410].includes(status))
    return { what: 'endpoint-refused', remedies: ['fix-endpoint', 'read-body', 'server-log'] }
  if (advice && !isProbeUsedUp(failed)) {
    // The relay sends no Origin, so it can't be a wrong one.
    const remedy = advice.is === 'origin-check' && failed.relayed ? 'origin-absent' : (`status-${advice.is}` as const)
    const relay = remedy === 'status-origin-check' && !failed.proxy ? [startProxy(failed)] : []
    if (NAMED.has(advice.is)) return { what: advice.is as What, remedies: [remedy, ...relay, 'read-body'] }
    if (status === 403) return { what: 'forbidden', remedies: [remedy, 'read-body'] }
    return { what: 'status', remedies: [remedy, 'old-transport'] }
  }
  if (status === 403) {
    // The relay sends no Origin.
    const origin: Remedy[] = failed.relayed ? [] : ['maybe-origin']
    return { what: 'forbidden', remedies: ['read-body', ...origin, 'maybe-sign-in'] }
  }
  if (status === 404 || status === 405) return { what: 'not-found', remedies: ['try-path', 'old-transport'] }
  if (isUsedOnce(failed)) return { what: 'one-transport', remedies: ['one-transport'] }
  if (isProbeUsedUp(failed)) return { what: 'probe-used-up', remedies: ['restart-server', 'read-body', 'server-log'] }
  if (status >= 500) {
    // What fails at `ping` as well fails at everything. Until that is known, nothing shows that the probe is to blame.
    const atProbe = failed.step === 'probing' && !failed.settings?.revision && (failed.pinged ?? 500) < 500
    return {
      what: 'server-error',
      remedies: [...(atProbe ? (['without-probe'] as const) : []), 'read-body', 'server-log'],
    }
  }
  return { what: 'status', remedies: ['read-body', 'old-transport', 'try-path'] }
}

const byOutput = ({ is }: ProcessFinding): Verdict => ({
  what: 'process',
  remedies: [`fix-process-${is}`, 'run-by-hand'],
})

const late = ({ step, noise, http, silentToAll }: FailedAttempt, target: Target): Remedy[] => {
  // A server that responds to nothing isn't held up by the probe.
  const probe: Remedy[] = step === 'probing' && !silentToAll ? ['without-probe'] : []
  if (http?.queued !== undefined) return ['free-connections', ...probe, 'is-it-running']
  if (target.kind === 'url') return ['is-it-running', ...probe, 'try-path', 'be-patient']
  return [...(noise > 0 ? (['stdout-noise'] as const) : []), ...probe, 'be-patient', 'run-by-hand']
}

/** A browser hides why a handshake failed, so list the causes that the network leaves possible. */
const webSocket = (target: Target, network: readonly NetworkStep[] = []): Remedy[] => {
  const verdict = networkVerdict(network)
  if (verdict === 'no-tls') return ['ws-plain']
  // The browser finds its own way out of the network.
  if (verdict === 'through-proxy' || verdict === 'no-proxy') return ['ws-running', 'ws-origin', 'ws-headers']
  // The browser may trust other certificates than the proxy.
  if (network.some(({ untrusted }) => untrusted !== undefined)) return ['ws-certificate', 'ws-origin', 'ws-headers']
  if (verdict !== undefined && verdict !== 'reachable') return ['ws-running']
  const secure = target.kind === 'custom' && target.url.startsWith('wss:')
  return [
    'ws-running',
    ...(secure && verdict === undefined ? (['ws-certificate'] as const) : []),
    'ws-http',
    'ws-origin',
    'ws-headers',
  ]
}

/** The local proxy makes CORS irrelevant, but nobody who opened a static copy knows of it. */
const withoutProxy = ({ proxy, unaccepted }: FailedAttempt): Remedy[] =>
  proxy ? [] : [unaccepted ? 'press-enter-cors' : 'run-proxy']

/** One that runs already needs no second one. */
const startProxy = ({ unaccepted }: FailedAttempt): Remedy => (unaccepted ? 'press-enter' : 'start-proxy')

const CORS_REMEDIES: Readonly<Record<Exclude<Reach['is'], 'silent' | 'plain' | 'response' | 'redirect'>, Remedy>> = {
  headers: 'allow-headers',
  preflight: 'allow-options',
  closed: 'allow-origin',
}

/**
 * Until it is known whether the server responds at all, list both: not running, and CORS; the more likely first.
 */
const silent = (target: Target, page: Page, found: Reach | undefined): Remedy[] => {
  if (target.kind !== 'url') return ['is-it-running']
  const { host, hostname, protocol } = new URL(target.url)
  // Requests to the page's own origin need no permission, so only the server itself can be the cause.
  if (host === page.host) return ['is-it-running']
  const local = /^(?:localhost|127(?:\.\d+){3}|\[::1\]|10\..*|192\.168\..*|.*\.local(?:host)?)$/.test(hostname)
  // Neither addresses nor these names are looked up.
  const isName = !/^(?:(?:.*\.)?localhost|[\d.]+|\[.*\])$/.test(hostname)
  const remedies: Remedy[] = found
    ? [
        'is-it-running',
        'read-curl',
        ...(isName ? (['check-host'] as const) : []),
        ...(protocol === 'https:' ? (['check-certificate'] as const) : []),
      ]
    : local
      ? ['is-it-running', 'allow-page']
      : ['allow-page', 'is-it-running']
  if (local && page.protocol === 'https:') remedies.push('local-network')
  return remedies
}
