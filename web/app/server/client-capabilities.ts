/** The client capabilities of all features. Several may each declare a part of the same one, such as an extension. */
import type { Feature } from '../../features/feature.ts'
import { isObject, type Json, type JsonObject, type Revision } from '../../mcp/index.ts'

export const clientCapabilities = (features: readonly Pick<Feature, 'declares'>[], revision: Revision): JsonObject =>
  features.reduce<JsonObject>((all, { declares }) => merged(all, declares?.(revision) ?? {}), {})

const merged = (one: JsonObject, other: JsonObject): JsonObject => {
  const result: Record<string, Json> = { ...one }
  for (const [key, value] of Object.entries(other)) {
    const before = result[key]
    result[key] = isObject(before) && isObject(value) ? merged(before, value) : value
  }
  return result
}
