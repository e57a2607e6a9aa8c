/**
 * Redacts secrets in JSON, by names and by the content of its strings. Schemas stay intact: a property named
 * `password` isn't a password.
 */
import {
  isList,
  isRecord,
  NumberText,
  respelled,
  stringify,
  type Value,
  type ValueObject,
  readJson,
  jsonIn,
} from '../json/index.ts'
import { isHeaderOfSecret, isSecretHeader, mayBeSecretName, secretsInWords, withoutPlaces } from '../secrets/index.ts'
import {
  cardRule,
  describedRule,
  headedColumns,
  hostKeyRule,
  isAbout,
  isCard,
  isCommand,
  isFlatHeaders,
  isIdeographic,
  isIdeographsOf,
  isLabelTable,
  isLogin,
  isManifestOfSecrets,
  isMarkedValue,
  isPairs,
  isPlural,
  isPostalPin,
  isSaidOfPassword,
  lockRule,
  markedRule,
  nestedRule,
  optionName,
  optionRule,
  pairIn,
  refusedRule,
  tableIn,
  areBytes,
  isChosenOf,
  isLabel,
  isRecordOfValues,
  isWordOfCard,
} from './json-shapes.ts'
import { withoutTold } from './described-values.ts'
import {
  ACCESS,
  chosenLikeness,
  cleanedText,
  isKeyPart,
  isMasked,
  isNameOfSecret,
  isPlaceholder,
  isPreference,
  isRight,
  isSecretOf,
  KeyLines,
  looksSecret,
  markOf,
  mayBeChosen,
  type NameRule,
  schemeLength,
  secretsOfCommand,
  type Pass,
} from '../secrets/redaction.ts'

/** What a value's position says about it. */
interface Spot {
  /** Its name indicates a secret: all strings in it are removed. */
  readonly named?: NameRule | undefined
  /** It is the schema of a property whose name indicates a secret: its defaults and examples are removed. */
  readonly sampled?: NameRule
  /** It describes a property whose name indicates a secret. */
  readonly described?: NameRule
  /** It is an object inside a named one: members that hold values are removed. */
  readonly within?: NameRule
  /** Its members are secrets, whatever their names. */
  readonly each?: NameRule
  /** It belongs to a resource that is a secret: members that hold its result are removed. */
  readonly produced?: NameRule
  /** Its items are rows of a table. */
  readonly columns?: readonly (NameRule | undefined)[]
  /** Its items are pairs of a name and a value. */
  readonly pairs?: true
  /** Its items are the cells of a row. */
  readonly row?: readonly (NameRule | undefined)[]
  /** Its keys are property names. */
  readonly schemas?: true
  /** Beside it are values, no labels. */
  readonly inCard?: true
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
const SAMPLES = wordSet('default const example examples enum')
/** Members of a schema that hold other schemas of the same value. */
const VARIANTS = wordSet('anyOf oneOf allOf not if then else items prefixItems')
const TYPES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])

export const cleaned = (value: Value, pass: Pass): Value => walk(value, pass, { depth: 0 })

const walk = (value: Value, pass: Pass, spot: Spot): Value => {
  const { findings, rules } = pass
  if (typeof value === 'string') return leaf(value, pass, spot)
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'number' || value instanceof NumberText) return number(value, pass, spot)
  if (spot.depth > DEEPEST) return value
  if (isList(value)) {
    return list(value, pass, spot)
  }
  if (!isRecord(value)) return value
  const shape: Shape = {
    pair: pairIn(value, rules.names),
    table: tableIn(value, rules.names),
    marked: rules.names.hint ? markedRule(value) : undefined,
    manifest: rules.contexts.has('file') && isManifestOfSecrets(value),
  }
  let changed = false
  const entries = Object.keys(value).map((key): [string, Value] => {
    const member = value[key]!
    // Clean the key first: pointers to places below must not contain what was removed from it.
    const name = spot.schemas ? key : keyText(key, pass)
    const clean = findings.at(name, () => walk(member, pass, spotOf(key, member, value, pass, spot, shape)))
    if (clean !== member || name !== key) changed = true
    return [name, clean]
  })
  // `fromEntries` defines properties, so a key named `__proto__` stays a key.
  return changed ? Object.fromEntries(entries) : value
}

