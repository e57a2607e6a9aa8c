/** Labels for the codes of this feature, in the current language. */
import { explain } from '../../forms/index.ts'
import { texts as formTexts } from '../../forms/index.svelte.ts'
import { format } from '../../ui/index.svelte.ts'
import type { Problem, InputProblem } from './answer.ts'
import type { EndpointError } from './endpoint-format.ts'
import {
  MOST_SAVED,
  SAVED_LENGTH,
  type SaveProblem,
  type HoldReason,
  type Route,
  type Rule,
  type AutoResult,
} from './sampling-settings.ts'
import { texts } from './text/texts.svelte.ts'

export const problemText = (problem: Problem | InputProblem): string => {
  const { code, pointer = '', expected = '', found = '' } = problem
  const why = 'broken' in problem ? explain(problem.broken, formTexts.t) : expected
  return texts.t.problem(code, pointer, why, found)
}

/** An external message, with a full stop added if it has none. */
const sentence = (said = ''): string => (said === '' || /[.!?…。]$/.test(said) ? said : `${said}.`)

export const endpointErrorText = ({ code, facts }: EndpointError, route: Route): string => {
  const { t } = texts
  const where = /^https?:\/\/[^/?#]+/.exec(facts.url ?? '')?.[0] ?? ''
  const status = String(facts.status ?? '')
  const said = sentence(facts.said)
  if (code === 'unreachable' && facts.said !== undefined) return t.errorBroke(where, facts.said)
  const retry = facts.retryAfter === undefined ? t.retryLater : t.retryIn(format.count(facts.retryAfter))
  return {
    unreachable: route === 'relay' ? t.errorUnreachableRelay(where) : t.errorUnreachable(where),
    relay: t.errorRelay(said, facts.remedy ?? ''),
    redirected: t.errorRedirected(where),
    unauthorized: t.errorUnauthorized(status, said),
    'not-found': t.errorNotFound(said),
    'too-many': t.errorTooMany(said, retry),
    refused: t.errorRefused(status, said),
    server: t.errorServer(status, said),
    'not-json': t.errorNotJson(sentence(facts.said?.slice(0, 120))),
    'not-an-object': t.errorNotObject(sentence(facts.said?.slice(0, 120))),
    shape: t.errorShape((facts.said ?? '').slice(0, 120)),
    'bad-arguments': t.errorBadArguments(said),
    'too-long': t.errorTooLong(format.bytes(facts.limit ?? 0)),
    timeout: t.errorTimeout(format.count((facts.limit ?? 0) / 1000)),
    cancelled: t.errorCancelled,
    'nothing-to-send': t.errorNothingToSend,
    'no-limit': t.errorNoLimit,
  }[code]
}

export const saveProblemText = (problem: SaveProblem): string =>
  ({
    'no-name': texts.t.saveNoName,
    'too-many': texts.t.saveTooMany(format.count(MOST_SAVED)),
    'too-long': texts.t.saveTooLong(format.count(SAVED_LENGTH)),
  })[problem]

export const ruleText = ({ by }: Rule, model: string): string =>
  by.kind === 'saved' ? texts.t.theSaved(by.name) : texts.t.theEndpoint(model)

export const autoResultText = (result: AutoResult): string =>
  result.by === 'saved'
    ? texts.t.toldSaved(result.name)
    : result.by === 'endpoint'
      ? texts.t.toldEndpoint(result.model)
      : holdReasonText(result.why)

const holdReasonText = (why: HoldReason): string => {
  const { t } = texts
  switch (why.code) {
    case 'rate':
      return t.heldRate(why.perMinute)
    case 'breach':
      return t.heldBreach
    case 'rounds':
      return t.heldRounds(why.rounds)
    case 'no-saved':
      return t.heldNoSaved(why.name)
    case 'misfit':
      return t.heldMisfit
    case 'over-limit':
      return t.heldOverLimit
    case 'endpoint-unset':
      return t.heldUnset
    case 'failed':
      return t.heldFailed(endpointErrorText(why.error, 'page'))
  }
}
