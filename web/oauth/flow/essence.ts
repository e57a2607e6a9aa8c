/** The summary line below the name of a step: its most important result, as catalogue keys. */
import type { AuthCheck, Json, JsonObject } from '../../mcp/index.ts'
import type { RunRecord, StepRecord } from './sign-in-records.ts'
import type { Say } from './say.ts'
import { visible } from '../model/index.ts'

export type Brief =
  | { readonly key: BriefWord }
  | { readonly key: 'briefStatus' | 'briefOffered'; readonly count: number }
  | { readonly key: 'briefNth'; readonly place: number; readonly of: number }
  /** A value from the wire, as it is shown. */
  | { readonly key: 'value'; readonly text: string }

export type BriefWord =
  | 'briefHeaderHidden'
  | 'briefHeaderMissing'
  | 'briefHeaderMalformed'
  | 'briefNotBearer'
  | 'briefFromHeader'
  | 'briefFromPath'
  | 'briefFromRoot'
  | 'briefCovers'
  | 'briefOtherResource'
  | 'briefOwnServer'
  | 'briefByHand'
  | 'briefIssuerMatches'
  | 'briefIssuerDiffers'
  | 'briefDefaults'
  | 'briefKnownClient'
  | 'briefRegistered'
  | 'briefDocument'
  | 'briefNoPkce'
  | 'briefNoScope'
  | 'briefStateMatches'
  | 'briefStateDiffers'
  | 'briefIssMatches'
  | 'briefIssDiffers'
  | 'briefIssMissing'
  | 'briefFewerScopes'
  | 'briefRotated'
  | 'briefNotRotated'
  | 'briefRevoked'
  | 'briefNotRevoked'

const LONGEST = 44
const LONGEST_ID = 24
const MOST = 3

const value = (of: Json | undefined, most = LONGEST): Brief[] =>
  typeof of === 'string' && of !== '' ? [{ key: 'value', text: visible(of, most) }] : []
const number = (of: Json | undefined): number => (typeof of === 'number' ? of : 0)
const word = (key: BriefWord) => (): Brief[] => [{ key }]

const AT: Readonly<Record<string, BriefWord>> = {
  header: 'briefFromHeader',
  path: 'briefFromPath',
  root: 'briefFromRoot',
}

type Values = NonNullable<AuthCheck['values']>

const BRIEF: Readonly<Partial<Record<Say, (values: Values) => readonly Brief[]>>> = {
  'challenge-hidden': word('briefHeaderHidden'),
  'challenge-missing': word('briefHeaderMissing'),
  'challenge-malformed': word('briefHeaderMalformed'),
  'challenge-not-bearer': word('briefNotBearer'),
  'not-challenged': ({ status }) => [{ key: 'briefStatus', count: number(status) }],
  'resource-metadata-found': ({ at }) => (typeof at === 'string' && AT[at] ? [{ key: AT[at] }] : []),
  'resource-covers': word('briefCovers'),
  'resource-differs': word('briefOtherResource'),
  'origin-is-issuer': word('briefOwnServer'),
  'issuer-by-hand': ({ issuer }) => [{ key: 'briefByHand' }, ...value(issuer)],
  'issuer-chosen': ({ issuer, count }) => [{ key: 'briefOffered', count: number(count) }, ...value(issuer)],
  'metadata-found': ({ place, of }) => [{ key: 'briefNth', place: number(place), of: number(of) }],
  'issuer-matches': word('briefIssuerMatches'),
  'issuer-differs': word('briefIssuerDiffers'),
  'default-endpoints': word('briefDefaults'),
  'registered-before': ({ clientId }) => [{ key: 'briefKnownClient' }, ...value(clientId, LONGEST_ID)],
  'client-by-hand': ({ clientId }) => [{ key: 'briefByHand' }, ...value(clientId, LONGEST_ID)],
  'client-of-another': ({ clientId }) => [{ key: 'briefByHand' }, ...value(clientId, LONGEST_ID)],
  'client-document': word('briefDocument'),
  'pkce-advertised': () => [{ key: 'value', text: 'S256' }],
  'pkce-not-advertised': word('briefNoPkce'),
  'scope-chosen': ({ scope }) => (scope === null ? [{ key: 'briefNoScope' }] : value(scope)),
  'state-matches': word('briefStateMatches'),
  'state-differs': word('briefStateDiffers'),
  'iss-matches': word('briefIssMatches'),
  'iss-differs': word('briefIssDiffers'),
  'iss-missing': word('briefIssMissing'),
  'scope-granted': ({ granted }) => value(granted),
  'scope-narrower': word('briefFewerScopes'),
  'refresh-rotated': word('briefRotated'),
  'refresh-not-rotated': word('briefNotRotated'),
  revoked: word('briefRevoked'),
  'not-revoked': word('briefNotRevoked'),
}

/** The summary of the run that counts; empty if it hasn't succeeded. */
export const essenceOf = ({ step, run }: StepRecord): readonly Brief[] => {
  if (!run || (run.status !== 'ok' && run.status !== 'forced')) return []
  const checked = run.checks.flatMap(({ say, values }) =>
    Object.hasOwn(BRIEF, say) ? BRIEF[say as Say]!(values ?? {}) : [],
  )
  const { clientId, clientSource, status, tokens } = run.learned
  const learned: readonly Brief[] =
    step === 'registration' && clientSource === 'dynamic' && !checked.some(({ key }) => key === 'briefKnownClient')
      ? [{ key: 'briefRegistered' }, ...value(clientId, LONGEST_ID)]
      : step === 'challenge' && typeof status === 'number'
        ? [{ key: 'briefStatus', count: status }]
        : step === 'token'
          ? tokenBrief(tokens)
          : []
  return [...learned, ...checked].slice(0, MOST)
}

const tokenBrief = (tokens: Json | undefined): Brief[] => {
  if (typeof tokens !== 'object' || tokens === null || Array.isArray(tokens)) return []
  const { type, format } = tokens as JsonObject
  return [...value(type), ...value(format)]
}

/** ms spent waiting for servers or for the user; `undefined` if there was no wait. */
export const spentIn = (run: RunRecord): number | undefined => {
  const whole = run.endedAt === undefined ? undefined : run.endedAt - run.startedAt
  if (run.requests.length > 0) {
    const ended = run.requests.filter(({ endedAt }) => endedAt !== undefined)
    return ended.length === 0 ? undefined : ended.reduce((sum, one) => sum + one.endedAt! - one.startedAt, 0)
  }
  return whole !== undefined && whole >= 1000 ? whole : undefined
}
