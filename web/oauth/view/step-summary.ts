/** The summary line below the name of a step: its most important results, and the time it took. */
import type { AuthCheck, Json, JsonObject } from '../../mcp/index.ts'
import type { RunRecord, StepRecord } from '../flow/index.ts'
import { visible } from '../../ui/index.ts'
import type { texts } from '../text/texts.svelte.ts'
import type { Say } from '../text/says/en.ts'

type Texts = typeof texts.t
type Word = { [Key in keyof Texts]: Texts[Key] extends string ? Key : never }[keyof Texts]

export const STATE_TEXTS = {
  planned: 'statePlanned',
  known: 'stateKnown',
  running: 'stateRunning',
  waiting: 'stateWaiting',
  ok: 'stateOk',
  forced: 'stateForced',
  failed: 'stateFailed',
  undone: 'stateUndone',
} as const satisfies Record<StepRecord['status'], Word>

const LONGEST = 44
const LONGEST_ID = 24
const MOST = 3

const value = (of: Json | undefined, most = LONGEST): string[] =>
  typeof of === 'string' && of !== '' ? [visible(of, most)] : []
const number = (of: Json | undefined): number => (typeof of === 'number' ? of : 0)
const word = (key: Word) => (_: Values, t: Texts) => [t[key]]

const AT: Readonly<Record<string, Word>> = {
  header: 'briefFromHeader',
  path: 'briefFromPath',
  root: 'briefFromRoot',
}

type Values = NonNullable<AuthCheck['values']>

const BRIEF: Readonly<Partial<Record<Say, (values: Values, t: Texts) => readonly string[]>>> = {
  'challenge-hidden': word('briefHeaderHidden'),
  'challenge-missing': word('briefHeaderMissing'),
  'challenge-malformed': word('briefHeaderMalformed'),
  'challenge-not-bearer': word('briefNotBearer'),
  'not-challenged': ({ status }, t) => [t.briefStatus(number(status))],
  'resource-metadata-found': ({ at }, t) => (typeof at === 'string' && AT[at] ? [t[AT[at]]] : []),
  'resource-covers': word('briefCovers'),
  'resource-differs': word('briefOtherResource'),
  'origin-is-issuer': word('briefOwnServer'),
  'issuer-by-hand': ({ issuer }, t) => [t.briefByHand, ...value(issuer)],
  'issuer-chosen': ({ issuer, count }, t) => [t.briefOffered(number(count)), ...value(issuer)],
  'metadata-found': ({ place, of }, t) => [t.briefNth(number(place), number(of))],
  'issuer-matches': word('briefIssuerMatches'),
  'issuer-differs': word('briefIssuerDiffers'),
  'default-endpoints': word('briefDefaults'),
  'registered-before': ({ clientId }, t) => [t.briefKnownClient, ...value(clientId, LONGEST_ID)],
  'client-by-hand': ({ clientId }, t) => [t.briefByHand, ...value(clientId, LONGEST_ID)],
  'client-of-another': ({ clientId }, t) => [t.briefByHand, ...value(clientId, LONGEST_ID)],
  'client-document': word('briefDocument'),
  'pkce-advertised': () => ['S256'],
  'pkce-not-advertised': word('briefNoPkce'),
  'scope-chosen': ({ scope }, t) => (scope === null ? [t.briefNoScope] : value(scope)),
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
export const summaryOf = ({ step, run }: StepRecord, t: Texts): readonly string[] => {
  if (!run || (run.status !== 'ok' && run.status !== 'forced')) return []
  const { clientId, clientSource, status, tokens } = run.learned
  const isNew = step === 'registration' && clientSource === 'dynamic'
  const learned = [
    ...(isNew && !run.checks.some(({ say }) => say === 'registered-before')
      ? [t.briefRegistered, ...value(clientId, LONGEST_ID)]
      : []),
    ...(step === 'challenge' && typeof status === 'number' ? [t.briefStatus(status)] : []),
    ...(step === 'token' ? tokenSummary(tokens) : []),
  ]
  const checked = run.checks.flatMap(({ say, values }) =>
    Object.hasOwn(BRIEF, say) ? BRIEF[say as Say]!(values ?? {}, t) : [],
  )
  return [...learned, ...checked].slice(0, MOST)
}

const tokenSummary = (tokens: Json | undefined): string[] => {
  if (typeof tokens !== 'object' || tokens === null || Array.isArray(tokens)) return []
  const { type, format } = tokens as JsonObject
  return [...value(type), ...value(format)]
}

/** Instead of the client id, where no frame has it. A step before a reload left none. */
export const missingClient = (steps: readonly StepRecord[], t: Texts): string =>
  steps.some(({ step, status }) => step === 'registration' && status === 'known') ? t.clientBefore : t.noneYet

/** Why a registration has the default `application_type`; `undefined` if it has another, chosen by the user, or none. */
export const applicationTypeHint = (body: string | undefined, isLocal: boolean): Word | undefined => {
  const [, type] = /"application_type":\s*"(\w+)"/.exec(body ?? '') ?? []
  if (type !== (isLocal ? 'native' : 'web')) return undefined
  return isLocal ? 'nativeBecause' : 'webBecause'
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
