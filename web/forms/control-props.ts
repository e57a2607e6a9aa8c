/** What every control is given. */
import type { Value } from '../json/index.ts'
import type { Where } from './control.ts'
import type { FormHandle } from './form.ts'
import type { Field } from './model.ts'
import type { Path } from './value.ts'

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
