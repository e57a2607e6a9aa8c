/** Advice on what a server offers: instructions to the model (ADV-01), and invisible characters (ADV-02). */
import { pacer, type Json, type JsonObject } from '../../mcp/index.ts'
import { markHidden, visibleProse } from '../../ui/index.ts'
import { injectionIn, lookedAt, MOST, type InjectionSign } from './injection.ts'
import { textsOf } from './texts.ts'

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
