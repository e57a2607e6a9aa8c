/**
 * URI templates: their variables, and their expansion with typed values (SF-RES-06).
 *
 * @see RFC 6570
 */

export interface Variable {
  readonly name: string
  /** Exploded somewhere (`{list*}`): commas in the typed value separate list items. */
  readonly list: boolean
  /** Limited to this many characters somewhere (`{name:3}`); a list can't be limited (RFC 6570, 2.4.1). */
  readonly prefix?: number
  /** The operator of the first expression with this variable. */
  readonly operator: Operator
}

export interface Template {
  readonly text: string
  readonly variables: readonly Variable[]
  readonly parts: readonly (string | Expression)[]
}

/** If a template can't be expanded, the fault says why, and the user writes the URI. */
export type ParsedTemplate =
  | { readonly ok: true; readonly template: Template }
  | { readonly ok: false; readonly fault: TemplateFault }

export interface TemplateFault {
  readonly code: 'too-long' | 'too-many' | 'braces' | 'empty' | 'name' | 'operator'
  /** The part of the template at fault. */
  readonly found: string
}

export type Operator = keyof typeof OPERATORS

interface Expression {
  readonly operator: Operator
  readonly specs: readonly { readonly name: string; readonly prefix?: number; readonly explode: boolean }[]
}

/** RFC 6570, appendix A: the prefix, the separator, and what follows the name of an empty value. */
const OPERATORS = {
  '': { first: '', between: ',', named: false, ifEmpty: '', reserved: false },
  '+': { first: '', between: ',', named: false, ifEmpty: '', reserved: true },
  '#': { first: '#', between: ',', named: false, ifEmpty: '', reserved: true },
  '.': { first: '.', between: '.', named: false, ifEmpty: '', reserved: false },
  '/': { first: '/', between: '/', named: false, ifEmpty: '', reserved: false },
  ';': { first: ';', between: ';', named: true, ifEmpty: '', reserved: false },
  '?': { first: '?', between: '&', named: true, ifEmpty: '=', reserved: false },
  '&': { first: '&', between: '&', named: true, ifEmpty: '=', reserved: false },
} as const

/** Most characters and variables of a template that gets a form. */
export const LENGTH_MAX = 8000
export const VARIABLES_MAX = 100

/** RFC 6570, 2.3 */
const NAME = /^(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})(?:\.?(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2}))*$/

/** Parses an untrusted template. Never throws. */
export const readTemplate = (text: string): ParsedTemplate => {
  const fail = (code: TemplateFault['code'], found: string): ParsedTemplate => ({
    ok: false,
    fault: { code, found: found.length > 60 ? `${found.slice(0, 60)}…` : found },
  })
  if (text.length > LENGTH_MAX) return fail('too-long', String(text.length))
  const variables = new Map<string, Variable>()
  const parts: (string | Expression)[] = []
  for (const piece of text.split(/(\{[^{}]*\})/)) {
    if (!/^\{[^{}]*\}$/.test(piece)) {
      if (/[{}]/.test(piece)) return fail('braces', piece)
      parts.push(piece)
      continue
    }
    const inner = piece.slice(1, -1)
    if (inner === '') return fail('empty', piece)
    // RFC 6570, 2.2: operators reserved for future extensions.
    if (/^[=,!@|]/.test(inner)) return fail('operator', piece)
    const operator = (/^[+#./;?&]/.exec(inner)?.[0] ?? '') as Operator
    const specs: Expression['specs'][number][] = []
    for (const spec of inner.slice(operator.length).split(',')) {
      const [, name = '', cut, star] = /^(.*?)(?::([1-9][0-9]{0,3}))?(\*)?$/s.exec(spec) ?? []
      if (!NAME.test(name) || (cut !== undefined && star)) return fail('name', spec || piece)
      const prefix = cut === undefined ? {} : { prefix: Number(cut) }
      specs.push({ name, explode: star !== undefined, ...prefix })
      const before = variables.get(name)
      variables.set(name, { name, operator, ...before, list: star !== undefined || (before?.list ?? false), ...prefix })
    }
    parts.push({ operator, specs })
  }
  if (variables.size > VARIABLES_MAX) return fail('too-many', String(variables.size))
  return { ok: true, template: { text, parts, variables: [...variables.values()] } }
}

/** A typed value as RFC 6570 defines values: empty is undefined and left out; commas separate list items. */
const valueOf = (typed: string, isList: boolean): string | readonly string[] | undefined => {
  if (typed === '') return undefined
  return isList ? typed.split(',').map((part) => part.trim()) : typed
}

/**
 * @param typed by variable; absent or empty values are left out
 * @param lists variables whose commas separate list items although they aren't exploded
 */
export const expand = (
  { parts, variables }: Template,
  typed: Readonly<Record<string, string>>,
  lists: ReadonlySet<string> = new Set(),
): string => {
  const values = new Map<string, string | readonly string[]>()
  for (const { name, list, prefix } of variables) {
    const text = Object.hasOwn(typed, name) ? typed[name]! : ''
    const value = valueOf(text, list || (prefix === undefined && lists.has(name)))
    if (value !== undefined) values.set(name, value)
  }
  return parts.map((part) => (typeof part === 'string' ? encode(part, true) : expression(part, values))).join('')
}

const expression = (
  { operator, specs }: Expression,
  values: ReadonlyMap<string, string | readonly string[]>,
): string => {
  const { first, between, named, ifEmpty, reserved } = OPERATORS[operator]
  const withName = (name: string, value: string) => (named ? `${name}${value === '' ? ifEmpty : `=${value}`}` : value)
  const found = specs.flatMap(({ name, prefix, explode }) => {
    const value = values.get(name)
    if (value === undefined) return []
    if (typeof value === 'string') {
      const cut = prefix === undefined ? value : [...value].slice(0, prefix).join('')
      return [withName(name, encode(cut, reserved))]
    }
    const encoded = value.map((one) => encode(one, reserved))
    return explode ? encoded.map((one) => withName(name, one)) : [withName(name, encoded.join(','))]
  })
  return found.length === 0 ? '' : first + found.join(between)
}

/**
 * RFC 6570, 3.2.1: percent-encodes everything but unreserved characters.
 * @param reserved keeps reserved characters and existing percent-encodings
 */
const encode = (text: string, reserved: boolean): string =>
  // A lone surrogate has no UTF-8 form: it becomes U+FFFD, as in every URL in a browser.
  text
    .toWellFormed()
    .replaceAll(reserved ? /%[0-9A-Fa-f]{2}|[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]/gu : /[^A-Za-z0-9\-._~]/gu, (found) =>
      found.length === 3 && found.startsWith('%') ? found : percent(found),
    )

/** `encodeURIComponent` leaves out a few characters that RFC 3986 reserves. */
const percent = (character: string): string =>
  encodeURIComponent(character).replaceAll(
    /[!'()*]/g,
    (spared) => `%${spared.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** Names of variables without a value. */
export const emptyOf = ({ variables }: Template, typed: Readonly<Record<string, string>>): readonly string[] =>
  variables.filter(({ name }) => !Object.hasOwn(typed, name) || typed[name] === '').map(({ name }) => name)
