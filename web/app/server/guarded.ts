/** Puts the secrets of a target in front of the Trace: no frame of its connection holds one (SEC-15). */
import type { Link, Trace } from '../../mcp/index.ts'
import { ConnectionSecrets } from '../../secrets/capture.ts'
import type { Target } from '../connect/index.ts'

/**
 * @param filled what was filled in for its placeholders, by their text
 * @returns the target, for its values are sent as they were typed
 */
export const guarded = (
  trace: Trace,
  link: Link,
  target: Target,
  filled: Readonly<Record<string, string>> = {},
): Target => {
  const before = trace.guardOf(link)
  // Those of the target before stay known: a late answer may hold them.
  const secrets = before instanceof ConnectionSecrets ? before : new ConnectionSecrets()
  secrets.know(target)
  // A placeholder's own name says whether its value is a secret; the place it stands in doesn't.
  secrets.know({ env: filled })
  trace.guard(link, secrets)
  return target
}
