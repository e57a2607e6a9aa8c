/** Texts of this feature's problems: translated for the interface, in English for the lint. */
import type { Translation } from '../../ui/index.svelte.ts'
import type { Finding } from './findings.ts'
import type en from './text/en.ts'

type Texts = Translation<typeof en>

export const findingText = ({ code, rule, at, found = '' }: Finding, t: Texts): string => {
  const place = at === undefined ? '' : String(at + 1)
  return {
    'no-messages': t.foundNoMessages,
    'message-shape': t.foundMessageShape(place, found),
    'late-type': t.foundLateType(place, found),
    'late-array': t.foundLateArray(place),
    'unknown-type': t.foundUnknownType(place, found),
    'no-max-tokens': t.foundNoMaxTokens(found),
    'late-tools': t.foundLateTools,
    'mixed-results': t.foundMixedResults(place),
    'misplaced-use': t.foundMisplacedUse(place),
    'misplaced-result': t.foundMisplacedResult(place),
    'unanswered-use': t.foundUnansweredUse(place, found),
    'unknown-result': t.foundUnknownResult(place, found),
    'bad-choice': t.foundBadChoice(found),
    'choice-without-tools': t.foundChoiceWithoutTools,
    context: rule === 'CF-SAMP-14' ? t.foundContextOld(found) : t.foundContext(found),
    priority: t.foundPriority(found),
    'many-rounds': t.foundManyRounds(found),
    deprecated: t.foundDeprecated,
  }[code]
}
