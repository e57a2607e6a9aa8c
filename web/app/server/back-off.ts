/** When a lost connection is tried again, how often, and when that is of no use. */
import { messageOf, ProtocolError, TransportError, type JsonObject, type Link, type Trace } from '../../mcp/index.ts'
import type { TargetKind } from '../connect/index.ts'

export interface Policy {
  /** Attempts in a row. A server that ends again and again is not started for ever. */
  readonly most: number
  /** ms before the first attempt; each later pause is twice as long, up to `longest`. */
  readonly first: number
  readonly longest: number
  /** ms that a connection must have been open for the count to start over. */
  readonly stood: number
}

/** Why a connection ended, or an attempt failed. */
export interface Lost {
  /** A TransportErrorCode. */
  readonly code: string
  readonly why: string
  /** Of HTTP, where there is one. */
  readonly status?: number
}

const POLICIES: Readonly<Record<'url' | 'command', Policy>> = {
  url: { most: 10, first: 1_000, longest: 30_000, stood: 30_000 },
  command: { most: 5, first: 1_000, longest: 15_000, stood: 60_000 },
}

export const policyFor = (kind: TargetKind): Policy => POLICIES[kind === 'command' ? 'command' : 'url']

/**
 * @param tried attempts since the connection stood last
 * @param random from 0 to 1: not all pages come back in the same moment
 * @returns ms to wait; nothing once it was tried often enough
 */
export const pauseBefore = ({ most, first, longest }: Policy, tried: number, random: number): number | undefined =>
  tried >= most ? undefined : Math.round(Math.min(first * 2 ** tried, longest) * (0.85 + random * 0.3))

/** What may be over in a moment: a restart, a network that changes. What a person has to mend is not tried again. */
const PASSES: ReadonlySet<string> = new Set([
  'unreachable',
  'timeout',
  'stream-lost',
  'session-expired',
  'closed',
  'process-exited',
])

/** Whether an attempt that failed, or a connection that ended, is worth another one. */
export const mayPass = ({ code, status }: Pick<Lost, 'code' | 'status'>, kind: TargetKind): boolean => {
  if (kind === 'sample') return false
  if (kind === 'command') return code === 'process-exited'
  if (code === 'http-status') return status !== undefined && (status >= 500 || [404, 408, 425, 429].includes(status))
  return PASSES.has(code)
}

/** What an error of an attempt to connect says of the server. */
export const lostBy = (error: unknown): Lost => {
  const why = messageOf(error)
  if (error instanceof TransportError) {
    const { status } = error.details
    return { code: error.code, why, ...(typeof status === 'number' ? { status } : {}) }
  }
  // An error of the server's own: it is there, and says no. A gateway's comes with its status.
  const status = error instanceof ProtocolError ? error.status : undefined
  return status === undefined ? { code: 'bad-handshake', why } : { code: 'http-status', why, status }
}

/** Tells the Trace of an attempt that ended before there was a session to tell of it. */
export const tellFailed = (trace: Trace, link: Link, error: unknown): Lost => {
  const known = error instanceof TransportError
  const details: JsonObject = known ? error.details : {}
  const code = known ? error.code : 'internal'
  const explanation = messageOf(error)
  trace.append({ kind: 'session', phase: 'failed', link, code, explanation, details })
  return { code, why: explanation }
}
