/** All texts in what a server offers, wherever they stand: attacks hide in names of parameters and default values, too. */
import type { Json } from '../../mcp/index.ts'

export interface TextAt {
  /** JSON pointer (RFC 6901) from the value that was given. */
  readonly pointer: string
  readonly text: string
}

/** Levels of a value that are looked into, and values of it. */
const DEEPEST = 40
const MOST = 20_000
/** Shorter ones say nothing, and most short texts are keywords of a schema. */
const SHORTEST = 3

/** Members that hold no words: pictures, and addresses of schemas. */
const NO_WORDS: ReadonlySet<string> = new Set(['icons', '$schema', 'blob', 'data'])

/** Strings and the names of members, in the order of the value. */
export function* textsOf(value: Json | undefined): Generator<TextAt, void, undefined> {
  const left: { readonly value: Json; readonly pointer: string; readonly depth: number }[] = []
  if (value !== undefined) left.push({ value, pointer: '', depth: 0 })
  for (let seen = 0; left.length > 0 && seen < MOST; seen++) {
    const { value: here, pointer, depth } = left.pop()!
    if (typeof here === 'string') {
      if (here.length >= SHORTEST) yield { pointer, text: here }
      continue
    }
    if (typeof here !== 'object' || here === null || depth >= DEEPEST) continue
    const members = Object.entries(here)
    for (const [name] of members)
      if (name.length >= SHORTEST) yield { pointer: `${pointer}/${escaped(name)}`, text: name }
    for (const [name, member] of members.reverse()) {
      if (NO_WORDS.has(name)) continue
      left.push({ value: member, pointer: `${pointer}/${escaped(name)}`, depth: depth + 1 })
    }
  }
}

const escaped = (name: string): string => name.slice(0, 200).replaceAll('~', '~0').replaceAll('/', '~1')
