import { LONG } from '../json/index.ts'
import { utf8Length, utf8LengthInSteps } from '../mcp/index.ts'

/** UTF-8 bytes of a text; of a long one once they are counted. Call while a component is set up. */
export const sizeOf = (text: () => string | undefined): { readonly current: number | undefined } => {
  let late = $state.raw<{ readonly of: string; readonly size: number }>()
  const now = $derived(text())
  const early = $derived(now !== undefined && now.length <= LONG ? utf8Length(now) : undefined)
  $effect(() => {
    const of = now
    if (of === undefined || of.length <= LONG) return
    let gone = false
    void utf8LengthInSteps(of).then((size) => {
      if (!gone) late = { of, size }
    })
    return () => {
      gone = true
    }
  })
  return {
    get current() {
      return early ?? (late?.of === now ? late?.size : undefined)
    },
  }
}
