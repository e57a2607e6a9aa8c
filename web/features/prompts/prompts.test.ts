import fc from 'fast-check'
import { describe, expect, inject, test } from 'vitest'
import {
  exchanges,
  foldAll,
  Projection,
  Session,
  StreamableHttpTransport,
  Trace,
  type Frame,
  type Json,
  type JsonObject,
} from '../../mcp/index.ts'
import { fetchListing } from '../lists/list-pages.ts'
import { titleBeside } from '../lists/list-items.ts'
import { filterItems } from '../lists/index.ts'
import { asMarkdown, asText, messagesOf } from '../prompt-commands/messages.ts'
import { missingIn, paramsOf, PROMPTS, promptsFold, type PromptItem } from '../prompt-commands/prompts-fold.ts'
import { getsFold, outcomeOf, type PromptOutcome } from './outcome.ts'

const anything = fc.jsonValue() as fc.Arbitrary<Json>

const connected = async (url: string) => {
  const trace = new Trace()
  const transport = new StreamableHttpTransport({ url })
  const session = new Session({ trace, link: 'a', transport, clientInfo: { name: 'test', version: '1' } })
  await session.open()
  const lists = new Projection(trace, promptsFold)
  await fetchListing(session, PROMPTS, lists)
  const items = lists.current.get('a')!.items
  return { trace, session, items, item: (name: string) => items.find((one) => one.name === name)! }
}

const outcomesIn = (trace: Trace, name: string): readonly PromptOutcome[] => {
  const { bySeq } = foldAll(exchanges, trace)
  const found = foldAll(getsFold, trace).get('a')?.get(name) ?? []
  return found.flatMap((rounds) => outcomeOf(rounds, bySeq, (seq) => trace.at(seq)) ?? [])
}

const itemOf = (raw: Json): PromptItem => PROMPTS.itemOf(raw, 0, 0, { keys: new Set(), names: new Set() })

describe.each([
  ['2025-11-25', 'v1'],
  ['2026-07-28', 'v2'],
])('of a real server at %s', (revision, way) => {
  test('prompts are listed, got, and read from the Trace with all content types (SF-PROMPT-03, SF-PROMPT-04)', async () => {
    const { session, trace, items, item } = await connected(`${inject('richUrl')}/${way}/${crypto.randomUUID()}`)
    expect(session.peer?.revision).toBe(revision)
    expect(items.map(({ name, findings }) => [name, findings])).toEqual([
      ['review', []],
      ['mixed', []],
    ])
    expect(item('review')).toMatchObject({
      title: 'Review code',
      arguments: [
        { name: 'language', title: 'Language', required: true },
        { name: 'style', required: false },
      ],
    })
    await session.request('prompts/get', paramsOf(item('mixed'), {}))
    const [mixed] = outcomesIn(trace, 'mixed')
    const { messages, findings } = messagesOf(mixed!.result!)
    expect([mixed!.state, findings, messages.flatMap((message) => message.findings)]).toEqual(['ok', [], []])
    expect(messages.map(({ role, blocks }) => [role, blocks.map((block) => (block as JsonObject).type)])).toEqual([
      ['user', ['text']],
      ['assistant', ['image']],
      ['user', ['audio']],
      ['assistant', ['resource_link']],
      ['user', ['resource']],
    ])
    await session.close()
  })

  test('arguments go out as strings, the absent ones not at all, the empty ones as empty (SF-PROMPT-02)', async () => {
    const { session, trace, item } = await connected(`${inject('richUrl')}/${way}/${crypto.randomUUID()}`)
    const review = item('review')
    const given: Record<string, string>[] = [
      {},
      { language: '' },
      { language: 'rust', style: '', unknown: 'never sent' },
    ]
    for (const values of given) {
      await session.request('prompts/get', paramsOf(review, values))
    }
    const outcomes = outcomesIn(trace, 'review')
    expect(outcomes.map((outcome) => outcome.arguments)).toEqual([
      undefined,
      { language: '' },
      { language: 'rust', style: '' },
    ])
    expect(outcomes.map(({ result }) => asText(result!))).toEqual([
      'user: Review this ?',
      'user: Review this ',
      'user: Review this rust, ',
    ])
    await session.close()
  })

  test('a prompt that is not there is an error with its code, beside the ones that were got (SF-PROMPT-05)', async () => {
    const { session, trace } = await connected(`${inject('richUrl')}/${way}/${crypto.randomUUID()}`)
    await session.request('prompts/get', { name: 'none' }).catch(() => {})
    expect(outcomesIn(trace, 'none')).toMatchObject([{ state: 'error', error: { code: -32602 } }])
    await session.close()
  })
})

test('the list shows a title beside the name, where it says more than the name', () => {
  const beside = (raw: Json) => titleBeside(itemOf(raw))
  expect(beside({ name: 'review', title: 'Review code' })).toBe('Review code')
  expect(beside({ name: 'review', title: 'review' })).toBe('')
  expect(beside({ name: 'review', title: '  ' })).toBe('')
  expect(beside({ title: 'Without a name' })).toBe('Without a name')
  expect([...beside({ name: 'review', title: 'x'.repeat(5_000) })].length).toBeLessThanOrEqual(101)
})

