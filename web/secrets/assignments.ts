/**
 * Finds assignments in text: `password=…`, `"api_key": "…"`, `Authorization: Bearer …`, `--token …`, `?code=…`,
 * `<password>…</password>`, `ENV KEY …`. In prose and source code, an ordinary word often follows such a name, so there
 * the value must look like a secret.
 */
import { inCard, isWordAmongPairs } from './cards.ts'
import { areDottedWords, areWordsInPlace, chosenLikeness, COMPOUND, isWordsOfPassword } from './chosen-words.ts'
import { describesField, isFieldState, mayBeChosen } from './field-descriptions.ts'
import type { Assigned, FoundInText } from './found-in-text.ts'
import {
  isAnswer,
  isAnswerName,
  isPlace,
  isPlaceholder,
  isSecretOf,
  looksSecret,
  isTypedCode,
  schemeLength,
} from './heuristics.ts'
import { blocksIn, elementsIn } from './markup.ts'
import { isPreference } from './preference-cookies.ts'
import { isOfAddress } from './other-numbers.ts'
import { isNameOfSecret } from './references.ts'
import { codeWordAt, numberAt, phraseAt, responseAt } from './rest-of-line.ts'
import type { NameRule, Names, Where } from './secret-names.ts'
import { secretsInSource } from './source-code.ts'
import { apartIn } from './values-apart.ts'

