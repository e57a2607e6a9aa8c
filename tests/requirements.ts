/**
 * Which tests prove which requirements (`web/lint/requirements.json`), and why our remaining requirements have no
 * proof.
 *
 * To add a proof, name the test file once in a file of `tests/proofs/` and put its title under the id of the
 * requirement:
 *
 *     const jsonrpc = titles('web/mcp/jsonrpc.test.ts')
 *     …
 *     'BP-07': [jsonrpc('says of %s that it is %s and cites %s')],
 *
 * A title is the string in `test(…)` exactly as in the file, with `${…}` and `%s` left unchanged.
 * `tests/requirements.test.ts` fails on unknown ids, missing files, titles that aren't in their file or whose test is
 * skipped, and client requirements with neither a proof nor a reason.
 *
 * List an id here only if its test would fail when the requirement is violated. Several proofs per id are welcome.
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
