/**
 * Names that indicate a secret, by `redaction-rules.ts`: of headers, members, parameters and variables, however their
 * words are joined.
 */
import { DEFAULT_REDACTIONS, type RedactionRule } from './redaction-rules.ts'

export type Where = 'key' | 'parameter' | 'header' | 'variable'

/** Cache for looked-up names; a hostile session may have any number of them. */
const MOST_REMEMBERED = 20_000
const LONGEST_NAME = 80
/** Words at the end of a name to check together. */
const MOST_WORDS = 4
/** A single word with one of these endings counts: `dbpassword`, `mysecret`. */
const ENDINGS = ['password', 'passwd', 'apikey', 'secretkey', 'accesstoken', 'authtoken']

interface NameRule {
  readonly id: string
  readonly where?: 'parameter' | 'header'
}

/** Lower-case words: `X-APIKey2` is `x`, `api`, `key`. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.replace(/\d+$/, ''))
    .filter((word) => word !== '')

const joined = (name: string): string => wordsOf(name).join('')

export class Names {
  readonly #rules = new Map<string, NameRule[]>()
  readonly #harmless = new Set<string>()
  readonly #remembered = new Map<string, readonly NameRule[]>()
  /** A quick test whether a text can contain a name at all. */
  readonly hint: RegExp | undefined

  constructor(rules: readonly RedactionRule[]) {
    const hints = new Set<string>()
    for (const rule of rules) {
      if (rule.off) continue
      if (rule.kind === 'except') for (const name of rule.names) this.#harmless.add(joined(name))
      if (rule.kind !== 'name') continue
      for (const name of rule.names) {
        const key = joined(name)
        if (key === '') continue
        const nameRule: NameRule = { id: rule.id, ...(rule.where ? { where: rule.where } : {}) }
        this.#rules.set(key, [...(this.#rules.get(key) ?? []), nameRule])
        // The longest of its words, because short ones such as `id` occur everywhere.
        hints.add(wordsOf(name).toSorted((one, other) => other.length - one.length)[0]!)
      }
    }
    if (hints.size > 0) this.hint = new RegExp([...hints].map((word) => word.replace(/\W/g, '\\$&')).join('|'), 'i')
  }

  /** Its last words form a name that only looks like a secret's: `next_page_token`. */
  isHarmless(name: string): boolean {
    const words = wordsOf(name)
    return words.some((_, at) => this.#harmless.has(words.slice(at).join('')))
  }

  /** The ID of the rule that makes a value of this name a secret. */
  ruleOf(name: string, where: Where): string | undefined {
    if (name.length > LONGEST_NAME || name.length < 2) return undefined
    let rules = this.#remembered.get(name)
    if (!rules) {
      rules = this.#find(name)
      if (this.#remembered.size >= MOST_REMEMBERED) this.#remembered.clear()
      this.#remembered.set(name, rules)
    }
    for (const rule of rules) if (rule.where === undefined || rule.where === where) return rule.id
    return undefined
  }

  #find(name: string): readonly NameRule[] {
    if (this.hint && !this.hint.test(name)) return []
    const words = wordsOf(name)
    for (let count = Math.min(MOST_WORDS, words.length); count > 0; count--) {
      const end = words.slice(-count).join('')
      if (this.#harmless.has(end)) return []
      const rules = this.#rules.get(end)
      if (rules) return rules
    }
    const last = words.at(-1) ?? ''
    const ending = ENDINGS.find((one) => last.endsWith(one) && this.#rules.has(one))
    return ending === undefined ? [] : this.#rules.get(ending)!
  }
}

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
