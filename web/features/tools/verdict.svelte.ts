/** The verdict on a value as the value changes; the validator loads with the first question. */
import { validate } from '../../forms/validate.ts'
import type { Verdict } from '../../forms/verdict.ts'
import type { Value } from '../../ui/json/lossless.ts'

/**
 * Call while a component is set up.
 * @param schema `undefined`: there is nothing to check against, and no verdict
 */
export const verdictOn = (
  schema: () => unknown,
  value: () => Value | undefined,
): { readonly current: Verdict | undefined } => {
  let verdict = $state.raw<Verdict>()
  $effect(() => {
    const against = schema()
    const now = value()
    if (against === undefined) {
      verdict = undefined
      return
    }
    let wanted = true
    void validate(against, now).then((found) => {
      if (wanted) verdict = found
    })
    return () => {
      wanted = false
    }
  })
  return {
    get current() {
      return verdict
    },
  }
}
