/** What findings of this folder say: in any language with its catalogue, in English for the lint. */
import type { Translation } from '../../ui/index.svelte.ts'
import { LEVELS, type LogMark } from './logs-fold.ts'
import type en from './text/en.ts'

type Texts = Translation<typeof en>

/** @param found what stands where the level is due @param least what was asked for */
export const markText = ({ code, rule }: LogMark, found: string, least: number, t: Texts): string =>
  ({
    'unknown-level': t.markUnknownLevel(found),
    'no-data': t.markNoData,
    'bad-logger': t.markBadLogger,
    'no-params': t.markNoParams,
    below: rule === 'SF-LOG-03' ? t.markBelowRequest : t.markBelow(LEVELS[least] ?? '?'),
    unasked: t.markUnasked,
  })[code]
