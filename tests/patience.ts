/** Time limits of tests on a slow or busy machine. `speed.ts` measures it; Vitest passes it on, also to browsers. */
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** How much slower this machine is than an idle one with two cores. */
    slowness: number
    /** How many times as often as usual properties are tried. */
    depth: number
  }
}

/** @param ms for an idle machine with two cores @returns ms for this one */
export const patient = (ms: number): number => ms * inject('slowness')
