/** Moves of servers within and between the sections of their list. Loaded after the first screen. */
import type { Colour, Recent } from '../remembered.ts'
import { sectionsOf, type Section } from './sections.ts'

const listOf = (sections: readonly Section[]): readonly Recent[] => sections.flatMap(({ recents }) => recents)

/** Where a server is after a move: its place from 1, among how many. */
export interface Moved {
  readonly list: readonly Recent[]
  readonly place: number
  readonly count: number
}

/**
 * One place up (-1) or down (1) within its section.
 * @returns `undefined` at the end of the section
 */
export const movedBy = (list: readonly Recent[], recent: Recent, by: 1 | -1): Moved | undefined => {
  const sections = sectionsOf(list)
  const section = sections.find(({ recents }) => recents.includes(recent))
  if (!section) return undefined
  const swapped = swap(section.recents, recent, by)
  if (!swapped) return undefined
  const recents = swapped.map((item) => (item === recent ? placed(recent) : item))
  return {
    list: listOf(sections.map((each) => (each === section ? { ...section, recents } : each))),
    place: swapped.indexOf(recent) + 1,
    count: recents.length,
  }
}

/**
 * A whole group, one place up or down among the groups.
 * @returns `undefined` at the end of the list
 */
export const movedGroup = (list: readonly Recent[], group: string, by: 1 | -1): Moved | undefined => {
  const sections = sectionsOf(list)
  const groups = sections.filter((each) => each.group !== undefined)
  const section = groups.find((each) => each.group === group)
  const swapped = section && swap(groups, section, by)
  if (!swapped) return undefined
  const moved = swapped.map((each) => (each === section ? placedSection(section) : each))
  return {
    list: listOf([...sections.filter((each) => each.group === undefined), ...moved]),
    place: swapped.indexOf(section) + 1,
    count: swapped.length,
  }
}

const swap = <Item>(items: readonly Item[], item: Item, by: 1 | -1): Item[] | undefined => {
  const at = items.indexOf(item)
  const other = items[at + by]
  if (at < 0 || other === undefined) return undefined
  return items.with(at, other).with(at + by, item)
}

const placed = (recent: Recent): Recent => ({ ...recent, placed: true })
const placedSection = (section: Section): Section => ({ ...section, recents: section.recents.map(placed) })

/** Where a dragged server is dropped: beside a server, or on the heading of a group. */
export type Drop = { readonly beside: Recent; readonly after: boolean } | { readonly group: string | undefined }

/** Where a dragged group is dropped: beside another one. */
export interface GroupDrop {
  readonly group: string
  readonly after: boolean
}

/** Puts a server where it was dropped, in the group of that place. */
export const dropped = (list: readonly Recent[], recent: Recent, drop: Drop): readonly Recent[] => {
  if ('group' in drop) return inGroup(list, recent, drop.group)
  const { beside, after } = drop
  if (beside === recent) return list
  const now = placed(withGroup(recent, beside.group))
  return listOf(sectionsOf(list)).flatMap((item) =>
    item === recent ? [] : item !== beside ? [item] : after ? [item, now] : [now, item],
  )
}

/** Puts a whole group before or after another one. */
export const droppedGroup = (
  list: readonly Recent[],
  group: string,
  { group: beside, after }: GroupDrop,
): readonly Recent[] => {
  const sections = sectionsOf(list)
  const before = sections.find((each) => each.group === group)
  if (!before || group === beside) return list
  const moved = placedSection(before)
  return listOf(
    sections.flatMap((each) =>
      each === before ? [] : each.group !== beside ? [each] : after ? [each, moved] : [moved, each],
    ),
  )
}

/** Puts a server at the end of a group, or of those without one. */
export const inGroup = (list: readonly Recent[], recent: Recent, group: string | undefined): readonly Recent[] =>
  recent.group === group
    ? list
    : [...listOf(sectionsOf(list)).filter((item) => item !== recent), withGroup(recent, group)]

const withGroup = (recent: Recent, group: string | undefined): Recent => {
  const { group: _, ...rest } = recent
  return group === undefined ? rest : { ...rest, group }
}

export const inColour = (list: readonly Recent[], recent: Recent, colour: Colour | undefined): readonly Recent[] => {
  const { colour: _, ...rest } = recent
  return list.map((item) => (item === recent ? (colour ? { ...rest, colour } : rest) : item))
}
