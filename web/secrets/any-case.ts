/**
 * Expressions for texts in any case. With the flags `iu`, a browser compiles every letter into a class of its own: the long
 * lists of words here then take up to 0.8 s before the first text is searched. So they are written in lower case, and so is the text.
 */

/** Lower case, with each character where it was: `İ` becomes two, and stays. */
export const lowerCase = (text: string): string => {
  const lower = text.toLowerCase()
  if (lower.length === text.length) return lower
  return text.replace(/./gsu, (one) => {
    const small = one.toLowerCase()
    return small.length === one.length ? small : one
  })
}

/** What `iu` would find, but for letters that only resemble others, such as the sign of Kelvin. */
export class AnyCase {
  readonly #expression: RegExp

  /**
   * @param source in lower case, but for classes such as `\S`
   * @throws {Error} a letter in upper case, which would never be found
   */
  constructor(source: string) {
    const upper = /\p{Lu}/u.exec(source.replace(/\\[pP]\{[^}]*\}|\\[a-zA-Z]|\(\?<[a-zA-Z]+>/g, ''))
    if (upper) throw new Error(`${upper[0]} would never be found`)
    this.#expression = new RegExp(source, 'gu')
  }

  test(text: string): boolean {
    this.#expression.lastIndex = 0
    return this.#expression.test(lowerCase(text))
  }

  /** @returns from where to where, in order */
  *in(text: string): Generator<{ readonly from: number; readonly to: number }> {
    this.#expression.lastIndex = 0
    for (const { 0: found, index } of lowerCase(text).matchAll(this.#expression))
      yield { from: index, to: index + found.length }
  }
}
