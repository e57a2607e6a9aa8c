/** RFC 6749 section 10.10: nobody can guess a token, a code or a secret. */
import type { Json } from '../../mcp/index.ts'
import { maskedLength } from '../../secrets/index.ts'
import type { Note } from './sign-in-documents.ts'

/** 19 characters of printable ASCII have fewer than the 128 bits that the RFC requires. */
const LEAST = 20

/** The trace has the length only: `•••• (6 characters)`. Longer values may be guessable too, which nobody can see here. */
export const checkGuessable = (name: string, value: Json | undefined, note: Note): void => {
  const length = typeof value === 'string' ? maskedLength(value) : undefined
  if (length === undefined || length === 0 || length >= LEAST) return
  const what = `${name} has ${length} characters, which can be guessed; 128 bits take at least ${LEAST}`
  note('RFC 6749 section 10.10', what, 'MUST')
}
