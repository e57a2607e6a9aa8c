/**
 * A small frame as one text, a line for each name and each value: what one member says about another, as a question and
 * its answer, the name of a tool and the example of an argument, a header and its value.
 */
import { isObject } from '../mcp/index.ts'
import type { Frame } from '../mcp/index.ts'
import { isList, isRecord, NumberText, type Value } from '../json/index.ts'

/** Larger frames are documents, tables and lists. */
const MOST_LINES = 80
const MOST_CHARACTERS = 3000

class Lines {
  readonly #lines: string[] = []
  #characters = 0
  full = false

  add(line: string): void {
    this.#lines.push(line)
    this.#characters += line.length
    if (this.#lines.length > MOST_LINES || this.#characters > MOST_CHARACTERS) this.full = true
  }

  get text(): string | undefined {
    return this.full || this.#lines.length < 2 ? undefined : this.#lines.join('\n')
  }
}

const addValue = (value: Value, lines: Lines): void => {
  if (lines.full || value === null) return
  if (isList(value)) {
    for (const item of value) addValue(item, lines)
  } else if (isRecord(value)) {
    for (const [name, member] of Object.entries(value)) {
      if (lines.full) return
      lines.add(name)
      addValue(member, lines)
    }
  } else if (typeof value === 'string') {
    if (value !== '') lines.add(value.trimEnd())
  } else if (value instanceof NumberText) lines.add(value.text)
  else if (typeof value === 'number' || typeof value === 'boolean') lines.add(String(value))
}

/** @returns nothing for a frame that is large, or has a single value */
export const wholeText = (frame: Frame): string | undefined => {
  const lines = new Lines()
  if (frame.kind === 'message' && isObject(frame.message)) {
    const { params, result, error } = frame.message
    for (const part of [params, result, error]) if (part !== undefined) addValue(part, lines)
  } else if ('args' in frame) {
    // Our own frames contain only names. Recordings of other tools may contain values; each is read on its own.
    const pairs = 'env' in frame && !Array.isArray(frame.env) ? Object.entries(frame.env) : []
    for (const [name, value] of pairs) for (const line of [name, String(value), '']) lines.add(line)
    for (const line of ['', [frame.command, ...frame.args].join(' ')]) lines.add(line)
  } else if ('headers' in frame) {
    for (const [name, value] of frame.headers) for (const line of [name, value, '']) lines.add(line)
  }
  return lines.text
}
