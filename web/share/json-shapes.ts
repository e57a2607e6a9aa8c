/**
 * Shapes of JSON that say which of their members is a secret, without a member of that name: pairs of a name and a value,
 * fields marked as sensitive, tables with a head, manifests of Kubernetes, flat lists of headers. And what a value looks
 * like that a member's name calls a secret: a label, words that somebody chose, the bytes of a key.
 */
import { isList, isRecord, type Value, type ValueObject } from '../json/index.ts'
import {
  areWordsInPlace,
  chosenLikeness,
  describesField,
  isSecurityQuestion,
  isWordsOfPassword,
  type NameRule,
  type Names,
} from '../secrets/redaction.ts'

const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(' '))

/** The last word of a member's name: `ParameterKey`, `param_value`. */
const lastWord = (key: string): string =>
  key
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z\d]+/)
    .at(-1)!
    .toLowerCase()

const NAME_WORDS = wordSet(
  'n k name key header variable field id label property param parameter option var env attribute setting element selector ' +
    'locator placeholder target prompt question asked challenge q title path loc',
)
const MAY_VALUE =
  /(?:v|example|examples|default|val|value|text|content|answer|received|input|rejected|replied|reply|response|said|given|\ba)$/i
const VALUE_WORDS = wordSet(
  'example examples default value val v text content answer received input rejected replied reply response said given a',
)
/** Words that only a form or a test of a page has behind the name of a field. */
const FIELD = /\s*(?:\b(?:field|input|box|textbox|text box|entry|element)\b|[\])"':*?])\s*$/i

const ruleOfLabel = (label: string, names: Names): NameRule | undefined => {
  let name = label
  for (let count = 0; count < 4; count++) name = name.replace(FIELD, '')
  return names.of(name, 'key') ?? names.of(name, 'header') ?? (isSecurityQuestion(label) ? ANSWER : undefined)
}

const ANSWER: NameRule = { id: 'name:password' }

/** `{"locator": {"label": "Contraseña"}}`: how a test of a page names a field. */
const labelOf = (locator: ValueObject): Value | undefined => {
  const key = Object.keys(locator).find((one) =>
    /^(?:label|name|placeholder|text|title|selector|css|id|testid)$/i.test(one),
  )
  return key === undefined ? undefined : locator[key]
}

export interface Pair {
  readonly rule: NameRule
  /** The members that hold the value. */
  readonly values: ReadonlySet<string>
}

/** `{"name": "API_KEY", "value": "…"}`, in any case and with any prefix. */
export const pairIn = (value: ValueObject, names: Names): Pair | undefined => {
  const keys = Object.keys(value)
  if (keys.length < 2 || keys.length > 40) return undefined
  const values = keys.filter((key) => MAY_VALUE.test(key) && VALUE_WORDS.has(lastWord(key)))
  if (values.length === 0) return undefined
  for (const key of keys) {
    const named = value[key] ?? null
    // `"path": ["user", "password"]`, as validators report it.
    const name = isList(named) ? named.at(-1) : isRecord(named) ? labelOf(named) : named
    if (typeof name !== 'string' || name.length > 80 || values.includes(key) || !NAME_WORDS.has(lastWord(key))) continue
    const rule = ruleOfLabel(name, names)
    if (rule) return { rule, values: new Set(values) }
  }
  return undefined
}

const MARKS = /^(?:is|x)?[-_ ]?(?:sensitive|secret|masked|secure|confidential|write-?only|is-?secret|is-?password)$/i
const MAY_MARK = /sensitive|secret|masked|secure|confidential|write|password/i
const MAY_KIND = /type$|kind$|format$|widget$/i
const KINDS =
  /^(?:.*[-_. ])?(?:secrets?|passwords?|passwd|passphrase|secure-?string|secret-?(?:text|string|str|key|value)|masked|credentials?|api-?key|private-?key)$/i
const KIND_MEMBERS = wordSet('type kind format widget datatype fieldtype inputtype valuetype subtype')
const MARKED: NameRule = { id: 'name:secret' }

