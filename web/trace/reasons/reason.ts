/**
 * The reasons that the kernel and the proxy give, by code and values. Frames hold the English sentence alone: nothing of it
 * has to be made safe a second time when a session is shared, and recordings of any age are understood.
 */
import english from './text/en.ts'

export type ReasonCode = keyof typeof english

export interface Reason {
  readonly code: ReasonCode
  /** In the order of the English sentence. */
  readonly values: readonly (readonly [name: string, text: string])[]
}

/** Characters that are looked at: what a server adds to a reason may be long. */
const LONGEST = 4000
/** Values that hold a reason of their own. */
const NESTED: ReadonlySet<string> = new Set(['why', 'how', 'step'])
/** Reasons within reasons. */
const DEEPEST = 4

interface Pattern {
  readonly code: ReasonCode
  /** What stands before, between and after the values. */
  readonly parts: readonly string[]
  readonly names: readonly string[]
}

const VALUE = /\{(\w+)\}/

/** Those that say most come first, so that a special sentence wins over a general one. */
const patterns: readonly Pattern[] = Object.entries(english)
  .map(([code, sentence]) => {
    const pieces = sentence.split(VALUE)
    return {
      code: code as ReasonCode,
      parts: pieces.filter((_, at) => at % 2 === 0),
      names: pieces.filter((_, at) => at % 2 === 1),
    }
  })
  .sort((one, other) => lengthOf(other) - lengthOf(one))

function lengthOf({ parts }: Pattern): number {
  return parts.join('').length
}

/** Each value ends where what follows it stands first; that takes time in proportion to the text. */
const valuesIn = (text: string, { parts, names }: Pattern): Reason['values'] | undefined => {
  const [head = '', ...rest] = parts
  const tail = rest.at(-1)
  if (tail === undefined) return text === head ? [] : undefined
  if (!text.startsWith(head) || !text.endsWith(tail)) return undefined
  const values: (readonly [string, string])[] = []
  let from = head.length
  for (const [at, name] of names.entries()) {
    const last = at === names.length - 1
    const to = last ? text.length - tail.length : text.indexOf(rest[at]!, from)
    if (to < from) return undefined
    values.push([name, text.slice(from, to)])
    from = to + rest[at]!.length
  }
  return values
}

/** @returns `undefined` for what is none of these sentences, such as a server's own words */
export const reasonOf = (text: string): Reason | undefined => {
  if (text === '' || text.length > LONGEST) return undefined
  for (const pattern of patterns) {
    const values = valuesIn(text, pattern)
    if (values) return { code: pattern.code, values }
  }
  return undefined
}

/**
 * The same reason by the sentences of another language.
 * @param text what a frame or an error says; it stays as it is where it is none of these sentences
 */
export const translated = (text: string, sentences: Readonly<Record<ReasonCode, string>>, depth = 0): string => {
  const reason = reasonOf(text)
  if (!reason) return text
  const values = new Map(
    reason.values.map(([name, value]) => [
      name,
      NESTED.has(name) && depth < DEEPEST ? translated(value, sentences, depth + 1) : value,
    ]),
  )
  return sentences[reason.code].replaceAll(/\{(\w+)\}/g, (whole, name: string) => values.get(name) ?? whole)
}