test('the title of a prompt is its name, unless it has one that says more', () => {
  const title = (raw: Json) => itemOf(raw).title
  expect(title({ name: 'review', title: 'Review code' })).toBe('Review code')
  expect(title({ name: 'review', title: 'review' })).toBe('review')
  expect(title({ name: 'review', title: '  ' })).toBe('review')
  expect(title({ name: 'review', title: 7 })).toBe('review')
  expect(title({ name: 'review' })).toBe('review')
  expect(title({ title: 'Without a name' })).toBe('Without a name')
})

test('what is required and would not be sent is told; an empty text is a value', () => {
  const item = itemOf({
    name: 'p',
    arguments: [{ name: 'a', required: true }, { name: 'b', required: true }, { name: 'c' }],
  })
  expect(missingIn(item, {})).toEqual(['a', 'b'])
  expect(missingIn(item, { a: '', c: 'x' })).toEqual(['b'])
})

test('an entry of any shape is read without a throw, and what is wrong with it is told (SF-PROMPT-02)', () => {
  fc.assert(fc.property(anything, (raw) => void itemOf(raw)))
  fc.assert(
    fc.property(fc.array(fc.record({ name: anything, required: anything }, { requiredKeys: [] })), (args) => {
      const names = itemOf({ name: 'p', arguments: args as Json }).arguments.map(({ name }) => name)
      expect(new Set(names).size).toBe(names.length)
      expect(names.every((name) => args.some((one) => one.name === name))).toBe(true)
    }),
  )
  const codes = (raw: Json) => itemOf(raw).findings.map(({ code }) => code)
  expect(codes({ name: 'p', arguments: [{ name: 'a', required: false }] })).toEqual([])
  expect(codes(7)).toEqual(['no-object'])
  expect(codes({ arguments: {} })).toEqual(['no-name', 'arguments-no-array'])
  expect(
    codes({ name: 'p', arguments: [1, {}, { name: 'a' }, { name: 'a', required: 'yes' }, { name: 'b', required: 1 }] }),
  ).toEqual(['argument-no-object', 'argument-no-name', 'argument-repeated', 'required-no-boolean'])
})

test('two prompts of one name have keys of their own', () => {
  const taken = { keys: new Set<string>(), names: new Set<string>() }
  const items = ['p', 'p', 'p#2'].map((name, at) => PROMPTS.itemOf({ name }, at, 0, taken))
  expect(new Set(items.map(({ key }) => key)).size).toBe(3)
  expect(items.map(({ findings }) => findings.map(({ code }) => code))).toEqual([[], ['repeated-name'], []])
})

test('messages of any shape lose nothing: each block that came is there, and a breach is told (SF-PROMPT-03)', () => {
  fc.assert(
    fc.property(fc.array(anything), (raws) => {
      const { messages } = messagesOf({ messages: raws })
      expect(messages.map(({ raw }) => raw)).toEqual(raws)
      asText({ messages: raws })
      asMarkdown({ messages: raws })
    }),
  )
  const codes = (message: Json) => messagesOf({ messages: [message] }).messages[0]!.findings.map(({ code }) => code)
  const content = { type: 'text', text: 'x' }
  expect(codes({ role: 'user', content })).toEqual([])
  expect(codes({ role: 'system', content })).toEqual(['bad-role'])
  expect(codes({ role: 'user', content: [content] })).toEqual(['content-array'])
  expect(codes({ role: 'user' })).toEqual(['no-content'])
  expect(codes('x')).toEqual(['no-object'])
  expect(messagesOf({}).findings.map(({ code }) => code)).toEqual(['no-messages'])
  expect(messagesOf({ messages: [{ role: 'user', content: [content, content] }] }).messages[0]!.blocks).toHaveLength(2)
})

test('a fence of the Markdown is longer than any in the text it holds', () => {
  const resource = { uri: 'x:y', text: 'a\n`````\nb' }
  const markdown = asMarkdown({
    description: 'two\nlines',
    messages: [{ role: 'user', content: { type: 'resource', resource } }],
  })
  expect(markdown).toBe('> two\n> lines\n\n## user\n\n`resource x:y`\n\n``````\na\n`````\nb\n``````\n')
})

test('the filter wants every word, in name, title or description', () => {
  const items = [
    itemOf({ name: 'review', title: 'Code review' }),
    itemOf({ name: 'plan', description: 'Review the week' }),
  ]
  const found = (filter: string) => filterItems(items, filter).map(({ name }) => name)
  expect([found(''), found('REVIEW'), found('review week'), found('none')]).toEqual([
    ['review', 'plan'],
    ['review', 'plan'],
    ['plan'],
    [],
  ])
})

test('rounds of one call are one call: folding a part and then the rest is folding all', () => {
  const trace = new Trace({ now: () => 0 })
  const ask = (id: number, follows?: number) =>
    trace.append({
      kind: 'message',
      direction: 'sent',
      type: 'request',
      size: 1,
      link: 'a',
      message: { jsonrpc: '2.0', id, method: 'prompts/get', params: { name: 'p' } },
      ...(follows === undefined ? {} : { follows }),
    }).seq
  const first = ask(1)
  const second = ask(2, first)
  const other = ask(3)
  const third = ask(4, second)
  const frames: readonly Frame[] = [...trace]
  expect(foldAll(getsFold, frames).get('a')?.get('p')).toEqual([[first, second, third], [other]])
  for (let cut = 0; cut <= frames.length; cut++) {
    const state = foldAll(getsFold, frames.slice(0, cut))
    expect(foldAll(getsFold, frames.slice(cut), state)).toEqual(foldAll(getsFold, frames))
  }
})
