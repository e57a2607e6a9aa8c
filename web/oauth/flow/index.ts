/** The step machine of a sign-in, its steps, and the fold over its frames. */
export { type Act, type FixActions, type Waiting, leadsAway } from './acts.ts'
export { Flow } from './flow.ts'
export * from './sign-in-records.ts'
export { StepFrames, masked, remember } from './step-frames.ts'
export { rulesOf } from './steps.ts'
