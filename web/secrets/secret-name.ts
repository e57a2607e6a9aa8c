/** Decides whether a name indicates a secret, by the names in `rules.ts`. */
import { Names, wordsOf, type Where } from './names.ts'
import { DEFAULT_REDACTIONS } from './rules.ts'

const NAMES = new Names(DEFAULT_REDACTIONS)

/** True for `API_KEY`, `--token`, `DB_PASS`, `Private-Token`; false for `max_tokens`, `keyboard`, `page_token`. */
export const isSecretName = (name: string, where: Where = 'variable'): boolean =>
  NAMES.ruleOf(name, where) !== undefined

/** Words that indicate a secret in what the user typed to connect, but are too common in server output. */
const HINTS: ReadonlySet<string> = new Set(
  [
    'key keys apikey token secret secrets sig signature auth authentication authorization bearer jwt pat',
    'pass passwd password passwords passphrase passcode passwd pwd pw pin otp totp mfa mnemonic cookie cookies cred creds credential credentials',
  ].flatMap((line) => line.split(' ')),
)
const HINTS_OF_PARAMETERS: ReadonlySet<string> = new Set(['code', 'session', 'sid', 'k', 's', 't'])
const PART = /token(?!s|i[sz])|secret(?!ar)|passw|apikey|credential/i

/**
 * The broader test, for cases where a false positive is harmless: the value isn't stored, and has to be entered again.
 * @param where `parameter`: of a query, where even short names hold secrets
 */
export const mayBeSecretName = (name: string, where: Where = 'variable'): boolean => {
  if (isSecretName(name, where)) return true
  if (name.length > 200) return false
  if (PART.test(name)) return !NAMES.isHarmless(name)
  const words = wordsOf(name)
  if (words.some((word) => HINTS.has(word))) return !NAMES.isHarmless(name)
  return where === 'parameter' && words.some((word) => HINTS_OF_PARAMETERS.has(word))
}
