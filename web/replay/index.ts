/**
 * Replays a recording: extracts its steps, runs them against a live server, compares and reports, and plays it back.
 */
export { repeatable } from './calibration.ts'
export { type Collection, collectionFrom, collectionText, rulesFrom, rulesOf, stepsFrom } from './collection.ts'
export { type Diff, type Difference, diffOf } from './diff.ts'
export { statusExpectation } from './expect.ts'
export { firstLink } from './playback-script.ts'
export { type PlaybackServer, type Turns, isStateless, playbackServer } from './playback.ts'
export { jsonReport, junitReport, sarifReport, summaryOf, textReport, type VerifyReport } from './report.ts'
export { answerOf, rejudged, rerun, type ScriptedAnswers, type StepReport } from './rerun.ts'
export {
  callOf,
  type Expectation,
  isStep,
  namesIn,
  type Outcome,
  type Step,
  stepsOf,
  type Taking,
  templatedStep,
  type Variables,
} from './steps.ts'
export { type Accept, DEFAULT_RULES, type VolatileRule } from './volatile.ts'
