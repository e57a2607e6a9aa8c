/** One-click actions after a failed attempt: each changes settings and tries again. */
import type { Server } from '../server/index.svelte.ts'
import type { Workbench } from '../workbench.svelte.ts'
import { headerIn, isRevision, type Revision, type TrustedCertificate } from '../../mcp/index.ts'
import { parsedUrl } from '../../mcp/url.ts'
import type { StatusAdvice } from './status-advice.ts'
import type { FailedAttempt } from './failed-attempt.ts'
import { isLoop, isPreflightSilent, isProbeUsedUp, isTunnelPage, isUsedOnce, statusOf, type Page } from './failure.ts'
import { variablesOf, withCertificate, type Settings, type SettingsPatch, type Target } from '../connect/index.ts'

export type Action =
  | { readonly do: 'relay' | 'direct' | 'http-sse' | 'any-transport' | 'foreign-endpoint' | 'unpin' }
  /** `probeless`: its only advantage is that no probe precedes the handshake. */
  | { readonly do: 'pin'; readonly revision: Revision; readonly probeless?: true }
  /** Trusts the certificate that the check showed; `trust-new`: in place of another one. */
  | { readonly do: 'trust' | 'trust-new'; readonly certificate: TrustedCertificate }
  /** Changes nothing: opens the row for credentials. `header`: unless it is Authorization. */
  | { readonly do: 'authorize'; readonly header?: string }
  /** Adds a header and connects. */
  | { readonly do: 'add-header'; readonly name: string; readonly value: string }
  /** Changes nothing: opens a row for the variable. */
  | { readonly do: 'add-variable'; readonly name: string }
  /** Connects to the URL that the server redirects to, or that a process says it serves. */
  | { readonly do: 'redirect'; readonly url: string }
  /** Opens the authorization server's window, or signs in step by step. */
  | { readonly do: 'sign-in' | 'sign-in-by-steps' }

/** The newest protocol version that starts with a handshake, so no probe is sent before it. */
const PROBELESS: Revision = '2025-11-25'

const MOST = 4

/** The server responded in a way that another protocol version may change. */
const ANSWERED: ReadonlySet<string> = new Set([
  'http-status',
  'not-mcp',
  'timeout',
  'stream-lost',
  'process-exited',
  'connection-closed',
  'bad-handshake',
  'invalid-result',
  'unsupported-revision',
])

/** The most likely fix first. */
export const actionsFor = (failed: FailedAttempt, target: Target, page: Page): Action[] => {
  const { settings = {}, supported = [], code } = failed
  const actions: Action[] = target.kind === 'url' ? overHttp(failed, target, page) : ofProcess(failed)
  const others = supported.filter(isRevision).filter((revision) => revision !== settings.revision)
  if (code === 'unsupported-revision') {
    for (const revision of [...new Set(others)].sort().reverse()) actions.push({ do: 'pin', revision })
  }
  if (settings.revision) {
    if (!failed.foreignEndpoint && !failed.sessionHidden && failed.redirect === undefined && ANSWERED.has(code))
      actions.push({ do: 'unpin' })
  } else if (probeMayHurt(failed)) actions.push({ do: 'pin', revision: PROBELESS, probeless: true })
  return actions.slice(0, MOST)
}

const PATCHES: Readonly<Partial<Record<Action['do'], SettingsPatch>>> = {
  relay: { relay: true },
  direct: { relay: undefined },
  'http-sse': { transport: 'http-sse' },
  'any-transport': { transport: undefined },
  'foreign-endpoint': { transport: 'http-sse', foreignEndpoint: true },
  unpin: { revision: undefined },
}

/** A process that names the variable that it lacks, or where it serves HTTP. */
const ofProcess = ({ finding }: FailedAttempt): Action[] => {
  if (finding?.name === undefined) return []
  if (finding.is === 'missing-variable') return [{ do: 'add-variable', name: finding.name }]
  return finding.is === 'serves-http' ? [{ do: 'redirect', url: finding.name }] : []
}

