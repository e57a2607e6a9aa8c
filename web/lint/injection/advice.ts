/** Advice on what a server offers: orders to the model (ADV-01), and characters that nobody sees (ADV-02). */
import { pacer, type Json, type JsonObject } from '../../mcp/index.ts'
import { markHidden, visibleProse } from '../../ui/index.ts'
import { injectionIn, lookedAt, MOST, type InjectionSign } from './injection.ts'
import { textsOf } from './texts.ts'

export type Advice = {
  /** JSON pointer (RFC 6901) from the value that was given. */
  readonly pointer: string
} & (
  | {
      readonly rule: 'ADV-01'
      readonly kind: InjectionSign['kind']
      /** Ready to be shown: hidden characters are marked. */
      readonly excerpt: string
    }
  | {
      readonly rule: 'ADV-01'
      /** Nobody looked: `unread-middle` of a long text, `unread-rest` of all texts from this place on. */
      readonly kind: 'unread-middle' | 'unread-rest'
      /** UTF-16 units that were looked at. */
      readonly checked: number
    }
  | {
      readonly rule: 'ADV-02'
      readonly count: number
      /** As it is shown: ⟨U+202E⟩. */
      readonly first: string
    }
)

/** UTF-16 units that are looked at of one value. The longest list of a real server has 231,000. */
const MOST_TEXT = 512 * 1024

/**
 * Looks in slices: a list of a server may be as long as it wants, and the page must not stand still for it. One text
 * is bounded by `MOST`.
 * @param tell gets each piece of advice; returns `false` to have no more
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

/** Pieces of advice on one item. */
const MOST_ADVICE = 20

const known = new WeakMap<JsonObject, Promise<readonly Advice[]>>()

/** Of one tool, prompt or resource; looked for once. */
export const adviceOn = (item: JsonObject): Promise<readonly Advice[]> => {
  let found = known.get(item)
  if (!found) {
    const some: Advice[] = []
    found = adviceIn(item, (advice) => some.push(advice) < MOST_ADVICE).then(() => some)
    known.set(item, found)
  }
  return found
}
