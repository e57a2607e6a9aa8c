/** The linter: rules over the Trace, each citing a requirement of the specification, and the findings they report. */
export { type Advice, adviceOn } from './injection/advice.ts'
export { levelsOf, loadRequirements, type Requirement, specificationUrl } from './requirements.ts'
export type { Observed, LinkView } from './link.ts'
export { Recent } from './recent.ts'
export {
  type FeatureFinding,
  type FeatureReport,
  type FeatureRules,
  type LoadFeatureRules,
  type RuleFinding,
  show,
  step,
  tallyKey,
} from './rule.ts'
export { type Findings, type RuleTally, deferredChecks, findings } from './run.ts'
export { shapes } from './shapes.ts'
export { type SharedFindings, sharedLint } from './shared.ts'
export { keyFaults } from './wire/meta.ts'
