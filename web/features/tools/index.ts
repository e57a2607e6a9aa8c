/** Tools: listing and calling them. */
export { callsFold } from './calls-fold.ts'
export { toolsFold } from './tools-fold.ts'
export { tools } from './tools.ts'
export type { CheckInWorker } from './verdict.ts'
