/** Codes of this folder in the language of the moment. */
import type { Question } from '../question.ts'
import type { Conversion, RootFinding } from './root-uri.ts'
import { texts } from './text/texts.svelte.ts'
import { format } from '../../ui/index.svelte.ts'

export const faultText = ({ code, found = '' }: RootFinding): string => {
  const { t } = texts
  switch (code) {
    case 'empty':
      return t.faultEmpty
    case 'path':
      return t.faultPath
    case 'no-uri':
      return t.faultNoUri
    case 'scheme':
      return t.faultScheme(found)
    case 'slashes':
      return t.faultSlashes
    case 'host':
      return t.faultHost(found)
    case 'drive':
      return t.faultDrive(found)
    case 'backslash':
      return t.faultBackslash
    case 'characters':
      return t.faultCharacters(found)
    case 'percent':
      return t.faultPercent(found)
    case 'hidden-separator':
      return t.faultHiddenSeparator(found)
    case 'traversal':
      return t.faultTraversal
    case 'dot':
      return t.faultDot
    case 'query':
      return t.faultQuery(found)
    case 'whole-disk':
      return t.faultWholeDisk
    case 'twice':
      return t.faultTwice
    case 'too-long':
      return t.faultTooLong(found)
  }
}

export const conversionText = ({ problem }: Extract<Conversion, { problem: string }>): string =>
  ({
    empty: '',
    home: texts.t.problemHome,
    relative: texts.t.problemRelative,
    'not-file': texts.t.problemNotFile,
    nul: texts.t.problemNul,
  })[problem]

/** What came of a question. */
export const outcomeWord = ({ state, answered, released }: Question): string => {
  const { t } = texts
  if (answered && 'error' in answered) return t.refused(answered.error.code)
  if (answered) {
    const { roots } = answered.result
    if (released) return t.released
    return Array.isArray(roots) ? t.got(format.count(roots.length)) : t.gotOther
  }
  return { open: t.open, withdrawn: t.withdrawn, lost: t.lost, answered: t.gotOther, refused: t.gotOther }[state]
}