/** A key without spaces is a name, so it isn't searched for secrets that sentences reveal. */
const keyText = (key: string, pass: Pass): string => text(key, /\s/.test(key) ? pass : { ...pass, named: true })

/** What the members of an object say about each other. */
interface Shape {
  readonly pair: ReturnType<typeof pairIn>
  readonly table: ReturnType<typeof tableIn>
  readonly marked: NameRule | undefined
  readonly manifest: boolean
}

const list = (value: readonly Value[], pass: Pass, spot: Spot): Value => {
  const { findings, rules } = pass
  const depth = spot.depth + 1
  if (spot.name === 'args' || spot.name === 'argv' || isCommand(value)) return words(value, pass, spot)
  if (pass.learning) learnLines(value, pass)
  if (isHeader(value) && /headers/i.test(findings.path.at(-2) ?? '')) return header(value, pass, spot)
  if (isFlatHeaders(value, spot.name)) return flatHeaders(value as readonly string[], pass, spot)
  if (isHeader(value) && isLogin(spot.name)) {
    const named = { id: 'name:credentials', ambiguous: true } as const
    const clean = findings.at('1', () => leaf(value[1], pass, { depth, named }))
    return clean === value[1] ? value : [text(value[0], pass), clean]
  }
  if (!spot.columns && !spot.row && isPairs(value) && !headedColumns(value, rules.names)) {
    const below = { depth, row: undefined, pairs: true as const }
    return listed(value, (pair) => walk(pair, pass, below), pass)
  }
  if (spot.pairs && isHeader(value)) {
    const [name] = value
    const clean = findings.at('1', () => leaf(value[1], pass, { depth, name, named: rules.names.of(name, 'key') }))
    return clean === value[1] ? value : [name, clean]
  }
  if (spot.row) {
    let at = 0
    return listed(value, (cell) => walk(cell, pass, { depth, named: spot.row![at++] }), pass)
  }
  const headed = spot.columns ? undefined : headedColumns(value, rules.names)
  const columns = spot.columns ?? headed
  const head = headed && value[0]
  const { columns: _, ...all } = spot
  // `"password": ["required", "confirmed"]` are rules for one.
  const rule = all.named
  // `"secrets": ["get", "list"]`
  if (rule !== undefined && value.every((item) => typeof item === 'string' && isRight(item))) return value
  const several = rule !== undefined && value.length > 1 && !isPlural(all.name ?? '') && rule.id === 'name:password'
  const below = several ? { ...all, named: { ...rule, ambiguous: true as const } } : all
  return listed(
    value,
    (item) => {
      const isRow = columns !== undefined && isList(item) && item !== head
      return walk(item, pass, isRow ? { depth, row: columns } : { ...below, depth })
    },
    pass,
  )
}

const flatHeaders = (value: readonly string[], pass: Pass, spot: Spot): readonly Value[] => {
  const clean = value.flatMap((name, at) => {
    if (at % 2 === 1) return []
    return pass.findings.at(String(at), () => header([name, value[at + 1]!], pass, spot))
  })
  return clean.every((item, at) => item === value[at]) ? value : clean
}

/** Limits for an array whose strings may be the lines of one text, where one line says that the next is a secret. */
const MOST_LINES = 200
const LONGEST_LINES = 20_000

/** Whether lines may explain how to get access. A cheap check, because most arrays are long and aren't texts. */
export const mayTellAccess = (lines: string): boolean =>
  ACCESS.test(lines) || /log.?in|log.?on|sign.?in|wi-?fi|vpn|ssh|safe|vault|door|unlock|@\w|\P{ASCII}{2}/iu.test(lines)

