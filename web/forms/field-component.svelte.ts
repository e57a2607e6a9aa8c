/**
 * The component of a field. Groups and lists contain fields, so they get it from the form's context: importing
 * it would create a cycle.
 */
import { createContext, type Component, type Snippet } from 'svelte'
import type { Value } from '../json/index.ts'
import type { Where } from './control.ts'
import type { FormHandle } from './form.ts'
import type { Field } from './model.ts'
import type { Path } from './value.ts'

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

export const [fieldComponent, provideFieldComponent] = createContext<Component<FieldProps>>()
