/** Which fields of a big group are drawn: a page of them, and all that hold a value or are wrong. */
import { isRecord, type Value } from '../ui/json/lossless.ts'
import type { Property } from './model.ts'
import { pointerOf, type Path } from './value.ts'
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
  properties: readonly Property[],
  value: Value | undefined,
  problems: readonly Problem[],
  path: Path,
  { filter, most }: { readonly filter: string; readonly most: number },
): Shown => {
  const wanted = filter.trim().toLowerCase()
  const found = wanted === '' ? properties : properties.filter(({ key }) => key.toLowerCase().includes(wanted))
  const page = found.slice(0, most)
  if (wanted !== '' || page.length === found.length) return { shown: page, left: found.length - page.length }
  const start = pointerOf(path).length + 1
  const keys = new Set([
    ...(isRecord(value) ? Object.keys(value) : []),
    ...problems.map(({ pointer }) => {
      const [step] = pointer.slice(start).split('/')
      return step!.replaceAll('~1', '/').replaceAll('~0', '~')
    }),
  ])
  const drawn = new Set(page.map(({ key }) => key))
  const also = found.slice(most).filter(({ key }) => keys.has(key) && !drawn.has(key))
  return { shown: [...page, ...also], left: found.length - page.length - also.length }
}
