/** The Resources panel's checks as lint rules. */
import type { FeatureRules } from '../../lint/index.ts'
import { listReader } from '../lists/index.ts'
import { readFindings } from './not-found.ts'
import { findingsOf, RESOURCES, TEMPLATES } from './resources-fold.ts'
import en from './text/en.ts'

export const resourceRules: FeatureRules = {
  rules: ['SF-RES-02', 'SF-RES-03', 'SF-RES-05', 'SF-RES-06', 'SF-RES-10', 'SF-RES-12'],
  watch: () => {
    const lists = [listReader(RESOURCES), listReader(TEMPLATES)]
    return {
      message(heard, report) {
        for (const items of lists) {
          for (const [item, pointer] of items(heard)) {
            for (const { rule, keyword, code, found, pointer: at } of findingsOf(item, heard.revision)) {
              report({ rule, keyword, explanation: en.itemFinding(code, found, at), pointer: pointer + at })
            }
          }
        }
        const { kind, method, result, at, asked } = heard
        if (kind !== 'answer' || method !== 'resources/read' || !result) return
        if (result.resultType !== undefined && result.resultType !== 'complete') return
        for (const each of readFindings(result, heard.revision)) {
          report({
            ...each,
            explanation: en.readFinding(each.code),
            pointer: `${at}/result/contents`,
            related: asked?.seq,
          })
        }
      },
    }
  },
}
