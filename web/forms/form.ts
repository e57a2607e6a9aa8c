/** What the parts of a form share. */
import { formatPointer, type Value } from '../json/index.ts'
import type { Where } from './control.ts'
import type { Memory } from './memory.ts'
import type { Field } from './model.ts'
import type { Settled } from './settle.ts'
import type { Path } from './value.ts'
import type { Problem } from './verdict.ts'

export interface FormHandle {
  /** `undefined` takes the property or item away. */
  put(path: Path, next: Value | undefined): void
  /** Changes the whole value; what was chosen inside goes along. */
  edit(change: (value: Value | undefined, memory: Memory) => Value | undefined): void
  /** Which alternative is shown at a path. */
  settle(field: Field, value: Value | undefined, path: Path): Settled
  /** Shows another one. */
  choose(settled: Settled, level: number, to: number, value: Value | undefined, path: Path, where: Where): void
  /** Leaves all of them: absent, or null. */
  leave(settled: Settled, value: Value | undefined, path: Path, next: null | undefined): void
  /** Whether something was typed in an alternative that was left. */
  kept(path: Path, level: number, at: number): boolean
  /** Id of the control at a path. */
  id(path: Path): string
  /** Problems of the value at a path itself. */
  at(path: Path): readonly Problem[]
  /** Problems of what is inside the value at a path. */
  inside(path: Path): readonly Problem[]
  /** Sending was tried: what is missing is now shown everywhere. */
  readonly attempted: boolean
}

/** Problems by the place they are shown at. */
export const byPointer = (problems: readonly Problem[]): ReadonlyMap<string, readonly Problem[]> => {
  const places = new Map<string, Problem[]>()
  for (const problem of problems) {
    const known = places.get(problem.pointer)
    if (known) known.push(problem)
    else places.set(problem.pointer, [problem])
  }
  return places
}

/** An id that holds no white space, whatever the names in the path. */
export const idOf = (prefix: string, path: Path): string => `${prefix}${encodeURIComponent(formatPointer(path))}`