/** A field that says of itself that its value is a secret: `"sensitive": true`, `"type": "password"`. */
export const markedRule = (value: ValueObject): NameRule | undefined => {
  const entries = Object.entries(value)
  if (!entries.some(([key, member]) => (member === true && MAY_MARK.test(key)) || MAY_KIND.test(key))) return undefined
  // `"is_secret": "false"` beside it.
  if (entries.some(([key, member]) => (member === false || member === 'false') && MARKS.test(key))) return undefined
  for (const [key, member] of entries) {
    if (member === true && MARKS.test(key)) return MARKED
    if (typeof member === 'string' && member.length < 40 && KIND_MEMBERS.has(key.toLowerCase().replace(/[^a-z]/g, '')))
      if (KINDS.test(member.replace(/([a-z])([A-Z])/g, '$1-$2'))) return MARKED
    if (key === 'ui:widget' && member === 'password') return MARKED
  }
  return undefined
}

/** Members of a marked field that hold its value. */
const MARKED_VALUES = wordSet('value values plaintext secret_string result default data content answer current')

export const isMarkedValue = (key: string): boolean => MARKED_VALUES.has(key) || MARKED_VALUES.has(lastWord(key))

/** The data of a Kubernetes Secret: every member is one. */
export const isManifestOfSecrets = (value: ValueObject): boolean =>
  value['kind'] === 'Secret' && (isRecord(value['data'] ?? null) || isRecord(value['stringData'] ?? null))

const HEADS = wordSet('columns headers header fields cols columnnames fieldnames head keys')
const ROWS = wordSet('rows data values records items body results')

export interface Table {
  /** The member that holds the rows. */
  readonly rows: string
  readonly columns: readonly (NameRule | undefined)[]
}

/** `{"columns": ["user", "password"], "rows": [["ada", "…"]]}`. */
export const tableIn = (value: ValueObject, names: Names): Table | undefined => {
  const keys = Object.keys(value)
  if (keys.length < 2 || keys.length > 40 || !keys.some((key) => isRows(value[key] ?? null))) return undefined
  const head = keys.find((key) => HEADS.has(key.toLowerCase().replace(/[^a-z]/g, '')) && isList(value[key] ?? null))
  const rows = keys.find((key) => key !== head && ROWS.has(key.toLowerCase()) && isRows(value[key] ?? null))
  if (head === undefined || rows === undefined) return undefined
  const columns = columnsOf(value[head] as readonly Value[], names)
  return columns && { rows, columns }
}

const isRows = (value: Value): value is readonly (readonly Value[])[] =>
  isList(value) && value.length > 0 && isList(value[0]!)

const columnsOf = (head: readonly Value[], names: Names): readonly (NameRule | undefined)[] | undefined => {
  if (head.length === 0 || head.length > 200) return undefined
  const columns = head.map((column) => {
    const name = isRecord(column) ? (column['name'] ?? column['field'] ?? column['key'] ?? column['title']) : column
    return typeof name === 'string' ? names.of(name, 'key') : undefined
  })
  return columns.some(Boolean) ? columns : undefined
}

/** A list of rows of which the first is the head. */
export const headedColumns = (list: readonly Value[], names: Names): readonly (NameRule | undefined)[] | undefined => {
  const first = list[0]
  if (list.length < 2 || first === undefined || !isList(first) || first.length < 2) return undefined
  if (!first.every((name) => typeof name === 'string' && /^[\p{L}][\p{L}\p{M}\p{N} _.-]{0,40}$/u.test(name)))
    return undefined
  if (!list.slice(1, 20).every((row) => isList(row) && row.length === first.length)) return undefined
  return columnsOf(first, names)
}

/** `[["TZ", "UTC"], ["API_KEY", "…"]]`: pairs of a name and a value, in any order. */
export const isPairs = (list: readonly Value[]): boolean =>
  list.length > 0 &&
  list.length < 500 &&
  list.every(
    (item) =>
      isList(item) &&
      item.length === 2 &&
      typeof item[0] === 'string' &&
      /^[\p{L}_][\p{L}\p{N}_. -]{1,60}$/u.test(item[0]),
  )

/** Names and values in turn, as Node's `rawHeaders` has them. */
export const isFlatHeaders = (list: readonly Value[], name: string | undefined): boolean =>
  name !== undefined &&
  /headers$|^(?:result|config|settings|params|parameters|pairs|options|properties)$/i.test(name) &&
  list.length > 1 &&
  list.length % 2 === 0 &&
  list.every((item, at) => typeof item === 'string' && (at % 2 === 1 || /^[A-Za-z][\w-]{0,80}$/.test(item)))

