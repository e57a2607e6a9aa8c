/**
 * Finds secrets in what the user typed to connect: a URL, the arguments of a command, values of headers and variables,
 * connection strings. Stricter than for server output, because a false positive only costs a mask.
 */
import { isAnyReferences } from './env-references.ts'
import { bitsOf, isPath, isPlaceholder, hiddenIn } from './heuristics.ts'
import { maskOf } from './mask.ts'
import { formText } from './find-by-name.ts'
import { isSecretName, mayBeSecretName, type Where } from './secret-names.ts'
import { DEFAULT_REDACTIONS } from './redaction-rules.ts'

/** A secret within a text. */
export interface SecretPlace {
  readonly from: number
  readonly to: number
  /** The name of the parameter, argument or variable. */
  readonly name: string
}

/** A secret within one of the words of a command. */
export interface ArgumentPlace extends SecretPlace {
  readonly word: number
}

/** UTF-16 units of a text to search by structure; patterns search all of it. */
const LONGEST = 100_000

/** Locations in order, without overlaps. */
export const secretsInText = (text: string): readonly SecretPlace[] => {
  const places: SecretPlace[] = []
  const add = (from: number, to: number, name: string): void => {
    if (to > from) places.push({ from, to, name })
  }
  if (text.length <= LONGEST) {
    membersIn(text, add)
    userinfoIn(text, add)
    pairsIn(text, add)
  }
  patternsIn(text, add)
  if (looksRandom(text)) add(0, text.length, '')
  return disjoint(text, places)
}

/** Replaces each secret. @param by default: a mask that states the length */
export const withoutPlaces = (
  text: string,
  places: readonly SecretPlace[],
  by: (place: SecretPlace) => string = ({ from, to }) => maskOf(to - from),
): string => {
  const parts: string[] = []
  let done = 0
  for (const place of places) {
    parts.push(text.slice(done, place.from), by(place))
    done = place.to
  }
  return [...parts, text.slice(done)].join('')
}

/** AU-GEN-03: masks a URL's userinfo and the values of its secret parameters. */
export const maskUrl = (url: string): string => withoutPlaces(url, secretsInUrl(url))

/**
 * In a URL: userinfo, values of parameters that are secret by name or appearance, tokens of known formats in its path.
 */
export const secretsInUrl = (url: string): readonly SecretPlace[] => {
  const places: SecretPlace[] = []
  const add = (from: number, to: number, name: string): void => {
    if (to > from) places.push({ from, to, name })
  }
  userinfoIn(url, add)
  parametersIn(url, add)
  patternsIn(url, add)
  return disjoint(url, places)
}

/** @param words the command and its arguments */
export const secretsInWords = (words: readonly string[]): readonly ArgumentPlace[] =>
  words.flatMap((word, index) => {
    const all = wholeValue(words, index)
    if (all !== undefined && word !== '' && hiddenIn(word).length === 0) {
      const from = Math.min(word.length, all.from)
      return from < word.length && !isAnyReferences(word.slice(from))
        ? [{ word: index, from, to: word.length, name: all.name }]
        : []
    }
    return secretsInText(word).map((place) => ({ ...place, word: index }))
  })

/** The words of a command without their secrets. @param mask what replaces each secret */
export const maskWords = (words: readonly string[], mask: string): readonly string[] => {
  const places = secretsInWords(words)
  return words.map((word, index) =>
    withoutPlaces(
      word,
      places.filter((place) => place.word === index),
      () => mask,
    ),
  )
}

type Add = (from: number, to: number, name: string) => void

/** Program options whose value is a header, a variable, or `user:password`. */
const HEADER_OPTION = /^(?:-H|--headers?)$/
const VARIABLE_OPTION = /^(?:-e|--env)$/
const LOGIN_OPTION = /^(?:-u|--user|--proxy-user)$/
/** `-p 8080`, `-p 8080:80`. */
const PORTS = /^(?:[\d.]+:|\[[\da-f:]+\]:)?\d{1,5}(?::\d{1,5})?(?:\/(?:tcp|udp))?$/

const ASKS = /^(?:.*[/\\])?(?:mysql\w*|mariadb(?:-\w+)?)$/

