/** What tools, prompts and resources share when they are called: buttons, progress, results, history, `_meta`. */
export { cancellationText } from './cancellation-effect.ts'
export { historyOf } from './call-history.ts'
export {
  type CallOutcome,
  type PlainOutcome,
  callVerdict,
  partWith,
  placeOfCall,
  plainOutcomeOf,
} from './call-outcome.ts'
export { httpResponseOf } from './http-response.ts'
export { type Rounds, roundsFold } from './rounds-fold.ts'
