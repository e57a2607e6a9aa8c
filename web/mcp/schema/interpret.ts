/**
 * Checks a value against a definition in one protocol version, and reports violations with their location.
 *
 * The value comes from a peer: nothing here throws, goes deeper than the definitions (which are finite), reports more
 * than `MOST` violations, or visits more than `STEPS` values.
 */
import { escapeToken } from '../../json/index.ts'
import type { Json, JsonObject } from '../frame.ts'
import type { Revision, Span } from '../revision.ts'
import { isObject } from '../jsonrpc.ts'
import type { FieldNodes, Node, Slot, Type } from './shape.ts'

export interface Breach {
  /** A row of the checklist, for example `SF-TOOL-09`. */
  readonly rule: string
  readonly keyword: 'MUST' | 'SHOULD' | 'MAY'
  /** RFC 6901, into the message. Also names missing members. */
  readonly pointer: string
  readonly expected: string
  readonly found: string
  /** If the key, the member or the requirement exists only from (or up to) a protocol version. */
  readonly since?: Revision
  readonly until?: Revision
  /** `unknown-here`: known in other protocol versions only. A note: the message is still valid. */
  readonly severity: 'breach' | 'unknown-here'
}

/** Violations, and notes, reported per message. */
const MOST = 100
/** Values visited per message: far more than a legitimate message has, and under a second. */
const STEPS = 500_000
/** Characters of a key in a pointer. A longer key is omitted, so the pointer names the containing object. */
const KEY = 1000

export type Path = { readonly up: Path; readonly key: string | number } | undefined

/** Whether a value matches a definition in a protocol version. */
export const fits = <T>(type: Type<T>, value: unknown, revision: Revision): value is T => {
  const walk = new Walk(revision)
  walk.check(type, value as Json, undefined, 'BP-01')
  return walk.breaches.length === 0
}

/** Checks one message. */
export class Walk {
  readonly revision: Revision
  readonly extensions: readonly string[]
  readonly breaches: Breach[] = []
  readonly notes: Breach[] = []
  readonly budget: { steps: number }

  constructor(revision: Revision, extensions: readonly string[] = [], budget = { steps: STEPS }) {
    this.revision = revision
    this.extensions = extensions
    this.budget = budget
  }

  /** The result, violations first; also reports where checking stopped. */
  told(): readonly Breach[] {
    const found = [...this.breaches, ...this.notes]
    const stopped = (why: string) =>
      found.push({
        rule: 'BP-01',
        keyword: 'MUST',
        pointer: '',
        expected: 'a message small enough to check',
        found: why,
        severity: 'unknown-here',
      })
    if (this.breaches.length >= MOST) stopped(`${MOST} violations: the rest was not checked`)
    else if (this.budget.steps <= 0) stopped(`more than ${STEPS} values: the rest was not checked`)
    if (this.notes.length >= MOST) stopped(`${MOST} keys of other protocol versions: the rest is not listed`)
    return found
  }

