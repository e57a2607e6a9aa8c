/**
 * Tracks the timers that were set and neither fired nor cleared, in Node and in a page: a timer left after the end
 * would fire for nothing, or keep a process alive.
 */
export interface TimerWatch {
  begin(): void
  end(): void
  /** Where each pending timer was set. */
  pending(): string[]
}

export const watchTimers = (): TimerWatch => {
  const { setTimeout: set, clearTimeout: clear } = globalThis
  const waiting = new Map<unknown, string>()
  const watchedSet = (then: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => {
    const timer = set(() => {
      waiting.delete(timer)
      then(...args)
    }, ms)
    const from = new Error().stack?.split('\n').filter((line) => line.includes('/web/')) ?? []
    if (from.length > 0) waiting.set(timer, `${ms} ms, ${from.slice(0, 2).join(' <')}`)
    return timer
  }
  const watchedClear = (timer: Parameters<typeof clearTimeout>[0]) => {
    waiting.delete(timer)
    clear(timer)
  }
  return {
    begin: () => void Object.assign(globalThis, { setTimeout: watchedSet, clearTimeout: watchedClear }),
    end: () => void Object.assign(globalThis, { setTimeout: set, clearTimeout: clear }),
    pending: () => [...waiting.values()],
  }
}
