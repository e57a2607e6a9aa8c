/** The interface between a form and its fields and controls: the handle, their props, ids and focus. */
import { type Component, type Snippet, createContext, tick } from 'svelte'
import { type Value, formatPointer } from '../json/index.ts'
import type { Where } from './control.ts'
import type { Field } from './model.ts'
import type { Path } from './value.ts'
import type { Memory } from './edit.ts'
import type { Settled } from './settle.ts'
import type { Problem } from './verdict.ts'
import { patternMatches } from './pattern-matches.svelte.ts'

/**
 * Defers until the mouse button or key is released. Focus leaves while the button is still down; a message that appeared at
 * that moment would move the clicked button away from the pointer, and the click would be lost.
 */
export const afterPress = (then: () => void): void => {
  const released = () => {
    removeEventListener('pointerup', released, true)
    removeEventListener('keyup', released, true)
    setTimeout(then)
  }
  addEventListener('pointerup', released, true)
  addEventListener('keyup', released, true)
}

/** Focuses an element after the next render, and after the patterns that decide its control have been matched. */
export const focusSoon = async (id: string): Promise<void> => {
  await tick()
  await patternMatches.settled()
  await tick()
  document.getElementById(id)?.focus()
}

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

/** An element id without white space, whatever the names in the path. */
export const idOf = (prefix: string, path: Path): string => `${prefix}${encodeURIComponent(formatPointer(path))}`

/** The props of every control. */
export interface ControlProps {
  form: FormHandle
  field: Field
  path: Path
  value: Value | undefined
  where: Where
  name: string
  /** Id of the control element. */
  id: string
  describedby: string | undefined
  invalid: boolean
  required: boolean
}

/** The attributes of a control's input. @param label its name where no `<label>` shows it */
export const inputAttributes = ({ id, describedby, invalid, required }: ControlProps, label: string | undefined) => ({
  id,
  'aria-label': label,
  'aria-describedby': describedby,
  'aria-invalid': invalid || undefined,
  'aria-required': required || undefined,
  'data-testid': 'field-input',
})

/** The attributes of a control that consists of several. */
export const groupAttributes = ({ id, name, describedby }: Pick<ControlProps, 'id' | 'name' | 'describedby'>) =>
  ({ id, role: 'group', tabindex: -1, 'aria-label': name, 'aria-describedby': describedby }) as const

export interface FieldProps {
  form: FormHandle
  field: Field
  name: string
  path: Path
  value: Value | undefined
  where: Where
  required?: boolean
  /** The object of a key that the schema doesn't name, so that it can be renamed and removed. */
  among?: Value | undefined
  /** No schema applies to the key. */
  foreign?: boolean
  /** Show the fields of a required group that is still absent. */
  eager?: boolean
  /** A group is collapsed at first. */
  folded?: boolean
  /** The array item has a schema of its own by position: show its name. */
  fixed?: boolean
  /** Buttons beside the control, such as those of an array item. */
  actions?: Snippet
}

/**
 * The component of a field. Groups and lists contain fields, so they get it from the form's context: importing
 * it would create a cycle.
 */
export const [fieldComponent, provideFieldComponent] = createContext<Component<FieldProps>>()
