import fc from 'fast-check'
import { expect, test } from 'vitest'
import { REVISIONS, type Json, type JsonObject } from '../../mcp/index.ts'
import * as schema from '../../mcp/schema/schema.ts'
import { addToolUse, answerBlocks, emptyAnswer, problemsOf, toolUse, withBlocks, withKey } from './answer.ts'
import { balance, findingsOf, isUnbalanced } from './findings.ts'
import { matchHints } from './endpoint.ts'
import { gistOf, readRequest, toolRounds } from './request.ts'

const text = (text: string) => ({ type: 'text', text })
const use = (id: string, name = 'look') => ({ type: 'tool_use', id, name, input: {} })
const result = (toolUseId: string) => ({ type: 'tool_result', toolUseId, content: [] })
const LOOK = { name: 'look', inputSchema: { type: 'object' } }
const question = (more: JsonObject = {}): JsonObject => ({
  messages: [{ role: 'user', content: text('Hello') }],
  maxTokens: 10,
  ...more,
})
const codes = (found: readonly { readonly code: string }[]) => found.map(({ code }) => code)

test('the answer that one begins with fits every revision (CF-SAMP-06)', () => {
  for (const revision of REVISIONS) expect(problemsOf(emptyAnswer(), question(), revision, schema)).toEqual([])
})

test('an answer is held against the revision: what is missing or comes from a later one is a breach (CF-SAMP-07)', () => {
  const wrong = (answer: JsonObject, revision: (typeof REVISIONS)[number]) =>
    problemsOf(answer, question(), revision, schema).filter(({ level }) => level === 'breach')
  expect(wrong(withKey(emptyAnswer(), 'model', undefined), '2025-11-25')[0]?.pointer).toBe('/model')
  expect(wrong({ ...emptyAnswer(), role: 'system' }, '2025-11-25')[0]?.pointer).toBe('/role')
  const audio = { ...emptyAnswer(), content: { type: 'audio', data: '', mimeType: 'audio/wav' } }
  expect(wrong(audio, '2024-11-05')).not.toEqual([])
  expect(wrong(audio, '2025-03-26')).toEqual([])
  const several = withBlocks(emptyAnswer(), [text('a'), text('b')])
  expect(wrong(several, '2025-06-18')).not.toEqual([])
  expect(wrong(several, '2026-07-28')).toEqual([])
})

test('calls of tools are judged by what was offered (CF-SAMP-08, CF-SAMP-10)', () => {
  const calls = (name: string, asked: JsonObject) =>
    codes(problemsOf({ ...emptyAnswer(), content: use('1', name), stopReason: 'toolUse' }, asked, '2025-11-25', schema))
  expect(calls('look', question({ tools: [LOOK] }))).toEqual([])
  expect(calls('look', question())).toEqual(['use-not-offered'])
  expect(calls('other', question({ tools: [LOOK] }))).toEqual(['use-unknown'])
  expect(calls('look', question({ tools: [LOOK], toolChoice: { mode: 'none' } }))).toEqual(['use-forbidden'])
  const required = question({ tools: [LOOK], toolChoice: { mode: 'required' } })
  expect(codes(problemsOf(emptyAnswer(), required, '2025-11-25', schema))).toEqual(['use-required'])
})

test('adding a call makes a valid answer, with ids that differ and no text that nobody wrote', () => {
  const asked = question({ tools: [LOOK] })
  const twice = addToolUse(addToolUse(emptyAnswer(), 'look'), 'look')
  expect(answerBlocks(twice)).toHaveLength(2)
  expect(problemsOf(twice, asked, '2025-11-25', schema)).toEqual([])
  expect(toolUse(twice, 'look').id).toBe('call_3')
})

test('fields and JSON are two views of one value: keys that no field knows stay, _meta of blocks too (CF-SAMP-16)', () => {
  const blocks = fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { minLength: 1, maxLength: 3 })
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), blocks, (answer, some) => {
      const one = withBlocks(answer as JsonObject, some as Json[])
      expect(answerBlocks(one)).toEqual(some)
      const { content: before, ...rest } = answer
      const { content: after, ...kept } = one
      void [before, after]
      expect(kept).toEqual(rest)
    }),
  )
})

