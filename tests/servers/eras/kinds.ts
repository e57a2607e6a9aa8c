/** All kinds by name; the same over HTTP (`/<name>`) and stdio (`era-stdio.mjs <name>`), except where `only` is set. */
import { annotations } from './annotations.ts'
import { detection } from './detection.ts'
import { habits } from './habits.ts'
import { handshakes } from './handshakes.ts'
import { httpFaults } from './http-faults.ts'
import { listens } from './listens.ts'
import { results } from './results.ts'
import { tasks2025 } from './tasks-2025.ts'
import { tasks } from './tasks.ts'
import type { Kinds } from './wire.ts'

export const kinds: Kinds = {
  ...detection,
  ...handshakes,
  ...results,
  ...listens,
  ...annotations,
  ...tasks,
  ...tasks2025,
  ...habits,
  ...httpFaults,
}
