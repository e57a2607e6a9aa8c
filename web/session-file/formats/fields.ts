/** Reads members of untrusted values. */
import { isObject, type Json, type JsonObject } from '../../mcp/index.ts'
import { parsedUrl } from '../../mcp/url.ts'

export const textAt = (value: JsonObject, key: string): string | undefined => {
  const text = Object.hasOwn(value, key) ? value[key] : undefined
  return typeof text === 'string' ? text : undefined
}

export const numberAt = (value: JsonObject, key: string): number | undefined => {
  const number = Object.hasOwn(value, key) ? value[key] : undefined
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

export const listAt = (value: JsonObject, key: string): JsonObject[] => {
  const list = value[key]
  return Array.isArray(list) ? (list as readonly Json[]).filter(isObject) : []
}

/** ms since the epoch, from a date string or a number in ms or s. */
export const timeOf = (value: Json | undefined): number | undefined => {
  if (typeof value === 'number') {
    if (value > 1e11 && value < 1e14) return value
    return value > 1e8 && value < 1e11 ? value * 1000 : undefined
  }
  if (typeof value !== 'string' || value.length > 60) return undefined
  const time = Date.parse(value)
  return Number.isNaN(time) ? undefined : time
}

export const hostOf = (url: string): string => parsedUrl(url)?.host ?? ''
