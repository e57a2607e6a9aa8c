/**
 * Decodes a JWT (RFC 7519) without trusting it. The signature isn't checked, because that is up to the resource server,
 * and whoever issued the token may have written anything. Problems are reported, and the rest is decoded anyway.
 */
import type { Json, JsonObject } from '../../mcp/index.ts'

export interface DecodedJwt {
  readonly header: JsonObject
  /** Empty if they can't be decoded. */
  readonly claims: JsonObject
  readonly problems: readonly JwtProblem[]
}

export type JwtProblem =
  /** Five parts (RFC 7516): only the recipient can read the claims. */
  | 'encrypted'
  /** The standard base64 alphabet, or padding (RFC 7515 section 2). */
  | 'not-base64url'
  | 'not-utf8'
  | 'claims-unreadable'
  | 'no-algorithm'
  /** Nested too deeply; lower levels were left out. */
  | 'too-deep'
  /** A member named `__proto__` was left out. */
  | 'odd-member'

/** Maximum length in UTF-16 units. */
const LONGEST = 64 * 1024
const DEEPEST = 16

/** `undefined` if the token isn't a JWT or exceeds 64 KB. Never throws. */
export const decodeJwt = (token: string): DecodedJwt | undefined => {
  if (token.length > LONGEST) return undefined
  const parts = token.split('.', 6)
  if (parts.length !== 3 && parts.length !== 5) return undefined
  const problems = new Set<JwtProblem>()
  const header = objectIn(parts[0]!, problems)
  if (!header) return undefined
  if (typeof header.alg !== 'string') problems.add('no-algorithm')
  if (parts.length === 5) problems.add('encrypted')
  const claims = parts.length === 5 ? undefined : objectIn(parts[1]!, problems)
  if (!claims && parts.length === 3) problems.add('claims-unreadable')
  return { header, claims: claims ?? {}, problems: [...problems] }
}

const objectIn = (part: string, problems: Set<JwtProblem>): JsonObject | undefined => {
  const found = new Set<JwtProblem>()
  try {
    const value = pruned(JSON.parse(textIn(part, found)) as Json, DEEPEST, found)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    for (const problem of found) problems.add(problem)
    return value as JsonObject
  } catch {
    // Not base64, or not JSON.
    return undefined
  }
}

const textIn = (part: string, problems: Set<JwtProblem>): string => {
  if (!/^[\w-]*$/.test(part)) problems.add('not-base64url')
  const bytes = Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), (unit) => unit.charCodeAt(0))
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    problems.add('not-utf8')
    return new TextDecoder().decode(bytes)
  }
}

/** Limits depth and removes `__proto__`, so that later copies neither overflow the stack nor change their prototype. */
const pruned = (value: Json, depth: number, problems: Set<JwtProblem>): Json => {
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) {
    problems.add('too-deep')
    return null
  }
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => pruned(item, depth - 1, problems))
  const members = Object.entries(value).filter(([name]) => name !== '__proto__')
  if (Object.hasOwn(value, '__proto__')) problems.add('odd-member')
  return Object.fromEntries(members.map(([name, item]) => [name, pruned(item, depth - 1, problems)]))
}
