/** Labels for the diagnosis of a failed attempt, in the current language. */
import {
  corsPolicy,
  greetingProtocol,
  policyLines,
  spelled,
  type ProcessFinding,
  type Reach,
} from '../../doctor/index.ts'
import { format } from '../../ui/index.svelte.ts'
import { closeCodeText } from '../../trace/index.svelte.ts'
import { visible } from '../../ui/index.ts'
import type { Json, Phase } from '../../mcp/index.ts'
import type { Action } from './failure-actions.ts'
import { foreignOrigin, type FailedAttempt } from './failed-attempt.ts'
import { isForwardProxyCode, isHeadedCode, isRelayCode, type RelayCode } from './failure.ts'
import type { Remedy, What } from './verdict.ts'
import type { Server } from '../server/index.svelte.ts'
import { commandLine, hostOf, quote, type Target } from '../connect/index.ts'
import { startCommand, startCommandFor } from '../connect/index.svelte.ts'
import type { Proxy } from '../proxy-link.svelte.ts'
import { processTexts, texts } from './text/texts.svelte.ts'
import { stepLabel } from '../labels.svelte.ts'

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? visible(value) : '?')

/** What is wrong with a process. What it names comes from the process. */
export const causeHeading = ({ is, name = '' }: ProcessFinding): string =>
  processTexts.t[`process-${is}`](visible(name, 100))

const isOfProcess = (remedy: Remedy): remedy is `fix-process-${ProcessFinding['is']}` =>
  remedy.startsWith('fix-process-')

export const failureHeading = (
  what: What,
  { connection, name, shownTarget: target }: Server,
  { finding, advice, network }: FailedAttempt,
): string => {
  const { t } = texts
  const { details = {} } = connection.failure ?? {}
  const host = target.kind === 'url' ? hostOf(target.url) : target.kind === 'custom' ? target.url : name
  switch (what) {
    case 'process':
      return finding ? causeHeading(finding) : ''
    case 'unreachable':
    case 'cors':
    case 'preflight':
    case 'post-lost':
    case 'plain-http':
    case 'web-socket':
    case 'not-opened':
    case 'certificate-expired':
    case 'certificate-not-yet-valid':
    case 'certificate-other-name':
    case 'certificate-unknown-issuer':
      return t[`what-${what}`](host)
    case 'blocked-port':
      return t['what-blocked-port'](target.kind === 'url' ? new URL(target.url).port : '')
    case 'other-protocol':
      return t['what-other-protocol'](host, greetingProtocol(network) ?? '?')
    case 'relay': {
      const { relayCode } = details
      if (isForwardProxyCode(relayCode)) return t['relay-forward-proxy'](host)
      return t[`relay-${isRelayCode(relayCode) || isHeadedCode(relayCode) ? relayCode : 'other'}`](host)
    }
    case 'other-id':
      return t['what-other-id'](textOf(details.found), textOf(details.asked))
    case 'sign-in-metadata':
    case 'sign-in-unread':
    case 'body-lost':
    case 'redirect':
    case 'empty-response':
    case 'status':
    case 'not-found':
    case 'server-error':
    case 'probe-used-up':
    case 'gateway':
    case 'rate':
    case 'host-check':
    case 'origin-check':
    case 'firewall':
    case 'unknown-session':
    case 'no-route':
    case 'platform':
    case 'version-header':
    case 'https-port':
    case 'endpoint-refused':
    case 'one-transport':
    case 'credentials':
      return t[`what-${what}`](Number(details.status ?? connection.http?.status ?? 0))
    case 'upgrade':
      return t['what-upgrade'](Number(details.status ?? 0), visible((advice?.is === 'upgrade' && advice.to) || '', 40))
    case 'foreign-endpoint':
      return t['what-foreign-endpoint'](foreignOrigin(connection, target) ?? '?')
    case 'timeout': {
      const last = connection.steps.at(-1)
      const step = typeof details.step === 'string' ? (details.step as Phase) : last?.step
      const limit = Number(details.limit ?? last?.limit ?? 0)
      const name = step ? stepLabel(step) : '…'
      // Recordings of earlier versions have no total.
      return typeof details.total === 'number'
        ? t['what-inactive'](name, format.ms(limit), format.ms(details.total))
        : t['what-timeout'](name, format.ms(limit))
    }
    case 'process-exited':
    case 'exited-after-response': {
      const { exit } = connection.process
      if (exit?.signal) return t[`what-${what}`](t.exitSignal(exit.signal))
      return exit?.code == null ? t['what-stream-lost'] : t[`what-${what}`](t.exitCode(exit.code))
    }
    case 'spawn-failed':
      return t['what-spawn-failed'](target.kind === 'command' ? target.command : name)
    case 'unsupported-revision': {
      const named = [details.answered, details.supported].flat().filter((text) => typeof text === 'string')
      return t['what-unsupported-revision'](named.join(', ') || '?')
    }
    default:
      return t[`what-${what}`]
  }
}

