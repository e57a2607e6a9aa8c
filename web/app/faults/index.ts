/** The faults that the user injects, by connection. */
export { pageFaults } from './page-faults.ts'
