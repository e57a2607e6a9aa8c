/** The arguments of recorded calls, exactly as they were sent, to repeat or to edit them (CF-URL-06). */
import { get } from '../../forms/index.ts'
import { formatPointer, isList, isRecord, readExactly, stringify, type Value } from '../../json/index.ts'
import { isObject, type Frame, type Json } from '../../mcp/index.ts'
import { masksIn } from '../../secrets/index.ts'

export interface SentCall {
  readonly name: string
  readonly value: Value
  /** `params.task` (TASK-02). */
  readonly task: Json | undefined
}

/** @param sent the frame of a `tools/call` request; `undefined` is returned for any other */
export const sentCall = (sent: Frame | undefined): SentCall | undefined => {
  if (sent?.kind !== 'message' || !isObject(sent.message) || !isObject(sent.message.params)) return undefined
  const { params } = sent.message
  const { name, task } = params
  if (typeof name !== 'string') return undefined
  const written = sent.raw === undefined ? params.arguments : get(readExactly(sent.raw), ['params', 'arguments'])
  return { name, value: written ?? {}, task }
}

/**
 * Where arguments hold the mask of a secret, which the trace has in its place: a mask must not be sent as if it were the
 * value.
 * @returns pointers (RFC 6901)
 */
export const masksAt = (value: Value, path: readonly (string | number)[] = []): readonly string[] => {
  if (typeof value === 'string') return masksIn(value).length > 0 ? [formatPointer(path)] : []
  if (isList(value)) return value.flatMap((item, at) => masksAt(item, [...path, at]))
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => masksAt(inner, [...path, key]))
}

/**
 * The arguments of earlier calls, newest first, each set once.
 * @param calls oldest first
 * @param valueOf the arguments of a call; `undefined`: there are none
 */
export const earlierArguments = <Call>(
  calls: readonly Call[],
  valueOf: (call: Call) => Value | undefined,
): readonly Value[] => {
  const found = new Map<string, Value>()
  for (const call of calls.toReversed()) {
    const value = valueOf(call)
    if (value === undefined) continue
    const text = stringify(value)
    if (!found.has(text)) found.set(text, value)
  }
  return [...found.values()]
}

/** Where ↑ and ↓ have arrived in the earlier arguments, and what they replaced. */
export interface Recalled {
  readonly value: Value
  /** From 0, the newest. */
  readonly at: number
  /** How many there are. */
  readonly count: number
  /** What the user had entered before. */
  readonly entered: Value | undefined
}

/**
 * Steps through earlier arguments as a shell steps through its history.
 * @param now what the form holds; if the user has edited recalled arguments, the steps start again
 * @param by 1: older; -1: newer, and finally back to what was entered
 * @returns what the form holds next; `recalled` is absent once that is what was entered. `undefined` if there is nothing in that
 * direction
 */
export const recall = (
  earlier: readonly Value[],
  now: Value | undefined,
  recalled: Recalled | undefined,
  by: 1 | -1,
): { readonly value: Value | undefined; readonly recalled?: Recalled } | undefined => {
  const from = recalled?.value === now ? recalled : undefined
  const entered = from ? from.entered : now
  // The arguments of the latest call are usually still in the form.
  const isShown = !from && earlier[0] !== undefined && now !== undefined && stringify(earlier[0]) === stringify(now)
  const at = (from?.at ?? (isShown ? 0 : -1)) + by
  if (at === -1 && from) return { value: entered }
  const value = earlier[at]
  return value === undefined ? undefined : { value, recalled: { value, at, count: earlier.length, entered } }
}