/** Longest name to search for backwards, in characters. */
const LONGEST_NAME = 64
const LONGEST_VALUE = 16_384
const PARAMETER = /[^&#\s"'<>\\`)\]}|]+/y
const BARE = /[^\s"'`<>,;(){}[\]|&\\]+/y
const COOKIES = /[^\r\n"\\]+/y
const COOKIE = /[\w!#$%&*.^|~+-]{1,80}=\S/y

export const assignedIn = (text: string, names: Names, found: FoundInText): void => {
  if (!names.hint?.test(text)) return
  const form = /^[\w.~%+[\]-]{1,120}=[^\s<>{}"]*$/.test(text)
  const mayBeNamed = names.within(text)
  for (let at = nextSign(text, 0); at >= 0;) {
    const one = assigned(text, at, names, mayBeNamed, form)
    if (one) found(one)
    at = nextSign(text, Math.max(at + 1, one?.to ?? 0))
  }
  if (text.includes('<')) elementsIn(text, names, found)
  apartIn(text, names, found)
  if (text.includes('\n') || text.includes(',')) blocksIn(text, names, found)
  secretsInSource(text, names, found)
}

/** Colons of Armenian, Ethiopic and Chinese, and signs that look like one. */
const COLONS: ReadonlySet<number> = new Set([0x55d, 0x1361, 0x1365, 0x2236, 0xa789, 0xfe55, 0xff1a])

const nextSign = (text: string, from: number): number => {
  for (let at = from; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === 0x3a || unit === 0x3d || (unit > 0x54f && COLONS.has(unit))) return at
  }
  return -1
}

const LETTER = /[\p{L}\p{M}\p{N}]/u

const isName = (unit: number): boolean =>
  (unit >= 0x61 && unit <= 0x7a) ||
  (unit >= 0x41 && unit <= 0x5a) ||
  (unit >= 0x30 && unit <= 0x39) ||
  unit === 0x5f ||
  unit === 0x2d ||
  unit === 0x2e ||
  (unit > 0x7f && LETTER.test(String.fromCharCode(unit)))

const LONGEST_WORDS = 80
const isOfWords = (unit: number): boolean => isName(unit) || unit === 0x20 || unit === 0x27 || unit === 0x2019

const assigned = (
  text: string,
  sign: number,
  names: Names,
  mayBeNamed: ReturnType<Names['within']>,
  form: boolean,
): Assigned | undefined => {
  let end = sign
  while (end > 0 && sign - end < 20 && /[ \t:]/.test(text.charAt(end - 1))) end--
  // Markdown: `**Password:** …`, `**Password**: …`.
  while (end > 0 && sign - end < 24 && text.charAt(end - 1) === '*') end--
  // `Senha do interfone (síndico): …`: a remark between a name and its colon.
  if (/[)）]/.test(text.charAt(end - 1))) return withRemark(text, { sign, end }, names, mayBeNamed)
  // C#, JavaScript: `config["password"] = …`.
  if (text.charAt(end - 1) === ']' && /["'`]/.test(text.charAt(end - 2))) end--
  const quote = /["'`]/.test(text.charAt(end - 1)) ? text.charAt(--end) : ''
  let begin = end
  while (begin > 0 && end - begin < LONGEST_NAME && isName(text.charCodeAt(begin - 1))) begin--
  // `user[password]=…`: the name of a member in a form.
  let inForm = false
  if (begin === end && text.charAt(end - 1) === ']' && quote === '' && text[sign] === '=') {
    end--
    begin = end
    while (begin > 0 && end - begin < LONGEST_NAME && isName(text.charCodeAt(begin - 1))) begin--
    if (text.charAt(begin - 1) !== '[') return undefined
    if (/[?&][\w.-]{1,40}$/.test(text.slice(Math.max(0, begin - 42), begin - 1))) inForm = true
  }
  if (begin === end) return undefined
  // `https://…`, `arn:aws:secretsmanager:…:secret:…`: where it is.
  if (text.startsWith('://', sign) || /\barn:aws[\w-]*:[\w:/-]*$/.test(text.slice(Math.max(0, begin - 90), begin)))
    return undefined
  let first = begin
  while (first > 0 && end - first < LONGEST_WORDS && isOfWords(text.charCodeAt(first - 1))) first--
  if (!mayBeNamed(first, end)) return undefined
  if (quote !== '' && text.charAt(begin - 1) !== quote) {
    // A name of several words in quotes.
    const whole = /(["'`])([\p{L}\p{M}][\p{L}\p{M}\p{N} _.-]{1,60})$/u.exec(text.slice(Math.max(0, end - 62), end))
    if (whole?.[1] !== quote) return undefined
    begin = end - whole[2]!.length
  }
  const equals = text[sign] === '='
  // `${NAME:-…}`: its default is found as source code.
  if (!equals && /^:[-=+?]/.test(text.slice(sign, sign + 2)) && text.slice(Math.max(0, begin - 2), begin) === '${')
    return undefined
  const before = text.charAt(begin - 1)
  // `;jsessionid=…` in a URL, `&amp;` in HTML; in a program, a statement follows.
  const inUrl =
    before !== ';' || /(?:\/[^\s"'`();]{0,100}|&(?:amp|#38|#x26));$/i.test(text.slice(Math.max(0, begin - 102), begin))
  const parameter = equals && quote === '' && (inForm || (/[?&#;]/.test(before) && inUrl) || (form && begin === 0))
  const where: Where = parameter && before !== ';' ? 'parameter' : quote === '' ? 'variable' : 'key'
  let rule = names.of(text.slice(begin, end), where)
  if (quote === '' && !parameter) {
    // `Wi-Fi password`, `mot de passe`, `API key for Stripe`.
    const words = /(?:(?:\p{L}\.){0,3}[\p{L}\p{M}\p{N}'’_-]{1,20}\.? ){0,6}[\p{L}\p{M}\p{N}'’_-]{1,20}\.?$/u.exec(
      text.slice(Math.max(0, end - 80), end),
    )
    // `Ταχυδρομικός κωδικός`: a postal code.
    if (rule) {
      if (words && words[0].length > end - begin && names.isHarmless(words[0])) return undefined
    } else if (words) {
      rule = ruleOfWords(words[0], names)
      if (rule) begin = end - words[0].length
    }
  }
  if (!rule) return undefined
  const one = valueAfter(text, { begin, end, quote, sign, equals, parameter, form }, rule, names)
  // A quotation ends its value, and a number needs no line.
  if (parameter || (one && !one.doubtful && /["'`»”]/.test(text.charAt(one.to)))) return one
  const whole = inCard(text, { begin, sign, rule }, names)
  return whole && (!one || one.doubtful || (one.to < whole.to && !whole.doubtful)) ? whole : one
}

/** The name with what the remark behind it says, without it, or the remark itself: `コード(PIN)：…`. */
const withRemark = (
  text: string,
  { sign, end }: { readonly sign: number; readonly end: number },
  names: Names,
  mayBeNamed: ReturnType<Names['within']>,
): Assigned | undefined => {
  // No program has such a colon; an equals sign may be an assignment of one.
  if (text[sign] === '=' || !/^[:：]{1,2}(?!:|\/\/|=)/.test(text.slice(sign, sign + 3))) return undefined
  const front = text.slice(Math.max(0, end - 100), end)
  const [all = '', before = '', remark = ''] =
    /((?:[\p{L}\p{M}\p{N}'’_/-]{1,24}\.? ){0,6}[\p{L}\p{M}\p{N}'’_/-]{1,24}\.?)[ \t]?[(（]([^()（）\n]{1,40})[)）]$/u.exec(
      front,
    ) ?? []
  if (all === '' || !mayBeNamed(end - all.length, end)) return undefined
  const first = end - all.length
  // A label of a line or of a sentence, and no call of a function.
  if (!/(?:^|[\n.,;:!?|•*>"“„\])])[ \t*•>-]*(?:\d{1,2}[.)] )?$/.test(text.slice(Math.max(0, first - 12), first)))
    return undefined
  if (names.isHarmless(before)) return undefined
  const rule = ruleOfWords(before, names) ?? ruleOfWords(`${before} ${remark}`, names) ?? names.of(remark, 'variable')
  if (!rule) return undefined
  return valueAfter(
    text,
    { begin: first, end, quote: '', sign, equals: false, parameter: false, form: false },
    rule,
    names,
  )
}

/** The name may be in front of what it is for: `password for staging`. */
const ruleOfWords = (words: string, names: Names): NameRule | undefined => {
  // `-e DB_PASSWORD -p 5432:`: an option follows.
  if (/ -\p{L}/u.test(words) || names.isHarmless(words)) return undefined
  const rule = names.of(words, 'variable')
  if (rule) return rule
  const [, head] =
    /^(.*?)\s(?:for|of|to|on|at|in|für|de|del|dell|della|delle|dello|dei|degli|du|des|der|do|da|pour|para|per|von|zum|zur|till?|til|na|dla|van)\s/.exec(
      words,
    ) ?? []
  const bare =
    head ?? /^(رمز عبور|گذرواژه|کلمه عبور|كلمة المرور|كلمة مرور|كلمة السر|كلمة سر) \S{2,20}$/u.exec(words)?.[1]
  return bare === undefined ? undefined : names.of(bare, 'variable')
}

interface Position {
  readonly begin: number
  readonly end: number
  readonly quote: string
  readonly sign: number
  readonly equals: boolean
  readonly parameter: boolean
  /** The text is nothing but parameters. */
  readonly form: boolean
}

/** Types and functions that only hold or convert a text, unlike those that read one: `Some("…")`, `SecretStr("…")`. */
const WRAPPER =
  /^(?:new )?(?:[\w.]{1,30}(?:\.|::))?(?:Some|Just|Ok|Right|Optional|of|Secret\w{0,12}|Sensitive\w{0,12}|Redacted|SecureString|Protected\w{0,12}|Password\w{0,8}|[Ss]tr(?:ing)?|from|[Bb]ytes|Buffer|Text|NSString|\[\]byte|encode|to_string|ApiKey|Token|Literal|pulumi\.secret)\((?:[\w.:]{1,20}(?:from|new|String)\()?(?:[a-z]{1,12}=)?["'`]/

const valueAfter = (
  text: string,
  { begin, end, quote, sign, equals, parameter, form }: Position,
  rule: NameRule,
  names: Names,
): Assigned | undefined => {
  const name = text.slice(begin, end)
  let from = sign + 1
  // Ruby, PHP and Perl write `=>`; `==` and `::` compare and qualify.
  if (equals && text[from] === '>') from++
  else if (/[=:]/.test(text.charAt(from))) return undefined
  while (text.charAt(from) === '*') from++
  // `var_dump` of PHP: `["password"]=> string(12) "…"`.
  if (equals && from > sign + 1)
    from += /^\s{1,20}string\(\d{1,5}\)\s{1,4}(?=")/.exec(text.slice(from, from + 40))?.[0].length ?? 0
  while (from - sign <= 12 && /[ \t\n\r]/.test(text.charAt(from))) from++
  const apart = from > sign + 1 || end + quote.length < sign
  const typographic = TYPOGRAPHIC.exec(text.slice(from, from + 2))?.[0]
  if (typographic !== undefined) return inTypographic(text, from, typographic, name, rule)
  const delimiter = /^(?:[bfrub]?(?:"""|'''(?!')|"|'|`)|\\"|\*\*|\*)/i.exec(text.slice(from, from + 5))?.[0]
  // `getpass("Password: ")`: it ends the string that the name is in.
  if (
    delimiter !== undefined &&
    quote === '' &&
    /["'`]/.test(delimiter) &&
    text.charAt(begin - 1) === delimiter &&
    /^\s*(?:[),;]|$)/.test(text.slice(from + 1, from + 4))
  )
    return undefined
  // `read -p 'Password: ' PW`: it closes the string of a prompt.
  if (delimiter !== undefined && quote === '' && delimiter.length === 1 && closesPrompt(text, begin, from, delimiter))
    return undefined
  if (delimiter !== undefined)
    return quoted(text, from + delimiter.length, delimiter.replace(/^[bfru]/i, ''), name, rule)
  const wrapper = WRAPPER.exec(text.slice(from, from + 60))?.[0]
  if (wrapper !== undefined) return quoted(text, from + wrapper.length, wrapper.at(-1)!, name, rule)
  if (equals && text[sign + 1] === '>') return undefined
  from += schemeLength(text.slice(from, from + 24))
  const number = (rule.digits || rule.number) && !parameter ? numberAt(text, from, rule.id === 'name:identity') : 0
  if (number > 0 && isSecretOf(rule, text.slice(from, from + number))) return { from, to: from + number, rule: rule.id }
  const phrase =
    responseAt(text, begin, from, name) ||
    codeWordAt(text, { begin, from, name }, rule) ||
    (rule.id === 'name:pin' || (rule.ambiguous && /\n/.test(text.slice(sign, from))) ? 0 : phraseAt(text, from, name))
  if (phrase > 0 && !parameter) return { from, to: from + phrase, rule: rule.id }
  COOKIE.lastIndex = from
  const pattern =
    /cookies?$/i.test(name) && COOKIE.test(text) && !(parameter && /^[\w%.-]*&/.test(text.slice(from, from + 400)))
      ? COOKIES
      : parameter
        ? PARAMETER
        : BARE
  pattern.lastIndex = from
  const written = (withAmpersand(text, from, pattern) ?? pattern.exec(text)?.[0] ?? '').slice(0, LONGEST_VALUE)
  // `rcon.password=creeperSoup!!`: nothing but a name and a value.
  const isLine =
    equals &&
    !apart &&
    /(?:^|[\r\n])[ \t]*$/.test(text.slice(Math.max(0, begin - 12), begin)) &&
    /^[ \t]*(?:[\r\n]|$)/.test(text.slice(from + written.length, from + written.length + 12))
  const value = written.replace(isLine ? /[.,:*]+$/ : /(?:[.,:*]|(?<![!?])[!?](?![!?]))+$/, '')
  // `API_KEY=`, and another variable in the next line.
  if (/\n/.test(text.slice(sign, from)) && /^[\w.-]{1,60}=/.test(value)) return undefined
  // The width of a pulse: `pw=1500 us`.
  if (/^pw$/i.test(name) && /^\d+ ?(?:(?:u|n|m|µ|μ)?s|%|px|hz|khz|deg)(?!\p{L})/iu.test(text.slice(from, from + 24)))
    return undefined
  if (value === '' || isPlaceholder(value, name))
    return rule.id === 'name:password' && mayBeChosen(value)
      ? { from, to: from + value.length, rule: rule.id, doubtful: true }
      : undefined
  // `auth: sessions=41`: a count, with a name of its own.
  if (rule.ambiguous && !parameter && /^[\p{L}_-]{2,40}=\d{1,9}$/u.test(value)) return undefined
  if ((rule.looksUp || rule.random) && !isSecretOf(rule, value)) return undefined
  // `secretKey: smtpPassword`
  if (!parameter && isNameOfSecret(value, rule.id, names)) return undefined
  const one = { from, to: from + value.length, rule: rule.id }
  if (pattern === COOKIES) return isPreference(value) ? undefined : one
  if (isOtherwise(text, { begin, from, name, value })) return undefined
  // What somebody enters at another device (RFC 8628).
  if (/user[-_ ]?code$/i.test(name) && /^[A-Z\d]{4}-?[A-Z\d]{4}$/.test(value)) return one
  // `code` and `key` in a URL are ambiguous words.
  if (parameter) {
    const long = value.length >= 14 && /^[A-Za-z\d]+$/.test(value)
    if (
      form &&
      !text.includes('&') &&
      (isPlace(value) || (isExpression(value, name) && !/^[A-Z][A-Z\d_]*$/.test(name)))
    )
      return undefined
    // `clave=reports/q3.pdf`: a word with other meanings, and a file.
    if (
      (rule.ambiguous || rule.id === 'name:signature') &&
      /^[\w.-]+(?:\/[\w.-]+)*\/[\w-]+\.[a-z]\w{1,3}$/i.test(value)
    )
      return undefined
    return names.ruleOf(name, 'key') !== undefined || looksSecret(value) || long ? one : undefined
  }
  // `パスワード:8文字以上…`
  if (describesField(value)) return undefined
  const next = text.charAt(from + value.length)
  // `DB_PASSWORD=sunshine`, `--password=sunshine`, `Server=…;Password=sunshine`; in source code it would be a variable.
  const given =
    equals &&
    !apart &&
    (/^[A-Z][A-Z\d_]*_[A-Z\d_]+$|^[A-Z]{2,12}(?:PASSWORD|PASSWD|PASS|PWD|SECRET)$/.test(name) ||
      name.startsWith('-') ||
      // No variable of a program is named like that, or has such a value.
      /\P{ASCII}/u.test(name) ||
      (rule.id === 'name:password' && /\d/.test(value) && chosenLikeness(value) > 0) ||
      isAmongSettings(text, begin, from + value.length) ||
      isWordAmongPairs(text, { begin, from, to: from + value.length }, rule, names) ||
      isAmongPairs(text, begin, from + value.length, value))
  // A call of a function, unless no function is named like that: `key: 8d84…(used if none is given)`.
  if (isPlace(value) || (next === '(' && value.length < 24) || /^[=[]/.test(next)) return undefined
  const worded = areDottedWords(value)
  const joined = worded === 'sure' && !rule.ambiguous && isSettings(text, begin, true)
  // No program has such a name and such a value.
  const local = /\P{ASCII}/u.test(name) && /\d/.test(value) && !rule.ambiguous
  if (isExpression(value, name) && !joined && !local && (!given || READ.test(value)))
    return worded && isSettings(text, begin) ? { ...one, doubtful: true } : undefined
  if (joined) return one
  if (looksSecret(value) || (rule.id === 'name:key' && isSecretOf(rule, value) && isSettings(text, begin))) return one
  if (
    !rule.ambiguous &&
    !equals &&
    chosenLikeness(value) > 0 &&
    CHOSEN_BEHIND.test(text.slice(from + value.length, from + value.length + 3))
  )
    return one
  if ((rule.digits || rule.number) && isSecretOf(rule, value) && /^[#*]?\p{Nd}/u.test(value))
    return value.length > 3 || rule.ambiguous ? one : undefined
  if (rule.id === 'name:pin' && isTypedCode(value)) return one
  // `parolă_curier: Zimbru-Albastru`, alone in its line.
  if (
    rule.ambiguous &&
    rule.id === 'name:password' &&
    !equals &&
    chosenLikeness(value) > 0 &&
    /^[ \t]*(?:[\r\n]|$)/.test(text.slice(from + value.length, from + value.length + 20)) &&
    /(?:^|[\r\n])[ \t>*•-]*$/.test(text.slice(Math.max(0, begin - 12), begin))
  )
    return one
  const alone = /^[ \t]*(?:[\r\n#]|$)/.test(text.slice(from + value.length, from + value.length + 40))
  const below = /\n/.test(text.slice(sign, from))
  // Among the settings of a file, in a comment: `# cheie precomună: …`.
  if (
    !equals &&
    alone &&
    (rule.ambiguous === undefined || (rule.id === 'name:password' && chosenLikeness(value) > 0)) &&
    !below &&
    /[\d!$%&+*?/]|-\p{L}/u.test(value) &&
    value.length > 5 &&
    /(?:^|[\r\n])[ \t]*(?:#|\/\/|;|--|REM )[ \t#;/]*(?:\p{L}[\p{L}\p{M}-]* ){0,3}$/u.test(
      text.slice(Math.max(0, begin - 60), begin),
    ) &&
    isSettings(text, begin, true)
  )
    return one
  // Among settings, what a person chose: `archivio.parola-chiave=…`.
  if (rule.ambiguous)
    return equals && (!apart || (alone && SECTIONS.test(text))) && chosenLikeness(value) > 0 && isSettings(text, begin)
      ? /\d/.test(value)
        ? one
        : { ...one, doubtful: true }
      : undefined
  if (alone && !below && isJoinedPair(text, begin, name, value)) return one
  // `login.password=Parola`: the same name in another language.
  if (/^\p{L}+$/u.test(value) && names.isName(value)) return given ? { ...one, doubtful: true } : undefined
  if (given || (!apart && isFieldOfStruct(text, begin, one.to)) || isFieldAmong(text, begin, one.to, value)) return one
  // `Enter passphrase:` and the answer in the next line.
  const first = (below || /\P{ASCII}/u.test(name) ? /(?:^|[\r\n])[\p{L} \t-]{0,30}$/u : /(?:^|[\r\n])[ \t-]*$/).test(
    text.slice(Math.max(0, begin - 40), begin),
  )
  if (!alone || !first || value.length < 4 || QUALIFIED.test(value)) return undefined
  return isSettings(text, begin) ? one : { ...one, doubtful: true }
}

/** A quote of this kind is open in the line, and nothing of a value follows. */
const closesPrompt = (text: string, begin: number, at: number, quote: string): boolean => {
  if (!/["'`]/.test(quote) || !/^(?:[\s),;&|>]|$)/.test(text.slice(at + 1, at + 2))) return false
  const line = text.slice(Math.max(0, begin - 300), begin).replace(/[^]*\n/, '')
  return line.split(quote).length % 2 === 0
}

/** The quotation marks of other languages than programs, with those that close them. */
const TYPOGRAPHIC = /^(?:[«“”„「『‹])/u
const CLOSING: Readonly<Record<string, RegExp>> = {
  '«': /»/,
  '‹': /›/,
  '“': /”/,
  '”': /”/,
  '„': /[“”]/,
  '「': /」/,
  '『': /』/,
}

const inTypographic = (
  text: string,
  from: number,
  open: string,
  name: string,
  rule: NameRule,
): Assigned | undefined => {
  const value = text.slice(from + 1, from + 201).split(/\n/, 1)[0]!
  const length = value.search(CLOSING[open]!)
  if (length < 3) return undefined
  const inner = value.slice(0, length)
  const secret = inner.trim()
  const begin = from + 1 + inner.indexOf(secret)
  // A question or an ellipsis is a label: „vergessen?“
  if (/[?？…]$/.test(secret) || describesField(secret)) return undefined
  if (isPlaceholder(secret, name) || !(isSecretOf(rule, secret) || chosenLikeness(secret) > 0)) return undefined
  return /\s/.test(secret) && !isWordsOfPassword(rule, secret) && !looksSecret(secret)
    ? undefined
    : { from: begin, to: begin + secret.length, rule: rule.id }
}

/** A file of settings in sections, whose equals signs may have spaces around them. */
const SECTIONS = /^[ \t]*\[[^\]\n]{1,60}\][ \t]*$/m

/** `case-sensitive` */
const QUALIFIED = /-(?:sensitive|protected|less|based|only)$/i

/** `Quiz passcode: plum-tundra`: two words, behind a label in front of a line, whose name no form has but for such a word. */
const isJoinedPair = (text: string, begin: number, name: string, value: string): boolean =>
  /pass[ _-]?(?:code|phrase)$/i.test(name) &&
  /^\p{L}{3,14}-\p{L}{3,14}$/u.test(value) &&
  !value.split('-').some((piece) => COMPOUND.test(piece) || isFieldState(piece)) &&
  !QUALIFIED.test(value) &&
  /(?:^|[\r\n])[ \t>*•-]*(?:\p{L}[\p{L}\p{M}-]* ){0,3}$/u.test(text.slice(Math.max(0, begin - 60), begin))

/** A program goes on behind a value: `password: form.Value2,`. */
const CHOSEN_BEHIND = /^(?:\s|$|[.!]\s)/

/** What reads a secret from elsewhere. */
const READ = /^(?:process|os|env|ENV|System|config|settings|import|this|self|options|props)\b\./

/** Other settings of a connection, in one line: a connection string, a DSN, the arguments that a trace shows. */
const SETTINGS =
  /(?:^|[\s;,(?"'`])(?:server|data source|host|hostname|hostaddr|database|initial catalog|dbname|db|user(?: ?id|name)?|uid|login|port|endpoint|driver|accountname|ssl ?mode|encrypt)=[^\s=;,()]/i
const isAmongSettings = (text: string, begin: number, end: number): boolean =>
  /[;,\s(]/.test(text.charAt(begin - 1)) &&
  (SETTINGS.test(text.slice(Math.max(0, begin - 160), begin).replace(/[^]*\n/, '')) ||
    SETTINGS.test(text.slice(end, end + 80).replace(/\n[^]*/, '')))

/** `bind_dn=cn=ro bind_pw=… tls=true`: a line of a log, whose values no program would compute. */
const isAmongPairs = (text: string, begin: number, end: number, value: string): boolean =>
  /[\s;]/.test(text.charAt(begin - 1)) &&
  value.length > 5 &&
  (/[\d&!@#%^*+~-]/.test(value) || areDottedWords(value) !== undefined) &&
  /(?:^|[\s;])[\w.-]{2,40}=[^\s=(][^\s(]*[ ;]\s?$/.test(text.slice(Math.max(0, begin - 120), begin)) &&
  /^(?:$|[\r\n]|[ ;]\s?[\w.-]{2,40}=[^\s=(])/.test(text.slice(end, end + 60))

/** `{user: ada, zaporka: lavanda-Hvar, attempt: 2}`: no variable has such a name. */
const isFieldAmong = (text: string, begin: number, to: number, value: string): boolean =>
  chosenLikeness(value) > 0 &&
  !/^[\w$.]+$/.test(value) &&
  /[{,(]\s{0,2}$/.test(text.slice(Math.max(0, begin - 3), begin)) &&
  /^\s?[,})]/.test(text.slice(to, to + 2))

/** Go prints a struct as `{User:ada Password:sunshine Port:5432}`. */
const isFieldOfStruct = (text: string, begin: number, to: number): boolean =>
  /[{ ]/.test(text.charAt(begin - 1)) &&
  /^[A-Z]/.test(text.charAt(begin)) &&
  /^(?:\}| [A-Z]\w{0,40}:\S)/.test(text.slice(to, to + 50)) &&
  /[{ ][A-Z]\w{0,40}:\S*[ }]|\{$/.test(text.slice(Math.max(0, begin - 100), to + 1))

interface Place {
  readonly begin: number
  readonly from: number
  readonly name: string
  readonly value: string
}

/** An Indian postal code beside an address; the tangent of an angle. */
const isOtherwise = (text: string, { begin, from, name, value }: Place): boolean => {
  if (/^pin(?:[ -]?code)?$/i.test(name) && /^[1-9]\d{5}$/.test(value)) return isOfAddress(text, begin)
  // The fingerprint of a public key, as images of languages have it in their environment.
  if (/^[gp]pg_?key$/i.test(name) && /^(?:0x)?[\dA-F]{40}$/.test(value)) return true
  return (
    /^tan$/i.test(name) &&
    /\b(?:sin|cos|cot|tan|tanh|arctan)\s?\(|\b(?:sin|cos|deg|rad|slope|angle)\b/i.test(
      text.slice(Math.max(0, begin - 80), from + 60),
    )
  )
}

/** `Wren&Thistle`: one word, unless what follows the sign is another parameter, an entity or a command. */
const withAmpersand = (text: string, from: number, pattern: RegExp): string | undefined =>
  pattern === BARE
    ? (wholeLine(text, from) ??
      escapedLine(text, from) ??
      /^[^\s"'`<>,;(){}[\]|&\\=/]{2,60}&[^\s"'`<>,;(){}[\]|&\\=/]{2,60}(?=[\s,})\]]|$)/.exec(
        text.slice(from, from + 130),
      )?.[0])
    : undefined

/** `key-store-password=quarry\\:bell\\=7`: `.properties` have backslashes in front of signs. */
const escapedLine = (text: string, from: number): string | undefined =>
  /(?:^|\n)[ \t]*[\w.-]{1,80}[ \t]?[=:][ \t]?$/.test(text.slice(Math.max(0, from - 96), from))
    ? /^(?=[^\\\r\n]{1,60}\\[:=#!])(?:[^\s"'`<>,;(){}[\]|&\\]|\\[:=#!\\]){4,100}(?=[ \t]*(?:\r?\n|$))/.exec(
        text.slice(from, from + 400),
      )?.[0]
    : undefined

// `pepper=maple|river|51`
const wholeLine = (text: string, from: number): string | undefined =>
  /(?:^|\n)[ \t]*(?:export )?[\w.-]{1,80}=$/.test(text.slice(Math.max(0, from - 96), from))
    ? /^[^\s"'`<>,;(){}[\]|&\\=/]{2,60}(?:\|[^\s"'`<>,;(){}[\]|&\\=/]{1,60}){1,8}(?=\r?\n|$)/.exec(
        text.slice(from, from + 400),
      )?.[0]
    : undefined

/** Capitals, small letters and digits in one part, or digits in four places: not how programs name things. */
const isMixed = (part: string): boolean =>
  part.length > 9 &&
  /\d[A-Za-z]/.test(part) &&
  ((/[a-z]/.test(part) && /[A-Z]/.test(part)) || (part.match(/\d+/g) ?? []).length > 3)

/** Source code: `process.env.TOKEN1`, `userPassword`, `str`. */
const isExpression = (value: string, name: string): boolean => {
  if (
    /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/.test(value) &&
    value.split('.').every((part) => part.length < 20 && !isMixed(part))
  )
    return true
  if (!/^[A-Za-z_$][\w$]*$/.test(value) || /\d/.test(value)) return false
  const word = name.replace(/.*[^A-Za-z]/, '').toLowerCase()
  return word.length > 2 && value.toLowerCase().includes(word)
}

/** `client ap-floor2 {`: a section of settings, and no statement of a program. */
const SECTION =
  /^\s*(?!(?:class|function|fn|func|fun|if|for|while|switch|try|else|do|interface|type|enum|struct|impl|trait|object|namespace|module|package|public|private|protected|static|abstract|export|import|const|let|var|val|def|return|new|async|union|message|service|extension|protocol|sub|query|mutation)\b)[\p{L}][\p{L}\p{M}\p{N}_-]*(?:\s+["']?[\p{L}\p{N}.:/*_-]+["']?){0,3}\s*\{\s*$/u

/**
 * Lines of settings around an offset, as in YAML, `.properties` and `.env`, and not those of a program.
 *
 * @param sections count sections in braces as settings
 */
const isSettings = (text: string, at: number, sections = false): boolean => {
  const around = text.slice(Math.max(0, at - 600), at + 600).split(/\r?\n/)
  if (around.length > 2) {
    around.shift()
    around.pop()
  }
  const lines = around.filter(
    (line) => line.trim() !== '' && !(sections && (SECTION.test(line) || line.trim() === '}')),
  )
  if (
    lines.some((line) =>
      /[;{(]\s*$|^\s*(?:const|let|var|function|class|import|export|def|return|if|for|interface|type)\b/.test(line),
    )
  )
    return false
  const settings = lines.filter((line) =>
    /^\s*(?:[#;!]|-{3}|\[[^\]]+\]\s*$|(?:- )?["']?[\p{L}\p{M}\w.${}/ -]{1,60}["']?\s*[:：=՝፡](?:\s|\S)|- |[\w-]+:\s*$)/u.test(
      line,
    ),
  )
  return settings.length >= lines.length * 0.6
}

const quoted = (text: string, from: number, delimiter: string, name: string, rule: NameRule): Assigned | undefined => {
  // The quote closes a prompt: `expect "Password:"`.
  if (delimiter.length === 1 && /[\r\n]/.test(text.charAt(from))) return undefined
  let to = from
  while (to < text.length && to - from < LONGEST_VALUE && !text.startsWith(delimiter, to))
    to += text[to] === '\\' && delimiter.length === 1 ? 2 : 1
  to = Math.min(to, text.length)
  const scheme = schemeLength(text.slice(from, from + 24))
  const value = text.slice(from + scheme, to)
  if (isPlaceholder(value, name) || /^\$\{|^\{\{|^%\(/.test(value)) return undefined
  const one = { from: from + scheme, to, rule: rule.id }
  if (isSecretOf(rule, value) || (isAnswerName(name) && isAnswer(value)) || areWordsInPlace(rule, value)) return one
  // Next to a user or a host, `pass` is a password.
  if (rule.ambiguous && /^\S{5,40}$/.test(value) && LOGIN.test(text.slice(Math.max(0, from - 200), from))) return one
  return rule.ambiguous && value.length >= 6 && !/\s/.test(value) ? { ...one, doubtful: true } : undefined
}

const LOGIN =
  /(?:^|[\s"'{,])(?:user(?:name)?|login|account)["'\]]{0,2}\s?(?:=>|[:=])\s?["']?[\w.@-]{2,60}["']?,?\s{1,20}\[?["']?pass["'\]]{0,2}\s?(?:=>|[:=])\s?["']$/i
