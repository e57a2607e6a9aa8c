import { pacer } from '../mcp/index.ts'
import { decoded, type Content } from './content.ts'

/** A content with its bytes, which come later where they are many. Call while a component is set up. */
export const withBytes = (content: () => Content): { readonly current: Content; readonly busy: boolean } => {
  let done = $state.raw<{ readonly of: Content; readonly is: Content }>()
  const now = $derived(content())
  const current = $derived(done?.of === now ? done.is : now)
  $effect(() => {
    const of = now
    if (!of.encoded) return
    let gone = false
    const pace = pacer()
    const step = () => {
      if (gone) throw new Error('Not shown any more')
      return pace()
    }
    // It rejects only when nobody waits for it.
    decoded(of, step).then(
      (is) => (done = { of, is }),
      () => {},
    )
    return () => {
      gone = true
    }
  })
  return {
    get current() {
      return current
    },
    get busy() {
      return current.encoded !== undefined
    },
  }
}
