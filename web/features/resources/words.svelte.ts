/** Codes of this folder in the language of the moment. */
import type { ReadFinding } from './reads-fold.ts'
import type { ItemFinding } from './resource-item.ts'
import type { TemplateFault } from './template.ts'
import * as textOf from './finding-text.ts'
import { texts } from './text/texts.svelte.ts'
import type { Standing } from './updates-fold.ts'

export const standingWord = (standing: Standing): string => {
  const { t } = texts
  return {
    asked: t.standingAsked,
    on: t.standingOn,
    leaving: t.standingLeaving,
    off: t.standingOff,
    refused: t.standingRefused,
    unclear: t.standingUnclear,
    cut: t.standingCut,
    lost: t.standingLost,
  }[standing]
}

export const standingTone = (standing: Standing): string =>
  standing === 'on' ? 'ok' : standing === 'refused' ? 'bad' : /^(unclear|cut|lost)$/.test(standing) ? 'warn' : ''

export const itemFindingText = (finding: ItemFinding): string => textOf.itemFindingText(finding, texts.t)

export const readFindingText = (finding: ReadFinding): string => textOf.readFindingText(finding, texts.t)

export const faultText = ({ code, found }: TemplateFault): string => {
  const { t } = texts
  return {
    'too-long': t.faultTooLong,
    'too-many': t.faultTooMany,
    braces: t.faultBraces,
    empty: t.faultEmpty,
    name: t.faultName,
    operator: t.faultOperator,
  }[code](found)
}
