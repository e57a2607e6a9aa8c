/** What server requests and their states are called, in the current language. */
import { verdictTone, verdictWord, type Verdict } from '../../ui/index.svelte.ts'
import type { ServerRequests } from '../feature.ts'
import type { ServerRequest, Route, Waiting } from '../server-request.ts'
import { texts } from '../text/texts.svelte.ts'

/** Longest gist that is shown, in characters. */
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

/** What the server wants, in a few words. */
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
    // Read from what a server sends: a gist that cannot be made is none.
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

/** A rule or a model that responds is not its user. */
const verdictOf = ({ state }: ServerRequest, waiting?: Waiting): Verdict =>
  state === 'open' && waiting?.by === 'rule' ? 'pending' : VERDICTS[state]

export const stateWord = (question: ServerRequest, waiting?: Waiting): string =>
  verdictWord(verdictOf(question, waiting))

/** Classes of the tag; a plain tag has none. */
export const stateTone = (question: ServerRequest): string => verdictTone(verdictOf(question))

export const routeWord = (route: Route): { readonly word: string; readonly why: string } => {
  const { t } = texts
  return {
    request: { word: t.qRoadRequest, why: t.qRoadRequestWhy },
    round: { word: t.qRoadRound, why: t.qRoadRoundWhy },
    task: { word: t.qRoadTask, why: t.qRoadTaskWhy },
  }[route]
}
