/**
 * What the user has set in the Logs tab of each connection. It survives panels and reconnects, and ends with the page.
 */
import { Remembered } from '../remembered.ts'
import type { LogFilter } from './log-text.ts'

export class LogsView {
  text = $state('')
  /** Place in `LEVELS`. */
  least = $state(0)
  /** `undefined`: all. */
  logger = $state<string>()
  source = $state<LogFilter['source']>('all')
  /** Lines there were when it was paused; absent: it runs. */
  pausedAt = $state<number>()
  /** Lines there were when the view was cleared. The Trace keeps them. */
  clearedAt = $state(0)
  /** The line that is looked at, by its place among all lines. */
  picked = $state<number>()
}

export const logsViews = new Remembered(() => new LogsView())
