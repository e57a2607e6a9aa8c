/** Shared by all servers of the page: what the user approved, and the calls that wait for a decision. */
import { browserStorage } from '../../ui/index.ts'
import { Approvals } from './approvals.ts'
import { CallQuestions } from './questions.ts'

export const pageApprovals = new Approvals(browserStorage('local'))
export const pageQuestions = new CallQuestions()
