/** All kinds by name. `kinds[name].says` describes each. */
import type { Kinds } from './kind.ts'
import { bodies } from './kinds/bodies.ts'
import { callbacks } from './kinds/callbacks.ts'
import { challenges } from './kinds/challenges.ts'
import { pages } from './kinds/pages.ts'
import { registration } from './kinds/registration.ts'
import { resourceMetadata } from './kinds/resource-metadata.ts'
import { serverMetadata } from './kinds/server-metadata.ts'
import { tokens } from './kinds/tokens.ts'
import { use } from './kinds/use.ts'
import { well } from './kinds/well.ts'

export const kinds: Kinds = {
  ...well,
  ...challenges,
  ...resourceMetadata,
  ...serverMetadata,
  ...registration,
  ...callbacks,
  ...tokens,
  ...use,
  ...bodies,
  ...pages,
}
