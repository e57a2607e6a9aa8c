/** The validator for the environment a test runs in. */
import type { TimedValidator } from '../web/forms/index.ts'

export const validator: TimedValidator =
  typeof Worker === 'undefined'
    ? (await import('../proxy/commands/node-validator.ts')).nodeValidator
    : (await import('../web/forms/page-validator.ts')).pageValidator
