/**
 * The problems that the Tasks panel notes about tasks, as lint rules: what the state of a task contradicts.
 * `web/lint/wire/tasks.ts` checks the messages themselves, also where no task results.
 */
import type { FeatureRules } from '../../lint/index.ts'
import { tasksFold } from './tasks-fold.ts'
import en from './text/en.ts'

const RULES = [
  'TASK-04', 'TASK-05', 'TASK-07', 'TASK-09', 'TASK-10', 'TASK-11', 'TASK-15', 'TEXT-05', 'TEXT-07', 'TEXT-10', 'TEXT-12', 'TEXT-14',
] as const // prettier-ignore

export const taskRules: FeatureRules = {
  rules: RULES,
  watch: ({ link }) => {
    const books = tasksFold.initial()
    return {
      frame(frame, report) {
        tasksFold.step(books, frame)
        const noted = books.get(link)?.noted
        if (noted?.seq !== frame.seq) return
        for (const { rule, keyword, code, found } of noted.findings) {
          report({ rule, keyword, explanation: en.finding(code, found) })
        }
      },
    }
  },
}