/**
 * Connects to another URL in place of the target. To another origin, variables of the proxy's environment are only sent
 * once the user has seen it in the form and connects.
 */
export const connectTo = (url: string, server: Server, { servers }: Pick<Workbench, 'servers'>): void => {
  const isElsewhere = parsedUrl(url)?.origin !== parsedUrl(server.url)?.origin
  const { draft } = server
  draft.text = url
  if (isElsewhere && draft.target && variablesOf(draft.target, draft).length > 0) return
  servers.retry(server)
}

/** The settings that the action changes. @param now the settings of the next attempt */
export const patchOf = (action: Action, now: Settings = {}): SettingsPatch | undefined => {
  if (action.do === 'pin') return { revision: action.revision }
  // A browser would refuse the certificate of a direct request.
  if ('certificate' in action)
    return { relay: true, certificates: withCertificate(now.certificates, action.certificate) }
  return PATCHES[action.do]
}

/**
 * Manual credentials remain possible, because not every server that requires credentials supports OAuth (AU-GEN-07).
 */
const SIGN_IN: Action[] = [{ do: 'sign-in' }, { do: 'sign-in-by-steps' }, { do: 'authorize' }]

/** Causes that neither another transport nor a sign-in changes. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  'rate',
  'gateway',
  'firewall',
  'host-check',
  'origin-check',
  'no-route',
  'platform',
] satisfies StatusAdvice['is'][])

/** With this header, ngrok shows no warning. */
const PASS_TUNNEL = 'ngrok-skip-browser-warning'

const overHttp = (failed: FailedAttempt, target: Target & { readonly kind: 'url' }, page: Page): Action[] => {
  const { code, settings = {}, relayCode, proxy } = failed
  const { url } = target
  const { transport, relay, revision } = settings
  const status = statusOf(failed)
  const canRelay = proxy && !relay && new URL(url).host !== page.host
  if (failed.foreignEndpoint) return [{ do: 'foreign-endpoint' }]
  if (failed.redirect !== undefined)
    return isLoop(failed.redirect, target) ? [] : [{ do: 'redirect', url: failed.redirect }]
  if (failed.advice?.is === 'https-port') return [{ do: 'redirect', url: url.replace(/^http:/i, 'https:') }]
  if (failed.sessionHidden) return canRelay ? [{ do: 'relay' }] : []
  switch (code) {
    case 'unreachable':
      if (failed.certificate) return [trust(failed.certificate, failed)]
      // On this machine, nobody reads along.
      if ((relayCode === 'not-tls' || relayCode === 'tls-closed') && isLoopback(url))
        return [{ do: 'redirect', url: overPlain(url) }]
      // If there is a code, the relay was tried already.
      return canRelay && relayCode === undefined ? [{ do: 'relay' }] : []
    case 'no-proxy':
    case 'proxy-refused':
    case 'proxy-lost':
      return relay ? [{ do: 'direct' }] : []
    case 'unauthorized':
      // Typed credentials first, if the server names another scheme than OAuth.
      return failed.advice?.is === 'basic' || failed.advice?.is === 'api-key'
        ? [authorize(failed), ...SIGN_IN.slice(0, 2)]
        : SIGN_IN
    case 'timeout':
      if (isPreflightSilent(failed)) return canRelay ? [{ do: 'relay' }] : []
      // A server that doesn't respond over one transport responds over no other.
      return transport === 'http-sse' ? [{ do: 'any-transport' }] : []
    case 'not-mcp':
    case 'http-status':
    case 'bad-handshake': {
      if (failed.about === 'version') return []
      if (failed.about === 'credentials') return [{ do: 'authorize' }]
      if (code === 'not-mcp' && isTunnelPage(failed) && headerIn(target.headers, PASS_TUNNEL) === undefined)
        return [{ do: 'add-header', name: PASS_TUNNEL, value: '1' }]
      if (failed.advice?.is === 'upgrade') return upgraded(url, failed.advice.to)
      if (failed.advice?.is === 'api-key' || failed.advice?.is === 'credentials') return [authorize(failed)]
      if (failed.advice?.is === 'scope') return SIGN_IN
      if (failed.advice && ELSEWHERE.has(failed.advice.is))
        return canRelay && failed.advice.is === 'origin-check' ? [{ do: 'relay' }] : []
      if (status === 403) return canRelay ? [{ do: 'relay' }, ...SIGN_IN] : SIGN_IN
      // No transport follows a redirect without a target.
      if (status >= 300 && status < 400) return []
      if (status >= 500 || (code === 'bad-handshake' && status < 400)) return []
      if (transport !== undefined) return [{ do: 'any-transport' }]
      // Automatic mode has tried this already, except for protocol versions that this transport can't carry. A web page
      // or another API has no older transport either, and a size, a type or a limit is refused whatever the transport.
      const tried = code === 'not-mcp' || revision !== '2026-07-28'
      return !tried && [400, 404, 405].includes(status) ? [{ do: 'http-sse' }] : []
    }
    default:
      return []
  }
}

