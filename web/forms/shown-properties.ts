/** Which fields of a big group are drawn: a page of them, and all that hold a value or are wrong. */
import { formatPointer, unescapeToken, isRecord, type Value } from '../json/index.ts'
import type { Field, Property } from './model.ts'
import type { Path } from './value.ts'
import type { Problem } from './verdict.ts'

/** Fields drawn at a time. */
export const PAGE = 50
/** From here on there is a filter. */
export const MANY = 30

export interface Shown {
  readonly shown: readonly Property[]
  /** How many more there are. */
  readonly left: number
}

export const propertiesShown = (
  field: Field,
  value: Value | undefined,
  problems: readonly Problem[],
  path: Path,
  { filter, most }: { readonly filter: string; readonly most: number },
): Shown => {
  const wanted = filter.trim().toLowerCase()
  const found = wanted === '' ? field.keys : field.keys.filter((key) => key.toLowerCase().includes(wanted))
  const page = found.slice(0, most)
  const left = found.length - page.length
  const shownOf = (keys: readonly string[]) => keys.map((key) => field.property(key))
  if (wanted !== '' || left === 0) return { shown: shownOf(page), left }
  const start = formatPointer(path).length + 1
  const drawn = new Set(page)
  const also = new Set(
    [
      ...(isRecord(value) ? Object.keys(value) : []),
      ...problems.map(({ pointer }) => {
        const [step] = pointer.slice(start).split('/')
        return unescapeToken(step!)
      }),
    ].filter((key) => field.declares(key) && !drawn.has(key)),
  )
  return { shown: shownOf([...page, ...also]), left: left - also.size }
}
