/**
 * Replays a recording: extracts its steps, runs them against a live server, compares and reports, and plays it back.
 */
export { type Collection, collectionFrom, collectionText, rulesFrom, rulesOf, stepsFrom } from './collection.ts'
export { type Diff, type Difference, diffOf } from './diff.ts'
export { statusOf } from './expect.ts'
export { firstLink } from './playback-script.ts'
export { type PlaybackServer, type Turns, isStateless, playbackServer } from './playback.ts'
export { junitReport, sarifReport } from './report-formats.ts'
export { type VerifyReport, jsonReport, summaryOf, textReport } from './report.ts'
export { type StepReport, rejudged, rerun } from './rerun.ts'
export type { ScriptedAnswers } from './scripted-answers.ts'
export { callOf, isStep, stepsOf } from './steps-of.ts'
export type { Expectation, Outcome, Step, Taking } from './steps.ts'
export { type Variables, namesIn } from './variables.ts'
export { type Accept, DEFAULT_RULES, type VolatileRule } from './volatile.ts'
