/** Problems noted by the completion list, as lint rules. */
import type { FeatureRules } from '../../lint/index.ts'
import { completionOf, type CompletionNote } from './suggestions.ts'

export const completionRules: FeatureRules = {
  rules: ['SF-COMP-02', 'SF-COMP-04'],
  watch: () => ({
    message({ kind, method, result, at, asked }, report) {
      if (kind !== 'answer' || method !== 'completion/complete' || !result) return
      for (const { code, rule, count = 0 } of completionOf(result).notes) {
        if (rule === undefined) continue
        const [member, explanation] = NOTES[code](count)
        report({
          rule,
          keyword: 'MUST',
          explanation,
          pointer: `${at}/result/completion/${member}`,
          related: asked?.seq,
        })
      }
    },
  }),
}

const NOTES: Readonly<Record<CompletionNote['code'], (count: number) => readonly [member: string, what: string]>> = {
  'no-values': () => ['values', 'The result lacks an array of values'],
  'no-string': (count) => ['values', `${count} of the values aren't strings`],
  'too-many': (count) => ['values', `values must contain at most 100 items; found ${count}`],
  'bad-total': () => ['total', 'total must be a non-negative number'],
  'bad-has-more': () => ['hasMore', 'hasMore must be a boolean'],
  'total-too-small': (count) => ['total', `total is ${count}, fewer than the values received`],
  'not-kept': (count) => ['values', `${count} values are left out`],
}
