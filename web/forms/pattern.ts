/**
 * A server's regular expressions. They can backtrack for years, so they are only compiled where the run can be
 * terminated: in the page's worker (`page-validator.ts`) and under a time limit in Node.
 */

/** Whether a pattern matches; `undefined`: unknown, or not a valid regular expression. */
export type MatchPattern = (pattern: string, text: string) => boolean | undefined

/**
 * JSON Schema recommends the `u` flag, but many patterns in use are only valid without it, such
 * as `\-` outside a class.
 */
export const compilePattern = (pattern: string): RegExp | undefined => {
  if (pattern.length > 10_000) return undefined
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags)
    } catch {
      // Try the next flags.
    }
  }
  return undefined
}

export const matchPattern: MatchPattern = (pattern, text) => compilePattern(pattern)?.test(text)
