/** Codes of this folder in the language of the moment. */
import type { ResultFinding } from './outcome.ts'
import * as textOf from './finding-text.ts'
import { texts } from './text/texts.svelte.ts'
import type { ToolFinding } from './tool-item.ts'

export const toolFindingText = (finding: ToolFinding): string => textOf.toolFindingText(finding, texts.t)

export const resultFindingText = (finding: ResultFinding): string => textOf.resultFindingText(finding, texts.t)
