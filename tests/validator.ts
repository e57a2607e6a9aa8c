/** The validator for the environment a test runs in. */
import type { Validator } from '../web/forms/index.ts'

export const validator: Validator =
  typeof Worker === 'undefined'
    ? (await import('../proxy/commands/validator.ts')).nodeValidator
    : (await import('../web/forms/page-validator.ts')).pageValidator
