/** Sampling: the server's requests for a model's response. */
export { samplingRules } from './lint.ts'
export { sampling } from './sampling.ts'
