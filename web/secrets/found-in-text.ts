/** What a search of a text reports: apart from the searches, because they call one another. */

/** The span of a secret. */
export interface Assigned {
  readonly from: number
  readonly to: number
  readonly rule: string
  /** It is in the position of a secret but may be an ordinary word: report it without removing it. */
  readonly doubtful?: true
}

export type FoundInText = (one: Assigned) => void
