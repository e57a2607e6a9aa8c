/**
 * Which sessions belong to a page that lives. A page holds a lock by the name of its session for as long as it is there, and
 * a browser lets go of it for a page that crashed.
 */

const PREFIX = 'periscope-session-'

/** Where there are no locks, as outside secure contexts, only our own sessions are known to live. */
const locks = (): LockManager | undefined => (globalThis.navigator as Partial<Navigator> | undefined)?.locks

export const live = (id: string): void => {
  // Held until the page goes: the promise never settles.
  void locks()
    ?.request(PREFIX + id, () => new Promise<void>(() => {}))
    .catch(() => {})
}

/** @param own sessions of this page */
export const living = async (own: Iterable<string>): Promise<ReadonlySet<string>> => {
  const names = new Set(own)
  try {
    const { held = [] } = (await locks()?.query()) ?? {}
    for (const { name } of held) if (name?.startsWith(PREFIX)) names.add(name.slice(PREFIX.length))
  } catch {
    // Refused: then nothing is known of the others.
  }
  return names
}
