/**
 * Stands in for fast-check in `npm run test:deep`: tries every property as many times as often as `PERISCOPE_DEPTH` says.
 */
import { inject } from 'vitest'
// By its path, because its name leads here.
import fc from '../node_modules/fast-check/lib/fast-check.js'

/** How often fast-check tries a property that doesn't say. */
const DEFAULT_RUNS = 100

const assert = ((property: fc.IRawProperty<unknown>, parameters: fc.Parameters<unknown> = {}) =>
  fc.assert(property, {
    ...parameters,
    numRuns: (parameters.numRuns ?? DEFAULT_RUNS) * inject('depth'),
  })) as typeof fc.assert

export default { ...fc, assert }
