/**
 * Plants invisible or text-reversing characters in every string of a message, except those that the protocol itself
 * reads.
 */

/** One of each kind, separated by letters, so that each is found individually. */
const PLANTED =
  '\u202ea\u2066b\u200bc\u2060d\ufeffe\u00adf\u{e0041}g\ufe0fh\u3164i\u001b[31mj\u0085k\u200el\u2028m\u061cn\u{e0101}o\u2800p'

/**
 * Characters that no page may show unmarked, as the source of a regular expression's character class with the flag `u`.
 */
export const UNSEEN =
  '\\u202e\\u2066\\u200b\\u2060\\ufeff\\u00ad\\u{e0041}\\ufe0f\\u3164\\u001b\\u0085\\u200e\\u2028\\u061c\\u{e0101}\\u2800'

/** Members that clients interpret: planted characters would change their meaning, which other tests cover. */
const READ = new Set([
  'jsonrpc', 'id', 'method', 'type', 'role', 'protocolVersion', 'mimeType', 'blob', 'level', 'mode', 'format', '$schema',
  'progressToken', 'taskId', 'elicitationId', 'requestId', 'nextCursor', 'src', 'sizes', 'audience', 'lastModified',
  'action', 'status', 'resultType', 'requestState', 'stopReason', 'icons', 'supportedVersions', 'cacheScope',
  'io.modelcontextprotocol/subscriptionId', 'required', 'capabilities', 'notifications',
]) // prettier-ignore

export const plant = (value: unknown, key = '', within: object = {}): unknown => {
  if (typeof value === 'string') return isRead(key, within) ? value : value + PLANTED
  if (Array.isArray(value)) return value.map((each) => plant(each, key, within))
  if (typeof value !== 'object' || value === null) return value
  if (key === 'capabilities') return value
  const names = key === 'properties'
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      names ? name + PLANTED : name,
      READ.has(name) && !names && name !== 'required' ? member : plant(member, name, value),
    ]),
  )
}

/** Names of required members must match the properties. Images, audio and JSON would become invalid. */
const isRead = (key: string, within: object): boolean => {
  if (key === 'data') return 'mimeType' in within
  if (key === 'text') return 'mimeType' in within && within.mimeType === 'application/json'
  return READ.has(key) && key !== 'required'
}

const ENCODED = encodeURIComponent(PLANTED)

export const clean = (value: unknown): unknown => {
  if (typeof value === 'string') return value.replaceAll(PLANTED, '').replaceAll(ENCODED, '')
  if (Array.isArray(value)) return value.map(clean)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [clean(name) as string, clean(member)]))
}
