/** Texts of this feature's problems: translated for the interface, in English for the lint. */
import type { Translation } from '../../ui/index.svelte.ts'
import type { MessageFinding } from './outcome.ts'
import type { PromptFinding } from './prompt-item.ts'
import type en from './text/en.ts'

type Texts = Translation<typeof en>

export const promptFindingText = ({ code, found, pointer }: PromptFinding, t: Texts): string =>
  ({
    'no-object': t.findingNoObject(found),
    'no-name': t.findingNoName(found),
    'repeated-name': t.findingRepeatedName(found),
    'arguments-no-array': t.findingArgumentsNoArray(found),
    'argument-no-object': t.findingArgumentNoObject(pointer, found),
    'argument-no-name': t.findingArgumentNoName(pointer, found),
    'argument-repeated': t.findingArgumentRepeated(pointer, found),
    'required-no-boolean': t.findingRequiredNoBoolean(pointer, found),
    'too-many-arguments': t.findingTooMany(found),
  })[code]

export const messageFindingText = ({ code }: MessageFinding, t: Texts): string =>
  ({
    'no-messages': t.findingNoMessages,
    'no-object': t.findingMessageNoObject,
    'bad-role': t.findingBadRole,
    'content-array': t.findingContentArray,
    'no-content': t.findingNoContent,
  })[code]
