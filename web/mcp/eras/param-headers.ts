/**
 * `x-mcp-header`: tool arguments that are repeated as `Mcp-Param-*` headers (2026-07-28, HTTP only).
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
import { escapeToken, excerpt } from '../../json/index.ts'
import { TransportError } from '../errors.ts'
import type { Json, JsonObject } from '../frame.ts'
import { isObject } from '../jsonrpc.ts'
import { headerValue } from './standard-headers.ts'

/** One annotated property: its path of keys, and the header that repeats it. */
export interface ParamHeader {
  readonly path: readonly string[]
  /** Without `Mcp-Param-`. */
  readonly name: string
  readonly type: 'string' | 'integer' | 'boolean'
}

/** Why a tool can't be used over HTTP (TR-XH-03 … TR-XH-06). */
export interface HeaderIssue {
  readonly rule: string
  /** Into the tool's `inputSchema`. */
  readonly pointer: string
  readonly explanation: string
}

export interface HeaderPlan {
  readonly headers: readonly ParamHeader[]
  readonly issues: readonly HeaderIssue[]
}

const ANNOTATION = 'x-mcp-header'
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const TYPES = ['string', 'integer', 'boolean']
/** Keywords whose values map names to schemas; a key below them is a name, not a keyword. */
const NAMED = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'])
/** Keywords whose values are data: something that looks like an annotation there isn't one. */
const DATA = new Set(['default', 'const', 'enum', 'examples', 'example'])
/** Limits for a hostile schema (JS-08): parts beyond them aren't checked. */
const DEEPEST = 64
const MOST_SCHEMAS = 20_000

/** Finds the annotations in a tool's `inputSchema` and their problems. Never throws. */
export const headerPlan = (inputSchema: unknown): HeaderPlan => {
  const headers: ParamHeader[] = []
  const issues: HeaderIssue[] = []
  const seen = new Map<string, string>()
  let budget = MOST_SCHEMAS

  const annotated = (schema: JsonObject, pointer: string, path: readonly string[] | undefined): void => {
    const name = schema[ANNOTATION]
    const fault = (rule: string, explanation: string) => void issues.push({ rule, pointer, explanation })
    if (typeof name !== 'string' || !TOKEN.test(name)) {
      return fault('TR-XH-04', `${ANNOTATION} must be a non-empty token (RFC 9110); found ${excerpt(name)}`)
    }
    if (path === undefined || path.length === 0) {
      return fault('TR-XH-05', `${ANNOTATION} "${name}" isn't reachable through properties only`)
    }
    if (typeof schema.type !== 'string' || !TYPES.includes(schema.type)) {
      return fault(
        'TR-XH-03',
        `A header can only carry a string, an integer or a boolean; the type is ${excerpt(schema.type)}`,
      )
    }
    const before = seen.get(name.toLowerCase())
    if (before !== undefined) return fault('TR-XH-04', `Mcp-Param-${name} is already used for ${before}`)
    seen.set(name.toLowerCase(), pointer)
    headers.push({ path, name, type: schema.type as ParamHeader['type'] })
  }

  /** @param path the property keys so far, or `undefined` if another keyword is in between */
  const walk = (schema: unknown, pointer: string, path: readonly string[] | undefined, depth: number): void => {
    if (Array.isArray(schema)) {
      schema.forEach((part, index) => walk(part, `${pointer}/${index}`, undefined, depth + 1))
      return
    }
    if (!isObject(schema) || depth > DEEPEST || budget-- <= 0) return
    if (ANNOTATION in schema) annotated(schema, pointer, path)
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword === ANNOTATION || DATA.has(keyword) || typeof value !== 'object' || value === null) continue
      const below = `${pointer}/${escapeToken(keyword)}`
      if (!NAMED.has(keyword)) walk(value, below, undefined, depth + 1)
      else if (isObject(value)) {
        for (const [key, part] of Object.entries(value)) {
          const next = keyword === 'properties' && path ? [...path, key] : undefined
          walk(part, `${below}/${escapeToken(key)}`, next, depth + 1)
        }
      }
    }
  }
  walk(inputSchema, '', [], 0)
  return { headers, issues }
}

/**
 * The `Mcp-Param-*` headers of a call (TR-XH-01, TR-XH-02). Absent and null values have none.
 * @throws {TransportError} `not-sendable` for an integer beyond ±(2^53-1), which a header can't carry exactly
 * (TR-XH-03)
 */
export const paramHeaders = (plan: HeaderPlan, args: Json | undefined): Record<string, string> => {
  const headers: Record<string, string> = {}
  for (const { path, name } of plan.headers) {
    const value = at(args, path)
    if (value === undefined || value === null) continue
    // Other types violate the tool's schema: send them in the body only.
    if (typeof value === 'string') headers[`mcp-param-${name}`] = headerValue(value)
    else if (typeof value === 'boolean') headers[`mcp-param-${name}`] = String(value)
    else if (typeof value === 'number' && Number.isInteger(value)) {
      if (!Number.isSafeInteger(value)) {
        const what = `${path.join('.')} is beyond ±(2^53-1), so Mcp-Param-${name} can't carry it`
        throw new TransportError('not-sendable', what, { argument: path.join('.'), header: `Mcp-Param-${name}` })
      }
      headers[`mcp-param-${name}`] = String(value)
    }
  }
  return headers
}

const at = (value: Json | undefined, path: readonly string[]): Json | undefined => {
  let here: Json | undefined = value
  for (const key of path) {
    if (!isObject(here) || !Object.hasOwn(here, key)) return undefined
    here = here[key]
  }
  return here
}
