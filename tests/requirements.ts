/**
 * Which tests prove which requirements (`web/lint/requirements.json`), and why the rest of ours have none.
 *
 * To add a proof, name the test file once in a file of `tests/proofs/` and put its title under the id of the requirement:
 *
 *     const jsonrpc = titles('web/mcp/jsonrpc.test.ts')
 *     …
 *     'BP-07': [jsonrpc('a response with both result and error is told off')],
 *
 * A title is the text in `test(…)` or `it(…)` exactly as the file has it, with `${…}` and `%s` left as they are.
 * `tests/requirements.test.ts` fails on ids that do not exist, on files that do not exist, on titles that are not in
 * their file or whose test is skipped, and on duties of the client that have neither a proof nor a reason.
 *
 * An id belongs here only if its test would fail were the requirement broken. Several proofs for one id are welcome.
 */
import { authorization } from './proofs/authorization.ts'
import { base } from './proofs/base.ts'
import { clientFeatures } from './proofs/client-features.ts'
import { lifecycle } from './proofs/lifecycle.ts'
import { patterns } from './proofs/patterns.ts'
import type { Proofs } from './proofs/proof.ts'
import { serverFeatures } from './proofs/server-features.ts'
import { tasksAndSecurity } from './proofs/tasks-and-security.ts'
import { transports } from './proofs/transports.ts'

export type { Proof } from './proofs/proof.ts'
export { untestable } from './proofs/untestable.ts'

export const proofs: Proofs = {
  ...base,
  ...lifecycle,
  ...transports,
  ...authorization,
  ...serverFeatures,
  ...clientFeatures,
  ...patterns,
  ...tasksAndSecurity,
}
