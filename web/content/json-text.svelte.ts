import { LONG, type Value, readExactly } from '../json/index.ts'
import { parseLong } from '../mcp/index.ts'
import { jsonIn, mayBeJson } from './content.ts'

/** Characters of a text that is read as JSON without being asked for. */
const MOST = 16_000_000

/**
 * The value of a text that is a JSON object or array, with numbers as they are written; `undefined` for any other text.
 * A long one is read in steps, and is there when it has been read. Call while a component is set up.
 */
export const jsonOf = (text: () => string): { readonly current: Value | undefined } => {
  let late = $state.raw<{ readonly of: string; readonly value: Value }>()
  const now = $derived(text())
  const early = $derived(jsonIn(now))
  $effect(() => {
    const of = now
    if (of.length <= LONG || of.length > MOST || !mayBeJson(of)) return
    let gone = false
    parseLong(of, { read: readExactly }).then(
      ({ value, cut, depth }) => {
        // A tree that lacks a part must not pass for the text.
        if (!gone && !cut && depth <= 500) late = { of, value }
      },
      () => {},
    )
    return () => {
      gone = true
    }
  })
  return {
    get current() {
      return early ?? (late?.of === now ? late.value : undefined)
    },
  }
}
