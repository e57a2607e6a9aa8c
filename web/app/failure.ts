/**
 * From a failed attempt to what the reader can do about it. The texts stand in the catalogue; here is the judgement.
 */
import type { HttpEvidence } from './connection-fold.ts'
import type { Target } from './target.ts'

/** What happened, as the heading names it. */
export type What =
  | 'unreachable'
  | 'status'
  | 'forbidden'
  | 'not-found'
  | 'server-error'
  | 'unauthorized'
  | 'not-mcp'
  | 'timeout'
  | 'stream-lost'
  | 'process-exited'
  | 'spawn-failed'
  | 'no-proxy'
  | 'proxy-lost'
  | 'refused'
  | 'unsupported-revision'
  | 'stopped'
  | 'internal'

/** What to do, most probable cause first. */
export type Remedy =
  | 'is-it-running'
  | 'allow-page'
  | 'try-path'
  | 'old-transport'
  | 'read-body'
  | 'server-log'
  | 'sign-in'
  | 'be-patient'
  | 'read-stderr'
  | 'run-by-hand'
  | 'stdout-noise'
  | 'check-command'
  | 'check-environment'
  | 'restart-proxy'
  | 'start-proxy'
  | 'older-revision'
  | 'local-network'
  | 'report'

export interface Verdict {
  readonly what: What
  readonly remedies: readonly Remedy[]
}

export interface FailedAttempt {
  /** A TransportErrorCode, or `internal`. */
  readonly code: string
  readonly status?: number
  readonly http?: HttpEvidence
  /** Lines on stdout that were no messages, and lines of stderr. */
  readonly noise: number
  readonly stderr: number
}

/** @param page `location.protocol` and host of the page */
export const judgeFailure = (
  failed: FailedAttempt,
  target: Target,
  page: { readonly protocol: string; readonly host: string },
): Verdict => {
  const { code } = failed
  switch (code) {
    case 'unreachable':
      return { what: 'unreachable', remedies: reach(target, page) }
    case 'http-status':
      return byStatus(failed.status ?? failed.http?.status ?? 0)
    case 'session-expired':
      return { what: 'not-found', remedies: ['try-path', 'server-log'] }
    case 'unauthorized':
      return { what: 'unauthorized', remedies: ['sign-in'] }
    case 'not-mcp':
      return { what: 'not-mcp', remedies: ['try-path', 'read-body'] }
    case 'timeout':
      return target.kind === 'command'
        ? {
            what: 'timeout',
            remedies: [...(failed.noise > 0 ? (['stdout-noise'] as const) : []), 'be-patient', 'run-by-hand'],
          }
        : { what: 'timeout', remedies: ['is-it-running', 'try-path', 'be-patient'] }
    case 'stream-lost':
    case 'closed':
      return { what: 'stream-lost', remedies: ['server-log', 'be-patient'] }
    case 'process-exited':
      return {
        what: 'process-exited',
        remedies: [...(failed.stderr > 0 ? (['read-stderr'] as const) : []), 'check-environment', 'run-by-hand'],
      }
    case 'spawn-failed':
      return { what: 'spawn-failed', remedies: ['check-command'] }
    case 'no-proxy':
      return { what: 'no-proxy', remedies: ['start-proxy'] }
    case 'proxy-lost':
    case 'proxy-refused':
      return { what: 'proxy-lost', remedies: ['restart-proxy'] }
    case 'bad-handshake':
      return { what: 'refused', remedies: ['read-body', 'server-log'] }
    case 'unsupported-revision':
      return { what: 'unsupported-revision', remedies: ['older-revision'] }
    case 'cancelled':
      return { what: 'stopped', remedies: [] }
    default:
      return { what: 'internal', remedies: ['report'] }
  }
}

const byStatus = (status: number): Verdict => {
  if (status === 403) return { what: 'forbidden', remedies: ['allow-page', 'sign-in', 'read-body'] }
  if (status === 404 || status === 405) return { what: 'not-found', remedies: ['try-path', 'old-transport'] }
  if (status >= 500) return { what: 'server-error', remedies: ['read-body', 'server-log'] }
  return { what: 'status', remedies: ['read-body', 'old-transport', 'try-path'] }
}

/** A page cannot tell a refused port from missing CORS headers, so both are said, the likelier first. */
const reach = (target: Target, page: { readonly protocol: string; readonly host: string }): Remedy[] => {
  if (target.kind !== 'url') return ['is-it-running']
  const { host, hostname } = new URL(target.url)
  // The page's own origin needs no permission: then only the server itself can be the cause.
  if (host === page.host) return ['is-it-running']
  const local = /^(?:localhost|127(?:\.\d+){3}|\[::1\]|10\..*|192\.168\..*|.*\.local(?:host)?)$/.test(hostname)
  const remedies: Remedy[] = local ? ['is-it-running', 'allow-page'] : ['allow-page', 'is-it-running']
  if (local && page.protocol === 'https:') remedies.push('local-network')
  return remedies
}
