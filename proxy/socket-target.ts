/** Recognizes sockets. On its own, because the command line must start fast. */

/** Whether a target names a socket: `unix:/path` or `npipe:NAME`. */
export function isSocketTarget(target: string): boolean {
  return /^(?:unix|npipe):./.test(target)
}
