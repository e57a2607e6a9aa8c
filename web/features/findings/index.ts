/** What the linter found, as the page tells it: problems by rule, the rules a user muted, and the count of the rest. */
export { mutedRulesOf, MutedRules } from './muted-rules.ts'
export { findingsOf, problemCountOf } from './problem-count.ts'
export { excerptOf, placesOf, type Problem, problemsOf, sinceOf } from './problem-list.ts'
export { withoutMuted } from './without-muted.ts'
