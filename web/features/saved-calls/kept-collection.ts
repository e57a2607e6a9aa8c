/** A collection of saved calls as it is stored on the device. */
import { isObject, type Json } from '../../mcp/index.ts'
import { rulesFrom, stepsFrom, type Collection } from '../../replay/index.ts'

export interface KeptCollection extends Collection {
  readonly id: string
  /** ms since the epoch: the last change. */
  readonly changed: number
}

/** Reads a stored one, which is untrusted. Whatever doesn't fit is left out. @returns `undefined` if it isn't a collection */
export const keptFrom = (value: unknown): KeptCollection | undefined => {
  const kept = value as Json | undefined
  if (kept === undefined || !isObject(kept) || typeof kept.id !== 'string') return undefined
  return {
    id: kept.id,
    name: typeof kept.name === 'string' ? kept.name : kept.id,
    changed: typeof kept.changed === 'number' ? kept.changed : 0,
    steps: stepsFrom(kept.steps),
    ...('rules' in kept ? { rules: rulesFrom(kept.rules) } : {}),
  }
}