/** Words of a command: an option is among them. */
export const isCommand = (list: readonly Value[]): boolean =>
  list.length > 1 &&
  list.length < 500 &&
  list.every((item) => typeof item === 'string') &&
  list.some((item) => /^--?[A-Za-z]/.test(item))

const LOGIN =
  /^(?:(?:basic|http|proxy|default|admin|ssh|db)[-_ ]?)?(?:auth|login|log_in|creds?|credentials?|signin|sign_in|userpass|user_pass|account)$/i

/** Whose value is a user and a secret: `["ada", "…"]`, `ada:…`. */
export const isLogin = (name: string | undefined): boolean => name !== undefined && LOGIN.test(name)

/** `"passwords": {"ada": "…"}`: one for each of several users or services. */
export const isPlural = (name: string): boolean =>
  /(?:passwords|passphrases|passcodes|secrets|tokens|api_?-?keys|private_?-?keys|pins|credentials|creds)$/i.test(name)

const ABOUT = wordSet(
  'policy hint type kind provider path file name description label title enabled enable required version url uri href ' +
    'endpoint host user username login email id scope scopes status state algorithm format source location external ' +
    'driver mode method realm region profile encoding issuer audience message error pattern minlength maxlength',
)

/** A member about the secrets, such as `"provider"`, and not one of them. */
export const isAbout = (key: string): boolean =>
  ABOUT.has(key.toLowerCase().replace(/[^a-z]/g, '')) || ABOUT.has(lastWord(key))