  check(node: Node, value: Json | undefined, path: Path, inherited: string): void {
    if (this.budget.steps-- <= 0 || this.breaches.length >= MOST) return
    const rule = node.rule ?? inherited
    switch (node.kind) {
      case 'any':
        return
      case 'array':
        if (!Array.isArray(value)) break
        if (node.most !== undefined && value.length > node.most) {
          const found = `an array of ${value.length}`
          this.breach(rule, path, { expected: `an array of at most ${node.most}`, found })
        }
        for (let key = 0; key < value.length && this.#going; key++) {
          this.check(node.of, value[key] as Json, { up: path, key }, rule)
        }
        return
      case 'record':
        if (!isObject(value)) break
        if (node.of.kind === 'any') return
        for (const key in value) {
          if (!this.#going) return
          this.check(node.of, value[key], { up: path, key }, rule)
        }
        return
      case 'object':
        if (!isObject(value)) break
        return this.#fields(node.fields, value, path, rule, node.quiet)
      case 'variants':
        if (!isObject(value)) break
        return this.#variants(node, value, path, rule)
      case 'union':
        return this.#union(node, value, path, rule)
      default:
        if (isScalar(node, value)) return
    }
    this.breach(rule, path, { expected: this.#describe(node), found: show(value) })
  }

  get #going(): boolean {
    return this.budget.steps > 0 && this.breaches.length < MOST
  }

  #fields(fields: FieldNodes, value: JsonObject, path: Path, rule: string, quiet?: boolean): void {
    for (const key in fields) {
      this.field(fields[key]!, Object.hasOwn(value, key) ? value[key] : undefined, { up: path, key }, rule, quiet)
    }
  }

  /** Checks an optional or required value, or one from another protocol version. `undefined`: absent. */
  field(field: FieldNodes[string], value: Json | undefined, path: Path, rule: string, quiet?: boolean): void {
    const slots = Array.isArray(field) ? (field as readonly Slot[]) : [field as Node | Slot]
    const slot = slots.find((slot) => this.isHere(slot))
    if (!slot) {
      const first = slots[0] as Slot
      // A key defined by an extension doesn't count as a key of another version.
      if (value === undefined || quiet || first.quiet || first.extension) return
      this.note(path, { since: first.since, until: slots.length === 1 ? first.until : undefined })
    } else if (value !== undefined) {
      this.check(typeOf(slot), value, path, rule)
    } else if (slot.kind !== 'slot' || (slot.need && within(slot.need, this.revision))) {
      const type = typeOf(slot)
      const since = slot.kind === 'slot' ? (slot.need?.since ?? slot.since) : undefined
      this.breach(type.rule ?? rule, path, { expected: this.#describe(type), found: 'nothing', since })
    }
  }

  #variants(node: Node & { kind: 'variants' }, value: JsonObject, path: Path, rule: string): void {
    const { key, of, otherwise } = node
    const given = Object.hasOwn(value, key) ? value[key] : otherwise
    const member = typeof given === 'string' && Object.hasOwn(of, given) ? of[given] : undefined
    if (member && this.isHere(member)) return this.check(typeOf(member), value, path, rule)
    const names = Object.keys(of).filter((name) => this.isHere(of[name]!))
    this.breach(
      rule,
      { up: path, key },
      {
        expected: listed(names),
        found: show(value[key]),
        ...(member?.kind === 'slot' && { since: member.since, until: member.until }),
      },
    )
  }

  #union({ of }: Node & { kind: 'union' }, value: Json | undefined, path: Path, rule: string): void {
    let nearest: Walk | undefined
    let least = Infinity
    for (const member of of) {
      if (!this.isHere(member)) continue
      const attempt = new Walk(this.revision, this.extensions, this.budget)
      attempt.check(typeOf(member), value, path, rule)
      const { breaches } = attempt
      if (breaches.length === 0) return this.#take(attempt)
      // A member of an entirely different kind is the most distant.
      const distance = breaches[0]!.pointer === pointerOf(path) ? Infinity : breaches.length
      if (distance < least) {
        least = distance
        nearest = attempt
      }
    }
    if (nearest) return this.#take(nearest)
    const later = of.find((member): member is Slot => {
      if (this.isHere(member)) return false
      const attempt = new Walk(this.revision, this.extensions, this.budget)
      attempt.check(typeOf(member), value, path, rule)
      return attempt.breaches[0]?.pointer !== pointerOf(path)
    })
    this.breach(rule, path, {
      expected: this.#describe({ kind: 'union', of }),
      found: show(value),
      since: later?.since,
      until: later?.until,
    })
  }

  #take({ breaches, notes }: Walk): void {
    this.breaches.push(...breaches.slice(0, MOST - this.breaches.length))
    this.notes.push(...notes.slice(0, MOST - this.notes.length))
  }

  /** Whether a member or field exists in the protocol version and extensions being checked. */
  isHere(of: Node | Slot): boolean {
    if (of.kind !== 'slot') return true
    return within(of, this.revision) && (of.extension === undefined || this.extensions.includes(of.extension))
  }

