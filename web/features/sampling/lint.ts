/** Reports the findings of `findings.ts` as lint rules. */
import { type FeatureRules, Recent } from '../../lint/index.ts'
import { requestsInMessage } from '../server-requests/index.ts'
import { findingText } from './finding-text.ts'
import { findingsOf, mayAskForContext, type Finding } from './findings.ts'
import { METHOD } from './request.ts'
import en from './text/en.ts'

const RULES = [
  'CF-SAMP-03', 'CF-SAMP-04', 'CF-SAMP-05', 'CF-SAMP-07', 'CF-SAMP-09', 'CF-SAMP-10', 'CF-SAMP-11',
  'CF-SAMP-14', 'CF-SAMP-15', 'LC-09',
] as const // prettier-ignore

export const samplingRules: FeatureRules = {
  rules: RULES,
  watch: (view) => {
    const judged = new Recent<string, true>(1_000)
    return {
      message(heard, report) {
        for (const { method, params, pointer, again } of requestsInMessage(heard)) {
          if (method !== METHOD) continue
          if (again !== undefined) {
            if (judged.has(again)) continue
            judged.set(again, true)
          }
          const declared = heard.asked?.capabilities ?? view.declared
          for (const found of findingsOf(params, heard.revision, mayAskForContext(declared))) {
            report({
              rule: found.rule,
              keyword: keywordOf(found),
              explanation: findingText(found, en),
              pointer: pointer + placeOf(found),
              related: heard.asked?.seq,
              ...(ALLOWED.has(found.code) ? { once: true as const } : {}),
            })
          }
        }
      },
    }
  },
}

/** Not violations: the request is valid, but the protocol has changed since. */
const ALLOWED: ReadonlySet<Finding['code']> = new Set(['context', 'deprecated'])

const keywordOf = ({ code, rule, level }: Finding): 'MUST' | 'SHOULD' | 'SHOULD NOT' | 'MAY' => {
  if (code === 'context' && rule === 'CF-SAMP-14') return 'SHOULD NOT'
  if (level === 'note') return 'MAY'
  return rule === 'CF-SAMP-05' ? 'SHOULD' : 'MUST'
}

const placeOf = ({ code, at }: Finding): string => {
  if (at !== undefined) return `/messages/${at}`
  switch (code) {
    case 'no-messages':
    case 'many-rounds':
      return '/messages'
    case 'no-max-tokens':
      return '/maxTokens'
    case 'late-tools':
      return '/tools'
    case 'bad-choice':
    case 'choice-without-tools':
      return '/toolChoice'
    case 'context':
      return '/includeContext'
    case 'priority':
      return '/modelPreferences'
    default:
      return ''
  }
}
