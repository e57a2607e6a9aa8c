/** Alters what arrived, and says what it was. */
import { TransportError } from '../mcp/index.ts'

/** ms that a message waits for the one that overtakes it. */
export const LONGEST_HELD = 1_000

/** ms for the mark of a message that waited in vain. A timer may fire late, but not because of the fault. */
export const heldFor = (since: number, now: number): number => Math.min(Math.round(now - since), LONGEST_HELD)

/** Characters of what arrived that are recorded for an altered message. */
const ORIGINAL_KEPT = 100_000

export const originalOf = (text: string): { readonly original: string; readonly cut?: true } =>
  text.length > ORIGINAL_KEPT ? { original: text.slice(0, ORIGINAL_KEPT), cut: true } : { original: text }

/**
 * A control character, which JSON allows nowhere, in the place of another one. So the message is never read as one that
 * the server could have meant, which would be blamed on it later. The first character stays, because it tells messages
 * from other output.
 */
export const corrupted = (text: string, random: () => number): string => {
  let at = 1 + Math.floor(random() * (text.length - 1))
  // A half of a pair would become two faults.
  while (at < text.length && (text.charCodeAt(at) > 0x7e || text.charCodeAt(at) < 0x20)) at++
  return at < text.length ? `${text.slice(0, at)}\u0001${text.slice(at + 1)}` : `${text.slice(0, -1)}\u0001`
}

export const cutError = (): TransportError =>
  new TransportError('stream-lost', 'An injected fault cut the response', { injected: true })
