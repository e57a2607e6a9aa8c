/** Sampling: the server's requests for a model's response. */
export { sampling } from './sampling.ts'