/** The word is the value of a secret option, from an offset on. */
const wholeValue = (
  words: readonly string[],
  index: number,
): { readonly from: number; readonly name: string } | undefined => {
  const word = words[index]!
  const before = words[index - 1] ?? ''
  if (HEADER_OPTION.test(before)) return headerValue(word)
  const joined = /^--headers?=/.exec(word)
  if (joined) {
    const header = headerValue(word.slice(joined[0].length))
    return header && { from: joined[0].length + header.from, name: header.name }
  }
  if (VARIABLE_OPTION.test(before)) return variableValue(word, 0)
  if (/^--env=/.test(word)) return variableValue(word, 6)
  if (LOGIN_OPTION.test(before)) {
    const colon = word.indexOf(':')
    // `docker -u 1000:1000`, `-u name`.
    if (colon > 0 && !/^\d+:\d+$/.test(word)) return { from: colon + 1, name: before }
  }
  if (before === '-p') {
    // In front of the program, it is an option of the runner: `npx -p package program`.
    const program = words.slice(1, index - 1).some((one) => !one.startsWith('-'))
    // It asks for the password, and the name of a database follows.
    if (ASKS.test(words[0]!)) return undefined
    return PORTS.test(word) || !program ? undefined : { from: 0, name: before }
  }
  // `-psecret`, as in database clients.
  if (/^(?:.*[/\\])?(?:mysql|mariadb|mysqldump|mysqladmin)$/.test(words[0]!) && /^-p./.test(word))
    return { from: 2, name: '-p' }
  const assigned = /^--?([A-Za-z][\w.-]{1,80})=/.exec(word)
  if (assigned && isSecretValue(assigned[1]!, word.slice(assigned[0].length), 'variable'))
    return { from: assigned[0].length, name: assigned[0].slice(0, -1) }
  const option = /^--?([\w.-]{2,80})$/.exec(before)
  // `--token-env NAME`, `--password-stdin`: where the secret comes from.
  if (!option || !mayBeSecretName(option[1]!) || /[-_](?:env|stdin|file|path|name|var|cmd|command)$/i.test(option[1]!))
    return undefined
  // Another option follows, so this one has no value. For an unambiguous name, the value may begin with a hyphen.
  if (/^--?[A-Za-z][\w-]*(?:=|$)/.test(word) && !looksRandom(word)) return undefined
  if (!isSecretName(option[1]!) && (isPlaceholder(word, option[1]) || isAbout(option[1]!, word))) return undefined
  return { from: 0, name: before }
}

