/** Opened recordings: loading, moving through time, and the recording bar. */
export { judged } from './judged.ts'
export { liveHead } from './recording-head.ts'
