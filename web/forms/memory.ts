/**
 * The user's choices among alternatives, and the values typed into alternatives that were left, so that going back
 * restores them. This is interface state, not part of the value.
 */
import { formatPointer, type Value } from '../json/index.ts'
import type { Path } from './value.ts'

/** Maximum number of values remembered for alternatives that were left. */
const MOST = 200

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
