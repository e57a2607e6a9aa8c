/** The faults that the user injects, by connection. */
export { type FaultChoice, pageFaults } from './page-faults.ts'
