/** Forms generated from JSON Schema: the field model, its values, validation, and the components that edit them. */
export { dialectOf } from './json-schema.ts'
export { keywordFaults } from './schema-keywords.ts'
export { explain, maskProblem, type Problem, variableProblem, type Verdict } from './verdict.ts'
export { parseTolerant } from './tolerant.ts'
export { sampledField, startingValue, withExamples } from './samples.ts'
export { get, textWith, wireOf } from './value.ts'
export { TimedValidator, type TextVerdict, type ValidationResult } from './timed-validation.ts'
