/** A private key that comes line by line: on stderr, in log messages, in a list of lines (RFC 7468 section 2). */

/** A key of 16,384 bits has about 200 lines. */
const MOST_LINES = 400
const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}(?:PRIVATE KEY(?: BLOCK)?|Static key V1)-----(?![^]*-----END)/
const END = /-----END /
/** Colours, times and names of programs may be in front. */
const BODY = /([A-Za-z0-9+/=]{4,})\s*$/

export class KeyLines {
  #left = 0

  /** @returns what is secret in the next line */
  secretIn(line: string): string | undefined {
    if (END.test(line)) this.#left = 0
    if (BEGIN.test(line)) {
      this.#left = MOST_LINES
      return undefined
    }
    if (this.#left === 0) return undefined
    this.#left--
    // `Proc-Type: 4,ENCRYPTED` and an empty line come before the key itself.
    return /: /.test(line) && !/[A-Za-z0-9+/=]{30,}\s*$/.test(line) ? undefined : BODY.exec(line)?.[1]
  }
}
