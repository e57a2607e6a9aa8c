/** Guards the Trace against the secrets of a target: no frame of its connection contains one (SEC-15). */
import type { Link, Trace } from '../../mcp/index.ts'
import { ConnectionSecrets } from '../../secrets/capture.ts'
import type { Target } from '../connect/index.ts'

/**
 * @param filled the values of its placeholders, by placeholder text
 * @returns the target, unchanged: its values are sent as typed
 */
export const guarded = (
  trace: Trace,
  link: Link,
  target: Target,
  filled: Readonly<Record<string, string>> = {},
): Target => {
  const before = trace.guardOf(link)
  // Secrets of the previous target stay known, because a late response may contain them.
  const secrets = before instanceof ConnectionSecrets ? before : new ConnectionSecrets()
  secrets.know(target)
  // The placeholder's own name determines whether its value is a secret; its position doesn't.
  secrets.know({ env: filled })
  trace.guard(link, secrets)
  return target
}
