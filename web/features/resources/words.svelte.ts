/** Codes of this folder in the language of the moment. */
import type { ReadFinding } from './reads-fold.ts'
import type { ItemFinding } from './resource-item.ts'
import type { TemplateFault } from './template.ts'
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

export const itemFindingText = ({ code, found, pointer }: ItemFinding): string => {
  const { t } = texts
  switch (code) {
    case 'no-object':
      return t.findingNoObject(found)
    case 'no-uri':
      return t.findingNoUri(pointer, found)
    case 'not-a-uri':
      return t.findingNotAUri(found)
    case 'repeated-uri':
      return t.findingRepeatedUri(found)
    case 'no-name':
      return t.findingNoName(found)
    case 'not-a-string':
      return t.findingNotAString(pointer, found)
    case 'bad-size':
      return t.findingBadSize(found)
    case 'annotations-no-object':
      return t.findingAnnotationsNoObject(found)
    case 'bad-priority':
      return t.findingBadPriority(found)
    case 'bad-audience':
      return t.findingBadAudience(found)
    case 'bad-last-modified':
      return t.findingBadLastModified(found)
  }
}

export const readFindingText = ({ code }: ReadFinding): string =>
  ({ 'no-contents': texts.t.findingNoContents, 'empty-contents': texts.t.findingEmptyContents })[code]

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
