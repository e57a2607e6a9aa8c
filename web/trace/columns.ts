/** The columns of the two lists: their order, widths and names, and what the user chose. Both lists draw the same ones. */
import { browserStorage, storedJson } from '../ui/index.ts'
import type { SortBy, Sorting } from './sort.ts'
import type en from './text/en.ts'

export type TraceView = 'exchanges' | 'frames'

export type ColumnId =
  | 'number'
  | 'time'
  | 'server'
  | 'direction'
  | 'what'
  | 'status'
  | 'took'
  | 'size'
  | 'findings'
  | 'waterfall'

type Title = Extract<keyof typeof en, `column${string}` | 'waterfall'>

export interface Column {
  readonly id: ColumnId
  readonly title: Title
  /** The name where it stands alone, such as in the menu. */
  readonly name: Title
  /** Only screen readers get the title: the content explains itself. */
  readonly untitled?: true
  /** Numbers, aligned to the right. */
  readonly right?: true
  /** px. Absent: it takes the space that the others leave. */
  readonly width?: number
  /** px in an exchange list of at most 900 px, which also holds the waterfall. */
  readonly tight?: number
  /** px at most 640 and 460 px of list; absent: it is hidden there, whatever the user chose. */
  readonly small?: number
  readonly phone?: number
  /** px below which the user can't make it, and to which it shrinks if the list has no room. */
  readonly least: number
  readonly sort?: SortBy
}

/** In the order of the screen. */
export const COLUMNS: readonly Column[] = [
  { id: 'number', title: 'columnNumber', name: 'columnNumberName', right: true, width: 52, tight: 40, least: 30, sort: 'number' },
  { id: 'time', title: 'columnTime', name: 'columnTime', width: 84, tight: 78, small: 78, least: 40, sort: 'time' },
  { id: 'server', title: 'columnServer', name: 'columnServer', width: 92, tight: 64, least: 36, sort: 'server' },
  { id: 'direction', title: 'columnDirection', name: 'columnDirection', untitled: true, width: 26, tight: 22, small: 26, phone: 26, least: 22, sort: 'direction' },
  { id: 'what', title: 'columnWhat', name: 'columnWhat', least: 80, sort: 'method' },
  { id: 'status', title: 'columnStatus', name: 'columnStatus', width: 104, tight: 84, small: 96, phone: 96, least: 40, sort: 'status' },
  { id: 'took', title: 'columnTook', name: 'columnTook', right: true, width: 84, tight: 84, small: 84, phone: 84, least: 36, sort: 'duration' },
  { id: 'size', title: 'columnSize', name: 'columnSize', right: true, width: 66, tight: 60, least: 36, sort: 'size' },
  { id: 'findings', title: 'columnFindings', name: 'columnFindings', untitled: true, width: 70, tight: 60, small: 60, least: 36, sort: 'problems' },
  { id: 'waterfall', title: 'waterfall', name: 'waterfall', width: 240, tight: 110, least: 60 },
] // prettier-ignore

/** px: no column is made wider. */
export const WIDEST = 800

export const columnOf = (id: ColumnId): Column => COLUMNS.find((column) => column.id === id)!

/** What the user chose for one view. */
export interface ColumnChoice {
  /** px, where it isn't the default. */
  readonly widths: Readonly<Partial<Record<ColumnId, number>>>
  readonly hidden: readonly ColumnId[]
  /** Absent: in order of time. */
  readonly sort?: Sorting
}

export const NO_CHOICE: ColumnChoice = { widths: {}, hidden: [] }

export type ColumnChoices = Readonly<Record<TraceView, ColumnChoice>>

const STORED = 'periscope.trace-columns'

/** The choices that this browser stores. */
export const storedChoices = (): ColumnChoices => {
  const { exchanges, frames } = (storedJson(browserStorage('local'), STORED) ?? {}) as Readonly<Record<string, unknown>>
  return { exchanges: choiceFrom(exchanges), frames: choiceFrom(frames) }
}

export const storeChoices = (choices: ColumnChoices): void =>
  browserStorage('local').setItem(STORED, JSON.stringify(choices))

/** Everything but what a row is about. */
export const isHideable = ({ id }: Column): boolean => id !== 'what'

/** The columns that a view can show. @param several whether the trace has more than one server */
export const columnsOf = (view: TraceView, several: boolean): readonly Column[] =>
  COLUMNS.filter(({ id }) => (id !== 'waterfall' || view === 'exchanges') && (id !== 'server' || several))

