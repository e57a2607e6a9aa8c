/** Limits of single tests on a slow or busy machine: `speed.ts` measures it, and Vitest hands it on, into a browser too. */
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** How many times as slow as an idle machine with two cores. */
    slowness: number
  }
}

/** @param ms on an idle machine with two cores. @returns ms on this one */
export const patient = (ms: number): number => ms * inject('slowness')
