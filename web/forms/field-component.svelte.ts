/**
 * The component of one field. Groups and lists hold fields again, so they take it from their form: importing it, they would
 * import themselves.
 */
import { createContext, type Component, type Snippet } from 'svelte'
import type { Value } from '../json/index.ts'
import type { Where } from './control.ts'
import type { FormHandle } from './form.ts'
import type { Field } from './model.ts'
import type { Path } from './value.ts'

/** What every control is given. */
export interface ControlProps {
  form: FormHandle
  field: Field
  path: Path
  value: Value | undefined
  where: Where
  name: string
  /** Of the control itself. */
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
  /** What a key stands in that the schema does not name: it can be renamed and removed. */
  among?: Value | undefined
  /** No schema speaks of such a key. */
  foreign?: boolean
  /** Show the fields of a required group before there is one. */
  eager?: boolean
  /** A group begins folded. */
  folded?: boolean
  /** The item of a list has a meaning by its place: say which. */
  fixed?: boolean
  /** Beside the control, such as the buttons of a list's item. */
  actions?: Snippet
}

export const [fieldComponent, provideFieldComponent] = createContext<Component<FieldProps>>()
