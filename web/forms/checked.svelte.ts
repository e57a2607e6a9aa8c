/** The verdict on a value that is being edited, a moment after each change. Call it while a component is set up. */
import type { Value } from '../json/index.ts'
import { validate } from './validate.ts'
import type { Verdict } from './verdict.ts'

/** ms for a schema that was too much before: the user goes on typing. */
const PATIENCE = 30
/** ms without a change. */
const PAUSE = 120

export const checked = (
  schema: () => unknown,
  value: () => Value | undefined,
): { readonly current: Verdict | undefined } => {
  let verdict = $state.raw<Verdict>()
  let about: unknown
  let slow = false
  $effect(() => {
    const [against, what] = [schema(), value()]
    // Of another schema there is nothing to be kept on screen.
    if (against !== about) verdict = undefined
    const first = against !== about
    about = against
    if (first) slow = false
    let over = false
    const timer = setTimeout(
      () => {
        void validate(against, what, slow ? { limit: PATIENCE, attempts: 1 } : {}).then((result) => {
          if (over) return
          slow = result.unchecked?.code === 'time'
          verdict = result
        })
      },
      first ? 0 : PAUSE,
    )
    return () => {
      over = true
      clearTimeout(timer)
    }
  })
  return {
    get current() {
      return verdict
    },
  }
}
