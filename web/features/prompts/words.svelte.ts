/** Codes of this folder in the language of the moment. */
import type { MessageFinding } from './outcome.ts'
import type { PromptFinding } from './prompt-item.ts'
import * as textOf from './finding-text.ts'
import { texts } from './text/texts.svelte.ts'

export const promptFindingText = (finding: PromptFinding): string => textOf.promptFindingText(finding, texts.t)

export const messageFindingText = (finding: MessageFinding): string => textOf.messageFindingText(finding, texts.t)
