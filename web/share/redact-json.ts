/**
 * Redacts secrets in JSON, by names and by the content of its strings. Schemas stay intact: a property named
 * `password` isn't a password.
 */
import {
  isList,
  isRecord,
  NumberText,
  stringify,
  type Value,
  type ValueObject,
  readJson,
  jsonIn,
} from '../json/index.ts'
import { isHeaderOfSecret, isSecretHeader, secretsInWords, withoutPlaces } from '../secrets/index.ts'
import {
  cleanedText,
  isKeyPart,
  isMasked,
  isPlaceholder,
  isSecretOf,
  KeyLines,
  markOf,
  type NameRule,
  schemeLength,
  type Pass,
  type Where,
} from '../secrets/redaction.ts'

/** What a value's position says about it. */
interface Spot {
  /** Its name indicates a secret: all strings in it are removed. */
  readonly named?: NameRule | undefined
  /** It is the schema of a property whose name indicates a secret: its defaults and examples are removed. */
  readonly sampled?: NameRule
  /** It is an object inside a named one: members that hold values are removed. */
  readonly within?: NameRule
  /** Its keys are property names. */
  readonly schemas?: true
  readonly name?: string
  readonly depth: number
}

const DEEPEST = 400
/** Maximum nesting of JSON texts within strings. */
const DEEPEST_TEXT = 8
const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(' '))
const HOLDERS = wordSet('value values key secret plain plaintext raw data text content')
const SCHEMA_MAPS = wordSet('properties $defs definitions patternProperties dependentSchemas dependencies')
const SCHEMA_WORDS = wordSet(
  'type $ref anyOf oneOf allOf enum const not if format properties items description title default examples ' +
    '$comment pattern minLength maxLength minimum maximum $dynamicRef',
)
const SAMPLES = wordSet('default const examples enum')
const TYPES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])

export const cleaned = (value: Value, pass: Pass): Value => walk(value, pass, { depth: 0 })

const walk = (value: Value, pass: Pass, spot: Spot): Value => {
  const { findings, rules } = pass
  if (typeof value === 'string') return leaf(value, pass, spot)
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'number' || value instanceof NumberText) return number(value, pass, spot)
  if (spot.depth > DEEPEST) return value
  if (isList(value)) {
    if (spot.name === 'args' || spot.name === 'argv') return words(value, pass, spot)
    if (pass.learning) learnKeyLines(value, pass)
    if (isHeader(value) && /headers/i.test(findings.path.at(-2) ?? '')) return header(value, pass, spot)
    return listed(value, (item) => walk(item, pass, { ...spot, depth: spot.depth + 1 }), pass)
  }
  if (!isRecord(value)) return value
  const paired = pairOf(value, (name, where) => rules.names.of(name, where))
  let changed = false
  const entries = Object.keys(value).map((key): [string, Value] => {
    const member = value[key]!
    // Clean the key first: pointers to places below must not contain what was removed from it.
    const name = spot.schemas ? key : text(key, pass)
    const clean = findings.at(name, () => walk(member, pass, spotOf(key, member, value, pass, spot, paired)))
    if (clean !== member || name !== key) changed = true
    return [name, clean]
  })
  // `fromEntries` defines properties, so a key named `__proto__` stays a key.
  return changed ? Object.fromEntries(entries) : value
}

/** A private key as a list of its lines. */
const learnKeyLines = (list: readonly Value[], { known }: Pass): void => {
  const key = new KeyLines()
  for (const line of list) {
    const secret = typeof line === 'string' ? key.secretIn(line) : undefined
    if (secret !== undefined) known.learn(secret, 'pattern:private-key', true)
  }
}

/** The list itself if nothing in it changed. */
export const listed = <Item>(
  list: readonly Item[],
  clean: (item: Item) => Item,
  { findings }: Pass,
): readonly Item[] => {
  let copy: Item[] | undefined
  list.forEach((item, at) => {
    const other = findings.at(String(at), () => clean(item))
    if (other !== item) (copy ??= [...list])[at] = other
  })
  return copy ?? list
}

const spotOf = (
  key: string,
  member: Value,
  parent: ValueObject,
  { rules }: Pass,
  spot: Spot,
  paired: NameRule | undefined,
): Spot => {
  const depth = spot.depth + 1
  const isKey = typeof parent['kty'] === 'string' && isKeyPart(key, member)
  const rule = rules.names.of(isKey ? 'private key' : key, 'key')
  const base = { name: key, depth }
  if (spot.schemas) return { ...base, ...(rule !== undefined ? { sampled: rule } : {}) }
  if (SCHEMA_MAPS.has(key) && isSchemaMap(member)) return { ...base, schemas: true }
  if (spot.sampled !== undefined && SAMPLES.has(key)) return { ...base, named: spot.sampled }
  // An object in an array of secrets may contain more than their values.
  const within = spot.within ?? spot.named
  if (within !== undefined && HOLDERS.has(key)) return { ...base, named: within }
  if (paired !== undefined && key === 'value' && (typeof member === 'string' || isList(member)))
    return { ...base, named: paired }
  if (rule === undefined || isTokenOfModel(parent)) return base
  if (isRecord(member)) return isSchema(member) ? { ...base, sampled: rule } : { ...base, within: rule }
  return { ...base, named: rule }
}

