/**
 * Computes an output asynchronously from a reactive input: `undefined` until it is ready, and dropped when the input
 * changes. Call this during component setup.
 * @param compute returns `undefined` if there is nothing to compute. If it rejects or resolves with
 * `undefined`, there is no result
 */
export const deferred = <Input, Output>(
  input: () => Input,
  compute: (input: Input, isStale: () => boolean) => Promise<Output | undefined> | undefined,
): { readonly current: Output | undefined } => {
  let done = $state.raw<{ readonly of: Input; readonly output: Output }>()
  const now = $derived(input())
  $effect(() => {
    const of = now
    let stale = false
    compute(of, () => stale)?.then(
      (output) => {
        if (!stale && output !== undefined) done = { of, output }
      },
      () => {},
    )
    return () => {
      stale = true
    }
  })
  return {
    get current() {
      return done && done.of === now ? done.output : undefined
    },
  }
}
