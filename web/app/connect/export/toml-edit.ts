/**
 * Changes values in a TOML text and leaves everything else as it is: comments, order, spelling. Parsers discard those, so
 * this only finds the places of tables, keys and values; callers parse the result and compare.
 */
import { parse } from 'smol-toml'
import { isObject, type Json, type JsonObject } from '../../../mcp/index.ts'

interface Table {
  readonly kind: 'table'
  readonly path: readonly string[]
  readonly from: number
  /** After its line, without the line break. */
  readonly to: number
}

interface Pair {
  readonly kind: 'pair'
  /** With the path of its table. */
  readonly path: readonly string[]
  readonly from: number
  readonly valueFrom: number
  readonly valueTo: number
  readonly to: number
}

type Item = Table | Pair

/** @param value `undefined` removes the key @throws {Error} the text isn't TOML, or has no place for the value */
export const editToml = (text: string, path: readonly string[], value: Json | undefined): string => {
  const items = scan(text)
  const pair = items.find((item): item is Pair => item.kind === 'pair' && isSame(item.path, path))
  if (pair && value !== undefined) return splice(text, pair.valueFrom, pair.valueTo, written(value))
  if (pair) return withoutLines(text, pair.from, pair.to)
  const inline = items.find((item): item is Pair => item.kind === 'pair' && isWithin(path, item.path))
  if (inline) return editInline(text, inline, path, value)
  if (value === undefined) return withoutTables(text, items, path)
  const parent = path.slice(0, -1)
  const table = items.find((item): item is Table => item.kind === 'table' && isSame(item.path, parent))
  if (table) return intoTable(text, items, table, path.at(-1)!, value)
  if (isObject(value)) return newTable(text, items, path, value)
  return editToml(text, parent, { [path.at(-1)!]: value })
}

const isSame = (one: readonly string[], two: readonly string[]): boolean =>
  one.length === two.length && one.every((key, at) => key === two[at])

const isWithin = (path: readonly string[], outer: readonly string[]): boolean =>
  path.length > outer.length && outer.every((key, at) => key === path[at])

const splice = (text: string, from: number, to: number, by: string): string => text.slice(0, from) + by + text.slice(to)

const eolOf = (text: string): string => (/\r\n/.test(text) ? '\r\n' : '\n')

const withoutLines = (text: string, from: number, to: number): string =>
  splice(text, from, to + (/^\r?\n/.exec(text.slice(to, to + 2))?.[0].length ?? 0), '')

const editInline = (
  text: string,
  { path: outer, valueFrom, valueTo }: Pair,
  path: readonly string[],
  value: Json | undefined,
) => {
  const { x } = parse(`x = ${text.slice(valueFrom, valueTo)}`) as { x: Json }
  return splice(text, valueFrom, valueTo, written(withValue(x, path.slice(outer.length), value)))
}

const withValue = (whole: Json, [key, ...rest]: readonly string[], value: Json | undefined): Json => {
  if (key === undefined) return value ?? null
  if (!isObject(whole)) throw new Error(`${key} is within a value that isn't a table`)
  if (rest.length === 0 && value === undefined) {
    return Object.fromEntries(Object.entries(whole).filter(([name]) => name !== key))
  }
  return { ...whole, [key]: withValue(Object.hasOwn(whole, key) ? whole[key]! : {}, rest, value) }
}

/** Removes a table and the tables within it, each up to the next one. */
const withoutTables = (text: string, items: readonly Item[], path: readonly string[]): string => {
  const tables = items.filter((item): item is Table => item.kind === 'table')
  return tables.toReversed().reduce((rest, table) => {
    if (!isSame(table.path, path) && !isWithin(table.path, path)) return rest
    const next = tables[tables.indexOf(table) + 1]
    return splice(rest, table.from, next ? next.from : rest.length, '')
  }, text)
}

/** After the last of its keys, so that comments about the next table stay in front of that one. */
const intoTable = (text: string, items: readonly Item[], table: Table, key: string, value: Json): string => {
  const at = items.indexOf(table)
  const after = items.slice(at + 1)
  const end = after.findIndex(({ kind }) => kind === 'table')
  const own = end < 0 ? after : after.slice(0, end)
  const { to } = own.at(-1) ?? table
  return splice(text, to, to, `${eolOf(text)}${keyText(key)} = ${written(value)}`)
}

