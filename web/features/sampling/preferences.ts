/** Which of some models a server would like best (CF-SAMP-05): hints first, in their order, each a part of a name. */

export interface Match {
  readonly model: string
  /** The hint that it holds. */
  readonly hint: string
  /** Hints before it that no model holds. */
  readonly passed: readonly string[]
}

/** The priorities decide only among what hints leave open, and of models here nothing but the names is known. */
export const matchHints = (models: readonly string[], hints: readonly string[]): Match | undefined => {
  for (const [at, hint] of hints.entries()) {
    const wanted = hint.toLowerCase()
    const model = models.find((name) => name.toLowerCase().includes(wanted))
    if (model !== undefined) return { model, hint, passed: hints.slice(0, at) }
  }
  return undefined
}
