/** Advice on what a server offers: orders to the model (ADV-01), and characters that nobody sees (ADV-02). */
import { type Json, type JsonObject } from '../../mcp/index.ts'
import { markHidden, visibleProse } from '../../ui/visible.ts'
import { injectionIn, type InjectionSign } from './injection.ts'
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
      readonly rule: 'ADV-02'
      readonly count: number
      /** As it is shown: ⟨U+202E⟩. */
      readonly first: string
    }
)

/** What is left to look at, in UTF-16 units. */
export interface TextBudget {
  units: number
}

export function* adviceIn(value: Json | undefined, budget: TextBudget): Generator<Advice, void, undefined> {
  for (const { pointer, text } of textsOf(value)) {
    budget.units -= text.length
    if (budget.units < 0) return
    for (const { kind, excerpt } of injectionIn(text)) {
      yield { rule: 'ADV-01', kind, pointer, excerpt: visibleProse(excerpt, 120) }
    }
    const { count, first } = markHidden(text)
    if (first !== undefined) yield { rule: 'ADV-02', pointer, count, first }
  }
}

/** UTF-16 units of one item, and pieces of advice on it. */
const MOST_OF_ITEM = 512 * 1024
const MOST_ADVICE = 20

const known = new WeakMap<JsonObject, readonly Advice[]>()

/** Of one tool, prompt or resource; looked for once. */
export const adviceOn = (item: JsonObject): readonly Advice[] => {
  let found = known.get(item)
  if (!found) {
    const some: Advice[] = []
    for (const advice of adviceIn(item, { units: MOST_OF_ITEM })) if (some.push(advice) >= MOST_ADVICE) break
    known.set(item, (found = some))
  }
  return found
}
