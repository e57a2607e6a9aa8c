/** JSON Pointer (RFC 6901). */

/** Escapes a key for a pointer: `a/b` becomes `a~1b`. */
export const escapeToken = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')

/** `~1` first: `~01` means `~1`, not `/`. */
export const unescapeToken = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~')

export const formatPointer = (path: readonly (string | number)[]): string =>
  path.map((key) => `/${escapeToken(String(key))}`).join('')

/** Undoes percent-encoding, as in the fragment of a `$ref`; malformed text stays as it is. */
export const percentDecoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The keys from the root. Text before the first slash is ignored. */
export const parsePointer = (pointer: string): string[] => pointer.split('/').slice(1).map(unescapeToken)

/** An index as RFC 6901 defines it: `01`, `1e0` and `-` (the end) name no element. */
const INDEX = /^(?:0|[1-9]\d*)$/

/**
 * The value at a pointer; `undefined` if it doesn't exist, or if the text isn't a pointer.
 * @typeParam T a type of JSON whose members are of the same type
 */
export const resolvePointer = <T>(value: T, pointer: string): T | undefined => {
  if (pointer !== '' && !pointer.startsWith('/')) return undefined
  let at: unknown = value
  for (const key of parsePointer(pointer)) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined
    if (Array.isArray(at) && !INDEX.test(key)) return undefined
    at = (at as Record<string, unknown>)[key]
  }
  return at as T
}
