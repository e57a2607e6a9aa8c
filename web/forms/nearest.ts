/** Which of several alternatives a value was meant to be: what is wrong with it there is what a person needs to know. */
import type { Value } from '../json/index.ts'
import { distance } from './distance.ts'
import { isObject } from './json-schema.ts'
import type { Schemas } from './schemas.ts'

/** Schemas visited for all alternatives of one value. */
const MOST = 6000

/** Index of it; -1: nothing tells. */
export const nearestOf = (branches: readonly unknown[], value: Value, schemas: Schemas): number => {
  const each = Math.max(50, Math.floor(MOST / branches.length))
  const far = branches.map((branch) => distance(branch, value, schemas, each))
  const nearest = Math.min(...far)
  const at = far.indexOf(nearest)
  if (nearest < 1) return at
  // Of another type than all, or equally far from several: any choice would be a guess.
  return nearest >= 1000 || far.indexOf(nearest, at + 1) >= 0 ? -1 : at
}

/** Index of the only one that is not `null`; -1 when there is no such one. */
export const onlyReal = (branches: readonly unknown[]): number => {
  const real = branches.flatMap((branch, at) => (isObject(branch) && branch['type'] === 'null' ? [] : [at]))
  return real.length === 1 ? real[0]! : -1
}
