/**
 * A server's regular expressions. They can backtrack for years, so they are compiled only where the run can be ended:
 * in the worker of the page (`page-validator.ts`) and under a time limit in Node.
 */

/** Whether a pattern matches; `undefined`: not known, or not a regular expression. */
export type MatchPattern = (pattern: string, text: string) => boolean | undefined

/** JSON Schema asks for `u`; many patterns in use, such as `\-` outside a class, are legal only without. */
export const compilePattern = (pattern: string): RegExp | undefined => {
  if (pattern.length > 10_000) return undefined
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags)
    } catch {
      // The other flags may do.
    }
  }
  return undefined
}

export const matchPattern: MatchPattern = (pattern, text) => compilePattern(pattern)?.test(text)
