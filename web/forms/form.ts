/** The interface between a form and its fields. */
import { formatPointer, type Value } from '../json/index.ts'
import type { Where } from './control.ts'
import type { Memory } from './memory.ts'
import type { Field } from './model.ts'
import type { Settled } from './settle.ts'
import type { Path } from './value.ts'
import type { Problem } from './verdict.ts'

export interface FormHandle {
  /** `undefined` removes the property or item. */
  put(path: Path, next: Value | undefined): void
  /** Changes the whole value and moves the choices inside with it. */
  edit(change: (value: Value | undefined, memory: Memory) => Value | undefined): void
  /** The alternative shown at a path. */
  settle(field: Field, value: Value | undefined, path: Path): Settled
  /** Shows another alternative. */
  choose(settled: Settled, level: number, to: number, value: Value | undefined, path: Path, where: Where): void
  /** Leaves all alternatives: sets absent or null. */
  leave(settled: Settled, value: Value | undefined, path: Path, next: null | undefined): void
  /** Whether a value is stored for an alternative that the user left. */
  kept(path: Path, level: number, at: number): boolean
  /** Id of the control at a path. */
  id(path: Path): string
  /** Problems of the value at a path itself. */
  at(path: Path): readonly Problem[]
  /** Problems of the values inside the value at a path. */
  inside(path: Path): readonly Problem[]
  /** Sending was attempted: missing values are shown everywhere. */
  readonly attempted: boolean
}

/** Groups problems by their pointer. */
export const byPointer = (problems: readonly Problem[]): ReadonlyMap<string, readonly Problem[]> => {
  const places = new Map<string, Problem[]>()
  for (const problem of problems) {
    const known = places.get(problem.pointer)
    if (known) known.push(problem)
    else places.set(problem.pointer, [problem])
  }
  return places
}

/** An element id without white space, whatever the names in the path. */
export const idOf = (prefix: string, path: Path): string => `${prefix}${encodeURIComponent(formatPointer(path))}`
