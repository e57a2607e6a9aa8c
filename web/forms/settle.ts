/** Chooses the alternative that shows a value, and converts the value when another is chosen. */
import { isRecord, type Value } from '../json/index.ts'
import { fresh, type Where } from './control.ts'
import type { Memory } from './edit.ts'
import type { Field } from './model.ts'
import { get, type Path } from './value.ts'

export interface Choosing {
  readonly union: Field
  /** Index of the chosen alternative, or -1. */
  readonly at: number
}

export interface Settled {
  /** The field to show: the union itself if no alternative is chosen and they aren't objects. */
  readonly field: Field
  /** The choices that lead there, outermost first. */
  readonly choosing: readonly Choosing[]
}

/** Maximum levels of nested alternatives. */
const LEVELS = 4

/**
 * The user's choice takes precedence; otherwise the value determines the alternative.
 * @param own the value is still the one the choice was made for
 */
export const settle = (field: Field, value: Value | undefined, path: Path, memory: Memory, own = true): Settled => {
  const choosing: Choosing[] = []
  for (let level = 0; level < LEVELS && field.kind === 'union'; level++) {
    const union = field
    const none = value === undefined || value === null
    const picked = own ? memory.pick(path, level) : undefined
    const at = picked ?? (none ? -1 : union.branchOf(value))
    choosing.push({ union, at })
    const next = union.branches[at]?.field
    if (next) {
      field = next
      continue
    }
    const { base } = union
    // Showing the shared fields of an absent value would create it without a user action.
    if (base && (isRecord(value) || (value === undefined && path.length === 0))) field = base
    break
  }
  return { field, choosing }
}

/**
 * The value after choosing another alternative: the value typed there before; or the same value if it
 * matches; or the properties that both share, with the constants of the new one. The rest is remembered and
 * restored with its alternative.
 */
export const switched = (
  { union, at: from }: Choosing,
  to: number,
  value: Value | undefined,
  { path, level, where, memory }: { path: Path; level: number; where: Where; memory: Memory },
): Value | undefined => {
  const target = union.branches[to]?.field
  if (!target) return value
  if (from >= 0 && from !== to && value !== undefined && value !== null) memory.keep(path, level, from, value)
  memory.choose(path, level, to)
  if (from === to) return value
  const before = memory.kept(path, level, to)
  if (before !== undefined) return before
  if (value !== undefined && value !== null && target.fits(value)) return value
  const empty = target.kind === 'union' ? emptyOf(target, where) : startOf(target, where)
  if (!isRecord(value) || !isRecord(empty)) return empty
  const left = from >= 0 ? union.branches[from]!.field : undefined
  return { ...shared(value, left, target), ...empty }
}

/** The initial value of an alternative: none for a string or number that may be omitted. */
const startOf = (field: Field, where: Where): Value | undefined => {
  const start = fresh(field)
  const typed = field.kind === 'object' || field.kind === 'array' || field.kind === 'null' || field.choices.length === 1
  return typed || where === 'item' ? start : undefined
}

const emptyOf = (field: Field, where: Where): Value | undefined => (field.base ? {} : where === 'item' ? '' : undefined)

/** The properties that the target accepts unchanged, and those that neither alternative declares. */
const shared = (value: Value, left: Field | undefined, target: Field): { readonly [key: string]: Value } =>
  Object.fromEntries(
    Object.keys(value as object).flatMap((key): [string, Value][] => {
      const inner = get(value, [key])!
      if (!target.declares(key)) return left?.declares(key) || !target.extra(key) ? [] : [[key, inner]]
      return target.property(key).field.fits(inner) ? [[key, inner]] : []
    }),
  )
