/** Whether a single word looks like a password that a person or a generator made, and not like part of a program. */
import { bitsOf, isKeyCombination, isPlace, isPlaceholder, isPublicId, looksSecret } from './heuristics.ts'

/**
 * Punctuation at the end belongs to the sentence, and so do particles of a language that has no spaces: `Ab3!de입니다`,
 * `Ab3!deです`.
 */
export const trimmed = (value: string): string =>
  value
    .replace(
      /^([\x21-\x7e]{4,})(?:[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}，。、；：！？]+.*)$/su,
      '$1',
    )
    .replace(/[.,:;!?)\]}*`'"”’»」]+$/, (end) => (/^[!?]+$/.test(end) && end.length > 1 ? end : ''))

export const isSecretWord = (value: string, inQuotes: boolean): boolean => {
  if (value.length < 4 || isPlaceholder(value) || isPlace(value)) return false
  if (looksSecret(value) || looksTyped(value)) return !isCode(value)
  return inQuotes && /^[\p{L}\p{M}\p{N}!@#$%^&*_.-]{5,64}$/u.test(value) && !isCode(value) && !/^[A-Z_]+$/.test(value)
}

/** An identifier, a call, an expression, a selector: part of a program or of its documentation. */
export const isCode = (value: string): boolean =>
  /[(){}[\]<>=;]|::|\$\{|^[\w$]+(?:\.[a-z][\w$]*)+$|^--?[a-z]|^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+$|^[a-z]+(?:[A-Z][a-z]+)+\d?$|^[a-z\d]+(?:_[a-z\d]+)*_[a-z]+$|^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$|^[#.][a-z][\w-]*(?::[a-z-]+)?$|^[a-z]*[#.][a-z][\w-]*:[a-z-]+$/.test(
    value,
  )

/** Three kinds of characters, as in `Tr0ub4dor&3`: how people write passwords. */
export const looksTyped = (value: string): boolean => {
  if (
    value.length < 7 ||
    value.length > 64 ||
    isKeyCombination(value) ||
    (/^[\w.-]+$/.test(value.replace(/[-_.]/g, '')) === false && /[\\/]/.test(value))
  )
    return false
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\p{N}/u, /[!@#$%^&*?+=~|-]/].filter((kind) => kind.test(value)).length
  return kinds >= 3 && /\d/.test(value)
}

/** Three or more words with a number at the end, as password managers make them: `amber-castle-violin7`. */
const WORDS = /^[a-z]{3,12}(?:[-_.][a-z]{3,12}){2,6}\d{1,4}[A-Za-z]{0,3}$/i

/** Parts of names of machines, images and models. */
const PART =
  /(?:^|[-_.])(?:server|prod|production|staging|stage|dev|test|node|api|web|frontend|backend|pool|cluster|default|master|worker|app|service|svc|db|cache|build|linux|ubuntu|debian|windows|latest|alpine|main|release|region|zone|east|west|north|south|central|preview|beta|alpha|model|image|host|proxy|gateway|queue|job|task|pod|replica|primary|shard|agent|runner|npm|cli|turbo|mini|large|small|instruct|chat|version|step|section|chapter|part|page|figure|table|example|sample|demo|item|index|level|user|client|request|session)\d*(?:[-_.]|$)/i

/** `amber-castle-33-violin`: the number stands between the words. */
const WORDS_AND_NUMBER = /^[a-z]{4,12}-(?:[a-z]{4,12}-)?\d{2,4}-[a-z]{4,12}(?:-[a-z]{4,12})?$/i

export const isPassphrase = (value: string): boolean =>
  (WORDS.test(value) || WORDS_AND_NUMBER.test(value)) && !PART.test(value)

/** ULIDs, IDs with a prefix, pods of Kubernetes, models with a date. */
const NAMED_ID =
  /^[0-7][\dA-HJKMNP-TV-Z]{25}$|^(?:req|evt|usr|user|msg|sess|session|job|run|task|trace|span|org|acct|cus|call|toolu|item|doc|file|node|pod|conn|txn?|resp|chatcmpl|thread|asst|batch|order|build|deploy|rev|v)[_-][\w-]+$|-[\da-f]{8,10}-[a-z\d]{5}$|^[a-z][\w.]*(?:-[\w.]+)*-(?:19|20)\d{6}$/

/** `12.434V8V3.567C9.125`, `min-resolution:1.1dppx`: paths of SVG, declarations of CSS. */
const DRAWN = /^-?\d[-\d.]*(?:[MLHVCSQTAZ][-\d.]*)+$|^[a-z-]+:-?[\d.]+[a-z%]{0,4}$/i

/** `Context7`, `agency-hosting_listDomainsV1`: names of products, tools and functions, with a number at the end. */
const isNumberedName = (value: string): boolean => {
  if (/^[A-Z][a-z]+\d$/.test(value)) return true
  if (!/^[A-Za-z]+(?:[-_][A-Za-z]+)*\d{0,2}$/.test(value)) return false
  const pieces = value
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/([A-Za-z])(\d)/g, '$1 $2')
    .split(/[-_ ]/)
  return (
    /[A-Z_]/.test(value) &&
    pieces.length > 3 &&
    pieces.every((piece) => /^(?:[A-Z]?[a-z]{2,}|[A-Z]{1,5}|\d{1,2})$/.test(piece))
  )
}

/** IDs, hashes, versions, dates, sizes, addresses, names with numbers. */
export const isOrdinary = (value: string): boolean =>
  NAMED_ID.test(value) ||
  isPublicId(value) ||
  // A type of a package: `*v1.Secret`.
  /^[*&]\w+\.[A-Z]\w*$/.test(value) ||
  /^1password\d?$/i.test(value) ||
  // A file of a build or a program.
  /\.(?:[cm]?[jt]sx?|css|map|json|html?|png|svg|woff2?|py|rb|go|rs|java)(?::\d+){0,2}$/.test(value) ||
  isNumberedName(value) ||
  DRAWN.test(value) ||
  // An object of Java, a version of a package, a licence, a pattern for files, an issue.
  /^[\w.$]+@[\da-f]{5,8}$|^[\w:./@-]+@[\^~]?v?\d[\w.+-]*$|^[\^~<>=v]{0,3}\d+\.\d+[\w.+-]*$|^[A-Z]{2,8}-\d[\d.]*\+?$|\+\+|^\*\.|^[A-Z][A-Za-z]+\$\d{1,2}$|^v?\d+(?:\.\d+)+[\^~]\d|^\$\w+:\$|![rsa]$|^[\w./-]+#\d{2,}$/.test(
    value,
  ) ||
  /^@?[a-z\d][a-z\d_.-]*@[a-z][a-z\d.-]*(?::\d{1,5})?$/.test(value) ||
  /%[\dA-F]{2}|^[~^v=<>]*\d[\d.,-]*\w{0,3}\+?$|^[A-Z]{2,4}\d{4}\+$|^v[\d.]+\+?$|^[\w.@-]+\/[\w./@-]+$|^(?:[\da-f]{7,128}|[\da-f]{8}-[\da-f]{4}-.*|v?\d+(?:[.,:/-]\d+)*\w{0,3}|\d{4}-\d\d-\d\d.*|#\d+|@?[\w-]+@[\w-]+(?:\.[a-z]{2,8})+|[a-z]+:\S+:\S+|(?:sha|md)\d+[:-].*|[A-Z]{2,10}-\d{1,8}|[\w-]+\.(?:\w{1,5})|\+?[\d ()-]+|\$?\d[\d.,]*\S{0,3}|[\w.-]+@v?[\d.]+|(?:utf|iso|rfc|ipv|http|oauth|tls|ssl|sha|aes|rsa|x)-?\d[\w./-]*)$/i.test(
    value,
  )

/** `certain`: hardly anything else is written so. `likely`: IDs and names may be, too. */
export type Likeness = 'certain' | 'likely' | undefined

export const passwordLikeness = (value: string): Likeness => {
  if (value.length < 6 || value.length > 64 || isPlaceholder(value) || isPlace(value)) return undefined
  if (isCode(value) || isOrdinary(value) || /^[\w.-]+(?:\/[\w.-]+)+$/.test(value)) return undefined
  if (isPassphrase(value)) return 'certain'
  // Keys and signatures in base64.
  if (/^[A-Za-z\d+/]{24,}={0,2}$/.test(value)) return looksSecret(value) ? 'likely' : undefined
  if (
    looksTyped(value) &&
    /[!@#$%^&*?+=~]/.test(value) &&
    !/^[\w-]+[=@][\w.-]*$|[?&]\w+=|^[~^@]|[+*=]\w[+*=]/.test(value)
  )
    return 'certain'
  if (/[!@#$%^&*?~]/.test(value) && looksTyped(value)) return 'certain'
  // Two kinds of separators: `KITE-482_Marble`.
  if (looksTyped(value) && /_.*-|-.*_/.test(value) && /^[\w-]+$/.test(value) && /[A-Z]/.test(value)) return 'likely'
  // `Kite_482-Marbleq`, `nHxyinJ-hfBw50`: capitals and digits in two parts.
  if (looksTyped(value) && looksSecret(value) && !/^[A-Z]{2,5}-?\d+$/.test(value)) return 'likely'
  return looksSecret(value) && value.length >= 8 && bitsOf(value) > 2.5 && /\d.*[A-Za-z]|[a-z]\d+[A-Za-z!]/.test(value)
    ? 'likely'
    : undefined
}
