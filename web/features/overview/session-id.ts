/** How much of a session ID is shown: it grants access, and screens are shared (SEC-13). */
import { visible } from '../../ui/index.ts'

/** Characters that suffice to find the session in a server's log. */
const HEAD = 8
/** Most characters shown of a revealed ID. */
const LONGEST = 1000

export const isMasked = (id: string): boolean => id.length > HEAD

export const shownSessionId = (id: string, revealed: boolean): string =>
  revealed || !isMasked(id) ? visible(id, LONGEST) : `${visible(id.slice(0, HEAD))}…`