/** `Name: value`. */
const headerValue = (text: string): { readonly from: number; readonly name: string } | undefined => {
  const [all, name] =
    /^["']?([\w!#$%&'*+.^`|~-]{1,80})\s*[:=]\s*(?:(?:Bearer|Basic|Token|DPoP|ApiKey)\s+)?(?=\S)/i.exec(text) ?? []
  return all === undefined || /^(?:accept|content-type|user-agent)$/i.test(name!)
    ? undefined
    : { from: all.length, name: name! }
}

const variableValue = (word: string, from: number): { readonly from: number; readonly name: string } | undefined => {
  const equals = word.indexOf('=', from)
  // `docker run -e NAME` without a value passes the variable on from Docker's own environment.
  if (equals < 0) return undefined
  const [name, value] = [word.slice(from, equals), word.slice(equals + 1)]
  return mayBeSecretName(name) || looksRandom(value) || secretsInText(value).length > 0
    ? { from: equals + 1, name }
    : undefined
}

/** `scheme://user:password@host`, even with an unencoded password. */
const userinfoIn = (text: string, add: Add): void => {
  for (const { 0: scheme, index } of text.matchAll(/[a-z][a-z\d+.-]{0,40}:\/\//gi)) {
    const from = index + scheme.length
    const word = /^[^\s"'<>]*/.exec(text.slice(from, from + 4096))![0]
    const first = /^[^/?#]*/.exec(word)![0]
    const colon = first.indexOf(':')
    // A password with a slash: what follows the colon isn't a port.
    const cut = !first.includes('@') && colon >= 0 && !/^\d{0,5}$/.test(first.slice(colon + 1))
    const at = (cut ? word : first).lastIndexOf('@')
    if (at < 0) continue
    if (colon >= 0 && colon < at) {
      const [user, password] = [word.slice(0, colon), word.slice(colon + 1, at)]
      if (password !== '') add(from + colon + 1, from + at, 'password')
      if (password === '' || looksRandom(user) || /^x-oauth-basic$/i.test(password)) add(from, from + colon, 'user')
    } else if (/^https?:/i.test(scheme) || looksRandom(word.slice(0, at))) add(from, from + at, 'user')
  }
}

/** `?name=value&name=value`, and the same after `#`. */
const parametersIn = (text: string, add: Add): void => {
  for (const { 0: all, 1: name = '', 2: value = '', index } of text.matchAll(
    /[?&#;]([^=&#;?\s]{1,200})=([^&#\s"'<>]*)/g,
  )) {
    const plain = formText(value)
    if (!isSecretValue(formText(name), plain, 'parameter')) continue
    add(index + all.length - value.length, index + all.length, formText(name))
  }
}

/** `name=value`, `name: value`, and connection strings, whose values may contain spaces. */
const pairsIn = (text: string, add: Add): void => {
  parametersIn(text, add)
  if (/^[^=;"{}]{1,80}=[^;]*;/.test(text)) {
    // ADO.NET, ODBC, Azure: `Server=…;Password=…;`.
    for (const { 0: all, 1: name = '', 2: value = '', index } of text.matchAll(
      /([^=;]{1,80})=("(?:[^"]|"")*"|'(?:[^']|'')*'|\{[^}]*\}|[^;]*)(?:;|$)/g,
    )) {
      const from = index + name.length + 1
      if (all !== '' && isSecretValue(name.trim(), value, 'variable')) add(from, from + value.length, name.trim())
    }
  }
  for (const { 0: all, 1: name = '', 2: value = '', index } of text.matchAll(
    /(?:^|[\s;:,"'({[&?|])(-{0,2}[A-Za-z_][\w.-]{0,80})\s{0,2}=\s{0,2}("[^"]*"|'[^']*'|[^\s;&"']+)/g,
  )) {
    const inner = /^(["']).*\1$/s.test(value) ? value.slice(1, -1) : value
    const from = index + all.length - value.length + (value === inner ? 0 : 1)
    if (isSecretValue(name, inner, 'variable')) add(from, from + inner.length, name)
  }
  for (const { 0: all, 1: name = '', 2: value = '', index } of text.matchAll(
    /(?:^|[\s"'])([A-Za-z][\w-]{1,60}):[ \t]{1,4}((?:(?:Bearer|Basic|Token|DPoP|ApiKey)[ \t]+)?[^\s"']+)/g,
  )) {
    const scheme = /^(?:Bearer|Basic|Token|DPoP|ApiKey)[ \t]+/i.exec(value)?.[0].length ?? 0
    const from = index + all.length - value.length + scheme
    if (isSecretValue(name, value.slice(scheme), 'header')) add(from, index + all.length, name)
  }
  // `--token value` within a script passed as one word, as after `sh -c`.
  for (const { 0: all, 1: name = '', 2: value = '', index } of text.matchAll(
    /(?:^|\s)--?([A-Za-z][\w-]{1,60})[ \t]+("[^"]*"|'[^']*'|[^\s"'-][^\s"']*)/g,
  )) {
    const inner = /^(["']).*\1$/s.test(value) ? value.slice(1, -1) : value
    const from = index + all.length - value.length + (value === inner ? 0 : 1)
    if (!isAnyReferences(inner) && (isSecretName(name) || (mayBeSecretName(name) && !isPlaceholder(inner, name))))
      add(from, from + inner.length, name)
  }
}

/** Members of JSON or similar text: by name, and everything in `env` and `headers`. */
const membersIn = (text: string, add: Add): void => {
  if (!/["']\s*:/.test(text)) return
  for (const { 0: all, 2: name = '', 3: value = '', index } of text.matchAll(
    /(["'])((?:[^"'\\]|\\.){1,200})\1\s*:\s*("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|\d+)/g,
  )) {
    const quoted = /^["']/.test(value)
    const end = quoted && value.length > 1 && value.endsWith(value[0]!) ? 1 : 0
    const from = index + all.length - value.length + (quoted ? 1 : 0)
    const to = index + all.length - end
    if (isSecretValue(name, text.slice(from, to), 'key')) add(from, to, name)
  }
}

const PATTERNS = DEFAULT_REDACTIONS.flatMap((rule) =>
  rule.kind === 'pattern' && rule.id !== 'pattern:userinfo' && rule.check === undefined
    ? [{ name: rule.id, hints: rule.hints ?? [], regexp: new RegExp(rule.pattern, `g${rule.flags ?? ''}`) }]
    : [],
)

const patternsIn = (text: string, add: Add): void => {
  for (const { name, hints, regexp } of PATTERNS) {
    if (hints.length > 0 && !hints.some((hint) => text.includes(hint))) continue
    for (const { 0: match, index } of text.matchAll(regexp)) if (match !== '') add(index, index + match.length, name)
  }
}

/** A file of a secret, or a number that limits it: `--key server.key`, `--token-limit=8192`. */
const isAbout = (name: string, value: string): boolean =>
  isPath(value) ||
  (/[-_.](?:limit|budget|count|max|min|size|length|ttl|timeout|expir\w*|lifetime|window|rate|interval|retries|seconds|days|port)$/i.test(
    name,
  ) &&
    /^-?\d{1,9}(?:\.\d+)?[a-z%]{0,3}$/i.test(value))

const isSecretValue = (name: string, value: string, where: Where): boolean => {
  if (value === '' || hiddenIn(value).length > 0 || isReference(value)) return false
  if (isSecretName(name, where === 'key' ? 'variable' : where)) return true
  if (mayBeSecretName(name, where)) return !isPlaceholder(value, name) && !isAbout(name, value)
  return looksRandom(value)
}

/** `${TOKEN}`, `$TOKEN`, `%TOKEN%`: a reference, not a secret. */
const isReference = (value: string): boolean =>
  /^(?:\$\{[^}]*\}|\$[A-Z_]\w*|%[A-Z_]\w*%|\{\{[^}]*\}\}|<[^<>]*>)$/i.test(value)

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i

/** A single random-looking word: not a path, version, or name of a package or model. */
export const looksRandom = (text: string): boolean => {
  if (text.length < 20 || text.length > 4096 || /^(?:sha\d+|md5)[:=-]/i.test(text)) return false
  if (UUID.test(text)) return true
  if (!/^[\w+/=.~:-]+$/.test(text) || /^[@./~]|^[a-z][\w+.-]*:\/\/|^\w:[\\/]/i.test(text)) return false
  // The longest piece between separators: `claude-sonnet-4-20250514` has none of this length.
  const longest = text.split(/[-_./:=]+/).toSorted((one, other) => other.length - one.length)[0]!
  if (longest.length < 16 || !/\d/.test(longest) || !/[A-Za-z]/.test(longest)) return false
  return bitsOf(longest) >= 3
}

/** Hard to guess, though made by a person: not a word, path, URL, version or name. */
export const looksPassword = (text: string): boolean => {
  if (text.length < 8 || text.length > 200 || /^[a-z][\w+.-]*:\/\/|^[/~]|^\w:[\\/]/i.test(text)) return false
  // A passphrase: four words in a header or variable are hardly anything else.
  if (/^\S+(?:\s\S+){3,}$/.test(text)) return true
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\p{Lo}/u, /\p{Nd}/u, /[^\p{L}\p{N}\s_.,:/-]/u]
  return kinds.filter((kind) => kind.test(text)).length >= 3
}

/** In order, merged if they overlap; existing masks are left alone. */
const disjoint = (text: string, places: readonly SecretPlace[]): readonly SecretPlace[] => {
  const masks = hiddenIn(text)
  const result: SecretPlace[] = []
  for (const place of places.toSorted((one, other) => one.from - other.from || other.to - one.to)) {
    if (masks.some(([from, to]) => from < place.to && to > place.from)) continue
    const last = result.at(-1)
    if (!last || place.from >= last.to) result.push(place)
    else if (place.to > last.to) result[result.length - 1] = { ...last, to: place.to }
  }
  return result
}
