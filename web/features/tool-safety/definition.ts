/**
 * What an approval is of: the parts of a tool's definition that say what it does and what it takes. A server may change
 * them after the user has read them, so a changed definition needs another approval.
 */
import { key } from '../../compare/index.ts'
import { isObject, type Json, type JsonObject } from '../../mcp/index.ts'

/** Without icons and `_meta`: they may differ at each listing and describe nothing. */
const PARTS = ['title', 'description', 'inputSchema', 'outputSchema', 'annotations', 'execution'] as const

/** The approved parts of the tools of one name, usually one. */
export type Definition = readonly JsonObject[]

export const definitionOf = (listed: readonly Json[]): Definition =>
  listed.map((tool) => {
    if (!isObject(tool)) return {}
    return Object.fromEntries(PARTS.flatMap((part) => (tool[part] === undefined ? [] : [[part, tool[part]]])))
  })

/** Whether nothing changed but the order of members. */
export const isSameDefinition = (one: Definition, other: Definition): boolean => key([...one]) === key([...other])
