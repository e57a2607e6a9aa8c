/**
 * `signed_metadata`: the same metadata as claims of a JWT (RFC 8414 section 2.1, RFC 9728 section 2.2). Its signature isn't
 * checked. Its values take precedence, so clients that read it must not end up elsewhere than the others.
 */
import { jsonIn } from '../../json/index.ts'
import type { Json, JsonObject } from '../../mcp/index.ts'
import { holdsMark, masksIn } from '../../secrets/index.ts'
import { show } from '../rule.ts'
import { objectOf, type Note } from './sign-in-documents.ts'

/** Maximum length in UTF-16 units. */
const LONGEST = 64 * 1024

/** Claims that a client acts on, and where it then goes. The others may be attested by a different party, for fewer uses. */
const ACTED_ON = /^(issuer|resource|authorization_servers|jwks_uri|\w+_endpoint)$/

interface Kind {
  readonly by: string
  /** The row of the document. */
  readonly row: string
  /** The member that says what the document is about, and the rules about it. */
  readonly identity: string
  readonly rules: readonly string[]
}

const KINDS: Readonly<Record<'resource' | 'server', Kind>> = {
  resource: {
    by: 'RFC 9728 section 2.2',
    row: 'AU-PRM-01',
    identity: 'resource',
    rules: ['AU-PRM-05', 'RFC 9728 section 3.3'],
  },
  server: {
    by: 'RFC 8414 section 2.1',
    row: 'AU-ASM-01',
    identity: 'issuer',
    rules: ['AU-ASM-06', 'RFC 8414 section 3.3'],
  },
}

export const checkSigned = (document: JsonObject, kind: keyof typeof KINDS, note: Note): void => {
  const { by, row, identity, rules } = KINDS[kind]
  const { signed_metadata: token } = document
  // Another check reports what isn't a string.
  if (typeof token !== 'string' || token.length > LONGEST || masksIn(token).length > 0 || holdsMark(token)) return
  const all = [by, row]
  const parts = token.split('.')
  const [header, claims] = parts.map(partOf)
  if (parts.length !== 3 || !header || !claims) {
    return note(all, `signed_metadata must be a signed JWT (${by}); found ${show(token)}`)
  }
  if (typeof header.alg !== 'string' || /^none$/i.test(header.alg)) {
    return note(all, `signed_metadata must be signed (${by}); found the algorithm ${show(header.alg)}`)
  }
  if (parts[2] === '') return note(all, `signed_metadata must be signed (${by}); its signature is empty`)
  if (typeof claims.iss !== 'string' || claims.iss === '') {
    note(all, `signed_metadata lacks the claim iss, which ${by} requires; found ${show(claims.iss)}`)
  }
  if (claims.signed_metadata !== undefined) {
    note(all, `signed_metadata must not contain signed_metadata (${by})`, 'SHOULD')
  }
  for (const [name, value] of Object.entries(claims)) {
    if (name === 'signed_metadata' || !Object.hasOwn(document, name) || isSame(value, document[name]!)) continue
    const what = `${show(name)} in signed_metadata differs from the document; signed values take precedence (${by})`
    const found = `found ${show(value)} and ${show(document[name])}`
    const own = name === identity ? [by, ...rules, row] : all
    note(own, `${what}; ${found}`, ACTED_ON.test(name) ? 'MUST' : 'SHOULD')
  }
}

const partOf = (part: string): JsonObject | undefined => {
  if (!/^[\w-]+$/.test(part)) return undefined
  try {
    const bytes = Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), (unit) => unit.charCodeAt(0))
    return objectOf(jsonIn(new TextDecoder('utf-8', { fatal: true }).decode(bytes)))
  } catch {
    return undefined
  }
}

/** Lists and objects may have any order, and redaction may have removed a part. */
const isSame = (one: Json, other: Json): boolean => {
  const [first, second] = [sorted(one), sorted(other)]
  return first === second || [first, second].some((text) => masksIn(text).length > 0 || holdsMark(text))
}

/** Nesting that is compared. */
const DEEPEST = 20

const sorted = (value: Json, depth = 0): string => {
  if (depth > DEEPEST) return '…'
  if (Array.isArray(value)) {
    const all = (value as readonly Json[]).map((each) => sorted(each, depth + 1)).sort()
    return `[${all.join(',')}]`
  }
  const object = objectOf(value)
  if (!object) return JSON.stringify(value)
  const all = Object.entries(object).map(([name, each]) => `${JSON.stringify(name)}:${sorted(each, depth + 1)}`)
  return `{${all.sort().join(',')}}`
}
