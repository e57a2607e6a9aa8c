/** Opened recordings: reading them, moving through them, and their bar. */
export { judged } from './judged.ts'
export { liveHead } from './recording-head.ts'
