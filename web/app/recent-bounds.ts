/** How many recent servers are stored. In a file of its own, because the first screen doesn't need it, and imports share it. */
import { ARRANGED_KEPT, RECENT_KEPT, type Recent } from './remembered.ts'

/** Drops those used longest ago, wherever they are in the list. */
export const bounded = (list: readonly Recent[]): Recent[] => {
  const latest = list.toSorted((one, other) => other.at - one.at)
  const stays = new Set([
    ...latest.filter(isArranged).slice(0, ARRANGED_KEPT),
    ...latest.filter((item) => !isArranged(item)).slice(0, RECENT_KEPT),
  ])
  return list.filter((item) => stays.has(item))
}

const isArranged = ({ group, colour, placed }: Recent): boolean =>
  placed === true || group !== undefined || colour !== undefined
