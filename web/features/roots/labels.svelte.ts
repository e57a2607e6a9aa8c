/** Labels for the codes of this feature, in the current language. */
import type { ServerRequest } from '../server-request.ts'
import type { Conversion, RootFinding } from './root-uri.ts'
import { texts } from './text/texts.svelte.ts'
import { format } from '../../ui/index.svelte.ts'

export const faultText = ({ code, found = '' }: RootFinding): string => {
  const { t } = texts
  return {
    empty: t.faultEmpty,
    path: t.faultPath,
    'no-uri': t.faultNoUri,
    scheme: t.faultScheme(found),
    slashes: t.faultSlashes,
    host: t.faultHost(found),
    drive: t.faultDrive(found),
    backslash: t.faultBackslash,
    characters: t.faultCharacters(found),
    percent: t.faultPercent(found),
    'hidden-separator': t.faultHiddenSeparator(found),
    traversal: t.faultTraversal,
    dot: t.faultDot,
    query: t.faultQuery(found),
    'whole-disk': t.faultWholeDisk,
    twice: t.faultTwice,
    'too-long': t.faultTooLong(found),
  }[code]
}

export const conversionText = ({ problem }: Extract<Conversion, { problem: string }>): string =>
  ({
    empty: '',
    home: texts.t.problemHome,
    relative: texts.t.problemRelative,
    'not-file': texts.t.problemNotFile,
    nul: texts.t.problemNul,
  })[problem]

/** The outcome of a request. */
export const outcomeText = ({ state, answered, released }: ServerRequest): string => {
  const { t } = texts
  if (answered && 'error' in answered) return t.refused(answered.error.code)
  if (answered) {
    const { roots } = answered.result
    if (released) return t.released
    return Array.isArray(roots) ? t.got(format.count(roots.length)) : t.gotOther
  }
  return { open: t.open, withdrawn: t.withdrawn, lost: t.lost, answered: t.gotOther, refused: t.gotOther }[state]
}
