/** What the completion list notes, as rules of the lint. */
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
  'no-values': () => ['values', 'The result has no array of values'],
  'no-string': (count) => ['values', `${count} of the values are not strings`],
  'too-many': (count) => ['values', `At most 100 values; found ${count}`],
  'bad-total': () => ['total', 'total is a number of values'],
  'bad-has-more': () => ['hasMore', 'hasMore is a boolean'],
  'total-too-small': (count) => ['total', `total says ${count}, less than the values that came with it`],
  'not-kept': (count) => ['values', `${count} values are left out`],
}
