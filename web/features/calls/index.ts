/** What tools, prompts and resources share when they are called: buttons, progress, results, history, `_meta`. */
export {
  type CallOutcome,
  type CancellationEffect,
  type PlainOutcome,
  type Rounds,
  callVerdict,
  historyOf,
  partWith,
  placeOfCall,
  plainOutcomeOf,
  roundsFold,
} from './call-outcome.ts'
