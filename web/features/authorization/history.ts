/** The history of credentials in one list: sign-ins, refreshes, refusals, and what followed (AU-TOK-04, AU-TOK-05). */
import type { AuthFault, AuthStep, JsonObject, Seq } from '../../mcp/index.ts'
import {
  currentStep,
  type AfterwardsRecord,
  type CredentialRecord,
  type FlowRecord,
  type LinkRecord,
} from '../../oauth/index.ts'

export interface HistoryEntry {
  /** The frame that reports it. */
  readonly seq: Seq
  /** ms since the trace began. */
  readonly at: number
  readonly what:
    | CredentialRecord['what']
    | 'signing-in'
    | 'signed-in'
    | 'sign-in-failed'
    | 'sign-in-stopped'
    | 'refreshing'
    | 'refreshed'
    | 'refresh-failed'
    | 'revoking'
    | 'revoked'
    | 'revocation-failed'
  readonly details: JsonObject
  readonly failed?: { readonly fault: AuthFault; readonly step: AuthStep }
}

/** Most entries shown. */
export const MOST_SHOWN = 100

/** Newest first. */
export const historyOf = ({ flows, afterwards, credentials }: LinkRecord): readonly HistoryEntry[] =>
  [...flows.map(flowEntry), ...afterwards.map(ofStep), ...credentials.map(ofCredential)]
    .sort((a, b) => b.at - a.at || b.seq - a.seq)
    .slice(0, MOST_SHOWN)

/** The number of entries beyond `MOST_SHOWN`. */
export const notShown = ({ flows, afterwards, credentials, earlier }: LinkRecord): number =>
  Math.max(0, flows.length + afterwards.length + credentials.length - MOST_SHOWN) +
  earlier.flows +
  earlier.afterwards +
  earlier.credentials

export const flowEntry = (flow: FlowRecord): HistoryEntry => {
  const { begun, startedAt, endedAt, outcome, why, grant, fault } = flow
  const step = currentStep(flow)
  const what = (
    {
      running: 'signing-in',
      authorized: 'signed-in',
      failed: 'sign-in-failed',
      cancelled: 'sign-in-stopped',
    } as const
  )[outcome]
  const failed = fault && step && outcome === 'failed' ? { failed: { fault, step } } : {}
  return { seq: begun, at: endedAt ?? startedAt, what, details: { why, grant }, ...failed }
}

const ofStep = ({ step, run }: AfterwardsRecord): HistoryEntry => {
  const [running, done, failed] =
    step === 'revocation'
      ? (['revoking', 'revoked', 'revocation-failed'] as const)
      : (['refreshing', 'refreshed', 'refresh-failed'] as const)
  const hasFailed = run.status === 'failed' || run.status === 'undone'
  return {
    seq: run.done ?? run.begun,
    at: run.endedAt ?? run.startedAt,
    what: run.endedAt === undefined ? running : hasFailed ? failed : done,
    details: run.learned,
    ...(run.fault ? { failed: { fault: run.fault, step } } : {}),
  }
}

const ofCredential = ({ seq, at, what, details }: CredentialRecord): HistoryEntry => ({ seq, at, what, details })
