/** The problems marked in the log, as lint rules and as texts. Uses the panel's fold, but drops its lines. */
import { type Json, isObject } from '../../mcp/index.ts'
import type { FeatureRules } from '../../lint/index.ts'
import { secretsInWords } from '../../secrets/index.ts'
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
  rules: ['SEC-15', 'SF-LOG-02', 'SF-LOG-03', 'SF-LOG-04', 'SF-LOG-05'],
  watch: ({ link }) => {
    const logs = logsFold.initial()
    let toldSecret = false
    return {
      message({ method, kind, params, at }, report) {
        if (toldSecret || kind !== 'notification' || method !== 'notifications/message') return
        const length = secretLength(params.data)
        if (length === undefined) return
        toldSecret = true
        const explanation = `The log message contains a secret of ${length} characters`
        report({ rule: 'SEC-15', keyword: 'MUST', explanation, pointer: `${at}/params/data` })
      },
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

/** Characters of a log message that are searched for secrets, and of the shortest secret. */
const LONGEST = 10_000
const SHORTEST = 6

/** A placeholder or a statement instead of a secret: `[redacted]`, `expired`, `${TOKEN}`, `12 of 40`. */
const NO_SECRET = /^[[<({$%*•x.…\s]|redacted|masked|hidden|^[\p{L}\s_.-]*$|^\d{1,5}$|^\d+ /iu

/** Names that mean a secret in a header or an option, and often something else in a log: the key of a cache. */
const OFTEN_ELSE = /^(key|code|sid|session|session_?id|ticket|state|nonce|signature|hash|pin)$/i

/** SEC-15. @returns the characters of the first secret in a log message */
const secretLength = (data: Json | undefined): number | undefined => {
  if (data === undefined) return undefined
  const text = (typeof data === 'string' ? data : JSON.stringify(data)).slice(0, LONGEST)
  for (const { from, to, name } of secretsInWords([text])) {
    const secret = text.slice(from, to).replace(/^(bearer|basic|token)\s+/i, '')
    // A long word that is the whole message may be anything.
    const isWhole = from === 0 && to === text.length
    if (secret.length >= SHORTEST && !isWhole && !OFTEN_ELSE.test(name) && !NO_SECRET.test(secret)) return secret.length
  }
  return undefined
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
