/** Edits to a sampling request before a model receives it (CF-SAMP-02). Members without a field stay unchanged. */
import { isObject, type Json, type JsonObject } from '../../mcp/index.ts'
import { withKey } from './answer.ts'
import { blocksOf } from './request.ts'

const messagesIn = ({ messages }: JsonObject): readonly Json[] =>
  Array.isArray(messages) ? (messages as readonly Json[]) : []

const changeMessage = (params: JsonObject, at: number, change: (message: JsonObject) => JsonObject): JsonObject => ({
  ...params,
  messages: messagesIn(params).map((message, place) =>
    place === at ? change(isObject(message) ? message : {}) : message,
  ),
})

export const setRole = (params: JsonObject, at: number, role: string): JsonObject =>
  changeMessage(params, at, (message) => ({ ...message, role }))

/** A single block outside an array stays so. */
const changeBlocks = (
  params: JsonObject,
  at: number,
  change: (blocks: readonly Json[]) => readonly Json[],
): JsonObject =>
  changeMessage(params, at, (message) => {
    const blocks = change(blocksOf(message.content))
    return { ...message, content: Array.isArray(message.content) || blocks.length !== 1 ? blocks : blocks[0]! }
  })

export const setText = (params: JsonObject, at: number, block: number, text: string): JsonObject =>
  changeBlocks(params, at, (blocks) =>
    blocks.map((one, place) => (place === block && isObject(one) ? { ...one, text } : one)),
  )

export const removeBlock = (params: JsonObject, at: number, block: number): JsonObject =>
  changeBlocks(params, at, (blocks) => blocks.filter((_, place) => place !== block))

export const removeMessage = (params: JsonObject, at: number): JsonObject => ({
  ...params,
  messages: messagesIn(params).filter((_, place) => place !== at),
})

/** Adds an empty text, in the role other than the last. */
export const addMessage = (params: JsonObject): JsonObject => {
  const messages = messagesIn(params)
  const last = messages.at(-1)
  const role = isObject(last) && last.role === 'user' ? 'assistant' : 'user'
  return { ...params, messages: [...messages, { role, content: { type: 'text', text: '' } }] }
}

/**
 * Sets a typed number; an empty string removes the key.
 * @returns `undefined` if it isn't a number
 */
export const setNumber = (params: JsonObject, key: string, typed: string): JsonObject | undefined => {
  if (typed.trim() === '') return withKey(params, key, undefined)
  const value = Number(typed)
  return Number.isFinite(value) ? { ...params, [key]: value } : undefined
}

/** Strings, one per line, escaped as in JSON: a line break inside one is `\\n`. */
export const linesOf = (texts: readonly string[]): string =>
  texts.map((text) => JSON.stringify(text).slice(1, -1)).join('\n')

/** The inverse of `linesOf`. Empty lines are skipped; a line that isn't a valid JSON string is taken literally. */
export const setLines = (params: JsonObject, key: string, typed: string): JsonObject => {
  const lines = typed
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      try {
        return JSON.parse(`"${line}"`) as string
      } catch {
        return line
      }
    })
  return withKey(params, key, lines.length === 0 ? undefined : lines)
}
