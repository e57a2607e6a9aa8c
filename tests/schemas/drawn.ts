/**
 * Everything a form renders for a value, without the rendering: each field with its control. It calls the same code as
 * the components, so results here also hold for them.
 */
import { controlOf, extraKeys, type Control, type Where } from '../../web/forms/control.ts'
import { isList } from '../../web/json/lossless.ts'
import type { Value } from '../../web/json/lossless.ts'
import type { Memory } from '../../web/forms/edit.ts'
import { fieldOf, type Field } from '../../web/forms/model.ts'
import { settle } from '../../web/forms/settle.ts'
import { get, type Path } from '../../web/forms/value.ts'

export interface Drawn {
  readonly field: Field
  readonly control: Control
  readonly value: Value | undefined
  readonly path: Path
  readonly where: Where
}

/** The number of fields checked per group. */
const PAGE = 50

export const drawn = function* (
  declared: Field,
  value: Value | undefined,
  memory: Memory,
  path: Path = [],
  where: Where = 'root',
): Generator<Drawn> {
  const { field } = settle(declared, value, path, memory)
  const control = controlOf(field, value)
  yield { field, control, value, path, where }
  if (control === 'group' && (value !== undefined || path.length === 0)) {
    const group = field.under(value)
    for (const key of group.keys.slice(0, PAGE))
      yield* drawn(group.property(key).field, get(value, [key]), memory, [...path, key], 'property')
    for (const key of extraKeys(group, value))
      yield* drawn(group.extra(key) ?? fieldOf(true), get(value, [key]), memory, [...path, key], 'property')
  } else if (control === 'list') {
    for (const [at, item] of (isList(value) ? value : []).entries())
      yield* drawn(field.item(at) ?? fieldOf(true), item, memory, [...path, at], 'item')
  }
}

/** The field at a path, even if it has no value yet. `undefined`: the form has no separate field for it. */
export const drawnAt = (root: Field, whole: Value | undefined, path: Path, memory: Memory): Drawn | undefined => {
  let field = settle(root, whole, [], memory).field
  for (const [at, step] of path.entries()) {
    const here = path.slice(0, at)
    const value = get(whole, here)
    const inner = typeof step === 'number' ? field.item(step) : innerOf(field.under(value), step)
    const control = controlOf(field, value)
    if (!inner || (control !== 'group' && control !== 'list')) return undefined
    const there = path.slice(0, at + 1)
    field = settle(inner, get(whole, there), there, memory).field
  }
  const value = get(whole, path)
  const where = path.length === 0 ? 'root' : typeof path.at(-1) === 'number' ? 'item' : 'property'
  return { field, control: controlOf(field, value), value, path, where }
}

const innerOf = (field: Field, key: string): Field | undefined =>
  field.declares(key) ? field.property(key).field : field.extra(key)
