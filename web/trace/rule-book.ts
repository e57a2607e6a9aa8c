/** The rule texts that the dock needs to explain a finding, provided by the owner of the requirements list. */
export interface RuleText {
  /** The violation in a few words, in the reader's language; `undefined` if the catalogue has none. */
  readonly title?: (() => string | undefined) | undefined
  /** The rule in words. */
  readonly statement: string
  /** `https:` URL of its page. */
  readonly url?: string | undefined
}

/** @returns `undefined` for an ID that isn't in the list */
export type RuleBook = (id: string) => Promise<RuleText | undefined>
