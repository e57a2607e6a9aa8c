/** Content blocks of messages, parsed leniently. */
import { isObject } from '../../mcp/index.ts'
import type { Json, JsonObject } from '../../mcp/index.ts'
import { typeOf } from './request.ts'

export const textIn = (block: Json): string | undefined =>
  isObject(block) && block.type === 'text' && typeof block.text === 'string' ? block.text : undefined

export const mediaIn = (block: Json): { readonly data: string; readonly mime: string } | undefined =>
  isObject(block) && typeof block.data === 'string' && typeof block.mimeType === 'string'
    ? { data: block.data, mime: block.mimeType }
    : undefined

/** The content of a tool result as texts and images, which is what a model can process. */
export const resultParts = (block: JsonObject): readonly { readonly text?: string; readonly image?: Json }[] => {
  const content = Array.isArray(block.content) ? (block.content as readonly Json[]) : []
  const parts = content.flatMap((part): { text?: string; image?: Json }[] => {
    const text = textIn(part)
    if (text !== undefined) return [{ text }]
    if (typeOf(part) === 'image' && mediaIn(part)) return [{ image: part }]
    if (isObject(part) && isObject(part.resource) && typeof part.resource.text === 'string') {
      return [{ text: part.resource.text }]
    }
    return [{ text: JSON.stringify(part) }]
  })
  // If the content is empty, the result may be in structuredContent only.
  if (parts.length > 0 || block.structuredContent === undefined) return parts
  return [{ text: JSON.stringify(block.structuredContent) }]
}

export const isToolResult = (block: Json): block is JsonObject => isObject(block) && block.type === 'tool_result'

export const isToolUse = (block: Json): block is JsonObject => isObject(block) && block.type === 'tool_use'

export const stringOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

export const countOf = (value: Json | undefined): number | undefined => (typeof value === 'number' ? value : undefined)