/** `Access token for the proxy`: the description begins with the name. The value must be random, because it may say anything. */
export const describedRule = (description: Value | undefined, names: Names): NameRule | undefined => {
  if (typeof description !== 'string') return undefined
  const [, head] =
    /^(?:(?:the|your|an?|optional|required) ){0,2}([A-Za-z][A-Za-z0-9 -]{2,40}?)(?= (?:for|of|to|from|used|that|which|issued)\b|[.,:;(]|$)/i.exec(
      description,
    ) ?? []
  const rule = head === undefined ? undefined : names.of(head, 'key')
  return rule && { id: rule.id, ambiguous: true, random: true }
}

/** `{"path": ["vpn", "preSharedKey"], "received": …}`: what a validator refused, and where. */
export const refusedRule = (key: string, { path }: ValueObject, names: Names): NameRule | undefined => {
  if (!/^(?:received|input|value|actual|instance)$/.test(key)) return undefined
  const last =
    typeof path === 'string' ? path.split(/[./]/).at(-1) : path !== undefined && isList(path) ? path.at(-1) : undefined
  return typeof last === 'string' ? names.of(last, 'key') : undefined
}

/** What a number opens: `lock.front_door`, `unlock`, `disarm`. */
const OPENED =
  /(?:^|[^a-z])(?:un|dead)?lock(?:s|ed|ing)?(?:$|[^a-z])|alarm|disarm|door|gate(?:$|[^a-z])|garage|safe(?:$|[^a-z])|cofre|schloss|t[uü]r(?:$|[^a-z])|deur|puerta|porte(?:$|[^a-z])/i
const CODE =
  /^(?:(?:user|access|entry|key)?[-_ ]?(?:code|pin)|kod[ei]?|c[oó]digo|codice|koodi|код|pincode|combination|combo)$/i

/** Beside these, a gate is one of an airport. */
const TRAVEL =
  /^(?:flight\w*|flug\w*|vol|vuelo|volo|voo|vlucht|train|zug|date|departure|arrival|boarding\w*|seat|terminal|airline|pnr|platform|carrier|from|origin|destination)$/i

/** `{"entity_id": "lock.front_door", "code": "…"}`: a code beside what it opens. */
export const lockRule = (key: string, parent: ValueObject): NameRule | undefined =>
  CODE.test(key) &&
  !(
    /^code$/i.test(key) &&
    Object.keys(parent).some((one) =>
      /^(?:message|msg|error|errors|errno|reason|detail|status|data|name|description)$/i.test(one),
    )
  ) &&
  Object.entries(parent).some(
    ([name, member]) =>
      name !== key &&
      !(/^gate$/i.test(name) && Object.keys(parent).some((one) => TRAVEL.test(one))) &&
      (OPENED.test(name) || (typeof member === 'string' && member.length < 60 && OPENED.test(member))),
  )
    ? { id: 'name:pin', ambiguous: true, digits: true }
    : undefined

/** `{"host_key": "604218"}`: who has this number leads a meeting; other keys of hosts are public. */
export const hostKeyRule = (key: string, member: Value): NameRule | undefined =>
  /^(?:[\w-]{0,20}[-_ ])?host[-_ ]?key$/i.test(key) &&
  /^\d{4,10}$/.test(typeof member === 'string' ? member : typeof member === 'number' ? String(member) : '')
    ? { id: 'name:pin', ambiguous: true, digits: true }
    : undefined

const ONE_WORD = /^[\p{L}\p{M}]{2,30}[?!:*.…]{0,3}$/u

/** `{"password": "Hasło", "secret": "Sekret"}`: words for credentials under their names, which a page shows. */
export const isLabelTable = (value: ValueObject, names: Names): boolean => {
  const entries = Object.entries(value)
  if (entries.length < 2 || entries.length > 200) return false
  const labels = entries.filter(([, member]) => typeof member === 'string' && ONE_WORD.test(member))
  if (labels.length < entries.length) return false
  const named = labels.filter(([key]) => names.of(key, 'key') !== undefined)
  return named.length > 1 && named.some(([, label]) => names.isName((label as string).replace(/[?!:*.…]+$/, '')))
}

/** Values beside a secret, as of a connection or a device: numbers, switches, times, names of machines. */
export const isCard = (value: ValueObject, names: Names): boolean => {
  const entries = Object.entries(value)
  return (
    entries.length < 200 &&
    !entries.some(([, member]) => typeof member === 'string' && names.isName(member)) &&
    entries.some(
      ([key, member]) =>
        names.of(key, 'key') === undefined &&
        (typeof member === 'number' ||
          typeof member === 'boolean' ||
          (typeof member === 'string' && member.length < 60 && /^[\x21-\x7e]+$/.test(member))),
    )
  )
}

/** In India, `pincode` is a postal code: a place stands beside it, and nothing that one opens. */
const PLACES =
  /^(?:city|town|village|district|state|locality|taluk\w*|tehsil|post_?office|region|area)(?:[-_ ]?(?:name|code))?$/i
export const isPostalPin = (key: string, member: Value, parent: ValueObject): boolean =>
  /^(?:postal|zip|area)?[-_ ]?pin[-_ ]?(?:code|no)?$/i.test(key) &&
  /^[1-9]\d{2} ?\d{3}$/.test(typeof member === 'string' ? member : typeof member === 'number' ? String(member) : '') &&
  Object.keys(parent).some((name) => PLACES.test(name)) &&
  !Object.keys(parent).some((name) => OPENED.test(name) || /card|bank|account|phone|sim|user/i.test(name))

/** `"encryption": {"key": …}`: the name of the object is the first word of the name. @param within the name of the object */
export const nestedRule = (key: string, within: string, names: Names): NameRule | undefined =>
  /^(?:key|code|phrase|secret|seed|token|pin|pepper)$/i.test(key) && /^[\p{L}_-]{3,40}$/u.test(within)
    ? sureOf(names.of(`${within} ${key}`, 'key'))
    : undefined

/** Any name may end with `key`. */
const sureOf = (rule: NameRule | undefined): NameRule | undefined => (rule?.random ? undefined : rule)

/** `"card": {"number": …}`. @param within the name of the object */
export const cardRule = (key: string, within: string): NameRule | undefined =>
  /^(?:number|no|pan)$/i.test(key) && /(?:^|[-_ ]|credit|debit|bank|payment)cards?$/i.test(within)
    ? { id: 'name:pin', ambiguous: true, digits: true }
    : undefined

/** `Şifrenizi girin`: what a form says about a password, inflected. */
const SAYS_PASSWORD =
  /pass ?(?:word|phrase|code)|kennwort|passwort|mot de passe|contrase|senha|wachtwoord|has[lł]|[sş]ifre|парол|l[oö]senord|passord|salasan|heslo|jelsz|parol[aă]|κωδικ|密码|密碼|パスワード|비밀번호|kata sandi|mật khẩu/iu
export const isSaidOfPassword = (value: string): boolean =>
  value.length < 60 && !/\d/.test(value) && /\s/.test(value.trim()) && SAYS_PASSWORD.test(value)

/** Such a text may be a label, so what is beside it decides. */
const IDEOGRAPHS = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]{2,20}$/u
export const isIdeographic = (value: string): boolean => IDEOGRAPHS.test(value)

