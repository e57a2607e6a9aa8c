/** The verdict on a value that is being edited, as reactive state. */
import { endOfPress } from '../ui/index.ts'
import { pageValidator } from './page-validator.ts'
import type { Value } from '../json/index.ts'
import type { Verdict } from './verdict.ts'

/** ms without a change before the value is validated. */
const PAUSE = 120

/** Validates a value shortly after each edit. Call it during component initialisation. */
export const liveVerdict = (
  schema: () => unknown,
  value: () => Value | undefined,
): { readonly current: Verdict | undefined } => {
  let verdict = $state.raw<Verdict>()
  let about: unknown
  $effect(() => {
    const [against, what] = [schema(), value()]
    const first = against !== about
    // A verdict of another schema must not stay on screen.
    if (first) verdict = undefined
    about = against
    const stop = new AbortController()
    const check = async () => {
      const result = await pageValidator.validate(against, what, stop.signal)
      // A verdict moves what is below its problems, such as the button that is pressed.
      await endOfPress()
      if (!stop.signal.aborted) verdict = result
    }
    const timer = setTimeout(() => void check(), first ? 0 : PAUSE)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  })
  return {
    get current() {
      return verdict
    },
  }
}