  /** `rules`: an ID, or IDs separated by the protocol versions from which they apply: `LC-10 2026-07-28 META-10`. */
  breach(rules: string, path: Path, { expected, found, since, until }: Found): void {
    if (this.breaches.length >= MOST) return
    const words = rules.split(' ')
    let rule = words[0]!
    for (let at = 1; at < words.length; at += 2) if (words[at]! <= this.revision) rule = words[at + 1]!
    const keyword = MILD[rule] ?? 'MUST'
    this.breaches.push({
      rule,
      keyword,
      pointer: pointerOf(path),
      expected,
      found,
      ...spanned(since, until),
      severity: 'breach',
    })
  }

  /** Known in other protocol versions only. LC-09, VN-02: the negotiated version must be respected. */
  note(
    path: Path,
    { since, until }: Partial<Span>,
    expected = 'no such key in this protocol version',
    found = JSON.stringify(String(path?.key ?? '').slice(0, 60)),
  ): void {
    if (this.notes.length >= MOST) return
    const rule = this.revision < '2026-07-28' ? 'LC-09' : 'VN-02'
    const pointer = pointerOf(path)
    this.notes.push({
      rule,
      keyword: 'MAY',
      pointer,
      expected,
      found,
      ...spanned(since, until),
      severity: 'unknown-here',
    })
  }

  #describe(node: Node): string {
    switch (node.kind) {
      case 'id':
        return 'a string or an integer'
      case 'any':
        return 'a value'
      case 'null':
        return 'null'
      case 'literal':
        return listed(node.values)
      case 'number':
      case 'integer': {
        const kind = node.kind === 'integer' ? 'an integer' : 'a number'
        if (node.least === undefined) return kind
        return node.most === undefined
          ? `${kind}, at least ${node.least}`
          : `${kind} from ${node.least} to ${node.most}`
      }
      case 'array':
        return 'an array'
      case 'record':
      case 'object':
      case 'variants':
        return 'an object'
      case 'union': {
        const here = node.of.filter((member) => this.isHere(member))
        return [...new Set(here.map((member) => this.#describe(typeOf(member))))].join(' or ')
      }
      default:
        return `a ${node.kind}`
    }
  }
}

const isScalar = (node: Node, value: Json | undefined): boolean => {
  switch (node.kind) {
    case 'string':
    case 'boolean':
      return typeof value === node.kind
    case 'null':
      return value === null
    case 'id':
      return typeof value === 'string' || Number.isInteger(value)
    case 'literal':
      return typeof value === 'string' && node.values.includes(value)
    case 'number':
    case 'integer': {
      const right = node.kind === 'integer' ? Number.isInteger(value) : Number.isFinite(value)
      return right && (value as number) >= (node.least ?? -Infinity) && (value as number) <= (node.most ?? Infinity)
    }
    default:
      return true
  }
}

const typeOf = (of: Node | Slot): Node => (of.kind === 'slot' ? of.type : of)

const within = ({ since, until }: Partial<Span>, revision: Revision): boolean =>
  (since === undefined || since <= revision) && (until === undefined || revision <= until)

type Found = Pick<Breach, 'expected' | 'found' | 'since' | 'until'>

/** The prose (BP-08) permits what the schemas up to 2025-06-18 don't. */
const MILD: Readonly<Record<string, Breach['keyword']>> = { 'BP-08': 'MAY' }

const spanned = (since?: Revision, until?: Revision): Partial<Span> => ({
  ...(since && { since }),
  ...(until && { until }),
})

const pointerOf = (path: Path): string => {
  const keys: string[] = []
  for (let at = path; at; at = at.up) {
    const key = String(at.key)
    if (key.length > KEY) keys.length = 0
    else keys.push(escapeToken(key))
  }
  return keys
    .reverse()
    .map((key) => `/${key}`)
    .join('')
}

const listed = (names: readonly string[]): string => {
  const quoted = names.map((name) => JSON.stringify(name)).join(', ')
  return names.length === 1 ? quoted : `one of ${quoted}`
}

/** Always shortened: the value may be huge, or too deep to serialize. */
export const show = (value: Json | undefined): string => {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  if (typeof value !== 'string') return String(value)
  return value.length > 60 ? `${JSON.stringify(value.slice(0, 60))}…` : JSON.stringify(value)
}
