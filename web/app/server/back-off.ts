/** When and how often to retry a lost connection, and when retrying is pointless. */
import type { TargetKind } from '../connect/index.ts'
import type { Lost } from './connection.ts'

export interface Policy {
  /** Maximum number of consecutive attempts, so that a server that keeps ending isn't restarted indefinitely. */
  readonly most: number
  /** ms before the first attempt; each later pause is twice as long, up to `longest`. */
  readonly first: number
  readonly longest: number
  /** ms that a connection must have been open for the count to start over. */
  readonly stood: number
}

const POLICIES: Readonly<Record<'url' | 'command', Policy>> = {
  url: { most: 10, first: 1_000, longest: 30_000, stood: 30_000 },
  command: { most: 5, first: 1_000, longest: 15_000, stood: 60_000 },
}

export const policyFor = (kind: TargetKind): Policy => POLICIES[kind === 'command' ? 'command' : 'url']

/**
 * @param tried attempts since the connection was last open
 * @param random from 0 to 1, so that not all pages reconnect at the same moment
 * @returns ms to wait; `undefined` after enough attempts
 */
export const pauseBefore = ({ most, first, longest }: Policy, tried: number, random: number): number | undefined =>
  tried >= most ? undefined : Math.round(Math.min(first * 2 ** tried, longest) * (0.85 + random * 0.3))

/** Causes that may pass, such as a restart or a network change. Causes that a person has to fix aren't retried. */
const PASSES: ReadonlySet<string> = new Set([
  'unreachable',
  'timeout',
  'stream-lost',
  'session-expired',
  'closed',
  'process-exited',
  'not-opened',
  'connection-closed',
])

/** Whether a new attempt is worthwhile after a failed attempt or a lost connection. */
export const mayPass = ({ code, status }: Pick<Lost, 'code' | 'status'>, kind: TargetKind): boolean => {
  if (kind === 'sample') return false
  if (kind === 'command') return code === 'process-exited'
  if (code === 'http-status') return status !== undefined && (status >= 500 || [404, 408, 425, 429].includes(status))
  return PASSES.has(code)
}