const learnLines = (lines: readonly Value[], pass: Pass): void => {
  learnKeyLines(lines, pass)
  if (lines.length < 2 || lines.length > MOST_LINES || !lines.every((line) => typeof line === 'string')) return
  const joined = lines.join('\n')
  if (joined.length > LONGEST_LINES || joined.length < 2 * lines.length + 6) return
  // A prompt, or words about access, and something that may be a password.
  if (/[A-Za-z]\S*\d/.test(joined) && (/[:=|][ \t]*$/m.test(joined) || mayTellAccess(joined))) text(joined, pass)
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
  { pair, table, marked, manifest }: Shape,
): Spot => {
  const depth = spot.depth + 1
  const isKey = typeof parent['kty'] === 'string' && isKeyPart(key, member)
  // `"tokens": ["…"]`: those of a model aren't random.
  const several = isPlural(key) && isList(member) ? SEVERAL : undefined
  const beside =
    /^pass$/i.test(key) && Object.keys(parent).some((name) => USER_KEY.test(name)) ? BESIDE_USER : undefined
  const own = isPostalPin(key, member, parent) ? undefined : rules.names.of(isKey ? 'private key' : key, 'key')
  const nested =
    spot.name !== undefined && typeof member === 'string' ? nestedRule(key, spot.name, rules.names) : undefined
  const rule =
    beside ??
    (own?.ambiguous && nested && !nested.ambiguous ? nested : own) ??
    several ??
    cardRule(key, spot.name ?? '') ??
    (typeof member === 'string' || typeof member === 'number' ? lockRule(key, parent) : undefined) ??
    hostKeyRule(key, member) ??
    nested ??
    refusedRule(key, parent, rules.names)
  const base = { name: key, depth }
  if (spot.schemas) {
    // The title of a property names it as well.
    const title = isRecord(member) ? (member['title'] ?? null) : null
    const sampled =
      rule ??
      (typeof title === 'string' ? rules.names.of(title, 'key') : undefined) ??
      (isRecord(member) ? describedRule(member['description'], rules.names) : undefined)
    return { ...base, ...(sampled !== undefined ? { sampled } : {}) }
  }
  if (SCHEMA_MAPS.has(key) && isSchemaMap(member)) return { ...base, schemas: true }
  const sampled = spot.sampled ?? (marked && isSchema(parent) ? marked : undefined)
  if (sampled !== undefined && SAMPLES.has(key)) return { ...base, named: sampled }
  if (sampled !== undefined && key === 'description') return { ...base, described: sampled }
  if (sampled !== undefined && VARIANTS.has(key)) return { ...base, sampled }
  if (table?.rows === key) return { ...base, columns: table.columns }
  if (manifest && (key === 'data' || key === 'stringData')) return { ...base, each: MANIFEST }
  // An object in an array of secrets may contain more than their values.
  const within = spot.within ?? spot.named
  if (within !== undefined && HOLDERS.has(key))
    return { ...base, named: rule?.ambiguous === undefined ? (rule ?? within) : within }
  if (spot.each !== undefined && !isAbout(key)) {
    if (isRecord(member)) return { ...base, each: spot.each, within: spot.each }
    return { ...base, named: rule?.ambiguous === undefined ? (rule ?? spot.each) : spot.each }
  }
  const holds = typeof member === 'string' || isList(member)
  if (pair?.values.has(key) && holds) return { ...base, named: pair.rule }
  const other = spot.produced ?? producedBy(parent, rules.names)
  if (holds && marked !== undefined && isMarkedValue(key)) return { ...base, named: marked }
  if (other !== undefined && rule === undefined) {
    if (holds && PRODUCTS.has(key)) return { ...base, named: other }
    return isList(member) || isRecord(member) ? { ...base, produced: other } : base
  }
  if (rule === undefined || isTokenOfModel(parent) || isLabelTable(parent, rules.names)) return base
  if (isRecord(member)) {
    if (isSchema(member)) return { ...base, sampled: rule }
    // Under an ambiguous name, only what is random: `tokens` may be those of a design.
    const each = isPlural(key) ? { each: rule.ambiguous ? { ...rule, random: true as const } : rule } : {}
    return { ...base, within: rule, ...each }
  }
  const inCard =
    typeof member === 'string' &&
    (isIdeographic(member) || (rule.worded === true && isRecordOfValues(parent))) &&
    isCard(parent, rules.names)
  return { ...base, named: rule, ...(inCard ? { inCard } : {}) }
}

