/** How era and revision were decided, clause by clause, in the language of the moment. */
import { isRevision, eraOf, type Evidence, type ProbeFacts } from '../../mcp/index.ts'
import { format } from '../../ui/format.svelte.ts'
import { texts } from './text/texts.svelte.ts'

export interface Clause {
  /** What was done, and what came of it. */
  readonly saw: string
  /** What follows from it. */
  readonly so?: string
}

export const clausesOf = (evidence: readonly Evidence[]): Clause[] => {
  const pinned = evidence.some(({ saw }) => saw === 'pinned')
  return evidence.map((one, index) => clauseOf(one, evidence[index - 1], pinned))
}

const clauseOf = (one: Evidence, before: Evidence | undefined, pinned: boolean): Clause => {
  const { t } = texts
  switch (one.saw) {
    case 'pinned':
      return { saw: t.evidencePinned(one.revision), so: t.soNothingElse }
    case 'remembered':
      return { saw: t.evidenceRemembered(eraWord(one.era)), so: t.soNoProbe }
    case 'forgotten':
      return { saw: t.evidenceForgotten(one.why), so: t.soAskedAnew }
    case 'probe':
      return probed(one, pinned)
    case 'offered': {
      const again = before?.saw === 'refused'
      return { saw: again ? t.evidenceOfferedAgain(one.revision) : t.evidenceOffered(one.revision) }
    }
    case 'refused':
      return { saw: t.evidenceRefused(listOf(one.supported)) }
    case 'answered': {
      const same = before?.saw === 'offered' && before.revision === one.revision
      return { saw: t.evidenceAnswered(one.revision), so: same ? t.soAsOffered : t.soTheirs(one.revision) }
    }
    case 'restarted':
      return { saw: t.evidenceRestarted }
    case 'transport':
      if (one.failed !== undefined) return { saw: t.evidenceTransportFailed(one.transport, one.failed) }
      return {
        saw: one.status === undefined ? t.evidenceTransport : t.evidenceTransportStatus(one.status),
        so: t.soTransport(one.transport),
      }
  }
}

const probed = ({ outcome, revision, facts = {} }: Extract<Evidence, { saw: 'probe' }>, pinned: boolean): Clause => {
  const { t } = texts
  const { supported } = facts
  const older = pinned ? t.soPinnedAnyway : t.soOlder
  const modern = !supported || supported.some((text) => isRevision(text) && eraOf(text) === 'stateless')
  switch (outcome) {
    case 'answered':
      if (!supported) return { saw: t.probeAnswered(revision), so: t.soStateless }
      return { saw: t.probeAnsweredList(listOf(supported)), so: modern ? t.soStateless : t.soOlder }
    case 'answered-late':
      return { saw: t.probeLate, so: t.soStateless }
    case 'modern-error':
      return { saw: t.probeModernError(told(facts)), so: modern ? t.soStateless : older }
    case 'no-such-method':
      return { saw: t.probeNoSuchMethod(told(facts)), so: t.soStatelessWithout }
    case 'error':
      return { saw: t.probeError(told(facts)), so: older }
    case 'status':
      return { saw: t.probeStatus(facts.status ?? 0), so: older }
    case 'silence':
      return { saw: t.probeSilence(format.ms(facts.limit ?? 0)), so: pinned ? t.soPinnedAnyway : t.soHandshakeTried }
    case 'process-exited':
      return { saw: t.probeExited, so: t.soRestarted }
    case 'opaque':
      return { saw: t.probeOpaque, so: pinned ? t.soPinnedAnyway : t.soHandshakeTried }
    case 'unusable':
      return {
        saw: t.probeUnusable(facts.message ?? (facts.status === undefined ? '' : `HTTP ${facts.status}`)),
        so: pinned ? t.soPinnedAnyway : t.soHandshakeTried,
      }
  }
}

/** `HTTP 400, -32022 “…”, supports 2026-07-28`. */
const told = ({ status, code, message, supported }: ProbeFacts): string => {
  const error = code === undefined ? message : message ? `${code} “${message}”` : `${code}`
  const parts = [status === undefined ? undefined : `HTTP ${status}`, error]
  if (supported) parts.push(texts.t.supports(listOf(supported)))
  return parts.filter(Boolean).join(', ')
}

const listOf = (supported: readonly string[]): string => supported.join(', ') || texts.t.nothingListed

export const eraWord = (era: 'handshake' | 'stateless'): string =>
  era === 'stateless' ? texts.t.eraStateless : texts.t.eraHandshake
