/** All planted faults. */
import { documents } from './faults-2025-11-25.ts'
import { early } from './faults-2025-06-18.ts'
import { newest } from './faults-2026-07-28.ts'
import { oldest } from './faults-2025-03-26.ts'
import { tokens } from './faults-2025-11-25-tokens.ts'
import { secondEarly } from './second-early.ts'
import { secondLate } from './second-late.ts'
import type { Violation } from './violation.ts'

export const violations: readonly Violation[] = [...oldest, ...early, ...documents, ...tokens, ...newest]
/** Written later, the same way. */
export const laterViolations: readonly Violation[] = [...secondEarly, ...secondLate]
