/** A test that proves a requirement. */
export interface Proof {
  /** Path from the project's root. */
  readonly file: string
  readonly test: string
}

/** By requirement id. */
export type Proofs = Readonly<Record<string, readonly Proof[]>>

export const titles =
  (file: string) =>
  (test: string): Proof => ({ file, test })
