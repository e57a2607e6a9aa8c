/** The size of a value, measured only up to a limit. */
import { isList, isRecord, NumberText, stringify, Unfinished, type Value } from '../json/index.ts'

/** Whether the JSON text of a value exceeds a number of characters, approximately. */
export const isLong = (value: Value | undefined, limit: number): boolean => {
  let left = limit
  const stack: (Value | undefined)[] = [value]
  while (stack.length > 0 && left >= 0) {
    const each = stack.pop()
    if (typeof each === 'string') left -= each.length + 2
    else if (each instanceof NumberText || each instanceof Unfinished) left -= each.text.length
    else if (isList(each)) {
      left -= each.length + 2
      if (left >= 0) for (const item of each) stack.push(item)
    } else if (isRecord(each)) {
      for (const [key, inner] of Object.entries(each)) {
        left -= key.length + 4
        if (left < 0) break
        stack.push(inner)
      }
    } else left -= 4
  }
  return left < 0
}

/** Whether a value is nested more deeply than anyone would read. */
export const isDeep = (value: Value | undefined, limit = 60): boolean => {
  if (limit < 0) return true
  if (isList(value)) return value.some((item) => isDeep(item, limit - 1))
  return isRecord(value) && Object.values(value).some((inner) => isDeep(inner, limit - 1))
}

/** The JSON text of a value, shortened if long: a default may be ten megabytes. */
export const brief = (value: Value, longest: number): string => {
  if (!isLong(value, 20_000) && !isDeep(value, 200)) return stringify(value)
  if (typeof value === 'string') return JSON.stringify(value.slice(0, longest))
  return isList(value) ? '[…]' : '{…}'
}
