/** Labels for server requests and their states, in the current language. */
import { format, verdictTone, verdictWord, type Verdict } from '../../ui/index.svelte.ts'
import type { ServerRequests } from '../feature.ts'
import type { ServerRequest, Route, Waiting } from '../server-request.ts'
import { texts } from '../text/texts.svelte.ts'

/** Longest summary shown, in characters. */
const GIST = 200

/** A method's label, and its summary if the request has none. */
const known = (method: string): { readonly label: string; readonly summary: string } | undefined => {
  const { t } = texts
  return new Map([
    ['sampling/createMessage', { label: t.qSampling, summary: t.qSamplingWhat }],
    ['elicitation/create', { label: t.qElicitation, summary: t.qElicitationWhat }],
    ['roots/list', { label: t.qRoots, summary: t.qRootsWhat }],
  ]).get(method)
}

/** The request's method, as a label. */
export const methodText = (method: string): string =>
  known(method)?.label ?? (method === '' ? texts.t.qNameless : method.slice(0, 100))

/** How long a request has been waiting, in whole seconds. */
export const ageText = ({ at }: ServerRequest, now: number): string =>
  format.ms(Math.max(1000, Math.round((now - at) / 1000) * 1000))

/** A short summary of the request. */
export const gistOf = (requests: ServerRequests | undefined, { method, params }: ServerRequest): string => {
  let gist = ''
  try {
    gist = requests?.answering(method)?.gist(params) ?? ''
  } catch {
    // Built from untrusted content: if it fails, there is no summary.
  }
  return gist.trim().slice(0, GIST) || (known(method)?.summary ?? '')
}

const VERDICTS = {
  open: 'waiting',
  answered: 'ok',
  refused: 'error',
  withdrawn: 'cancelled',
  lost: 'lost',
} as const satisfies Readonly<Record<ServerRequest['state'], Verdict>>

/** While a rule or model is responding, it isn't the user's turn. */
const verdictOf = ({ state }: ServerRequest, waiting?: Waiting): Verdict =>
  state === 'open' && waiting?.by === 'rule' ? 'pending' : VERDICTS[state]

export const stateText = (request: ServerRequest, waiting?: Waiting): string => verdictWord(verdictOf(request, waiting))

/** CSS classes of the tag; none for a plain tag. */
export const stateTone = (request: ServerRequest): string => verdictTone(verdictOf(request))

export const routeText = (route: Route): { readonly label: string; readonly why: string } => {
  const { t } = texts
  return {
    request: { label: t.qRoadRequest, why: t.qRoadRequestWhy },
    round: { label: t.qRoadRound, why: t.qRoadRoundWhy },
    task: { label: t.qRoadTask, why: t.qRoadTaskWhy },
  }[route]
}
