/** The validator of the command line: Node can end a script, and a regular expression in it, after a time. */
import { runInNewContext } from 'node:vm'
import { TimedValidator, type ValidationResult } from '../../web/forms/index.ts'
import { loadValidate } from '../../web/forms/lazy.ts'

// Runs in the command line, where no page waits for the result, so values may be large.
export const nodeValidator = new TimedValidator(
  async (request, limit) => {
    const { respond } = await loadValidate()
    let pattern: string | undefined
    const run = () => respond(request, (matching) => (pattern = matching))
    try {
      return runInNewContext('run()', { run }, { timeout: limit }) as ValidationResult
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
      return { kind: 'ended', pattern }
    }
  },
  { scale: 20, limit: 2_000, largest: Infinity },
)
