import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../mcp/index.ts'
import { binariesOf, contextBlock, type ContextItem, estimatedTokens, lengthOf } from './context-block.ts'

const NONE: ReadonlySet<string> = new Set()
const resource = (uri: string, ...contents: readonly Json[]): ContextItem => ({
  id: uri,
  kind: 'resource',
  uri,
  result: { contents: [...contents] },
})

/** What stands inside and outside of the code blocks, read as Markdown does (CommonMark, 4.5). */
const partsOf = (block: string): { readonly inside: readonly string[]; readonly outside: readonly string[] } => {
  const inside: string[] = []
  const outside: string[] = []
  let fence: string | undefined
  let body: string[] = []
  for (const line of block.split('\n')) {
    const ticks = /^ {0,3}(`{3,})\s*$/.exec(line)?.[1]
    if (fence === undefined) {
      if (ticks === undefined) outside.push(line)
      else fence = ticks
    } else if (ticks !== undefined && ticks.length >= fence.length) {
      inside.push(body.join('\n'))
      body = []
      fence = undefined
    } else body.push(line)
  }
  expect(fence).toBeUndefined()
  return { inside, outside }
}

/** Texts with many backticks, line ends and lines like ours. */
const hostile = fc
  .array(fc.constantFrom('`', '```', '````', '\n', '\r', '\r\n', ' ', '~~~', 'Resource: x', '\u2028', '\0', 'a', '🙂'))
  .map((pieces) => pieces.join(''))

describe('the context block', () => {
  test('has the text as it was sent, with its URI and type in front', () => {
    expect(contextBlock([resource('a:1', { uri: 'a:1', mimeType: 'text/plain', text: 'one\n' })], NONE)).toBe(
      'Resource: a:1\nMIME type: text/plain\n\n```\none\n\n```\n',
    )
  })

  test('no text closes its own fence, or changes a byte on its way', () => {
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 1 }), (texts) => {
        const items = texts.map((text, at) => resource(`a:${at}`, { uri: `a:${at}`, text }))
        expect(partsOf(contextBlock(items, NONE)).inside).toEqual(texts)
      }),
    )
  })

  test('no URI, type, name or role begins a line of its own', () => {
    fc.assert(
      fc.property(hostile, (evil) => {
        const items: readonly ContextItem[] = [
          resource(evil, { uri: evil, mimeType: evil, text: 'x' }),
          {
            id: 'p',
            kind: 'prompt',
            name: evil,
            arguments: { [evil]: evil },
            result: { messages: [{ role: evil, content: { type: 'text', text: 'y' } }] },
          },
        ]
        const { inside, outside } = partsOf(contextBlock(items, NONE))
        expect(inside).toEqual(['x', 'y'])
        for (const line of outside.filter((one) => one !== ''))
          expect(line).toMatch(/^(Resource|MIME type|Prompt|Arguments|Role): /)
        expect(outside.join('')).not.toMatch(/[\r\u2028\0]/)
      }),
    )
  })

  test('binary contents are named with type and size, and included only if the user chose so', () => {
    const blob = Buffer.from([1, 2, 3, 4]).toString('base64')
    const item = resource('a:1', { uri: 'a:1', mimeType: 'image/png', blob })
    expect(binariesOf(item)).toEqual([{ mime: 'image/png', size: 4 }])
    expect(contextBlock([item], NONE)).toBe('Resource: a:1\nMIME type: image/png\nContents: 4 bytes, not included\n')
    expect(contextBlock([item], new Set(['a:1']))).toBe(
      `Resource: a:1\nMIME type: image/png\nContents: 4 bytes, as Base64\n\n\`\`\`\n${blob}\n\`\`\`\n`,
    )
  })

  test('a prompt has its arguments and each message with its role, embedded resources included', () => {
    const block = contextBlock(
      [
        {
          id: 'p',
          kind: 'prompt',
          name: 'review',
          arguments: { language: 'c' },
          result: {
            messages: [
              { role: 'user', content: { type: 'text', text: 'Look' } },
              { role: 'assistant', content: { type: 'resource', resource: { uri: 'a:1', text: 'here' } } },
              { role: 'user', content: { type: 'image', mimeType: 'image/png', data: 'AAAA' } },
              { role: 'user', content: { type: 'resource_link', uri: 'a:2' } },
            ],
          },
        },
      ],
      NONE,
    )
    expect(block).toBe(
      [
        'Prompt: review\nArguments: {"language":"c"}',
        'Role: user\n\n```\nLook\n```',
        'Role: assistant\nResource: a:1\n\n```\nhere\n```',
        'Role: user\nMIME type: image/png\nContents: 3 bytes, not included',
        'Role: user\nLink: a:2\n',
      ].join('\n\n'),
    )
  })

  test('what breaks the specification is written as it came, and nothing throws', () => {
    expect(contextBlock([resource('a:1', 7, null, {})], NONE)).toContain('Contents: JSON\n\n```\n7\n```')
    expect(contextBlock([{ id: 'x', kind: 'resource', uri: 'a:1', result: {} }], NONE)).toBe(
      'Resource: a:1\nContents: none\n',
    )
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (contents, messages) => {
        const result = { contents, messages } as { contents: Json; messages: Json }
        contextBlock([{ id: 'x', kind: 'resource', uri: 'a:1', result }], new Set(['x']))
        contextBlock([{ id: 'x', kind: 'prompt', name: 'p', result }], new Set(['x']))
      }),
    )
  })
})

test('the length counts characters, and the estimate is higher for scripts without spaces', () => {
  expect(lengthOf('a🙂中')).toBe(3)
  expect(estimatedTokens('a'.repeat(400))).toBe(100)
  expect(estimatedTokens('中'.repeat(300))).toBe(200)
})
