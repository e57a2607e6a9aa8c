/**
 * The user's settings in the Logs tab of each connection. They survive switching panels and reconnecting, until the
 * page closes.
 */
import { Remembered } from '../remembered.ts'
import type { LogFilter } from './log-text.ts'

export class LogsView {
  text = $state('')
  /** Index in `LEVELS`. */
  least = $state(0)
  /** `undefined`: all loggers. */
  logger = $state<string>()
  source = $state<LogFilter['source']>('all')
  /** The number of lines when the log was paused; absent: not paused. */
  pausedAt = $state<number>()
  /** The number of lines when the view was cleared. The Trace still has them. */
  clearedAt = $state(0)
  /** Index of the selected line among all lines. */
  picked = $state<number>()
}

export const logsViews = new Remembered(() => new LogsView())
