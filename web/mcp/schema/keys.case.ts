/** The keys that definitions name, ours and the official ones, as sorted paths for comparison. */
import type { Walk } from './interpret.ts'
import type { JsonSchema, Official } from './official.case.ts'
import type { FieldNodes, Node, Slot } from './shape.ts'

export const keysOfField = (walk: Walk, field: FieldNodes[string]): string[] => {
  const found = new Set<string>()
  addField(walk, field, '', found)
  return [...found].sort()
}

const addField = (walk: Walk, field: FieldNodes[string], path: string, found: Set<string>): boolean => {
  const slots = Array.isArray(field) ? (field as readonly Slot[]) : [field as Node | Slot]
  const slot = slots.find((slot) => walk.isHere(slot))
  if (slot) add(walk, slot.kind === 'slot' ? slot.type : slot, path, found)
  return slot !== undefined
}

const add = (walk: Walk, node: Node, path: string, found: Set<string>): void => {
  switch (node.kind) {
    case 'array':
    case 'record':
      return add(walk, node.of, `${path}/*`, found)
    case 'object':
      for (const [key, field] of Object.entries(node.fields)) {
        if (addField(walk, field, `${path}/${key}`, found)) found.add(`${path}/${key}`)
      }
      return
    case 'variants':
      for (const member of Object.values(node.of)) addField(walk, member, path, found)
      return
    case 'union':
      for (const member of node.of) addField(walk, member, path, found)
      return
    default:
  }
}

/** The keys of a definition or of one of its members, including the envelope's keys for parameters up to 2025-06-18. */
export const officialKeys = (official: Official, name: string, part?: string): string[] => {
  const found = new Set<string>()
  const visit = (schema: JsonSchema, path: string): void => {
    if (schema.$ref !== undefined) visit(official.definitions[schema.$ref.replace(/.*\//, '')]!, path)
    for (const member of [...(schema.anyOf ?? []), ...(schema.allOf ?? [])]) visit(member, path)
    for (const [key, child] of Object.entries(schema.properties ?? {})) {
      found.add(`${path}/${key}`)
      visit(child, `${path}/${key}`)
    }
    if (schema.items) visit(schema.items, `${path}/*`)
    if (typeof schema.additionalProperties === 'object') visit(schema.additionalProperties, `${path}/*`)
  }
  visit({ $ref: name }, '')
  if (part === undefined) return [...found].sort()
  if (official.revision <= '2025-06-18') {
    visit({ $ref: name.endsWith('Request') ? 'JSONRPCRequest' : 'JSONRPCNotification' }, '')
  }
  const start = `/${part}/`
  return [...found]
    .filter((path) => path.startsWith(start))
    .map((path) => path.slice(start.length - 1))
    .sort()
}