/** A token from a model's output. */
const isTokenOfModel = (parent: ValueObject): boolean =>
  ['logprob', 'logit', 'bytes', 'probability'].some((name) => Object.hasOwn(parent, name))

const isSchema = (value: ValueObject): boolean => {
  const keys = Object.keys(value)
  if (keys.length === 0 || TYPES.has(value['type']) || isList(value['type'])) return true
  return keys.some((key) => SCHEMA_WORDS.has(key))
}

const isSchemaMap = (value: Value): boolean =>
  isRecord(value) && Object.values(value).every((one) => typeof one === 'boolean' || (isRecord(one) && isSchema(one)))

/** `{"name": "API_KEY", "value": "…"}`. */
const pairOf = (
  value: ValueObject,
  ruleOf: (name: string, where: Where) => NameRule | undefined,
): NameRule | undefined => {
  if (!Object.hasOwn(value, 'value')) return undefined
  for (const key of ['name', 'key', 'header', 'variable', 'field', 'id', 'label', 'property', 'param', 'option']) {
    const name = Object.hasOwn(value, key) ? value[key] : undefined
    const rule = typeof name === 'string' ? (ruleOf(name, 'key') ?? ruleOf(name, 'header')) : undefined
    if (rule !== undefined) return rule
  }
  return undefined
}

const leaf = (value: string, pass: Pass, { named, name = '' }: Spot): string => {
  const { findings, learning, known } = pass
  const pointed = pointedAt(pass)
  if (pointed !== undefined && value !== '') return taken(value, pointed, pass)
  if (named !== undefined && value !== '' && !isPlaceholder(value, name)) {
    const secret = value.slice(schemeLength(value))
    if (!isPlaceholder(secret, name)) {
      if (isSecretOf(named, secret)) return taken(value, named.id, pass)
      if (!learning && value.length >= 6) findings.suspect(value, named.id)
    }
  }
  if (!learning) {
    const weak = known.weak.get(value)
    if (weak !== undefined && value.length >= 6 && !isPlaceholder(value, name)) findings.suspect(value, weak)
  }
  return text(value, pass)
}

/** Removes a secret behind its scheme, or learns it in the first pass. */
const taken = (value: string, rule: string, pass: Pass): string => {
  const { findings, learning, known } = pass
  const scheme = schemeLength(value)
  const secret = value.slice(scheme)
  if (!learning) return findings.takes(secret, rule) ? value.slice(0, scheme) + markOf(rule) : value
  known.learn(secret, rule)
  // Also learns secrets inside it, such as the password in `name:password`.
  text(value, pass)
  return value
}

const numberText = (value: number | NumberText): string => (typeof value === 'number' ? String(value) : value.text)

const number = (value: number | NumberText, pass: Pass, { named }: Spot): Value => {
  const { findings, learning, known } = pass
  const written = numberText(value)
  const pointed = pointedAt(pass)
  // Numbers whose name contains "token" are counts.
  const secret = named?.digits && /^\d{3,}$/.test(written) ? named.id : undefined
  const rule = pointed ?? secret ?? (learning ? undefined : known.ruleOf(written))
  if (rule === undefined) return value
  if (!learning) return findings.takes(written, rule) ? markOf(rule) : value
  known.learn(written, rule)
  return value
}

const pointedAt = ({ rules, findings }: Pass): string | undefined =>
  rules.pointers.length === 0
    ? undefined
    : rules.pointers.find(({ steps }) =>
        steps.every((step, at) => (step === '*' ? at < findings.path.length : step === findings.path[at])),
      )?.id

/** A string, including the JSON texts inside it. */
export const text = (value: string, pass: Pass): string =>
  cleanedText(value, pass, (inner, depth) => json(inner, pass, depth))

/** A JSON text, serialized again if something was removed; numbers are kept as written. */
const json = (written: string, pass: Pass, depth: number): string | undefined => {
  if (depth > DEEPEST_TEXT) return undefined
  const { findings } = pass
  const before = findings.within
  findings.within ??= findings.path.length
  const clean = cleanedJson(written, pass, depth)
  findings.within = before
  return clean
}

