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

interface ChangedPart {
  readonly part: string
  readonly was: Json | undefined
  readonly is: Json | undefined
}

/** The parts that differ, in the order of the definition. Repeated names are compared as a whole. */
export const changedParts = (before: Definition, now: Definition): readonly ChangedPart[] => {
  if (before.length !== 1 || now.length !== 1) {
    return isSameDefinition(before, now) ? [] : [{ part: 'tools', was: [...before], is: [...now] }]
  }
  const [one, other] = [before[0]!, now[0]!]
  return PARTS.filter((part) => key(one[part]) !== key(other[part])).map((part) => ({
    part,
    was: one[part],
    is: other[part],
  }))
}
