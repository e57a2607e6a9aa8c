/**
 * Edits of arrays and maps, each of which returns a new value in which everything else is unchanged, and the memory of
 * choices that moves along with them.
 */
import { type Value, escapeToken, formatPointer, isList, isRecord } from '../json/index.ts'
import { type Path, get, move, put } from './value.ts'

/** Maximum number of values remembered for alternatives that were left. */
const MOST = 200

/**
 * The user's choices among alternatives, and the values typed into alternatives that were left, so that going back
 * restores them. This is interface state, not part of the value.
 */
export class Memory {
  /** Called after each change. */
  readonly #changed: () => void
  #picks = new Map<string, number>()
  #kept = new Map<string, Value>()

  constructor(changed: () => void = () => {}) {
    this.#changed = changed
  }

  /** Index of the alternative chosen at a place. `level`: alternatives may have alternatives. */
  pick(path: Path, level: number): number | undefined {
    return this.#picks.get(`${formatPointer(path)} ${level}`)
  }

  choose(path: Path, level: number, at: number | undefined): void {
    const pointer = formatPointer(path)
    // Nested choices belong to the previous alternative.
    for (const key of [...this.#picks.keys()]) {
      const inner = key.startsWith(`${pointer}/`)
      if (inner || (key.startsWith(`${pointer} `) && Number(key.slice(pointer.length + 1)) > level))
        this.#picks.delete(key)
    }
    if (at === undefined) this.#picks.delete(`${pointer} ${level}`)
    else this.#picks.set(`${pointer} ${level}`, at)
    this.#changed()
  }

  keep(path: Path, level: number, at: number, value: Value): void {
    const key = `${formatPointer(path)} ${level} ${at}`
    this.#kept.delete(key)
    this.#kept.set(key, value)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > MOST) this.#kept.delete(oldest!)
    this.#changed()
  }

  kept(path: Path, level: number, at: number): Value | undefined {
    return this.#kept.get(`${formatPointer(path)} ${level} ${at}`)
  }

  /** The value came from elsewhere, so it determines its alternative. Typed values are kept. */
  forgetPicks(): void {
    if (this.#picks.size === 0) return
    this.#picks.clear()
    this.#changed()
  }

  /** Renames or moves the keys or items at a path; `undefined` removes them. */
  renamed(path: Path, name: (step: string) => string | undefined): void {
    const start = `${formatPointer(path)}/`
    const moved = <Held>(held: Map<string, Held>): Map<string, Held> =>
      new Map(
        [...held].flatMap(([key, value]): [string, Held][] => {
          if (!key.startsWith(start)) return [[key, value]]
          // Names may contain spaces; the numbers at the end are added by this class.
          const [, step, rest] = /^([^/]*?)((?:\/.*)?(?: \d+){1,2})$/s.exec(key.slice(start.length)) ?? []
          const next = step === undefined ? undefined : name(step)
          return next === undefined ? [] : [[`${start}${next}${rest}`, value]]
        }),
      )
    this.#picks = moved(this.#picks)
    this.#kept = moved(this.#kept)
    this.#changed()
  }
}

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