/** `"密碼": "夜來香"`, in which no word is one of messages about passwords. */
export const isIdeographsOf = ({ id, ambiguous }: NameRule, value: string): boolean =>
  id === 'name:password' && ambiguous === undefined && !SAYS_PASSWORD.test(value) && !describesField(value)

/** `--token …`; `password …` as a word of its own, as nmcli has it, but not what somebody searches for. */
export const optionName = (word: string, program: Value | undefined): string | undefined =>
  /^--?([\w-]{2,60})$/.exec(word)?.[1] ??
  (/^(?:password|passwd|passphrase|psk|[\w-]{1,40}\.psk)$/i.test(word) &&
  !(typeof program === 'string' && SEARCHES.test(program))
    ? word
    : undefined)

/** Behind an option of a command, any value of a secret is one: `--token` takes no ordinary word. */
export const optionRule = (name: string, word: Value, names: Names): NameRule | undefined => {
  const rule = names.of(name, 'variable')
  const isSecret =
    /^name:(?:password|secret|token|ambiguous-token|api-key)$/.test(rule?.id ?? '') &&
    rule?.random === undefined &&
    // The name of a file.
    !(typeof word === 'string' && /\.[a-z][a-z\d]{1,5}$/i.test(word))
  return rule && isSecret ? { id: rule.id, ...(rule.digits ? { digits: rule.digits } : {}) } : rule
}

const SEARCHES = /^(?:\S*\/)?(?:[efz]?grep|rg|ag|ack|git|find|sed|awk|jq|man|echo|say|printf)$/

/** `"login.password": "Passwort"`: the same name in another language, or a label with it. */
export const isLabel = (value: string, names: Names): boolean =>
  value.length < 40 &&
  !/\d/.test(value) &&
  names.of(value.replace(/[?!:*.…]+$/, ''), 'variable') !== undefined &&
  (/\s/.test(value.trim()) || names.isName(value.replace(/[?!:*.…]+$/, '')))

/** Under the name of a password, words that form no message; under an ambiguous name, words mixed with digits. */
export const isChosenOf = (named: NameRule, value: string): boolean =>
  (named.random ?? named.looksUp) === undefined &&
  (isWordsOfPassword(named, value) ||
    (named.ambiguous === true &&
      named.id !== 'name:pin' &&
      chosenLikeness(value) > (named.id === 'name:password' && /\d/.test(value) ? 0 : 1)))

/** `"[12, 44, 201, …]"`: 16 bytes or more. */
export const areBytes = (value: string): boolean =>
  value.length < 400 &&
  /^\s?\[?\s?(?:0x[\da-f]{1,2}|\d{1,3})(?:,\s?(?:0x[\da-f]{1,2}|\d{1,3})){15,63}\s?\]?$/i.test(value)

/** Whether a value beside it is a number, a time or a switch, which tables of labels don't have. */
export const isRecordOfValues = (parent: ValueObject): boolean =>
  Object.values(parent).some(
    (one) =>
      typeof one === 'boolean' ||
      typeof one === 'number' ||
      (typeof one === 'string' && /^[\w:./+-]*\d[\w:./+-]*$/.test(one)),
  )

/** `"hesloDatovaSchranka": "Švestkový koláč"`: one word with a capital, or a few. */
export const isWordOfCard = (named: NameRule, value: string): boolean =>
  named.worded === true &&
  (areWordsInPlace(named, value) || areWordsInPlace(named, `${value} ${value}`)) &&
  /^\p{Lu}\p{Ll}{2}/u.test(value) &&
  value.length > 4
