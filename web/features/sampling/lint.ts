/** Reports the findings of `findings.ts` as lint rules. */
import type { FeatureRules } from '../../lint/index.ts'
import { requestReader } from '../server-requests/index.ts'
import { findingsOf, mayAskForContext, textValues, type Finding } from './findings.ts'
import { METHOD } from './request.ts'
import en from './text/en.ts'

const RULES = [
  'CF-SAMP-03', 'CF-SAMP-04', 'CF-SAMP-05', 'CF-SAMP-07', 'CF-SAMP-09', 'CF-SAMP-10', 'CF-SAMP-11',
  'CF-SAMP-14', 'CF-SAMP-15', 'LC-09',
] as const // prettier-ignore

export const samplingRules: FeatureRules = {
  rules: RULES,
  watch: (view) => {
    const requests = requestReader(METHOD)
    return {
      message(observed, report) {
        for (const { params, pointer } of requests(observed)) {
          const declared = observed.asked?.capabilities ?? view.declared
          for (const found of findingsOf(params, observed.revision, mayAskForContext(declared))) {
            report({
              rule: found.rule,
              keyword: keywordOf(found),
              explanation: en.finding(...textValues(found)),
              pointer: pointer + placeOf(found),
              related: observed.asked?.seq,
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

const PLACES: Partial<Record<Finding['code'], string>> = {
  'no-messages': '/messages',
  'many-rounds': '/messages',
  'no-max-tokens': '/maxTokens',
  'late-tools': '/tools',
  'bad-choice': '/toolChoice',
  'choice-without-tools': '/toolChoice',
  context: '/includeContext',
  priority: '/modelPreferences',
}

const placeOf = ({ code, at }: Finding): string => (at === undefined ? (PLACES[code] ?? '') : `/messages/${at}`)