export const remedyText = (
  remedy: Remedy,
  { relayCode, reach, advice, closeCode, http, metadata }: FailedAttempt,
  host: string,
): string => {
  const { t } = texts
  if (isOfProcess(remedy)) return processTexts.t[`remedy-${remedy}`]
  switch (remedy) {
    case 'close-code':
      return closeCodeText(closeCode) ?? t.unknownCloseCode(closeCode ?? 0)
    case 'ws-origin':
    case 'maybe-origin':
    case 'allow-page':
    case 'allow-origin':
    case 'allow-options':
    case 'allow-response':
    case 'hidden-error':
      return t[`remedy-${remedy}`](location.origin)
    case 'allow-headers':
      return t['remedy-allow-headers'](missingHeaders(reach))
    case 'allow-messages':
      return t['remedy-allow-messages'](visible(http?.url ?? '', 200))
    case 'fix-endpoint':
      return t['remedy-fix-endpoint'](visible(http?.url ?? '', 200))
    case 'metadata-missing':
      return t[`remedy-${remedy}`](
        metadata?.is === 'missing' ? visible(metadata.url, 300) : '?',
        metadata?.is === 'missing' ? metadata.status : 0,
      )
    case 'metadata-unread':
      return t[`remedy-${remedy}`](metadata?.is === 'unread' ? visible(metadata.url, 300) : '?', location.origin)
    case 'metadata-unreachable':
      return t[`remedy-${remedy}`](metadata?.is === 'unreachable' ? visible(metadata.url, 300) : '?')
    case 'metadata-not-json':
      return t[`remedy-${remedy}`](
        metadata?.is === 'not-json' ? visible(metadata.url, 300) : '?',
        metadata?.is === 'not-json' ? visible(metadata.contentType, 60) : '',
      )
    case 'metadata-other-resource':
      return t[`remedy-${remedy}`](
        metadata?.is === 'other-resource' ? visible(metadata.found, 300) : '?',
        metadata?.is === 'other-resource' ? visible(metadata.expected, 300) : '?',
      )
    case 'relay':
      return t[`relay-remedy-${likeRelayCode(relayCode as RelayCode)}`]
    case 'masked-redirect':
      return t['remedy-masked-redirect'](reach?.is === 'redirect' ? visible(reach.to, 200) : '?')
    case 'from-proxy':
      return ''
    case 'status-rate':
    case 'status-gateway':
      return t[`remedy-${remedy}`](advice && 'after' in advice ? visible(advice.after ?? '', 100) : '')
    case 'status-upgrade':
      return t['remedy-status-upgrade'](advice?.is === 'upgrade' ? visible(advice.to ?? '', 40) : '')
    case 'status-api-key':
      return t['remedy-status-api-key'](advice?.is === 'api-key' ? visible(advice.header, 60) : '')
    case 'status-scope':
      return t['remedy-status-scope'](advice?.is === 'scope' ? visible(advice.scope, 200) : '')
    case 'status-host-check':
      return t['remedy-status-host-check'](host)
    case 'status-origin-check':
    case 'origin-absent':
      return t[`remedy-${remedy}`](location.origin)
    default:
      return t[`remedy-${remedy}`]
  }
}

/** The request headers that the server refuses, as the specification spells them. */
const missingHeaders = (reach: Reach | undefined): string =>
  reach?.is === 'headers' ? reach.missing.map(spelled).join(', ') : ''

/** Two pairs of causes have the same remedy. */
const likeRelayCode = (code: RelayCode): Exclude<RelayCode, 'timeout' | 'certificate'> =>
  code === 'timeout' ? 'no-route' : code === 'certificate' ? 'self-signed' : code

export const actionLabel = (action: Action): string => {
  const { t } = texts
  if (action.do === 'redirect') return t['do-redirect'](visible(action.url.slice(0, 120)))
  if (action.do === 'add-variable') return t['do-add-variable'](visible(action.name, 60))
  if (action.do === 'add-header') return t['do-add-header'](visible(action.name, 60))
  if (action.do === 'authorize' && action.header !== undefined) return t['do-add-variable'](visible(action.header, 60))
  if (action.do !== 'pin') return t[`do-${action.do}`]
  return action.probeless ? t['do-pin-probeless'](action.revision) : t['do-pin'](action.revision)
}

/** Remedies that need all permissions. */
const PERMITTED: readonly Remedy[] = ['allow-page', 'allow-origin', 'allow-options', 'allow-messages']

/** What every MCP server must allow, and the credentials of most. */
const permission = () =>
  policyLines(corsPolicy({ origin: location.origin, method: 'POST', headers: ['authorization'] })).join('\n')

/** The command or headers to paste, for remedies that have some. */
export const remedyPaste = (
  remedy: Remedy,
  target: Target,
  reach: Reach | undefined,
  proxy: Proxy,
): string | undefined => {
  if (remedy === 'run-by-hand' && target.kind === 'command') return commandLine(target.command, target.args)
  if (remedy === 'is-it-running' && target.kind === 'url') return `curl -i ${quote(target.url)}`
  if (remedy === 'start-proxy') return startCommandFor(proxy, target)
  if (remedy === 'restart-proxy' || remedy === 'start-relay' || remedy === 'run-proxy') return startCommand(proxy)
  if (PERMITTED.includes(remedy)) return permission()
  if (remedy === 'allow-headers' && reach?.is === 'headers')
    return `Access-Control-Allow-Headers: ${missingHeaders(reach)}`
  if (remedy === 'expose-session') return 'Access-Control-Expose-Headers: Mcp-Session-Id'
  return remedy === 'allow-response' || remedy === 'hidden-error'
    ? `Access-Control-Allow-Origin: ${location.origin}`
    : undefined
}
