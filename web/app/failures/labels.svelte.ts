/** Labels for the diagnosis of a failed attempt, in the current language. */
import { format } from '../../ui/index.svelte.ts'
import type { Phase } from '../../mcp/index.ts'
import { foreignOrigin } from './failed-attempt.ts'
import type { Action } from './failure-actions.ts'
import type { FailedAttempt, RelayCode, Remedy, What } from './failure.ts'
import type { Server } from '../server/index.svelte.ts'
import { hostOf } from '../connect/index.ts'
import { texts } from './text/texts.svelte.ts'
import { stepWord } from '../labels.svelte.ts'

export const failureHeading = (what: What, server: Server): string => {
  const { t } = texts
  const { connection, target } = server
  const { details = {} } = connection.failure ?? {}
  const status = Number(details.status ?? connection.http?.status ?? 0)
  switch (what) {
    case 'unreachable':
      return t.whatUnreachable(target.kind === 'url' ? hostOf(target.url) : server.name)
    case 'relay': {
      const say = relayHeading(typeof details.relayCode === 'string' ? details.relayCode : '')
      return say(target.kind === 'url' ? hostOf(target.url) : server.name)
    }
    case 'probe-used-up':
      return t.whatProbeUsedUp(status)
    case 'foreign-endpoint':
      return t.whatForeignEndpoint(foreignOrigin(connection, target) ?? '?')
    case 'no-relay':
      return t.whatNoRelay
    case 'proxy-refused':
      return t.whatProxyRefused
    case 'invalid-result':
      return t.whatInvalidResult
    case 'not-sendable':
      return t.whatNotSendable
    case 'unanswered':
      return t.whatUnanswered
    case 'status':
      return t.whatStatus(status)
    case 'forbidden':
      return t.whatForbidden
    case 'not-found':
      return t.whatNotFound(status)
    case 'server-error':
      return t.whatServerError(status)
    case 'unauthorized':
      return t.whatUnauthorized
    case 'not-mcp':
      return t.whatNotMcp
    case 'timeout': {
      const last = connection.steps.at(-1)
      const step = typeof details.step === 'string' ? (details.step as Phase) : last?.step
      const limit = Number(details.limit ?? last?.limit ?? 0)
      return t.whatTimeout(step ? stepWord(step) : '…', format.ms(limit))
    }
    case 'stream-lost':
      return t.whatStreamLost
    case 'process-exited': {
      const { exit } = connection.process
      if (exit?.signal) return t.whatProcessExited(t.exitSignal(exit.signal))
      return exit?.code == null ? t.whatStreamLost : t.whatProcessExited(t.exitCode(exit.code))
    }
    case 'spawn-failed':
      return t.whatSpawnFailed(target.kind === 'command' ? target.command : server.name)
    case 'no-proxy':
      return t.whatNoProxy
    case 'proxy-lost':
      return t.whatProxyLost
    case 'refused':
      return t.whatRefused
    case 'unsupported-revision': {
      const named = [details.answered, details.supported].flat().filter((text) => typeof text === 'string')
      return t.whatUnsupportedRevision(named.join(', ') || '?')
    }
    case 'stopped':
      return t.whatStopped
    case 'internal':
      return t.whatInternal
  }
}

export const remedyText = (remedy: Remedy, { relayCode }: FailedAttempt): string => {
  const { t } = texts
  const all: Record<Remedy, string> = {
    'is-it-running': t.remedyIsItRunning,
    'allow-page': t.remedyAllowPage(location.origin),
    'try-path': t.remedyTryPath,
    'old-transport': t.remedyOldTransport,
    'read-body': t.remedyReadBody,
    'server-log': t.remedyServerLog,
    'sign-in': t.remedySignIn,
    'be-patient': t.remedyBePatient,
    'free-connections': t.remedyFreeConnections,
    'read-stderr': t.remedyReadStderr,
    'run-by-hand': t.remedyRunByHand,
    'stdout-noise': t.remedyStdoutNoise,
    'check-command': t.remedyCheckCommand,
    'check-environment': t.remedyCheckEnvironment,
    'restart-proxy': t.remedyRestartProxy,
    'start-proxy': t.remedyStartProxy,
    'older-revision': t.remedyOlderRevision,
    'another-revision': t.remedyAnotherRevision,
    'local-network': t.remedyLocalNetwork,
    'start-relay': t.remedyStartRelay,
    'foreign-endpoint': t.remedyForeignEndpoint,
    'restart-server': t.remedyRestartServer,
    'without-probe': t.remedyWithoutProbe,
    'check-values': t.remedyCheckValues,
    relay: relayRemedy(relayCode as RelayCode),
    told: '',
    report: t.remedyReport,
  }
  return all[remedy]
}

const relayHeading = (code: string): ((host: string) => string) => {
  const { t } = texts
  const all: Record<RelayCode, (host: string) => string> = {
    dns: t.relayDns,
    refused: t.relayRefused,
    'no-route': t.relayNoRoute,
    timeout: t.relayTimeout,
    tls: t.relayTls,
    'self-signed': t.relaySelfSigned,
    certificate: t.relayCertificate,
    reset: t.relayReset,
    'not-http': t.relayNotHttp,
    'too-large': t.relayTooLarge,
  }
  return Object.hasOwn(all, code) ? all[code as RelayCode] : t.relayOther
}

const relayRemedy = (code: RelayCode): string => {
  const { t } = texts
  const all: Record<RelayCode, string> = {
    dns: t.remedyRelayDns,
    refused: t.remedyRelayRefused,
    'no-route': t.remedyRelayNetwork,
    timeout: t.remedyRelayNetwork,
    tls: t.remedyRelayTls,
    'self-signed': t.remedyRelayCertificate,
    certificate: t.remedyRelayCertificate,
    reset: t.remedyRelayReset,
    'not-http': t.remedyRelayNotHttp,
    'too-large': t.remedyRelayTooLarge,
  }
  return all[code]
}

export const actionWord = (action: Action): string => {
  const { t } = texts
  switch (action.do) {
    case 'relay':
      return t.doRelay
    case 'direct':
      return t.doDirect
    case 'insecure':
      return t.doInsecure
    case 'http-sse':
      return t.doHttpSse
    case 'any-transport':
      return t.doAnyTransport
    case 'foreign-endpoint':
      return t.doForeignEndpoint
    case 'unpin':
      return t.doUnpin
    case 'authorize':
      return t.doAuthorize
    case 'sign-in':
      return t.doSignIn
    case 'sign-in-by-steps':
      return t.doSignInBySteps
    case 'pin':
      return action.probeless ? t.doPinProbeless(action.revision) : t.doPin(action.revision)
  }
}
