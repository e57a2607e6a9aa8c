/** One thing that published servers were seen to do, and what shows that Periscope copes with it. */
import type { Proof } from '../requirements.ts'

/** `row`: of a test that goes through a table, the row's own name. */
export type Shown = Proof & { readonly row?: string }

export interface Oddity {
  /** 1 … 19. */
  readonly of: number
  readonly what: string
  /** Ids of the corpus. */
  readonly servers?: readonly string[]
  readonly tests?: readonly Shown[]
}

export const inFile =
  (file: string) =>
  (test: string, row?: string): Shown => ({ file, test, ...(row === undefined ? {} : { row }) })
