/** Every violation that the message editor lists is said in Chinese. Node only, because it reads the sources. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { messagesOf } from '../../../tests/messages.ts'
import type { Json } from '../../mcp/index.ts'
import { eachFault } from '../../mcp/schema/mutants.case.ts'
import * as schema from '../../mcp/schema/schema.ts'
import { expectedPhrase, foundPhrase } from './text/chinese-phrases.ts'
import chinese from './text/zh-CN.ts'

/** English words outside of quotes. */
const ENGLISH = /\b(?:an?|as|at|both|from|in|more|neither|no|none|nothing|of|only|or|than|that|the|to|was|well)\b/

const isEnglish = (phrase: string) => ENGLISH.test(phrase.replaceAll(/"(?:[^"\\]|\\.)*"/g, ''))

describe('what a violation says is Chinese', () => {
  test('for every sentence of the sources', () => {
    const templates = messagesOf(join(import.meta.dirname, '../../mcp/schema'), {
      fields: new Set(['expected', 'found']),
      makers: { refuse: 1, note: 2, stopped: 0 },
    }).map(({ template }) => template)
    expect(templates.length).toBeGreaterThan(30)
    // A template without words is a value, or was put together by `#describe`, which the next test covers.
    const left = templates
      .filter((template) => /[a-z]{2}/.test(template) && !/^"[^"]*"$/.test(template))
      .map((template) => template.replaceAll('{}', '7'))
      .filter((text) => isEnglish(expectedPhrase(text)) || !/\p{Script=Han}/u.test(expectedPhrase(text)))
    expect(left).toEqual([])
  })

  test('for every single fault in any message', () => {
    const said = new Set<string>()
    const put = (message: Json, revision: (typeof REVISIONS)[number], method?: string) => {
      for (const direction of ['sent', 'received'] as const)
        for (const breach of schema.verdict(message, { revision, direction, ...(method ? { method } : {}) }))
          said.add(chinese.breakLine(breach.expected, breach.found))
    }
    for (const revision of REVISIONS)
      for (const [method, params] of Object.entries(schema.templates(revision, []))) {
        eachFault({ jsonrpc: '2.0', id: 1, method, params }, (broken) => put(broken, revision))
        eachFault({ jsonrpc: '2.0', id: 1, result: {} }, (broken) => put(broken, revision, method))
      }
    expect(said.size).toBeGreaterThan(60)
    expect([...said].filter(isEnglish)).toEqual([])
  })

  test.each([
    ['an integer, at least 0', '不小于 0 的整数'],
    ['a number from 0 to 1', '0 到 1 之间的数字'],
    ['a string or an integer', '字符串或整数'],
    ['an object or null', '对象或 null'],
    ['one of "user", "assistant"', '"user", "assistant" 之一'],
    ['"all" or an array of at most 3', '"all" 或最多 3 项的数组'],
  ])('%s', (phrase, translation) => {
    expect(expectedPhrase(phrase)).toBe(translation)
  })

  test('but the strings of the message stay as they are', () => {
    for (const value of ['"nothing"', String.raw`"\"a\" or a string"`, '"an array of 3"…'])
      expect(foundPhrase(value)).toBe(value)
  })
})

const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const
