/**
 * Which tests prove which requirements (`web/lint/requirements.json`).
 *
 * To add a proof, name the test file once below and put its title under the id of the requirement:
 *
 *     const jsonrpc = titles('web/mcp/jsonrpc.test.ts')
 *     …
 *     'BP-07': [jsonrpc('a response with both result and error is told off')],
 *
 * A title is the text in `test(…)` or `it(…)` exactly as the file has it, with `${…}` and `%s` left as they are.
 * `tests/requirements.test.ts` fails on ids that do not exist, on files that do not exist, and on titles that are not
 * in their file or whose test is skipped: rename a test, and this map follows.
 *
 * An id belongs here only if its test would fail were the requirement broken. Several proofs for one id are welcome.
 */
export interface Proof {
  /** Path from the root of the project. */
  readonly file: string
  readonly test: string
}

const titles =
  (file: string) =>
  (test: string): Proof => ({ file, test })

export const proofs: Readonly<Record<string, readonly Proof[]>> = {}
