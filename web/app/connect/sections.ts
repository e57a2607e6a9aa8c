/** The sections of the list of servers. Apart from the moves, because the first screen needs only these. */
import type { Recent } from '../remembered.ts'

export interface Section {
  /** Absent: the servers without a group. */
  readonly group: string | undefined
  readonly recents: readonly Recent[]
}

/** Servers without a group first, then the groups in the order of their first servers. */
export const sectionsOf = (list: readonly Recent[]): readonly Section[] => {
  const groups = new Set([undefined, ...list.map(({ group }) => group)])
  return [...groups]
    .map((group) => ({ group, recents: list.filter((recent) => recent.group === group) }))
    .filter(({ recents }) => recents.length > 0)
}
