/** The sections of the list of servers, and the names in it. Apart from the moves, because the first screen needs only these. */
import { keyOf, type Recent } from '../remembered.ts'
import { lineOf } from './target.ts'

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

/** Servers from different visits may have one name, and a button or a message is read without its row. */
export const distinctName = ({ name, target }: Recent, list: readonly Recent[]): string =>
  list.some((other) => other.name === name && keyOf(other.target) !== keyOf(target))
    ? `${name} · ${lineOf(target)}`
    : name