const cleanedJson = (written: string, pass: Pass, depth: number): string | undefined => {
  if (!mayHold(written, pass)) return jsonIn(written) !== undefined ? written : undefined
  let value: Value
  let repeated: readonly string[]
  try {
    ;({ value, repeated } = readJson(written))
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null) {
    if (typeof value !== 'string') return written
    const clean = inner(value, pass, depth)
    return clean === value ? written : JSON.stringify(clean)
  }
  const clean = walk(value, pass, { depth: depth * 20 })
  if (clean === value) {
    // For a duplicate key, the value holds only one member, and the text still contains the other.
    const twice = repeated.length > 0 && cleanedText(written, pass, () => undefined, depth) !== written
    if (!twice) return written
  }
  const indent = /^[[{]\r?\n( +|\t)/.exec(written)?.[1]?.length ?? 0
  return stringify(clean, Math.min(indent, 10))
}

const inner = (value: string, pass: Pass, depth: number): string =>
  cleanedText(value, pass, (text, deeper) => json(text, pass, deeper), depth)

/** A cheap check without false negatives. */
const mayHold = (written: string, { rules, known, learning }: Pass): boolean => {
  if (rules.pointers.length > 0 || /\\|%[\da-f]{2}|[A-Za-z0-9+/_-]{16}/i.test(written)) return true
  if (rules.names.hint?.test(written) || rules.mayMatch(written)) return true
  if (learning) return false
  if (known.short.size > 0 || known.weak.size > 0) return true
  let found = false
  known.values.find(written, () => (found = true))
  return found
}

const isHeader = (value: readonly Value[]): value is readonly [string, string] =>
  value.length === 2 && typeof value[0] === 'string' && typeof value[1] === 'string'

/** A header's name is meant for machines: if it may be that of a secret, it is. */
const headerRule = (name: string, { names }: Pass['rules']): NameRule | undefined => {
  const rule = names.of(name, 'header')
  if (rule) return { id: rule.id }
  return names.knowsHeaders && isHeaderOfSecret(name) ? { id: 'name:header' } : undefined
}

/** `[name, value]`, by the name. */
export const header = (
  pair: readonly [string, string],
  pass: Pass,
  spot: Spot = { depth: 0 },
): readonly [string, string] => {
  const [name, value] = pair
  const { findings, rules } = pass
  const named = isMasked(value) ? undefined : headerRule(name, rules)
  const clean = findings.at('1', () => leaf(value, pass, { ...spot, name, named }))
  return clean === value ? pair : [name, clean]
}

/** Arguments of a command: a name may be in the word before its value. */
export const words = (
  list: readonly Value[],
  pass: Pass,
  spot: Spot = { depth: 0 },
  // The user typed them, so apply the same strict rules as at capture.
  typed = pass.findings.path[0] === 'servers',
  program = '',
): readonly Value[] => {
  const { findings, rules } = pass
  const places = typed ? secretsInWords([program, ...list.map((word) => (typeof word === 'string' ? word : ''))]) : []
  let copy: Value[] | undefined
  list.forEach((given, at) => {
    const word = typeof given === 'string' ? withoutTyped(given, places, at + 1, pass) : given
    const before = list[at - 1]
    const name = typeof before === 'string' ? /^--?([\w-]{2,60})$/.exec(before)?.[1] : undefined
    const isOption = typeof word === 'string' && word.startsWith('-')
    const named = name === undefined || isOption ? undefined : rules.names.of(name, 'variable')
    const clean = findings.at(String(at), () => walk(word, pass, { depth: spot.depth + 1, named }))
    if (clean !== given) (copy ??= [...list])[at] = clean
  })
  return copy ?? list
}

/** Rules that apply to values a user typed to connect. */
const ARGUMENT = 'typed:argument'
const HEADER = 'typed:header'

const withoutTyped = (
  text: string,
  places: ReturnType<typeof secretsInWords>,
  word: number,
  { findings, known, learning }: Pass,
): string => {
  const own = places.filter((place) => place.word === word && !isPlaceholder(text.slice(place.from, place.to)))
  if (learning) {
    for (const { from, to } of own) known.learn(text.slice(from, to), ARGUMENT)
    return text
  }
  const taken = own.filter(({ from, to }) => findings.takes(text.slice(from, to), ARGUMENT))
  return withoutPlaces(text, taken, () => markOf(ARGUMENT))
}

/** A header that the user set for the connection: its value is removed whatever its name. */
export const typedHeader = (pair: readonly [string, string], pass: Pass): readonly [string, string] => {
  const [name, value] = pair
  const { findings, known, learning } = pass
  const secret = value.slice(schemeLength(value))
  if (isMasked(value) || isPlaceholder(secret) || !isSecretHeader(name)) return header(pair, pass)
  if (learning) known.learn(secret, HEADER)
  const taken = !learning && findings.at('1', () => findings.takes(secret, HEADER))
  return taken ? [name, value.slice(0, schemeLength(value)) + markOf(HEADER)] : header(pair, pass)
}
