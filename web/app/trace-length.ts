/** The number of frames, as something to follow. */
import type { Trace } from '../mcp/index.ts'

export const lengthOf = (trace: Trace) => ({
  get current() {
    return trace.length
  },
  subscribe: (listener: () => void) => trace.subscribe(listener),
})
