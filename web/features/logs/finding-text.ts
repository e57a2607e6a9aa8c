/** Texts of this feature's problems: translated for the interface, in English for the lint. */
import type { Translation } from '../../ui/index.svelte.ts'
import { LEVELS, type LogMark } from './logs-fold.ts'
import type en from './text/en.ts'

type Texts = Translation<typeof en>

/**
 * @param found the value in place of a level
 * @param least the requested minimum level
 */
export const markText = ({ code, rule }: LogMark, found: string, least: number, t: Texts): string =>
  ({
    'unknown-level': t.markUnknownLevel(found),
    'no-data': t.markNoData,
    'bad-logger': t.markBadLogger,
    'no-params': t.markNoParams,
    below: rule === 'SF-LOG-03' ? t.markBelowRequest : t.markBelow(LEVELS[least] ?? '?'),
    unasked: t.markUnasked,
  })[code]
