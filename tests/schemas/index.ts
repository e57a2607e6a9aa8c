/** The schema matrix: forms must support these schemas without changing anything the user didn't edit. */
import { alternatives } from './alternatives.ts'
import type { SchemaCase } from './case.ts'
import { groups } from './groups.ts'
import { hostile } from './hostile.ts'
import { together } from './together.ts'
import { values } from './values.ts'

export type { SchemaCase } from './case.ts'

export const matrix: readonly SchemaCase[] = [...values, ...groups, ...alternatives, ...together, ...hostile]
