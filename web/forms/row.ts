/** How a field is laid out: what stands beside its control. */
import type { Control, Offer, Where } from './control.ts'
import type { Field } from './model.ts'

export interface Row {
  /** Name and control above each other. */
  readonly wide: boolean
  /** The control is one that a label can name. */
  readonly labelled: boolean
  /** Offer what can be said instead of a value. */
  readonly menu: boolean
  /** It stands within the control, in room that only a text field leaves at its end. */
  readonly menuWithin: boolean
  /** Say whether it is absent, null or empty; some controls say it themselves. */
  readonly marked: boolean
}

const LABELLED: ReadonlySet<Control> = new Set(['text', 'number', 'choice', 'json'])
const TELLING: ReadonlySet<Control> = new Set(['boolean', 'choice', 'null', 'open'])
const WITHIN: ReadonlySet<Control> = new Set(['text', 'number', 'json'])
const GROUPED: ReadonlySet<Control> = new Set(['list', 'group', 'set'])

export const rowOf = (field: Field, control: Control, where: Where, offers: readonly Offer[]): Row => {
  const item = control === 'list' ? field.item(0) : undefined
  // Where absent is all there is to say, emptying the field says it; choices have it in their list.
  const menu = GROUPED.has(control)
    ? where === 'property' || offers.length > 1
    : !TELLING.has(control) && control !== 'long' && offers.length > 1
  return {
    wide: control === 'group' || item?.kind === 'object' || item?.kind === 'union',
    labelled: LABELLED.has(control),
    menu,
    menuWithin: menu && WITHIN.has(control),
    marked: !TELLING.has(control),
  }
}
