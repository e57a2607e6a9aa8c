/**
 * Cards: lines of a name and a value below one another, as in `User: …`, INI, YAML and `.properties`, and pairs of both in
 * one line of a log. The name of a password takes the whole rest of its line, however harmless the words are.
 */
import { ABOUT_PASSWORD, NAMES_PASSWORD, SAID_INSTEAD } from './chosen-words.ts'
import { describesField, isFieldState, mayBeChosen } from './field-descriptions.ts'
import type { Assigned } from './found-in-text.ts'
import { isPlace, isPlaceholder } from './heuristics.ts'
import type { NameRule, Names } from './secret-names.ts'

/** Where a name ends and its sign stands. */
export interface NamedLine {
  readonly begin: number
  readonly sign: number
  readonly rule: NameRule
}

/** Lines above and below that belong to the same card. */
const MOST_LINES = 3
const LONGEST_LINE = 200
const LONGEST_VALUE = 80

const COLON = '[:：=՝፡︰﹕]'
const LINE = new RegExp(
  `^[ \\t]*(?:[-*•>+]{1,2}[ \\t]+)?(?:\\*\\*|["'])?(?<name>[\\p{L}_][\\p{L}\\p{M}\\p{N}_.'’/ ()-]{0,58}?)["']?[ \\t]*(?:\\*\\*)?(?<sign>${COLON})(?:\\*\\*)?[ \\t]*(?<value>\\S[^\\r\\n]*)$`,
  'u',
)
/** What only a program has. */
const PROGRAM = /[;{(,[]\s*$|^\s*(?:const|let|var|val|function|class|import|export|def|return|if|for|interface|type)\b/
/** What a commit does, by its title: `fix(login): …`. */
const COMMIT = /^(?:fix|feat|docs?|chore|refactor|tests?|build|ci|perf|style|revert|release|deps)(?: ?\([^)]*\))?!?$/i
const WORDS = /^[^\s<>{}[\]()"`|\\;=]{1,40}(?: [^\s<>{}[\]()"`|\\;=]{1,40}){0,8}$/u

/** What remains of a line behind its sign, without the comment and the marks around it. */
const valueOf = (rest: string): string =>
  rest
    .replace(/[ \t]+(?:#|;(?=[ \t])).*$/, '')
    .replace(/^["']|["',]+$/g, '')
    .trim()

/** A value that a card has beside a name which isn't secret: short, no sentence, no type and no part of a program. */
const isNeighbour = (line: string, sign: string, names: Names): boolean => {
  const { name = '', sign: other, value = '' } = LINE.exec(line.slice(0, LONGEST_LINE))?.groups ?? {}
  if (name === '' || (other === '=') !== (sign === '=') || PROGRAM.test(line) || COMMIT.test(name)) return false
  const own = valueOf(value)
  return (
    own.length > 0 &&
    own.length < 61 &&
    !/[(){};<>]|[.!?,]$/.test(own) &&
    own.split(/\s+/).length < 5 &&
    name.split(' ').length < 6 &&
    !isType(own, name) &&
    !/^[a-z_]\w*(?:\.[a-z_]\w*)+$/i.test(own.replace(/^(?:\w+\.)+(?:[a-z]{2,})$/, '')) &&
    names.of(name, 'variable') === undefined
  )
}

/** `string`, `required`: what is said of a value in its place. A switch and a folder are values. */
const isType = (value: string, name: string): boolean =>
  !SWITCH.test(value) && !isPlace(value) && (isPlaceholder(value, name) || describesField(value))
const SWITCH = /^(?:true|false|yes|no|on|off|none|null|0|1)$/i

/** There is none, or it is said how it looks, where it is or what became of it. */
const isNoValue = (value: string, name: string): boolean =>
  isPlaceholder(value, name) ||
  isPlaceholder(value.replace(/[?!.]+$/, ''), name) ||
  isPlace(value) ||
  describesField(value) ||
  RESULT.test(value) ||
  /^[!&*|>@%$#]/.test(value)
/** What a log says of a password instead, and how a value is stored. */
const RESULT =
  /^(?:mis)?match(?:es|ed)?$|^(?:verified|provided|supplied|accepted|rejected|hashed|plain(?:text)?|pending|sent|received|success(?:ful)?|fail(?:ed|ure)?|denied|granted|skipped|ask|prompt|interactive|manual|random|generated|stored|saved|updated|same|see|n\/?a|tbd|rotated?|inherit(?:ed)?|unused|used|locked|unlocked|encrypted|decrypted|omitted|prompt(?:ed)?|sso|ldap|kerberos|oauth2?|breached|compliant|keyring|\w*keychain|vault|env(?:ironment)?|usable|unusable|disabled|enabled|expired|current|weak|strong|changed|reset|missing|present|invalid|empty|unset|sufficient|requisite|experimental|deprecated|folder|todo)$/i

/** A name whose value is a secret even if it is a word. */
const isSure = ({ id, ambiguous, random, looksUp, worded }: NameRule): boolean =>
  id === 'name:password' &&
  (ambiguous === undefined || worded === true) &&
  random === undefined &&
  looksUp === undefined

/** `Clave: …` is a keyword as well, and `pass` the result of a test: beside a user, both are passwords. */
const SHORT_NAME = /(?:^|[^\p{L}])(?:pass|clave)$/iu
const USER =
  /^(?:.*[_. -])?(?:user(?:[-_ ]?name)?|login|uid|benutzer(?:name)?|utilisateur|usuario|usuária?|utente|gebruiker|bruger|bruker|användare|käyttäjä|notandi|użytkownik|uživatel|používateľ|korisnik|uporabnik|felhasználó|utilizator|kullanıcı|логин|пользователь)$/iu

/** How several words begin that say where it is, what became of it, or what to do with it. */
const SAID_OF_IT =
  /^(?:from|via|in|on|at|by|per|with|same|as|like|known|last|never|next|not|no|only|if|when|sent|blocked|locked|unlocked|expire[sd]?|rotate[sd]?|rotation|rules?|env|prompt|stored|shown|hidden|set|reset|see|ask|accepts?|extract|bump|meter|fix|add|remove|update|move|support|use|allow|validate|check|text|words?|characters?|resource|chosen|open|missing|unknown|to be|must|should|noch|nicht|kein\p{L}*|aus|von|im|am|bei|siehe|wie|wird|muss|liegt|nur|nach|pas|dans|voir|envoyé\p{L}*|remis\p{L}*|communiqué\p{L}*|chez|selon|desde|por|según|ver|no|nueva|primaria|foránea|compuesta|externa|da|dal|nel|vedi|uit|bij|niet|från|inte|se|fra|ikke|из|от|в|не|см|нет) /iu
/** There is none, or it isn't there yet. */
const NOT_NEEDED =
  /^(?:不|无|無|没|沒|未|见|見|同|另|请|請|必|可)|^(?:primaria|foránea|externa|compuesta|natural|candidata)\b/u

/** Beside it, several words of everyday are a passphrase. */
const ACCOUNT =
  /^(?:.*[_. -])?(?:user|login|uid|account|acct|host|server|ssid|domain|email|e-mail|ip|url|port|repo|repository|protocol|benutzer|konto|netz\p{L}*|utilisateur|compte|serveur|usuario|cuenta|servidor|usuária?|conta|utente|gebruiker|bruger|bruker|användare|käyttäjä|notandi|þjónn|użytkownik|konta|serwer|uživatel|používateľ|korisnik|uporabnik|felhasználó|utilizator|kullanıcı|пользователь|користувач|логин|сервер|tài khoản|máy chủ|mtumiaji|jina la mtumiaji|úsáideoir|naudotojas|lietotājs|kasutaja|palvelin|kone|tunnus|osoite|server\p{L}*|serveris|serveri|poslužitelj|strežnik|kiszolgáló|sunucu|διακομιστής|сервер\p{L}*|χρήστης|defnyddiwr|përdoruesi|корисник|користувач|потребител|משתמש|المستخدم|کاربر|उपयोगकर्ता|사용자|アカウント|ユーザー|账号|帳號|用户|使用者)$/iu

/** `pan con tomate` begins like the number of a card. */
const isNoLabel = (rule: NameRule | undefined): boolean => rule === undefined || rule.id === 'name:identity'

/** The words are no message and no label. */
const isChosen = (value: string, name: string, { rule }: NamedLine, names: Names): boolean =>
  value.length < LONGEST_VALUE &&
  (value.length > 3 || (value.length > 1 && /[\p{Script=Han}\p{Script=Hangul}]/u.test(value))) &&
  WORDS.test(value) &&
  !isNoValue(value, name) &&
  !SAID_INSTEAD.test(value) &&
  !isFieldState(value.split(' ')[0]!) &&
  !ABOUT_PASSWORD.test(value) &&
  !NAMES_PASSWORD.test(value) &&
  !(/\s/.test(value) && (/[.?:]$/.test(value) || SAID_OF_IT.test(value))) &&
  !NOT_NEEDED.test(value) &&
  isNoLabel(names.of(value.replace(/[?!*.…]+$/, ''), 'variable')) &&
  (isSure(rule) || isPassphraseOf(value, name, rule) || (SHORT_NAME.test(name) && /\p{L}/u.test(value)))

/** The key of an encryption is no key of a door, so several words are a passphrase. */
const ENCRYPTS =
  /encrypt|decrypt|verschl(?:ü|ue)ssel|chiffr|cifra|criptograf|cripta|versleutel|krypter|krypto|szyfr|šifr|шифр|κρυπτ/iu
const isPassphraseOf = (value: string, name: string, { id, random, looksUp }: NameRule): boolean =>
  (id === 'name:recovery' ? PHRASE.test(name) : /^name:(?:api-)?key$/.test(id) && ENCRYPTS.test(name)) &&
  (random ?? looksUp) === undefined &&
  value.split(' ').length > 2 &&
  !/^\p{Lu}/u.test(value) &&
  !MANAGED.test(value)
const PHRASE = /phrase|mnemonic|seed|words|fra[sz]/i
const MANAGED =
  /\b(?:manag|provid|held|custom|owned|rotat|derived|generat|see|ask|kms|hsm|cloud|vault|server|verwalt|gér[ée]|gestit|gestion)/i

/** @returns the rest of a line, if a card names it as a password */
export const inCard = (text: string, line: NamedLine, names: Names): Assigned | undefined => {
  const { begin, sign, rule } = line
  const encrypts = /^name:(?:(?:api-)?key|recovery)$/.test(rule.id)
  if (!isSure(rule) && !encrypts && rule.id !== 'name:ambiguous-token') return undefined
  const start = startOfLine(text, begin)
  if (start < 0) return undefined
  const own = text.slice(start, sign + LONGEST_LINE).split(/\r?\n/, 1)[0]!
  const { name = '', sign: written = '', value: rest = '' } = LINE.exec(own)?.groups ?? {}
  if (name === '' || start + own.indexOf(written, own.indexOf(name) + name.length) !== sign || PROGRAM.test(own))
    return undefined
  const value = valueOf(rest)
  if (!isChosen(value, name, line, names)) return undefined
  const around = linesAround(text, start, sign)
  if (around.some((one) => PROGRAM.test(one)) || !around.some((one) => isNeighbour(one, written, names)))
    return undefined
  if (!isSure(rule) && !encrypts && !around.some((one) => USER.test(LINE.exec(one)?.groups!['name'] ?? '')))
    return undefined
  const isSpoken = /^\p{Ll}[\p{Ll}\p{M}'’-]*(?: \p{Ll}[\p{Ll}\p{M}'’-]*)+$/u.test(value)
  const hasAccount = around.some((one) => {
    const label = LINE.exec(one)?.groups!['name'] ?? ''
    return USER.test(label) || ACCOUNT.test(label)
  })
  const from = start + own.lastIndexOf(rest) + rest.indexOf(value)
  const found = { from, to: from + value.length, rule: rule.id === 'name:ambiguous-token' ? 'name:password' : rule.id }
  // Elsewhere, such words would be removed as well, wherever they are said.
  return (isSpoken && written !== '=' && !hasAccount && !encrypts && !/phrase|fra[sz]|φρ[αά]σ|фраз/iu.test(name)) ||
    mayBeChosen(value) ||
    (/key$/.test(rule.id) && value.split(' ').length < 4) ||
    /^[A-Z][a-z]+(?:[A-Z][a-z]+)+$/.test(value)
    ? { ...found, doubtful: true }
    : found
}

/** @returns -1 if the line is longer than those of a card: searching all of it for each name would take long */
const startOfLine = (text: string, at: number): number => {
  const from = Math.max(0, at - LONGEST_LINE)
  const end = text.slice(from, at).lastIndexOf('\n')
  return end >= 0 ? from + end + 1 : from === 0 ? 0 : -1
}

/** The lines of a name and a value directly above and below. */
const linesAround = (text: string, start: number, sign: number): readonly string[] => {
  const above = text.slice(Math.max(0, start - MOST_LINES * LONGEST_LINE), start).split(/\r?\n/)
  const below = text.slice(sign, sign + (MOST_LINES + 1) * LONGEST_LINE).split(/\r?\n/)
  return [
    ...whileLines(above.slice(0, -1).toReversed(), start < MOST_LINES * LONGEST_LINE),
    ...whileLines(below.slice(1), true),
  ]
}

/** @param whole the last one isn't cut off */
const whileLines = (lines: readonly string[], whole: boolean): readonly string[] => {
  const end = lines
    .slice(0, MOST_LINES)
    .findIndex((line, at) => (!whole && at === lines.length - 1) || !LINE.test(line))
  return lines.slice(0, end < 0 ? MOST_LINES : end)
}

/** A pair beside it: in a log, in an inventory of machines. */
const PAIR_BEFORE = /(?:^|[\s;])[\p{L}_][\p{L}\p{M}\p{N}_.-]{1,40}=(?:"[^"\n]{0,60}"|[^\s=("{[][^\s("]*)[ \t;]+$/u
const PAIR_BEHIND = /^[ \t;]+[\p{L}_][\p{L}\p{M}\p{N}_.-]{1,40}=(?:"|[^\s=("{[])/u

/** `bruker=lager passord=bringebær rolle=leser`: a word among pairs, which no program computes. */
export const isWordAmongPairs = (
  text: string,
  { begin, from, to }: { readonly begin: number; readonly from: number; readonly to: number },
  rule: NameRule,
  names: Names,
): boolean => {
  const value = text.slice(from, to)
  const name = text.slice(begin, from - 1)
  if (!isChosen(value, name, { begin, sign: from - 1, rule }, names) || !isSure(rule) || mayBeChosen(value))
    return false
  const before = text.slice(Math.max(0, begin - 120), begin).replace(/[^]*\n/, '')
  const behind = text.slice(to, to + 80).split('\n', 1)[0]!
  return (PAIR_BEFORE.test(before) || PAIR_BEHIND.test(behind)) && (behind.trim() === '' || PAIR_BEHIND.test(behind))
}
