/** A test that proves a requirement. */
export interface Proof {
  /** Path from the root of the project. */
  readonly file: string
  readonly test: string
}

/** By the id of the requirement. */
export type Proofs = Readonly<Record<string, readonly Proof[]>>

export const titles =
  (file: string) =>
  (test: string): Proof => ({ file, test })
