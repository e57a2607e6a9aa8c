/**
 * Loads a chunk once for all callers. A second `import()` doesn't wait for styles that the first is still loading, so
 * it would resolve before its component can be shown. After a failure, the next call tries again.
 */
export const loadOnce = <Module>(load: () => Promise<Module>): (() => Promise<Module>) => {
  let loading: Promise<Module> | undefined
  return () =>
    (loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    }))
}
