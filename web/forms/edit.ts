/** Edits of arrays and maps. Each returns a new value in which everything else is unchanged. */
import { escapeToken, isList, isRecord, type Value } from '../json/index.ts'
import type { Memory } from './memory.ts'
import { get, move, put, type Path } from './value.ts'

const list = (value: Value | undefined, path: Path): readonly Value[] => {
  const found = get(value, path)
  return isList(found) ? found : []
}

export const addItem = (value: Value | undefined, path: Path, item: Value): Value | undefined =>
  put(value, path, [...list(value, path), item])

export const removeItem = (value: Value | undefined, path: Path, at: number, memory: Memory): Value | undefined => {
  memory.renamed(path, (step) => (Number(step) === at ? undefined : shift(step, (index) => index - Number(index > at))))
  return put(value, [...path, at], undefined)
}

/** Inserts a copy after the original. */
export const duplicateItem = (value: Value | undefined, path: Path, at: number, memory: Memory): Value | undefined => {
  const items = list(value, path)
  memory.renamed(path, (step) => shift(step, (index) => index + Number(index > at)))
  return put(value, path, items.toSpliced(at + 1, 0, items[at]!))
}

export const moveItem = (
  value: Value | undefined,
  path: Path,
  from: number,
  to: number,
  memory: Memory,
): Value | undefined => {
  const order = move(
    list(value, path).map((_, at) => at),
    from,
    to,
  )
  memory.renamed(path, (step) => shift(step, (index) => order.indexOf(index)))
  return put(value, path, move(list(value, path), from, to))
}

const shift = (step: string, to: (index: number) => number): string => String(to(Number(step)))

/** Renames a key in place. Returns the same value if the new name is taken. */
export const renameKey = (value: Value | undefined, path: Path, name: string, memory: Memory): Value | undefined => {
  const key = path.at(-1)
  const parent = path.slice(0, -1)
  const record = get(value, parent)
  if (typeof key !== 'string' || !isRecord(record) || key === name || Object.hasOwn(record, name)) return value
  const token = escapeToken(key)
  memory.renamed(parent, (step) => (step === token ? escapeToken(name) : step))
  return put(
    value,
    parent,
    Object.fromEntries(Object.entries(record).map(([each, inner]) => [each === key ? name : each, inner])),
  )
}
