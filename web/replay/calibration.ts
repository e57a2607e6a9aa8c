/**
 * Learns what a server changes from one run of the same request to the next, by sending the request again. Such a
 * difference says nothing about a change of the server.
 */
import { READ_METHODS, exchanges, foldAll, type Frame, isObject, type Json, messagesIn } from '../mcp/index.ts'
import type { Step } from './steps.ts'

/** The name in reports. */
export const CALIBRATED = 'calibrated'

/** Times that a request is repeated: a clock that shows seconds may show the same one twice. */
export const REPETITIONS = 2

/**
 * Whether a step may be repeated. A tool may if every list that contains it declares it as read-only or idempotent
 * (`ToolAnnotations`).
 * @param sources the frames of each session in which tools were listed
 */
export const repeatable = (...sources: readonly Iterable<Frame>[]): ((step: Step) => boolean) => {
  const declared = new Map<string, boolean>()
  for (const source of sources) {
    const frames = [...source]
    for (const { method, id, response } of foldAll(exchanges, frames).all) {
      const frame = response === undefined ? undefined : frames[response]
      if (method !== 'tools/list' || frame?.kind !== 'message') continue
      const result = messagesIn(frame.message).find((message) => message.id === id)?.result
      const tools = isObject(result) && Array.isArray(result.tools) ? (result.tools as readonly Json[]) : []
      for (const tool of tools) {
        if (!isObject(tool) || typeof tool.name !== 'string') continue
        declared.set(tool.name, isRepeatableTool(tool.annotations) && declared.get(tool.name) !== false)
      }
    }
  }
  return ({ kind, method, params }) => {
    if (kind !== 'request') return false
    if (method !== 'tools/call') return READ_METHODS.has(method)
    return typeof params?.name === 'string' && declared.get(params.name) === true
  }
}

const isRepeatableTool = (annotations: Json | undefined): boolean =>
  isObject(annotations) && (annotations.readOnlyHint === true || annotations.idempotentHint === true)

/**
 * Whether the recorded value differs from the current one only where the current one differs from itself.
 * @param again the values at the same place in the responses to the repeated request
 */
export const isUnsteady = (
  was: Json | undefined,
  is: Json | undefined,
  again: readonly (Json | undefined)[],
): boolean => {
  const steady = JSON.stringify(is)
  if (again.every((one) => JSON.stringify(one) === steady)) return false
  const texts = [is, ...again].filter((one) => typeof one === 'string')
  if (typeof was === 'string' && texts.length === again.length + 1) return fitsSteadyParts(was, texts)
  return [is, ...again].some((one) => typeOf(one) === typeOf(was))
}

const typeOf = (value: Json | undefined): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value

/** Longer texts are taken apart at their lines only. */
const LONGEST = 200_000

const wordsOf = (text: string): readonly string[] =>
  text.length > LONGEST ? text.split(/(?<=\n)/) : (text.match(/[\p{L}\p{N}]+|[^\p{L}\p{N}]/gu) ?? [])

/** Words in which the texts agree must be in `was` as well: at the same place, or at its beginning and its end. */
const fitsSteadyParts = (was: string, texts: readonly string[]): boolean => {
  const before = wordsOf(was)
  const [now = [], ...others] = texts.map(wordsOf)
  if (others.every(({ length }) => length === now.length)) {
    return (
      before.length === now.length &&
      now.every((word, at) => word === before[at] || others.some((other) => other[at] !== word))
    )
  }
  const shortest = Math.min(now.length, ...others.map(({ length }) => length))
  const count = (wordAt: (words: readonly string[], at: number) => string | undefined): number => {
    let same = 0
    while (same < shortest && others.every((other) => wordAt(other, same) === wordAt(now, same))) same++
    return same
  }
  const first = (words: readonly string[], at: number) => words[at]
  const last = (words: readonly string[], at: number) => words.at(-1 - at)
  const [head, tail] = [count(first), count(last)]
  if (before.length < Math.max(head, tail)) return false
  const fits = (length: number, wordAt: typeof first) =>
    Array.from({ length }, (_, at) => wordAt(before, at) === wordAt(now, at)).every(Boolean)
  return fits(head, first) && fits(tail, last)
}