/** Behind the last table beside it, otherwise at the end. */
const newTable = (text: string, items: readonly Item[], path: readonly string[], value: JsonObject): string => {
  const eol = eolOf(text)
  const pairs = Object.entries(value).map(([key, item]) => `${keyText(key)} = ${written(item)}`)
  const lines = [`[${path.map(keyText).join('.')}]`, ...pairs].join(eol)
  const parent = path.slice(0, -1)
  const last = items.findLastIndex((item) => isWithin(item.path, parent))
  if (last < 0 || last === items.length - 1) {
    const before = text.trimEnd()
    return `${text.slice(0, before.length)}${before === '' ? '' : eol + eol}${lines}${eol}`
  }
  const { to } = items[last]!
  return splice(text, to, to, `${eol}${eol}${lines}`)
}

const keyText = (key: string): string => (/^[\w-]+$/.test(key) ? key : stringText(key))

const stringText = (text: string): string => JSON.stringify(text).replaceAll('\u007f', '\\u007f')

const written = (value: Json): string => {
  if (typeof value === 'string') return stringText(value)
  if (Array.isArray(value)) return `[${value.map(written).join(', ')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const pairs = Object.entries(value).map(([key, item]) => `${keyText(key)} = ${written(item)}`)
  return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`
}

const scan = (text: string): Item[] => {
  const items: Item[] = []
  let table: readonly string[] = []
  let at = 0
  while (at < text.length) {
    if (/\s/.test(text[at]!)) at++
    else if (text[at] === '#') at = lineEnd(text, at)
    else if (text[at] === '[') {
      const double = text[at + 1] === '['
      const { keys, end } = keysAt(text, at + (double ? 2 : 1), ']')
      const to = lineEnd(text, end)
      // Of an array of tables, so that no path names one of them by accident.
      table = double ? [...keys, `#${items.length}`] : keys
      items.push({ kind: 'table', path: table, from: at, to })
      at = to
    } else {
      const { keys, end } = keysAt(text, at, '=')
      const valueFrom = end + /^[ \t]*/.exec(text.slice(end))![0].length
      const valueTo = valueEnd(text, valueFrom)
      const to = lineEnd(text, valueTo)
      items.push({ kind: 'pair', path: [...table, ...keys], from: at, valueFrom, valueTo, to })
      at = to
    }
  }
  return items
}

const lineEnd = (text: string, from: number): number => {
  const end = text.indexOf('\n', from)
  if (end < 0) return text.length
  return text[end - 1] === '\r' && end > from ? end - 1 : end
}

/** A dotted key up to a character, which is passed. */
const keysAt = (text: string, from: number, until: ']' | '='): { keys: string[]; end: number } => {
  const keys: string[] = []
  let at = from
  for (;;) {
    at += /^[ \t]*/.exec(text.slice(at, at + 1000))![0].length
    const char = text[at]
    if (char === '"' || char === "'") {
      const end = stringEnd(text, at)
      keys.push(char === '"' ? (JSON.parse(text.slice(at, end)) as string) : text.slice(at + 1, end - 1))
      at = end
    } else {
      const [bare = ''] = /^[\w-]+/.exec(text.slice(at, at + 1000)) ?? []
      if (bare === '') throw new Error(`No key at ${at}`)
      keys.push(bare)
      at += bare.length
    }
    at += /^[ \t]*/.exec(text.slice(at, at + 1000))![0].length
    if (text[at] === until) return { keys, end: at + 1 }
    if (text[at] !== '.') throw new Error(`No “${until}” at ${at}`)
    at++
  }
}

/** The end of a string, which may have three quotes. */
const stringEnd = (text: string, from: number): number => {
  const quote = text[from]!
  const mark = text.startsWith(quote.repeat(3), from) ? quote.repeat(3) : quote
  for (let at = from + mark.length; at < text.length; at++) {
    if (quote === '"' && text[at] === '\\') at++
    else if (text.startsWith(mark, at)) {
      let end = at + mark.length
      // Up to two more quotes belong to the content.
      while (mark.length === 3 && text[end] === quote) end++
      return end
    }
  }
  throw new Error(`The string at ${from} has no end`)
}

const valueEnd = (text: string, from: number): number => {
  let depth = 0
  let at = from
  while (at < text.length) {
    const char = text[at]!
    if (char === '"' || char === "'") {
      at = stringEnd(text, at)
      if (depth === 0) return at
      continue
    }
    if (char === '#' && depth > 0) at = lineEnd(text, at)
    else if (char === '[' || char === '{') depth++
    else if (char === ']' || char === '}') {
      depth--
      if (depth === 0) return at + 1
    } else if (depth === 0 && /[#\r\n]/.test(char)) break
    at++
  }
  return from + text.slice(from, at).trimEnd().length
}
