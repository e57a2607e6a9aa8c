/** The Prompts panel's checks as lint rules. */
import { isObject, type Json } from '../../mcp/index.ts'
import type { FeatureRules } from '../../lint/index.ts'
import { listReader } from '../lists/index.ts'
import { messagesOf, PROMPTS } from '../prompt-commands/index.ts'
import en from './text/en.ts'

export const promptRules: FeatureRules = {
  rules: ['SF-PROMPT-02', 'SF-PROMPT-03'],
  watch: () => {
    const items = listReader(PROMPTS)
    return {
      message(heard, report) {
        for (const [{ findings }, pointer] of items(heard)) {
          for (const { rule, keyword, code, found, pointer: place } of findings) {
            // A repeated name violates no rule for prompts.
            if (rule === undefined) continue
            report({ rule, keyword, explanation: en.promptFinding(code, found, place), pointer: pointer + place })
          }
        }
        const { kind, method, result, at, asked } = heard
        if (kind !== 'answer' || method !== 'prompts/get' || !result || !isWhole(result.resultType)) return
        const { messages, findings } = messagesOf(result)
        const place = `${at}/result/messages`
        const related = asked?.seq
        for (const each of findings) {
          report({ ...each, explanation: en.messageFinding(each.code), pointer: place, related })
        }
        for (const [index, message] of messages.slice(0, MOST).entries()) {
          for (const { rule, keyword, code } of message.findings) {
            const pointer = `${place}/${index}${memberOf(code, message.raw)}`
            report({ rule, keyword, explanation: en.messageFinding(code), pointer, related })
          }
        }
      },
    }
  },
}

/** Most messages examined per result. */
const MOST = 1_000

const isWhole = (resultType: Json | undefined): boolean => resultType === undefined || resultType === 'complete'

const memberOf = (code: string, raw: Json): string => (!isObject(raw) ? '' : code === 'bad-role' ? '/role' : '/content')
