/** One observed behaviour of published servers, and the evidence that Periscope copes with it. */
import type { Proof } from '../requirements.ts'

/** `row`: the row's name in a table-driven test. */
export type Shown = Proof & { readonly row?: string }

export interface Oddity {
  /** 1 … 19. */
  readonly of: number
  readonly what: string
  /** Ids from the corpus. */
  readonly servers?: readonly string[]
  readonly tests?: readonly Shown[]
}

export const inFile =
  (file: string) =>
  (test: string, row?: string): Shown => ({ file, test, ...(row === undefined ? {} : { row }) })
