/** A choice of several as boxes to tick: which schemas and values can be shown so, and what ticking does. */
import type { Choice, Field } from '../../forms/model.ts'
import { isList, type Value } from '../../ui/json/lossless.ts'

/** Boxes in one field; a longer list is a list. */
const MOST = 60

/** @returns the choices, or `undefined` where boxes could not show the value without loss: twice the same, or no text */
export const severalOf = (field: Field, value: Value | undefined): readonly Choice[] | undefined => {
  if (field.kind !== 'array' || field.schema['prefixItems'] !== undefined || Array.isArray(field.schema['items']))
    return
  const item = field.item(0)
  if (item?.kind !== 'enum' || item.choices.length > MOST) return
  if (!item.choices.every((choice) => typeof choice.value === 'string')) return
  if (value === undefined) return item.choices
  if (!isList(value) || value.length > MOST || !value.every((each) => typeof each === 'string')) return
  return new Set(value).size === value.length ? item.choices : undefined
}

/** What is ticked already keeps its place; what is ticked now goes to its place in the list, and the unknown stay. */
export const tick = (
  value: Value | undefined,
  choices: readonly Choice[],
  which: string,
  on: boolean,
): readonly string[] => {
  const chosen = isList(value) ? (value as readonly string[]) : []
  if (!on) return chosen.filter((each) => each !== which)
  if (chosen.includes(which)) return chosen
  const order = choices.map((choice) => choice.value)
  const after = chosen.findIndex((each) => order.indexOf(each) > order.indexOf(which))
  return after < 0 ? [...chosen, which] : [...chosen.slice(0, after), which, ...chosen.slice(after)]
}
