/**
 * Gives the requests in a manually written text new IDs: an ID is never used twice in a session (BP-04), and two
 * pending requests with the same ID are indistinguishable (BP-05). The rest of the text stays unchanged.
 */
import { idKey, isObject, isRequestId, type Json, type RequestId } from '../mcp/index.ts'

/** The replacements for recorded IDs, by `idKey`: a later cancellation names the new one. */
export type NewIds = Map<string, RequestId>

/** Complete strings, structural characters, and all other values. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g

/** Characters; a longer text is sent unchanged. */
const LONGEST = 1_000_000

/**
 * @param fresh an unused ID of the same type
 * @returns the text unchanged if it isn't JSON or contains no request: deliberate mistakes stay
 */
export const withNewIds = (text: string, known: NewIds, fresh: (old: RequestId) => RequestId): string => {
  if (text.length > LONGEST) return text
  let message: Json
  try {
    message = JSON.parse(text) as Json
  } catch {
    return text
  }
  const isBatch = Array.isArray(message)
  const parts = isBatch ? (message as readonly Json[]) : [message]
  /** Two requests in one text that share an ID share the new one: that is the point of the text. */
  const here: NewIds = new Map()
  const place = (part: Json | undefined, path: readonly string[], written: string): string => {
    if (!isObject(part) || typeof part.method !== 'string') return written
    if (path.length === 1 && path[0] === 'id' && isRequestId(part.id)) {
      const key = idKey(part.id)
      const id = here.get(key) ?? fresh(part.id)
      here.set(key, id)
      known.set(key, id)
      return JSON.stringify(id)
    }
    if (part.method !== 'notifications/cancelled' || path.join('/') !== 'params/requestId') return written
    const id = isObject(part.params) && isRequestId(part.params.requestId) ? part.params.requestId : undefined
    const other = id === undefined ? undefined : known.get(idKey(id))
    return other === undefined ? written : JSON.stringify(other)
  }
  return replaced(text, (path, written) =>
    isBatch ? place(parts[Number(path[0])], path.slice(1), written) : place(parts[0], path, written),
  )
}

/** Replaces scalar values through `place`, by their path. @param text valid JSON */
const replaced = (text: string, place: (path: readonly string[], written: string) => string): string => {
  const path: string[] = []
  const levels: { readonly list: boolean; key: string; count: number }[] = []
  let isKey = false
  return text.replace(TOKEN, (token) => {
    const level = levels.at(-1)
    switch (token) {
      case '{':
      case '[':
        if (level) path.push(level.list ? String(level.count) : level.key)
        levels.push({ list: token === '[', key: '', count: 0 })
        isKey = token === '{'
        return token
      case '}':
      case ']':
        levels.pop()
        path.pop()
        isKey = false
        return token
      case ',':
        if (level) level.count++
        isKey = level?.list === false
        return token
      case ':':
        isKey = false
        return token
    }
    if (!level) return token
    if (isKey) {
      level.key = JSON.parse(token) as string
      return token
    }
    // The IDs are no deeper than `[0].params.requestId`.
    return path.length > 2 ? token : place([...path, level.list ? String(level.count) : level.key], token)
  })
}
