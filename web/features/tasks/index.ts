/** Tasks: long-running requests, their state, results, and cancellation. */
export { type Task, type TaskOutcome, isTerminal, outcomeIn } from './task.ts'
export { type TaskBooks, cancelsTasks, offersTasks, tasksFold } from './tasks-fold.ts'
