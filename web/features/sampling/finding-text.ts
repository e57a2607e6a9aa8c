/** What findings of this folder say: in any language with its catalogue, in English for the lint. */
import type { Translation } from '../../ui/index.svelte.ts'
import type { Finding } from './findings.ts'
import type en from './text/en.ts'

type Texts = Translation<typeof en>

export const findingText = ({ code, rule, at, found = '' }: Finding, t: Texts): string => {
  const place = at === undefined ? '' : String(at + 1)
  switch (code) {
    case 'no-messages':
      return t.foundNoMessages
    case 'message-shape':
      return t.foundMessageShape(place, found)
    case 'late-type':
      return t.foundLateType(place, found)
    case 'late-array':
      return t.foundLateArray(place)
    case 'unknown-type':
      return t.foundUnknownType(place, found)
    case 'no-max-tokens':
      return t.foundNoMaxTokens(found)
    case 'late-tools':
      return t.foundLateTools
    case 'mixed-results':
      return t.foundMixedResults(place)
    case 'misplaced-use':
      return t.foundMisplacedUse(place)
    case 'misplaced-result':
      return t.foundMisplacedResult(place)
    case 'unanswered-use':
      return t.foundUnansweredUse(place, found)
    case 'unknown-result':
      return t.foundUnknownResult(place, found)
    case 'bad-choice':
      return t.foundBadChoice(found)
    case 'choice-without-tools':
      return t.foundChoiceWithoutTools
    case 'context':
      return rule === 'CF-SAMP-14' ? t.foundContextOld(found) : t.foundContext(found)
    case 'priority':
      return t.foundPriority(found)
    case 'many-rounds':
      return t.foundManyRounds(found)
    case 'deprecated':
      return t.foundDeprecated
  }
}
