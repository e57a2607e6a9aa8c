/** Describes a sign-in frame as a row: its flow, its steps, and changes to credentials. */
import type { AuthCheck, AuthFault, FrameOf } from '../mcp/index.ts'
import { assertNever, brief, clip } from './facts.ts'
import type { Body, Said } from './row-model.ts'

type AuthFrame = FrameOf<'auth'>

export const authBody = (frame: AuthFrame): Body => {
  switch (frame.event) {
    case 'flow':
      return {
        what: { key: 'authFlow', values: [clip(frame.grant)] },
        details: [{ key: `auth-why-${frame.why}` }, frame.revision],
      }
    case 'step':
      return { what: { key: 'authStep', values: [frame.step] }, tone: 'quiet' }
    case 'done': {
      const { fault, checks, outcome, learned } = frame
      const known = fault || Object.keys(learned).length === 0 ? '' : brief(learned)
      return {
        what: { key: `auth-done-${outcome}`, values: [frame.step] },
        details: [...checked(checks), ...faulty(fault), known],
        tone: outcome === 'failed' ? 'bad' : outcome === 'forced' ? 'warn' : 'plain',
      }
    }
    case 'waiting':
      return { what: { key: 'authWaiting', values: [frame.step] }, details: faulty(frame.fault), tone: 'warn' }
    case 'end':
      return {
        what: { key: `auth-end-${frame.outcome}` },
        details: faulty(frame.fault),
        tone: frame.outcome === 'failed' ? 'bad' : 'plain',
      }
    case 'credential':
      return {
        what: { key: `token-${frame.what}` },
        details: [Object.keys(frame.details).length === 0 ? '' : brief(frame.details)],
        tone: CREDENTIAL_TONE[frame.what],
      }
    default:
      return assertNever(frame)
  }
}

const CREDENTIAL_TONE = {
  used: 'quiet',
  refused: 'warn',
  forgotten: 'plain',
  expired: 'plain',
  'issuer-changed': 'warn',
  'step-up': 'warn',
  'gave-up': 'bad',
} as const satisfies Record<Extract<AuthFrame, { event: 'credential' }>['what'], Body['tone']>

const checked = (checks: readonly AuthCheck[]): readonly Said[] => {
  const { broken } = countsOf(checks)
  if (checks.length === 0) return []
  return broken === 0
    ? [{ key: 'authChecks', values: [checks.length] }]
    : [{ key: 'authChecksBroken', values: [broken, checks.length] }]
}

const faulty = (fault: AuthFault | undefined): readonly string[] =>
  fault ? [[fault.explanation, fault.rule === undefined ? '' : `(${fault.rule})`].filter(Boolean).join(' ')] : []

/** How many checks found compliance and how many a violation; the others are remarks. */
export const countsOf = (checks: readonly AuthCheck[]): { readonly kept: number; readonly broken: number } => ({
  kept: checks.filter(({ ok }) => ok === true).length,
  broken: checks.filter(({ ok }) => ok === false).length,
})
