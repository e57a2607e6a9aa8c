/**
 * What the user chose and typed among alternatives. It belongs to the interface and not to the value: which alternative
 * a value is taken for, and what was typed in those that were left, so that going back brings it back.
 */
import { formatPointer, type Value } from '../json/index.ts'
import type { Path } from './value.ts'

/** Values kept of alternatives that were left. */
const MOST = 200

export class Memory {
  /** Counts changes, for those who show it. */
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
    // What was chosen further in was chosen in another alternative.
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

  /** The value came from elsewhere: what it is taken for is for it to say. What was typed is kept. */
  forgetPicks(): void {
    if (this.#picks.size === 0) return
    this.#picks.clear()
    this.#changed()
  }

  /** Keys or items at a place have other names now; `undefined`: gone. */
  renamed(path: Path, name: (step: string) => string | undefined): void {
    const start = `${formatPointer(path)}/`
    const moved = <Held>(held: Map<string, Held>): Map<string, Held> =>
      new Map(
        [...held].flatMap(([key, value]): [string, Held][] => {
          if (!key.startsWith(start)) return [[key, value]]
          // Names may hold blanks; the numbers at the end are ours.
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
