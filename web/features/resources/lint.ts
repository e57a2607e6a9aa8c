/** The Resources panel's checks as lint rules. */
import type { FeatureRules } from '../../lint/index.ts'
import { listReader } from '../lists/index.ts'
import { itemFindingText, readFindingText } from './finding-text.ts'
import { readFindings } from './reads-fold.ts'
import { findingsOf, RESOURCES, TEMPLATES } from './resource-item.ts'
import en from './text/en.ts'

export const resourceRules: FeatureRules = {
  rules: ['SF-RES-01', 'SF-RES-03', 'SF-RES-05', 'SF-RES-06', 'SF-RES-10', 'SF-RES-12'],
  watch: () => {
    const lists = [listReader(RESOURCES), listReader(TEMPLATES)]
    return {
      message(heard, report) {
        for (const items of lists) {
          for (const [item, pointer] of items(heard)) {
            for (const each of findingsOf(item, heard.revision)) {
              const { rule, keyword } = each
              report({ rule, keyword, explanation: itemFindingText(each, en), pointer: pointer + each.pointer })
            }
          }
        }
        const { kind, method, result, at, asked } = heard
        if (kind !== 'answer' || method !== 'resources/read' || !result) return
        if (result.resultType !== undefined && result.resultType !== 'complete') return
        for (const each of readFindings(result, heard.revision)) {
          report({
            ...each,
            explanation: readFindingText(each, en),
            pointer: `${at}/result/contents`,
            related: asked?.seq,
          })
        }
      },
    }
  },
}
