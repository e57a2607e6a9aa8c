/** Labels for server requests and their states, in the current language. */
import { verdictTone, verdictWord, type Verdict } from '../../ui/index.svelte.ts'
import type { ServerRequests } from '../feature.ts'
import type { ServerRequest, Route, Waiting } from '../server-request.ts'
import { texts } from '../text/texts.svelte.ts'

/** Longest summary shown, in characters. */
const GIST = 200

/** The request's method, as a label. */
export const methodWord = (method: string): string => {
  const { t } = texts
  const words: Record<string, string> = {
    'sampling/createMessage': t.qSampling,
    'elicitation/create': t.qElicitation,
    'roots/list': t.qRoots,
  }
  if (Object.hasOwn(words, method)) return words[method]!
  return method === '' ? t.qNameless : method.slice(0, 100)
}

/** A short summary of the request. */
export const gistOf = (requests: ServerRequests | undefined, { method, params }: ServerRequest): string => {
  const { t } = texts
  const usual: Record<string, string> = {
    'sampling/createMessage': t.qSamplingWhat,
    'elicitation/create': t.qElicitationWhat,
    'roots/list': t.qRootsWhat,
  }
  let gist = ''
  try {
    gist = requests?.answering(method)?.gist(params) ?? ''
  } catch {
    // Built from untrusted content: if it fails, there is no summary.
  }
  return gist.trim().slice(0, GIST) || (Object.hasOwn(usual, method) ? usual[method]! : '')
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

export const stateWord = (question: ServerRequest, waiting?: Waiting): string =>
  verdictWord(verdictOf(question, waiting))

/** CSS classes of the tag; none for a plain tag. */
export const stateTone = (question: ServerRequest): string => verdictTone(verdictOf(question))

export const routeWord = (route: Route): { readonly word: string; readonly why: string } => {
  const { t } = texts
  return {
    request: { word: t.qRoadRequest, why: t.qRoadRequestWhy },
    round: { word: t.qRoadRound, why: t.qRoadRoundWhy },
    task: { word: t.qRoadTask, why: t.qRoadTaskWhy },
  }[route]
}