/** Reads a stored choice, which other code or another version may have written. */
export const choiceFrom = (stored: unknown): ColumnChoice => {
  const { widths, hidden, sort }: Readonly<Record<string, unknown>> = isRecord(stored) ? stored : {}
  const known = (id: unknown): id is ColumnId => COLUMNS.some((column) => column.id === id)
  return {
    widths: Object.fromEntries(
      Object.entries(isRecord(widths) ? widths : {}).flatMap(([id, px]) =>
        known(id) && typeof px === 'number' && Number.isFinite(px) ? [[id, bounded(id, px)]] : [],
      ),
    ),
    hidden: (Array.isArray(hidden) ? hidden : []).filter(known).filter((id) => isHideable(columnOf(id))),
    ...sortFrom(sort),
  }
}

const sortFrom = (stored: unknown): { readonly sort?: Sorting } => {
  if (!isRecord(stored) || typeof stored['down'] !== 'boolean') return {}
  const by = COLUMNS.find(({ sort }) => sort !== undefined && sort === stored['by'])?.sort
  return by === undefined ? {} : { sort: { by, down: stored['down'] } }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** px that a column may have. @param room px that it may have at most */
export const bounded = (id: ColumnId, px: number, room = WIDEST): number =>
  Math.round(Math.max(columnOf(id).least, Math.min(px, room, WIDEST)))

/** The choice with another width of a column; `undefined` for the default. */
export const withWidth = (choice: ColumnChoice, id: ColumnId, px: number | undefined): ColumnChoice => {
  const { [id]: _, ...others } = choice.widths
  return { ...choice, widths: px === undefined ? others : { ...others, [id]: px } }
}

export const withShown = (choice: ColumnChoice, id: ColumnId, shown: boolean): ColumnChoice => {
  const others = choice.hidden.filter((each) => each !== id)
  return { ...choice, hidden: shown || !isHideable(columnOf(id)) ? others : [...others, id] }
}

/**
 * The sorting after a click on a column: ascending, descending, then in order of time again. Time itself is that order
 * already, so its first click turns it around.
 */
export const afterClick = (sort: Sorting | undefined, by: SortBy): Sorting | undefined => {
  if (by === 'time') return sort?.by === 'time' ? undefined : { by, down: true }
  if (sort?.by !== by) return { by, down: false }
  return sort.down ? undefined : { by, down: true }
}

/** What a list draws. */
export interface ColumnLayout {
  readonly columns: readonly Column[]
  readonly shown: ReadonlySet<ColumnId>
  /** `grid-template-columns` by the width of the list: any, at most 900, 640 and 460 px. */
  readonly tracks: { readonly wide: string; readonly tight: string; readonly small: string; readonly phone: string }
}

export const layoutOf = (view: TraceView, several: boolean, { widths, hidden }: ColumnChoice): ColumnLayout => {
  const columns = columnsOf(view, several).filter(({ id }) => !hidden.includes(id))
  const chosen = (ofColumn: (column: Column) => string) =>
    columns
      .map((column) => {
        const { id, width, least } = column
        const px = widths[id]
        if (width === undefined) return `minmax(${least}px, 1fr)`
        return px === undefined ? ofColumn(column) : track(px, least)
      })
      .join(' ')
  const share = several ? '26%' : '30%'
  const wide = chosen(({ id, width, least }) =>
    id === 'waterfall' ? `minmax(140px, ${share})` : track(width!, least, true),
  )
  const tight = chosen(({ id, tight: px, least }) => track(several && id === 'waterfall' ? 80 : px!, least, true))
  const compact = (size: 'small' | 'phone') =>
    columns
      .flatMap((column) => {
        if (column.width === undefined) return ['minmax(0, 1fr)']
        const px = column[size]
        return px === undefined ? [] : [standard(px)]
      })
      .join(' ')
  return {
    columns,
    shown: new Set(columns.map(({ id }) => id)),
    tracks: { wide, tight: view === 'exchanges' ? tight : wide, small: compact('small'), phone: compact('phone') },
  }
}

/** A list without room for all of them shrinks them, rather than what the rows are about. */
const track = (px: number, least: number, grows = false): string =>
  `minmax(${Math.min(px, least)}px, ${grows ? standard(px) : `${px}px`})`

/** A width that the user didn't choose grows with the text. */
const standard = (px: number): string => `calc(${px}*var(--text-px))`