/** Beside the name of a user, `pass` is a password. */
const USER_KEY = /^(?:user(?:[-_ ]?name)?|login|account|uid|e?mail)$/i
const BESIDE_USER: NameRule = { id: 'name:password' }
const SEVERAL: NameRule = { id: 'name:ambiguous-token', ambiguous: true }
const MANIFEST: NameRule = { id: 'context:file' }

/** `{"type": "random_password", "instances": [{"attributes": {"result": "…"}}]}`. */
const PRODUCTS = wordSet('result value plaintext bcrypt_hash secret_string secret_data content hex b64_std')
const producedBy = (parent: ValueObject, names: Pass['rules']['names']): NameRule | undefined => {
  const kind = parent['type'] ?? parent['resource_type']
  if (typeof kind !== 'string' || TYPES.has(kind) || !/^[a-z]+[_-][\w-]+$/i.test(kind)) return undefined
  const rule = names.of(kind, 'key')
  return rule?.ambiguous ? undefined : rule
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

const leaf = (given: string, pass: Pass, { named, described, inCard, name = '' }: Spot): string => {
  const { findings, learning, known } = pass
  const value = described ? withoutTold(given, described, pass) : given
  const pointed = pointedAt(pass)
  if (pointed !== undefined && value !== '') return taken(value, pointed, pass)
  // `"login": "ada:…"`.
  const login =
    named === undefined && isLogin(name) ? /^[\w.@+-]{1,60}:(?=[^\s/:]{5,200}$)/.exec(value)?.[0] : undefined
  if (login !== undefined) {
    const secret = value.slice(login.length)
    if ((looksSecret(secret) || chosenLikeness(secret) > 1) && !isPlaceholder(secret))
      return login + taken(secret, 'name:credentials', pass)
  }
  if (named !== undefined && /key$/.test(named.id) && areBytes(value)) return taken(value, named.id, pass)
  if (named !== undefined && value !== '' && !isPlaceholder(value, name)) {
    const secret = value.slice(schemeLength(value))
    if (!isPlaceholder(secret, name) && !isLabel(secret, pass.rules.names) && !isSaidOfPassword(secret)) {
      const refers = isNameOfSecret(secret, named.id, pass.rules.names)
      const ofCard = inCard && (isIdeographsOf(named, secret) || isWordOfCard(named, secret))
      if (!refers && (isSecretOf(named, secret) || isChosenOf(named, secret) || ofCard))
        return taken(value, named.id, pass)
      if (!learning && value.length >= 6) findings.suspect(value, named.id)
    }
  } else if (!learning && named?.id === 'name:password' && mayBeChosen(value)) findings.suspect(value, named.id)
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
  const secret = named?.digits && /^\d{3,}$/.test(written) && isSecretOf(named, written) ? named.id : undefined
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

/** A JSON text, with its own spaces and numbers around what was removed. */
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
  // A text with a duplicate key can't be kept: it still contains the other member.
  return (repeated.length > 0 ? undefined : respelled(written, value, clean)) ?? stringify(clean)
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

/** Headers about a key, such as its ID or when it expires, which don't contain the key. */
const ABOUT_KEY =
  /(?:^|-)(?:(?<!access-)key-?(?:id|version|name|type|alg(?:orithm)?)|token-?(?:type|expires(?:-(?:at|in))?|ttl|lifetime)|auth-?(?:method|type|mode|scheme)|session-?(?:timeout|expires|ttl))$/i

/** A header's name is meant for machines: if it may be that of a secret, it is. */
const headerRule = (name: string, value: string, { names }: Pass['rules']): NameRule | undefined => {
  if (ABOUT_KEY.test(name) || (/^(?:set-)?cookie$/i.test(name) && isPreference(value))) return undefined
  const rule = names.of(name, 'header')
  if (rule) return { id: rule.id }
  return names.knowsHeaders && isHeaderOfSecret(name) ? { id: 'name:header' } : undefined
}

/** Browsers can set no other header of a WebSocket, so a token is one of the protocols. */
const subprotocols = (pair: readonly [string, string], pass: Pass): readonly [string, string] => {
  const [name, value] = pair
  const clean = pass.findings.at('1', () =>
    text(
      value
        .split(', ')
        .map((one) => (one.length >= 16 && looksSecret(one) ? taken(one, 'name:header', pass) : one))
        .join(', '),
      pass,
    ),
  )
  return clean === value ? pair : [name, clean]
}

/** `[name, value]`, by the name. */
export const header = (
  pair: readonly [string, string],
  pass: Pass,
  spot: Spot = { depth: 0 },
): readonly [string, string] => {
  const [name, value] = pair
  const { findings, rules } = pass
  if (/^sec-websocket-protocol$/i.test(name)) return subprotocols(pair, pass)
  const named = isMasked(value) ? undefined : headerRule(name, value, rules)
  const own = MADE_HEADER.test(name) ? { ...pass, made: true as const } : pass
  const clean = findings.at('1', () => leaf(value, own, { ...spot, name, named }))
  return clean === value ? pair : [name, clean]
}

/** Headers whose values are made by machines, and random without being secret. */
const MADE_HEADER =
  /^(?:etag|if-(?:none-)?match|cf-[\w-]+|x-amz?[\w-]*-id(?:-2)?|x-amz-[\w-]+|traceparent|tracestate|b3|x-b3-\w+|(?:\w+-)*digest|content-md5|content-security-policy(?:-report-only)?|report-to|nel|reporting-endpoints|x-cache\w*|x-served-by|x-timer|via|server-timing|link|alt-svc|public-key-pins\w*|(?:x-)?(?:[\w-]+-)?(?:request|correlation|trace|span|transaction|operation|version|build|release|deployment)-?id|idempotency-key|sec-websocket-(?:key|accept)|x-github-request-id|x-guploader-uploadid|x-goog-[\w-]+|x-ms-[\w-]+|x-vercel-[\w-]+|fly-request-id|user-agent|accept|host|origin|date|age|expires|last-modified|strict-transport-security)$/i

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
  const spelled = [program, ...list.map((word) => (typeof word === 'string' ? word : ''))]
  const named = typed ? secretsInWords(spelled).filter((place) => !isOrdinaryWord(spelled, place)) : []
  const others = rules.contexts.has('command') ? secretsOfCommand(spelled) : []
  const places = [
    ...named,
    ...others.filter((one) => !named.some(({ word, from, to }) => word === one.word && from < one.to && to > one.from)),
  ].toSorted((one, other) => one.from - other.from)
  let copy: Value[] | undefined
  list.forEach((given, at) => {
    const word = typeof given === 'string' ? withoutTyped(given, places, at + 1, pass) : given
    const before = list[at - 1]
    const name = typeof before === 'string' ? optionName(before, program || list[0]) : undefined
    const isOption = typeof word === 'string' && word.startsWith('-')
    const named = name === undefined || isOption ? undefined : optionRule(name, word, rules.names)
    const clean = findings.at(String(at), () => walk(word, pass, { depth: spot.depth + 1, named }))
    if (clean !== given) (copy ??= [...list])[at] = clean
  })
  return copy ?? list
}

const MADE_WORD = /^(?:[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}|[\da-f]{7,40}|[\da-f]{64})$/i

/** A commit, a UUID that no option calls a secret, columns to sort by. */
const isOrdinaryWord = (
  words: readonly string[],
  { word, from, to, name }: ReturnType<typeof secretsInWords>[number],
): boolean => {
  const value = words[word]!.slice(from, to)
  if (/^--?(?:key|k)$/.test(name) && /^\d+(?:[.,]\d+)*[bdfghinMRrV]*(?:,\d+[a-zA-Z.\d]*)?$/.test(value)) return true
  const option = /^--?([\w.-]{2,80})$/.exec(words[word - 1] ?? '')?.[1]
  // `-pass 2` of ffmpeg.
  if (/^\d{1,2}$/.test(value)) return true
  return (
    MADE_WORD.test(value) &&
    from === 0 &&
    (option === undefined || !mayBeSecretName(option)) &&
    !mayBeSecretName(name.replace(/^-+/, ''))
  )
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
