/**
 * Annotations of content, resources and templates: claims of the server about what a thing is for (SF-RES-10).
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/resources#annotations
 */
import { isObject } from '../mcp/index.ts'
import type { Json } from '../mcp/index.ts'

export type Annotation = {
  /** As it was written. */
  readonly raw: Json
  /** It is not what the specification says it is. */
  readonly odd: boolean
} & (
  | { readonly name: 'audience'; readonly roles: readonly string[] }
  /** 0: may be left out, 1: in effect required. */
  | { readonly name: 'priority'; readonly value: number | undefined }
  /** ms since 1970; `undefined` where it is no moment. */
  | { readonly name: 'lastModified'; readonly at: number | undefined }
  /** Anything else that stands there. */
  | { readonly name: 'other'; readonly key: string }
)

/** Members that are read; a list of a million is told to be that by the raw view. */
const MOST = 20

/** Tools have annotations of another kind: this is not for them. Never throws; '' keys and odd values are kept. */
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
          // ISO 8601 as RFC 3339 writes it, or a day alone.
          const form = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/
          const at = typeof raw === 'string' && form.test(raw) ? Date.parse(raw) : NaN
          return { name: key, at: Number.isNaN(at) ? undefined : at, raw: raw!, odd: Number.isNaN(at) }
        }
        default:
          return { name: 'other', key, raw: raw!, odd: false }
      }
    })
}
