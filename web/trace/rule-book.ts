/** What the dock needs to explain a finding: given by whoever has the list of requirements. */
export interface RuleText {
  /** The breach in a few words, in the reader's language; `undefined` where the catalogue has none. */
  readonly title?: (() => string | undefined) | undefined
  /** The rule in words. */
  readonly statement: string
  /** `https:` address of the page it comes from. */
  readonly url?: string | undefined
}

/** @returns `undefined` for an id that is not in the list */
export type RuleBook = (id: string) => Promise<RuleText | undefined>