test('whatever a server sends is read, judged and told in a few words without a throw', () => {
  const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>
  const params = fc.record(
    {
      messages: fc.oneof(json, fc.array(fc.record({ role: json, content: json }) as fc.Arbitrary<Json>)),
      modelPreferences: json,
      tools: fc.oneof(json, fc.array(json)),
      toolChoice: json,
      maxTokens: json,
      stopSequences: json,
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(params, fc.constantFrom(...REVISIONS), (asked, revision) => {
      const given = asked as JsonObject
      expect(gistOf(given).length).toBeLessThanOrEqual(200)
      const request = readRequest(given)
      if (Array.isArray(given.messages)) expect(request.messages).toHaveLength(given.messages.length)
      expect(findingsOf(given, revision).length).toBeLessThanOrEqual(50)
      problemsOf(given, given, revision, schema)
    }),
  )
})

test('a request that is in order has no findings, in any revision but for a note that sampling goes (CF-SAMP-15)', () => {
  for (const revision of REVISIONS) {
    expect(codes(findingsOf(question(), revision))).toEqual(revision === '2026-07-28' ? ['deprecated'] : [])
  }
})

test('each breach of a request is told, with its place (CF-SAMP-03, CF-SAMP-05, CF-SAMP-07, CF-SAMP-10, CF-SAMP-14)', () => {
  const told = (more: JsonObject, revision = '2025-11-25') => codes(findingsOf(question(more), revision))
  expect(told({ messages: [] })).toEqual(['no-messages'])
  expect(told({ messages: [{ role: 'system', content: text('x') }] })).toEqual(['message-shape'])
  expect(told({ messages: [{ role: 'user', content: [text('x')] }] }, '2025-06-18')).toEqual(['late-array'])
  expect(told({ messages: [{ role: 'user', content: { type: 'audio' } }] }, '2024-11-05')).toEqual(['late-type'])
  expect(told({ messages: [{ role: 'user', content: { type: 'smell' } }] })).toEqual(['unknown-type'])
  for (const maxTokens of [0, -1, 1.5, '10', null]) expect(told({ maxTokens })).toEqual(['no-max-tokens'])
  expect(told({ toolChoice: { mode: 'any' }, tools: [LOOK] })).toEqual(['bad-choice'])
  expect(told({ toolChoice: { mode: 'required' } })).toEqual(['choice-without-tools'])
  expect(told({ tools: [LOOK] }, '2025-06-18')).toEqual(['late-tools'])
  expect(told({ includeContext: 'allServers' })).toEqual(['context'])
  expect(told({ includeContext: 'none' })).toEqual([])
  expect(told({ modelPreferences: { costPriority: 2 } })).toEqual(['priority'])
})

test('calls and results must balance: each call answered at once, results alone in their message (CF-SAMP-09)', () => {
  const imbalance = (...contents: Json[]) =>
    codes(
      balance(
        readRequest({
          messages: contents.map((content, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content })),
        }).messages,
      ),
    )
  const hello = text('Hello')
  expect(imbalance(hello, use('1'), result('1'))).toEqual([])
  expect(imbalance(hello, [use('1'), use('2')], [result('2'), result('1')])).toEqual([])
  expect(imbalance(hello, use('1'))).toEqual(['unanswered-use'])
  expect(imbalance(hello, use('1'), hello)).toEqual(['unanswered-use'])
  expect(imbalance(hello, [use('1'), use('2')], result('1'))).toEqual(['unanswered-use'])
  expect(imbalance(hello, use('1'), [result('1'), hello])).toEqual(['mixed-results'])
  expect(imbalance(hello, hello, result('1'))).toEqual(['unknown-result'])
  expect(imbalance(use('1'))).toContain('misplaced-use')
  expect(imbalance(hello, result('1'))).toContain('misplaced-result')
  const messages = [{ role: 'assistant', content: use('1') }]
  expect(isUnbalanced(findingsOf(question({ messages }), '2025-11-25'))).toBe(true)
  expect(isUnbalanced(findingsOf(question({ messages }), '2025-06-18'))).toBe(false)
})

test('rounds of tool calls are counted, and many are told (CF-SAMP-11)', () => {
  const messages = Array.from({ length: 11 }, (_, at) => [
    { role: 'assistant', content: use(`${at}`) },
    { role: 'user', content: result(`${at}`) },
  ]).flat()
  expect(toolRounds(readRequest({ messages }).messages)).toBe(11)
  expect(codes(findingsOf(question({ messages })))).toEqual(['many-rounds'])
})

test('hints are parts of names, tried in their order (CF-SAMP-05)', () => {
  const models = ['claude-3-opus', 'claude-3-sonnet', 'gpt-4o']
  expect(matchHints(models, ['sonnet', 'claude'])).toEqual({ model: 'claude-3-sonnet', hint: 'sonnet', passed: [] })
  expect(matchHints(models, ['gemini', 'GPT'])).toEqual({ model: 'gpt-4o', hint: 'GPT', passed: ['gemini'] })
  expect(matchHints(models, ['gemini'])).toBeUndefined()
})

test('the words for a list are the last text that was said', () => {
  const messages = [
    { role: 'user', content: text('First') },
    { role: 'user', content: [text('  Second\n one '), { type: 'image', data: '', mimeType: 'image/png' }] },
  ]
  expect(gistOf({ messages })).toBe('Second one')
  expect(gistOf({ systemPrompt: 'Be kind' })).toBe('Be kind')
  expect(gistOf({})).toBe('')
})
