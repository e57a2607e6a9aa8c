/** JSON as people paste it, with the place of what is wrong. */

export interface JsonProblem {
  /** The parser's words, without the place. */
  readonly message: string
  /** From 1. */
  readonly line: number
  readonly column: number
}

/** Never throws. */
export const parseJson = (text: string): { readonly value: unknown } | { readonly problem: JsonProblem } => {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch (error) {
    return { problem: placeOf((error as Error).message, text) }
  }
}

const placeOf = (message: string, text: string): JsonProblem => {
  const position = Number(/position (\d+)/.exec(message)?.[1] ?? text.length)
  const before = text.slice(0, position).split('\n')
  const plain = message.replace(/ (?:in JSON )?at position.*$/s, '')
  return { message: plain, line: before.length, column: before.at(-1)!.length + 1 }
}
