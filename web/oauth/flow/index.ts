/** The step machine of a sign-in, its steps, and the fold over its frames. */
export { type Brief, essenceOf, spentIn } from './essence.ts'
export {
  type AfterwardsRecord,
  type CredentialRecord,
  type FlowRecord,
  type LinkRecord,
  type RunRecord,
  type StepRecord,
  authFold,
  currentStep,
  knownOf,
} from './sign-in-records.ts'
export { type FixActions, leadsAway } from './acts.ts'
export { type Act, Flow, type FlowHost, type Mode, type Waiting, findingsOf } from './flow.ts'
export type { Say } from './say.ts'
export { rulesOf } from './steps.ts'
export { refusedBy } from './steps/challenge.ts'
