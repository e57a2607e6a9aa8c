/**
 * The messages of the kernel and the proxy, recognised by their English sentences. Frames hold only the sentence: a code
 * with values beside it would have to be redacted a second time when a session is shared.
 */
import english from './text/en.ts'
import type former from './text/former.ts'

export type ReasonCode = keyof typeof english

export interface Reason {
  readonly code: ReasonCode
  /** In the order of the English sentence. */
  readonly values: readonly (readonly [name: string, text: string])[]
}

/** Longer texts aren't searched: servers can add arbitrarily long text to a reason. */
const MAX_LENGTH = 4000
/** Values that contain another reason. */
const NESTED: ReadonlySet<string> = new Set(['why', 'how', 'step'])
/** Levels of reasons within reasons. */
const MAX_DEPTH = 4

export interface Pattern {
  readonly code: ReasonCode
  /** The text before, between and after the values. */
  readonly parts: readonly string[]
  readonly names: readonly string[]
}

const VALUE = /\{(\w+)\}/

const patternOf = (code: ReasonCode, sentence: string): Pattern => {
  const pieces = sentence.split(VALUE)
  return {
    code,
    parts: pieces.filter((_, at) => at % 2 === 0),
    names: pieces.filter((_, at) => at % 2 === 1),
  }
}

const lengthOf = ({ parts }: Pattern): number => parts.join('').length

/**
 * The sentences to recognise; the longest first, so that a specific one wins over a general one.
 * @param old sentences of earlier versions, which old recordings hold. Only translations need them: in English, the
 * recorded sentence is shown as it is
 */
export const patternsOf = (old: Partial<typeof former> = {}): readonly Pattern[] =>
  [
    ...Object.entries(english).map(([code, sentence]) => patternOf(code as ReasonCode, sentence)),
    ...Object.entries(old).flatMap(([code, sentences]) =>
      sentences.map((sentence) => patternOf(code as ReasonCode, sentence)),
    ),
  ].sort((one, other) => lengthOf(other) - lengthOf(one))

const current = patternsOf()

/** Each value ends at the first occurrence of the text that follows it, so matching takes linear time. */
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

/** @returns `undefined` for any other text, such as a server's own message */
export const reasonOf = (text: string, patterns = current): Reason | undefined => {
  if (text === '' || text.length > MAX_LENGTH) return undefined
  for (const pattern of patterns) {
    const values = valuesIn(text, pattern)
    if (values) return { code: pattern.code, values }
  }
  return undefined
}

/**
 * The same reason in another language.
 * @param text of a frame or an error; returned unchanged if it isn't a known sentence
 */
export const translated = (
  text: string,
  sentences: Readonly<Record<ReasonCode, string>>,
  patterns = current,
  depth = 0,
): string => {
  const reason = reasonOf(text, patterns)
  if (!reason) return text
  const values = new Map(
    reason.values.map(([name, value]) => [
      name,
      NESTED.has(name) && depth < MAX_DEPTH ? translated(value, sentences, patterns, depth + 1) : value,
    ]),
  )
  return sentences[reason.code].replaceAll(/\{(\w+)\}/g, (whole, name: string) => values.get(name) ?? whole)
}
