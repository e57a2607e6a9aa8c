/** All texts in an offer, at any depth: attacks also hide in parameter names and default values. */
import { escapeToken } from '../../json/index.ts'
import type { Json } from '../../mcp/index.ts'

export interface TextAt {
  /** JSON pointer (RFC 6901) from the value passed in. */
  readonly pointer: string
  /** Absent at the place where the limit was reached: the remaining values aren't read. */
  readonly text: string | undefined
}

/** Limits on nesting and on the number of values. */
const DEEPEST = 40
const MOST = 200_000
/** Shorter texts mean nothing, and most of them are keywords of a schema. */
const SHORTEST = 3

/** Members without words: images, and URLs of schemas. */
const NO_WORDS: ReadonlySet<string> = new Set(['icons', '$schema', 'blob', 'data'])

/** An array or object being read member by member, because it may have a million members. */
interface Opened {
  readonly value: { readonly [name: string]: Json }
  /** Absent for an array. */
  readonly names: readonly string[] | undefined
  readonly length: number
  readonly pointer: string
  next: number
}

const opened = (value: object, pointer: string): Opened => {
  const names = Array.isArray(value) ? undefined : Object.keys(value)
  const length = names?.length ?? (value as readonly Json[]).length
  return { value: value as Opened['value'], names, length, pointer, next: 0 }
}

/** Strings and member names, in the order of the value. */
export function* textsOf(value: Json | undefined): Generator<TextAt, void, undefined> {
  if (typeof value === 'string' && value.length >= SHORTEST) yield { pointer: '', text: value }
  const open = typeof value === 'object' && value !== null ? [opened(value, '')] : []
  for (let seen = 0, here = open.at(-1); here; seen++, here = open.at(-1)) {
    if (here.next >= here.length) {
      open.pop()
      continue
    }
    const name = here.names?.[here.next] ?? String(here.next)
    const member = here.value[name]!
    here.next++
    if (seen >= MOST) return yield { pointer: stepped(here, name), text: undefined }
    if (here.names && name.length >= SHORTEST) yield { pointer: stepped(here, name), text: name }
    if (NO_WORDS.has(name)) continue
    if (typeof member === 'string') {
      if (member.length >= SHORTEST) yield { pointer: stepped(here, name), text: member }
    } else if (typeof member === 'object' && member !== null && open.length < DEEPEST) {
      open.push(opened(member, stepped(here, name)))
    }
  }
}

const stepped = ({ pointer }: Opened, name: string): string => `${pointer}/${escapeToken(name.slice(0, 200))}`
