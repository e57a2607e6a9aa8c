/** How the protocol version was determined, clause by clause, as text. */
import { eraOf, isRevision, type Evidence, type ProbeFacts, type ProbeOutcome } from '../../mcp/index.ts'
import type { Translation } from '../../ui/index.svelte.ts'
import type en from './text/en.ts'

export interface Clause {
  /** The observation. */
  readonly saw: string
  /** The conclusion. */
  readonly so?: string
}

/** The catalogue, and the format of a time in ms. */
export interface EvidenceTexts {
  readonly t: Translation<typeof en>
  readonly ms: (ms: number) => string
  /** A reason of the kernel, which is in English, in the current language. */
  readonly reason: (english: string) => string
  /** Why requests fail is known from elsewhere, so nothing is guessed. */
  readonly explained?: boolean
}

export const clausesOf = (evidence: readonly Evidence[], words: EvidenceTexts): Clause[] => {
  const pinned = evidence.some(({ saw }) => saw === 'pinned')
  return evidence.map((one, index) => clauseOf(one, [evidence[index - 1], evidence[index + 1]], pinned, words))
}

const clauseOf = (
  one: Evidence,
  [before, after]: readonly [Evidence | undefined, Evidence | undefined],
  pinned: boolean,
  words: EvidenceTexts,
): Clause => {
  const { t } = words
  switch (one.saw) {
    case 'pinned':
      return { saw: t.evidencePinned(one.revision), so: t.soNothingElse }
    case 'remembered':
      return { saw: t.evidenceRemembered(t.era(one.era)), so: t.soNoProbe }
    case 'forgotten':
      return { saw: t.evidenceForgotten(words.reason(one.why)), so: t.soAskedAnew }
    case 'probe':
      return probed(one, after, pinned, words)
    case 'offered': {
      const again = before?.saw === 'refused'
      return { saw: again ? t.evidenceOfferedAgain(one.revision) : t.evidenceOffered(one.revision) }
    }
    case 'refused':
      return { saw: t.evidenceRefused(listOf(one.supported, t)) }
    case 'answered': {
      const offered = before?.saw === 'offered' ? before.revision : undefined
      const saw = t.evidenceAnswered(one.revision)
      if (offered === one.revision) return { saw, so: t.soAsOffered }
      // LC-06: a version that this client doesn't support, or that differs from the pinned one, isn't accepted.
      const known = isRevision(one.revision) && eraOf(one.revision) === 'handshake'
      return { saw, so: !known ? t.soUnsupported : pinned ? t.soNotPinned : t.soTheirs(one.revision) }
    }
    case 'initialized-refused':
      return { saw: t.evidenceInitializedRefused(one.status), so: t.soGoesOn }
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

const probed = (
  { outcome, revision, facts = {} }: Extract<Evidence, { saw: 'probe' }>,
  after: Evidence | undefined,
  pinned: boolean,
  { t, ms, reason, explained = false }: EvidenceTexts,
): Clause => {
  const { supported } = facts
  const older = !isDecided(outcome, facts.status) ? t.soUndecided : pinned ? t.soPinnedAnyway : t.soOlder
  // Some failures end the attempt, so nothing follows the probe.
  const tried = pinned ? t.soPinnedAnyway : after === undefined ? t.soUndecided : t.soHandshakeTried
  const modern = !supported || supported.some((text) => isRevision(text) && eraOf(text) === 'stateless')
  switch (outcome) {
    case 'answered':
      if (!supported) return { saw: t.probeAnswered(revision), so: t.soStateless }
      return { saw: t.probeAnsweredList(listOf(supported, t)), so: modern ? t.soStateless : t.soOlder }
    case 'answered-late':
      return { saw: t.probeLate, so: t.soStateless }
    case 'modern-error':
      // Its versions outweigh its code.
      if (!modern) return { saw: t.probeError(responseIn(facts, t)), so: t.soOlder }
      return { saw: t.probeModernError(responseIn(facts, t)), so: t.soStateless }
    case 'no-such-method':
      return { saw: t.probeNoSuchMethod(responseIn(facts, t)), so: t.soStatelessWithout }
    case 'error':
      return { saw: t.probeError(responseIn(facts, t)), so: older }
    case 'status':
      return { saw: t.probeStatus(facts.status ?? 0), so: older }
    case 'silence':
      return { saw: t.probeSilence(ms(facts.limit ?? 0)), so: tried }
    case 'process-exited':
      return { saw: t.probeExited, so: t.soRestarted }
    case 'closed':
      return { saw: t.probeClosed, so: t.soReopened }
    case 'opaque':
      return { saw: explained ? t.probeFailed : t.probeOpaque, so: tried }
    case 'unusable':
      return {
        saw: t.probeUnusable(
          facts.message !== undefined
            ? reason(facts.message)
            : facts.status === undefined
              ? ''
              : `HTTP ${facts.status}`,
        ),
        so: tried,
      }
  }
}

/** A gateway or a sign-in may respond so to everything (VN-31); an error in JSON-RPC with 5xx is the server's own. */
const isDecided = (outcome: ProbeOutcome, status = 400): boolean =>
  ![401, 403, 407, 408, 429].includes(status) && !(outcome === 'status' && status >= 500)

/** `HTTP 400, -32022 “…”, supports 2026-07-28`. */
const responseIn = ({ status, code, message, supported }: ProbeFacts, t: EvidenceTexts['t']): string => {
  const error = code === undefined ? message : message ? `${code} “${message}”` : `${code}`
  const parts = [status === undefined ? '' : `HTTP ${status}`, error ?? '']
  if (supported) parts.push(t.supports(listOf(supported, t)))
  return t.responseParts(parts.filter((part) => part !== ''))
}

const listOf = (supported: readonly string[], t: EvidenceTexts['t']): string => supported.join(', ') || t.nothingListed
