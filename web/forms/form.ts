/** What the parts of a form share. */
import { pointerOf, type Path } from './value.ts'
import type { Problem } from './verdict.ts'
import type { Value } from '../ui/json/lossless.ts'

export interface FormHandle {
  /** `undefined` takes the property or item away. */
  put(path: Path, next: Value | undefined): void
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
export const idOf = (prefix: string, path: Path): string => `${prefix}${encodeURIComponent(pointerOf(path))}`
