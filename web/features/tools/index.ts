/** Tools: listing and calling them. */
export { toolsFold } from './tools-fold.ts'
export { tools } from './tools.ts'
export type { CheckInWorker } from './verdict.ts'
