/** Named responses, stored per server: small, not secret, and validated when they are read back. */
import { isObject } from '../../mcp/index.ts'
import type { Json, JsonObject } from '../../mcp/index.ts'
import type { Kept } from '../feature.ts'

export interface SavedAnswer {
  readonly name: string
  readonly result: JsonObject
}

/** Most saved responses, if the storage has room: a response with an image rarely fits. */
export const MOST_SAVED = 20
/** Characters of all saved responses as JSON. The storage of a server holds 20,000. */
export const SAVED_LENGTH = 12_000
const LONGEST_NAME = 60

const KEY = 'sampling.saved'

export const readSaved = (kept: Kept | undefined): readonly SavedAnswer[] => {
  const found = kept?.get(KEY)
  if (!Array.isArray(found)) return []
  const names = new Set<string>()
  return found.slice(0, MOST_SAVED).flatMap((item: unknown): SavedAnswer[] => {
    if (!isObject(item) || typeof item.name !== 'string' || !isObject(item.result) || names.has(item.name)) return []
    names.add(item.name)
    return [{ name: item.name.slice(0, LONGEST_NAME), result: item.result }]
  })
}

export const writeSaved = (kept: Kept | undefined, saved: readonly SavedAnswer[]): void =>
  kept?.set(KEY, saved as unknown as Json)

export type SaveProblem = 'no-name' | 'too-many' | 'too-long'

/** Replaces a response with the same name. */
export const withSaved = (
  saved: readonly SavedAnswer[],
  answer: SavedAnswer,
): { readonly saved: readonly SavedAnswer[] } | { readonly problem: SaveProblem } => {
  const name = answer.name.trim().slice(0, LONGEST_NAME)
  if (name === '') return { problem: 'no-name' }
  const next = [...saved.filter((one) => one.name !== name), { name, result: answer.result }]
  if (next.length > MOST_SAVED) return { problem: 'too-many' }
  if (JSON.stringify(next).length > SAVED_LENGTH) return { problem: 'too-long' }
  return { saved: next }
}

/** A name that isn't used yet. */
export const freeName = (saved: readonly SavedAnswer[], base: string): string => {
  const taken = new Set(saved.map(({ name }) => name))
  let number = 1
  while (taken.has(`${base} ${number}`)) number++
  return `${base} ${number}`
}
