/**
 * Secrets in programs and in configuration that is one: `setenv("API_KEY", "…")`, `process.env.TOKEN || "…"`,
 * `let password: string = "…"`, `passwords = ["…"]`, HCL blocks, columns of SQL. Each search begins at a sign that is
 * rare, and looks back for the name: beginning with the name would try every word of a long text.
 */
import { chosenLikeness } from './chosen-words.ts'
import type { FoundInText } from './found-in-text.ts'
import { isPlace, isPlaceholder, isSecretOf, looksSecret, schemeLength } from './heuristics.ts'
import type { NameRule, Names } from './secret-names.ts'

const STRING = '(["\'`])((?:\\\\.|(?!\\1)[^\\\\\\n]){3,4000})\\1'
/** How far a name may be in front of the sign. */
const BACK = 100
const MOST_ITEMS = 100

export const secretsInSource = (text: string, names: Names, found: FoundInText): void => {
  const quotes = /["'`]/.test(text)
  if (quotes && text.includes(',')) callsIn(text, names, found)
  if (quotes) fallbacksIn(text, names, found)
  if (quotes && text.includes('=')) typedIn(text, names, found)
  if (quotes) listsIn(text, names, found)
  if (quotes && text.includes('{')) blocksIn(text, names, found)
  if (quotes && text.includes(')')) filledIn(text, names, found)
  if (quotes) wrappedIn(text, found)
  if (quotes && text.includes('(')) connectsIn(text, found)
  if (text.includes('send: sending')) typedByExpect(text, found)
  if (quotes && /set|with|use/.test(text)) settersIn(text, names, found)
  if (text.includes('${')) defaultsIn(text, names, found)
  if (/insert\s+(?:ignore\s+|or\s+\w+\s+)?into/i.test(text)) insertsIn(text, names, found)
}

/** Reports a value behind a name, unless it only says something about it. */
const report = (value: string, at: number, name: string, rule: NameRule, strict: boolean, found: FoundInText): void => {
  const scheme = schemeLength(value)
  const secret = value.slice(scheme)
  if (isPlaceholder(secret, name) || isPlace(secret) || /^\$\{|^\{\{|^%\(/.test(secret)) return
  if (strict ? looksSecret(secret) && isSecretOf(rule, secret) : isSecretOf(rule, secret))
    found({ from: at + scheme, to: at + value.length, rule: rule.id })
}

/** Functions that set what they get, or fall back to it. */
const SETS =
  /(?:set|put|add|append|insert|define|env|environ|config|header|headers|property|param|field|fill|type|with|store|secret|option|var|variable|values|default|get|getenv|fetch|lookup|sendkeys|credential|credentials|auth)\w{0,24}\s*\($/i

/** A quoted name, a comma, a quoted value. */
const callsIn = (text: string, names: Names, found: FoundInText): void => {
  // The value is only looked at, because it may be the name of the next one.
  for (const { 2: name = '', 4: value = '', index, 0: all } of text.matchAll(
    /(["'`])([\w$.:/ #=[\]-]{2,80})\1\s{0,40},\s{0,40}(?:[A-Za-z_][\w.:]{0,30}\()?(?=(["'`])((?:\\.|(?!\3)[^\\\n]){3,4000})\3)/g,
  )) {
    const option = name.startsWith('-')
    const before = text.slice(Math.max(0, index - BACK), index)
    const call = /[\w.$]\s{0,4}\(\s{0,4}(?:[^()"'`\n]{0,40},\s{0,4})?$/.test(before)
    const rule = names.of(name, 'variable') ?? (call ? names.of(name, 'header') : undefined)
    if (!rule || value.startsWith('-') || names.of(value, 'variable')) continue
    const sets = call && SETS.test(before.replace(/[^()]*$/, ''))
    report(value, index + all.length + 1, name, rule, !(sets || (option && !rule.ambiguous)), found)
  }
}

/** Types that are made of nothing but a secret. */
const WRAPPED = new RegExp(
  `\\b(?:Secret(?:Str|String|Bytes)|SecureString|SensitiveString)\\(\\s{0,4}(?:b|value=)?${STRING}`,
  'g',
)

const wrappedIn = (text: string, found: FoundInText): void => {
  for (const { 2: value = '', index, 0: all } of text.matchAll(WRAPPED))
    if (!isPlaceholder(value) && !/\s/.test(value)) {
      const from = index + all.length - value.length - 1
      found({ from, to: from + value.length, rule: 'name:secret' })
    }
}

/** Functions that get a password as an argument, and which one: in a program and in the trace of an error. */
const CONNECTS =
  /(?:(?<third>PDO(?:(?:->|::)__construct)?|mysqli(?:_connect|_real_connect|->__construct|->real_connect)?|mysql_connect|pg_connect|ftp_login|ssh2_auth_password|ldap_bind|imap_open|odbc_connect|getConnection|psycopg2\.connect|pymysql\.connect|MySQLdb\.connect|smbclient\.register_session)|(?<second>\.login|\.authenticate|\.basicAuth|\.setCredentials|UsernamePasswordCredentials|PasswordCredentials|NetworkCredential|HTTPBasicAuth|oci_connect))\(\s{0,4}(?<args>[^()\n]{3,300})/g
const ARGUMENT = /\s{0,4}(?:(["'])((?:\\.|(?!\1)[^\\\n]){0,200})\1|[^,"'\s][^,"']{0,120})\s{0,4}(?:,|$)/y

const connectsIn = (text: string, found: FoundInText): void => {
  for (const match of text.matchAll(CONNECTS)) {
    const { second, args } = match.groups!
    const begin = match.index + match[0].length - args!.length
    ARGUMENT.lastIndex = 0
    let last: RegExpExecArray | null = null
    let from = 0
    for (let count = second === undefined ? 3 : 2; count > 0; count--) {
      from = ARGUMENT.lastIndex
      last = ARGUMENT.exec(args!)
      if (!last) break
    }
    const value = last?.[2]
    if (
      value === undefined ||
      value.length < 4 ||
      /\.\.\.$|^[\w.-]+:\/\//.test(value) ||
      isPlaceholder(value) ||
      isPlace(value)
    )
      continue
    const at = begin + from + last![0].indexOf(value)
    found({ from: at, to: at + value.length, rule: 'name:password' })
  }
}

/** What expect types, as its log shows it. One word that isn't a command. */
const typedByExpect = (text: string, found: FoundInText): void => {
  for (const { 1: value = '', index, 0: all } of text.matchAll(/send: sending "([^"\\\s]{5,80})(?:\\[rn])+"/g)) {
    const from = index + all.indexOf(value, 15)
    const one = { from, to: from + value.length, rule: 'context:prose' }
    found(chosenLikeness(value) > 0 || looksSecret(value) ? one : { ...one, doubtful: true })
  }
}

/** Tests of pages: `getByLabel("Password").fill("…")`, `get("#password").type("…")`. */
const FILLED = new RegExp(
  `\\)\\s{0,20}\\.(?:fill|type|send_?keys|set_?value|press_?sequentially|input|enter|set)\\(\\s{0,4}${STRING}`,
  'gi',
)

const filledIn = (text: string, names: Names, found: FoundInText): void => {
  for (const { 2: value = '', index, 0: all } of text.matchAll(FILLED)) {
    const name = /["'`]([^"'`\n]{2,80})["'`]\s{0,4}$/.exec(text.slice(Math.max(0, index - BACK), index))?.[1]
    const rule = name === undefined ? undefined : names.of(name.replace(/[\])"']+$/, ''), 'variable')
    if (rule) report(value, index + all.length - value.length - 1, name!, rule, false, found)
  }
}

/** `config.setPassword("…")`, `.with_api_key("…")`. */
const SETTER = new RegExp(
  `\\b(?:set|with|use|set_|with_|use_)([A-Za-z]\\w{1,40})\\(\\s{0,4}(["'])([^"'\\n]{3,400})\\2\\s{0,4}\\)`,
  'g',
)

const settersIn = (text: string, names: Names, found: FoundInText): void => {
  for (const { 1: name = '', 3: value = '', index, 0: all } of text.matchAll(SETTER)) {
    const rule = names.of(name, 'variable')
    const from = index + all.lastIndexOf(value)
    if (rule && !/\s/.test(value)) report(value, from, name, rule, false, found)
  }
}

const NAME_BEFORE = /([\p{L}_$][\p{L}\p{N}_$.-]{1,79})["'`]?\s{0,4}[\])]{0,2}\??\s{0,4}$/u

/** `process.env.TOKEN || "…"`, `ENV["TOKEN"] ?? "…"`, `var("TOKEN").unwrap_or("…")`. */
const FALLBACK = new RegExp(
  `(?:\\|\\||\\?\\?=?|\\?:|\\bor\\b|\\.unwrap_or(?:_else)?\\(|\\.or(?:Else|_else)\\(|\\|\\s?default\\(?|\\)\\s?\\{)\\s{0,4}(?:\\|_?\\|\\s?)?${STRING}`,
  'g',
)

const fallbacksIn = (text: string, names: Names, found: FoundInText): void => {
  for (const { 2: value = '', index, 0: all } of text.matchAll(FALLBACK)) {
    const name = NAME_BEFORE.exec(text.slice(Math.max(0, index - BACK), index))?.[1]
    const rule = name === undefined ? undefined : names.of(name, 'variable')
    // Words are messages: `password || "enter one"`.
    if (rule) report(value, index + all.length - value.length - 1, name!, rule, /\s/.test(value), found)
  }
}

/** `${TOKEN:-…}`. */
const defaultsIn = (text: string, names: Names, found: FoundInText): void => {
  for (const { 1: name = '', 2: value = '', index, 0: all } of text.matchAll(
    /\$\{([A-Za-z_]\w{1,60}):?[-=]["']?([^}\n$"']{3,300})["']?\}/g,
  )) {
    const rule = names.of(name, 'variable')
    if (rule) report(value, index + all.lastIndexOf(value), name, rule, false, found)
  }
}

/** `password: str = "…"`, `param password string = '…'`: a type between the name and its value. */
const TYPED = new RegExp(
  `[\\s:[&](?:[Ss]tr(?:ing)?|'?static str|Secret(?:Str|String)?|[sS]ecure[sS]tring|std::string|bytes|[Tt]ext|char\\*?|varchar)\\]?(?:\\s?\\|\\s?\\w{1,20})?\\s{0,4}=\\s{0,4}(?:\\w{1,20}\\((?:default=)?)?${STRING}`,
  'g',
)

const typedIn = (text: string, names: Names, found: FoundInText): void => {
  for (const { 2: value = '', index, 0: all } of text.matchAll(TYPED)) {
    const before = text.slice(Math.max(0, index - BACK), index)
    const name = /([\w$]{2,80})\??\s{0,4}:?\s{0,4}&?(?:Optional|Option|Maybe)?$/.exec(before)?.[1]
    const rule = name === undefined ? undefined : names.of(name, 'variable')
    if (rule) report(value, index + all.length - value.length - 1, name!, rule, false, found)
  }
}

const ITEM = /\s{0,80}(["'`])((?:\\.|(?!\1)[^\\\n]){1,500})\1\s{0,40}([,:\])}])?/y

/** `api_keys = ["…", "…"]`, `passwords: {"ada": "…"}`. */
const listsIn = (text: string, names: Names, found: FoundInText): void => {
  for (const { index, 0: all } of text.matchAll(/(?:=>|[:=])\s{0,10}(?:[\w.:]{0,30})[[({]\s{0,80}(?=["'`])/g)) {
    const name = NAME_BEFORE.exec(text.slice(Math.max(0, index - BACK), index))?.[1]
    const rule = name === undefined ? undefined : names.of(name, 'key')
    if (!rule) continue
    const plural = /s$/i.test(name!)
    ITEM.lastIndex = index + all.length
    let isKey = false
    for (let count = 0; count < MOST_ITEMS; count++) {
      const from = ITEM.lastIndex
      const item = ITEM.exec(text)
      if (!item) break
      const at = from + item[0].indexOf(item[1]!) + 1
      isKey = item[3] === ':'
      if (!isKey && item[2]!.length > 5) report(item[2]!, at, name!, rule, !plural || rule.ambiguous === true, found)
      if (item[3] !== ',' && !isKey) break
    }
  }
}

/** `variable "api_token" { default = "…" }`, `output "password" { value = "…" }`. */
const blocksIn = (text: string, names: Names, found: FoundInText): void => {
  for (const { 1: kind = '', 2: label = '', index, 0: all } of text.matchAll(
    /\b(?:variable|output|resource|parameter|param|secret|setting)\s{1,4}"([^"\n]{2,80})"(?:\s{1,4}"([^"\n]{1,80})")?\s{0,4}\{/g,
  )) {
    const name = [label, kind].find((one) => names.of(one, 'variable'))
    const rule = name === undefined ? undefined : names.of(name, 'variable')
    if (!rule) continue
    const begin = index + all.length
    const body = /^[^}]*/.exec(text.slice(begin, begin + 1000))![0]
    for (const { 1: value = '', index: at, 0: member } of body.matchAll(
      /\b(?:default|value|result|content|plaintext|secret_string)\s{0,20}[=:]\s{0,4}"((?:\\.|[^"\\\n]){3,500})"/g,
    ))
      report(value, begin + at + member.length - value.length - 1, name!, rule, false, found)
  }
}

const CELL =
  /\s*(?:[eENnbBxX]?'((?:''|\\.|[^'\\])*)'|"((?:""|\\.|[^"\\])*)"|[^,()'"]{1,200}(?:\([^()]{0,200}\))?)\s*([,)])/y
const MOST_ROWS = 1000

/** `INSERT INTO users (name, password) VALUES ('ada', '…')`. */
const insertsIn = (text: string, names: Names, found: FoundInText): void => {
  for (const { 1: columns = '', index, 0: all } of text.matchAll(
    /insert\s{1,4}(?:ignore\s{1,4}|or\s{1,4}\w{1,10}\s{1,4})?into\s{1,4}[^\s(]{1,200}\s{0,10}\(([^()]{1,2000})\)\s{0,10}values\s{0,10}/gi,
  )) {
    const head = columns.split(',').map((column) => column.replace(/^\W+|\W+$/g, ''))
    const rules = head.map((name) => names.of(name, 'key'))
    if (!rules.some(Boolean)) continue
    let at = index + all.length
    for (let row = 0; row < MOST_ROWS && text[at] === '('; row++) {
      CELL.lastIndex = at + 1
      for (let column = 0; column < head.length; column++) {
        const from = CELL.lastIndex
        const cell = CELL.exec(text)
        if (!cell) return
        const value = cell[1] ?? cell[2]
        const rule = rules[column]
        if (rule && value !== undefined && value.length > 2)
          report(value, from + cell[0].indexOf(value), head[column]!, rule, false, found)
        if (cell[3] === ')') break
      }
      at = CELL.lastIndex
      while (at < text.length && /[\s,]/.test(text[at]!)) at++
    }
  }
}
