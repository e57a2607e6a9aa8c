/** The verdict on a failed attempt, in the language of the moment. */
import { format } from '../ui/format.svelte.ts'
import type { Phase } from '../mcp/index.ts'
import type { Remedy, What } from './failure.ts'
import type { Server } from './server.svelte.ts'
import { hostOf } from './target.ts'
import { texts } from './text/texts.svelte.ts'
import { stepWord } from './words.svelte.ts'

export const failureHeading = (what: What, server: Server): string => {
  const { t } = texts
  const { connection, target } = server
  const { details = {} } = connection.failure ?? {}
  const status = Number(details.status ?? connection.http?.status ?? 0)
  switch (what) {
    case 'unreachable':
      return t.whatUnreachable(target.kind === 'url' ? hostOf(target.url) : server.name)
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

export const remedyText = (remedy: Remedy): string => {
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
    'read-stderr': t.remedyReadStderr,
    'run-by-hand': t.remedyRunByHand,
    'stdout-noise': t.remedyStdoutNoise,
    'check-command': t.remedyCheckCommand,
    'check-environment': t.remedyCheckEnvironment,
    'restart-proxy': t.remedyRestartProxy,
    'start-proxy': t.remedyStartProxy,
    'older-revision': t.remedyOlderRevision,
    'local-network': t.remedyLocalNetwork,
    report: t.remedyReport,
  }
  return all[remedy]
}
