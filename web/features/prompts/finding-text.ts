/** What findings of this folder say: in any language with its catalogue, in English for the lint. */
import type { Translation } from '../../ui/index.svelte.ts'
import type { MessageFinding } from './outcome.ts'
import type { PromptFinding } from './prompt-item.ts'
import type en from './text/en.ts'

type Texts = Translation<typeof en>

export const promptFindingText = ({ code, found, pointer }: PromptFinding, t: Texts): string => {
  switch (code) {
    case 'no-object':
      return t.findingNoObject(found)
    case 'no-name':
      return t.findingNoName(found)
    case 'repeated-name':
      return t.findingRepeatedName(found)
    case 'arguments-no-array':
      return t.findingArgumentsNoArray(found)
    case 'argument-no-object':
      return t.findingArgumentNoObject(pointer, found)
    case 'argument-no-name':
      return t.findingArgumentNoName(pointer, found)
    case 'argument-repeated':
      return t.findingArgumentRepeated(pointer, found)
    case 'required-no-boolean':
      return t.findingRequiredNoBoolean(pointer, found)
    case 'too-many-arguments':
      return t.findingTooMany(found)
  }
}

export const messageFindingText = ({ code }: MessageFinding, t: Texts): string => {
  return {
    'no-messages': t.findingNoMessages,
    'no-object': t.findingMessageNoObject,
    'bad-role': t.findingBadRole,
    'content-array': t.findingContentArray,
    'no-content': t.findingNoContent,
  }[code]
}
