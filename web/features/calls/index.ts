/** What tools, prompts and resources share when they are called: buttons, progress, results, history, `_meta`. */
export {
  type CallOutcome,
  type CancellationEffect,
  type PlainOutcome,
  type RequestSeqs,
  callCode,
  callVerdict,
  historyOf,
  partWith,
  placeOfCall,
  plainOutcomeOf,
  requestSeqsFold,
} from './call-outcome.ts'
export { argumentsOf, pagePins, type Pin } from './pins.ts'
