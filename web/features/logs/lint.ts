/** The problems marked in the log, as lint rules and as texts. Uses the panel's fold, but drops its lines. */
import { type Json, isObject } from '../../mcp/index.ts'
import type { FeatureRules } from '../../lint/index.ts'
import { LEVELS, type LogMark, logsFold } from './logs-fold.ts'
import en from './text/en.ts'
import type { Translation } from '../../ui/index.svelte.ts'

const PLACES: Readonly<Record<LogMark['code'], string>> = {
  'unknown-level': '/params/level',
  below: '/params/level',
  'no-data': '/params/data',
  'bad-logger': '/params/logger',
  'no-params': '/params',
  unasked: '/method',
}

export const logRules: FeatureRules = {
  rules: ['SF-LOG-02', 'SF-LOG-03', 'SF-LOG-04', 'SF-LOG-05'],
  watch: ({ link }) => {
    const logs = logsFold.initial()
    return {
      frame(frame, report) {
        const log = logs.get(link)
        logsFold.step(logs, frame)
        const lines = log?.lines ?? logs.get(link)?.lines ?? []
        for (const { marks, part } of lines.splice(0)) {
          if (marks.length === 0 || frame.kind !== 'message') continue
          const message = part === undefined ? frame.message : (frame.message as readonly Json[])[part]
          const params = isObject(message) && isObject(message.params) ? message.params : {}
          const level = params.level === undefined ? 'nothing' : JSON.stringify(params.level).slice(0, 80)
          for (const mark of marks) {
            report({
              rule: mark.rule,
              keyword: mark.keyword,
              explanation: markText(mark, level, logs.get(link)?.least ?? -1, en),
              pointer: (part === undefined ? '' : `/${part}`) + PLACES[mark.code],
            })
          }
        }
      },
    }
  },
}

/**
 * The text of a mark: translated for the interface, in English for the lint.
 * @param found the value in place of a level
 * @param least the requested minimum level
 */
export const markText = ({ code, rule }: LogMark, found: string, least: number, t: Translation<typeof en>): string => {
  if (code === 'unknown-level') return t.markUnknownLevel(found)
  if (code !== 'below') return t[`mark-${code}`]
  return rule === 'SF-LOG-03' ? t.markBelowRequest : t.markBelow(LEVELS[least] ?? '?')
}