/** The row for the header that the server asks for. */
const authorize = ({ advice }: FailedAttempt): Action =>
  advice?.is === 'api-key' ? { do: 'authorize', header: advice.header } : { do: 'authorize' }

/**
 * The same URL for the protocol that the server wants. A page often can't read which one that is, and mostly it is WebSocket.
 * @param to the value of Upgrade: protocols in order of preference
 */
const upgraded = (url: string, to: string | undefined): Action[] => {
  if (to === undefined || /\bwebsocket\b/i.test(to)) return [{ do: 'redirect', url: url.replace(/^http/i, 'ws') }]
  // RFC 2817 section 4.2.
  if (/\bTLS\//i.test(to) && /^http:/i.test(url)) return [{ do: 'redirect', url: url.replace(/^http:/i, 'https:') }]
  return []
}

/** On the same port, where something else than TLS responded. */
const overPlain = (url: string): string => {
  const plain = new URL(url)
  const { port } = plain
  plain.protocol = 'http:'
  plain.port = port || '443'
  return plain.href
}

const isLoopback = (url: string): boolean =>
  /^(?:(?:.*\.)?localhost|127(?:\.\d+){3}|\[::1\])$/i.test(parsedUrl(url)?.hostname ?? '')

const trust = (certificate: TrustedCertificate, { relayCode }: FailedAttempt): Action => ({
  do: relayCode === 'certificate-changed' ? 'trust-new' : 'trust',
  certificate,
})

/** A probe was sent before the handshake, and may have caused the failure. */
const probeMayHurt = (failed: FailedAttempt): boolean => {
  const { code, step, probed, restarted } = failed
  // What the process printed, or the response says, explains it.
  if (
    failed.finding ||
    failed.preflightSilent ||
    failed.about ||
    (failed.rpcCode ?? 0) === -32700 ||
    (failed.advice && !isProbeUsedUp(failed))
  )
    return false
  if (failed.silentToAll && code === 'timeout') return false
  // The handshake got as little as the probe, in a request of its own.
  if (code === 'stream-lost' && failed.probe && failed.probe.request !== failed.http?.request) return false
  // It took the probe, and responded to the handshake after it.
  if (failed.answered || isUsedOnce(failed)) return false
  // The second process or connection got no probe.
  if ((code === 'process-exited' || code === 'connection-closed') && restarted) return false
  // A server that fails at `ping` as well fails at everything.
  if (step === 'probing')
    return code === 'timeout' || code === 'bad-handshake' || (statusOf(failed) >= 500 && (failed.pinged ?? 500) < 500)
  if (isProbeUsedUp(failed)) return true
  // A response to the handshake, even an unusable one, isn't about the probe: each HTTP request stands alone, and a
  // process that refuses the handshake was started again without a probe.
  return probed === true && ['timeout', 'process-exited', 'connection-closed', 'stream-lost'].includes(code)
}
