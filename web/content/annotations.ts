/**
 * Annotations of content, resources and templates: the server's claims about the intended use (SF-RES-10).
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/resources#annotations
 */
import { isObject } from '../mcp/index.ts'
import type { Json } from '../mcp/index.ts'

export type Annotation = {
  /** The value as sent. */
  readonly raw: Json
  /** The value doesn't conform to the specification. */
  readonly odd: boolean
} & (
  | { readonly name: 'audience'; readonly roles: readonly string[] }
  /** From 0 (optional) to 1 (effectively required). */
  | { readonly name: 'priority'; readonly value: number | undefined }
  /** ms since 1970; `undefined` if the value isn't a valid timestamp. */
  | { readonly name: 'lastModified'; readonly at: number | undefined }
  /** Any other member. */
  | { readonly name: 'other'; readonly key: string }
)

/** Members that are read. The raw view shows the rest. */
const MOST = 20

/** Not for tools: their annotations are different. Never throws; empty keys and invalid values are kept. */
export const annotationsOf = (annotations: Json | undefined): readonly Annotation[] => {
  if (annotations === undefined) return []
  if (!isObject(annotations)) return [{ name: 'other', key: '', raw: annotations, odd: true }]
  return Object.entries(annotations)
    .slice(0, MOST)
    .map(([key, raw]): Annotation => {
      switch (key) {
        case 'audience': {
          const list = Array.isArray(raw) ? (raw as readonly Json[]) : []
          const roles = list.filter((role) => typeof role === 'string').slice(0, MOST)
          const known = roles.every((role) => role === 'user' || role === 'assistant')
          return { name: key, roles, raw: raw!, odd: !known || roles.length !== list.length || !Array.isArray(raw) }
        }
        case 'priority': {
          const value = typeof raw === 'number' ? raw : undefined
          return { name: key, value, raw: raw!, odd: value === undefined || value < 0 || value > 1 }
        }
        case 'lastModified': {
          // ISO 8601 in the RFC 3339 profile, or a date only.
          const form = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/
          const at = typeof raw === 'string' && form.test(raw) ? Date.parse(raw) : NaN
          return { name: key, at: Number.isNaN(at) ? undefined : at, raw: raw!, odd: Number.isNaN(at) }
        }
        default:
          return { name: 'other', key, raw: raw!, odd: false }
      }
    })
}
