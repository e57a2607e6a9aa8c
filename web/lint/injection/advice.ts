/** Advice on what a server offers: instructions to the model (ADV-01), and invisible characters (ADV-02). */
import { escapeToken } from '../../json/index.ts'
import { type Json, type JsonObject, pacer } from '../../mcp/index.ts'
import { markHidden, visibleProse } from '../../ui/index.ts'
import { injectionIn, type InjectionSign, lookedAt, MOST } from './injection.ts'

/** All texts in an offer, at any depth: attacks also hide in parameter names and default values. */
interface TextAt {
  /** JSON pointer (RFC 6901) from the value passed in. */
  readonly pointer: string
  /** Absent at the place where the limit was reached: the remaining values aren't read. */
  readonly text: string | undefined
}

/** Limits on nesting and on the number of values. */
const DEEPEST = 40
const MOST_TEXTS = 200_000
/** Shorter texts mean nothing, and most of them are keywords of a schema. */
const SHORTEST = 3

/** Members without words: images, and URLs of schemas. */
const NO_WORDS: ReadonlySet<string> = new Set(['icons', '$schema', 'blob', 'data'])

/** An array or object being read member by member, because it may have a million members. */
interface Opened {
  readonly value: { readonly [name: string]: Json }
  /** Absent for an array. */
  readonly names: readonly string[] | undefined
  readonly length: number
  readonly pointer: string
  next: number
}

const opened = (value: object, pointer: string): Opened => {
  const names = Array.isArray(value) ? undefined : Object.keys(value)
  const length = names?.length ?? (value as readonly Json[]).length
  return { value: value as Opened['value'], names, length, pointer, next: 0 }
}

/** Strings and member names, in the order of the value. */
export function* textsOf(value: Json | undefined): Generator<TextAt, void, undefined> {
  if (typeof value === 'string' && value.length >= SHORTEST) yield { pointer: '', text: value }
  const open = typeof value === 'object' && value !== null ? [opened(value, '')] : []
  for (let seen = 0, here = open.at(-1); here; seen++, here = open.at(-1)) {
    if (here.next >= here.length) {
      open.pop()
      continue
    }
    const name = here.names?.[here.next] ?? String(here.next)
    const member = here.value[name]!
    here.next++
    if (seen >= MOST_TEXTS) return yield { pointer: stepped(here, name), text: undefined }
    if (here.names && name.length >= SHORTEST) yield { pointer: stepped(here, name), text: name }
    if (NO_WORDS.has(name)) continue
    if (typeof member === 'string') {
      if (member.length >= SHORTEST) yield { pointer: stepped(here, name), text: member }
    } else if (typeof member === 'object' && member !== null && open.length < DEEPEST) {
      open.push(opened(member, stepped(here, name)))
    }
  }
}

const stepped = ({ pointer }: Opened, name: string): string => `${pointer}/${escapeToken(name.slice(0, 200))}`

export type Advice = {
  /** JSON pointer (RFC 6901) from the value passed in. */
  readonly pointer: string
} & (
  | {
      readonly rule: 'ADV-01'
      readonly kind: InjectionSign['kind']
      /** Ready for display: hidden characters are marked. */
      readonly excerpt: string
    }
  | {
      readonly rule: 'ADV-01'
      /** Not checked: `unread-middle` of a long text, `unread-rest` for all texts from this place on. */
      readonly kind: 'unread-middle' | 'unread-rest'
      /** UTF-16 units checked. */
      readonly checked: number
    }
  | {
      readonly rule: 'ADV-02'
      readonly count: number
      /** As displayed: ⟨U+202E⟩. */
      readonly first: string
    }
)

/** UTF-16 units checked per value. The longest list of a real server has 231,000. */
const MOST_TEXT = 512 * 1024

/**
 * Checks in slices: a server's list may have any length, and the page must stay responsive. `MOST` limits each text.
 * @param tell receives each piece of advice; returns `false` to stop
 */
export const adviceIn = async (value: Json | undefined, tell: (advice: Advice) => void | boolean): Promise<void> => {
  const pace = pacer()
  let checked = 0
  for (const { pointer, text } of textsOf(value)) {
    if (text === undefined || checked >= MOST_TEXT) {
      tell({ rule: 'ADV-01', kind: 'unread-rest', pointer, checked })
      return
    }
    checked += Math.min(text.length, MOST)
    for (const { kind, excerpt } of injectionIn(text)) {
      if (tell({ rule: 'ADV-01', kind, pointer, excerpt: visibleProse(excerpt, 120) }) === false) return
    }
    let pause = pace()
    if (pause) await pause
    const { count, first } = markHidden(lookedAt(text))
    if (first !== undefined && tell({ rule: 'ADV-02', pointer, count, first }) === false) return
    if (text.length > MOST && tell({ rule: 'ADV-01', kind: 'unread-middle', pointer, checked: MOST }) === false) return
    pause = pace()
    if (pause) await pause
  }
}

/** Maximum number of pieces of advice per item. */
const MOST_ADVICE = 20

const known = new WeakMap<JsonObject, Promise<readonly Advice[]>>()

/** Advice on one tool, prompt or resource. Computed once per item. */
export const adviceOn = (item: JsonObject): Promise<readonly Advice[]> => {
  let found = known.get(item)
  if (!found) {
    const some: Advice[] = []
    found = adviceIn(item, (advice) => some.push(advice) < MOST_ADVICE).then(() => some)
    known.set(item, found)
  }
  return found
}
