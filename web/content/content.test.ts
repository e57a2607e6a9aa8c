import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json } from '../mcp/index.ts'
import { picture, sound } from '../sample/media.ts'
import { decodeBase64, TEXT_MAX } from './base64.ts'
import { contentOf, fileNameOf, jsonIn, linkable } from './content.ts'
import { sniff } from './sniff.ts'

const toBase64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

describe('base64 is decoded defensively', () => {
  test('what was encoded comes back, byte for byte, without a remark', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(decodeBase64(toBase64(bytes))).toEqual({ bytes: new Uint8Array(bytes), faults: [] })
      }),
    )
  })

  test('no text makes it throw, and what it accepts is what a strict decoder accepts, or is marked', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.base64String(), fc.string({ unit: fc.constantFrom(...'AZaz09+/=-_ \n') })),
        (text) => {
          const { bytes, faults } = decodeBase64(text)
          if (bytes && faults.length === 0) expect(toBase64(bytes).length).toBe(text.length)
          if (!bytes) expect(faults).toEqual(['not-base64'])
        },
      ),
    )
  })

  test.each([
    ['aGk', 'no-padding'],
    ['aG k=', 'whitespace'],
    ['_-8=', 'url-alphabet'],
    ['data:text/plain;base64,aGk=', 'data-url'],
  ])('%s is still read, and its fault named', (text, fault) => {
    const { bytes, faults } = decodeBase64(text)
    expect(bytes).toHaveLength(2)
    expect(faults).toContain(fault)
  })

  test('a text over the bound is not decoded', () => {
    const long = { length: TEXT_MAX + 1 } as string
    expect(decodeBase64(long)).toEqual({ faults: ['too-large'] })
  })
})

describe('each block type of each revision', () => {
  const data = picture('sea')

  test('an image has its bytes and the type the bytes speak of', () => {
    const image = contentOf({ type: 'image', data, mimeType: 'image/png' }, '2025-11-25')
    expect(image).toMatchObject({ kind: 'image', notes: [], binary: { mime: 'image/png' } })
  })

  test('a MIME type that contradicts the bytes is noted', () => {
    expect(contentOf({ type: 'image', data, mimeType: 'image/jpeg' }).notes).toEqual([
      { code: 'mime-contradicts', declared: 'image/jpeg', found: 'image/png' },
    ])
    expect(contentOf({ type: 'image', data: sound(440), mimeType: 'image/png' }).notes).toContainEqual({
      code: 'mime-contradicts',
      declared: 'image/png',
      found: 'audio/wav',
    })
  })

  test('other names of the same type are not noted', () => {
    expect(contentOf({ type: 'audio', data: sound(440), mimeType: 'audio/x-wav' }).notes).toEqual([])
  })

  test('bad base64 leaves no bytes and says so', () => {
    expect(contentOf({ type: 'image', data: '§§§', mimeType: 'image/png' })).toMatchObject({
      kind: 'image',
      binary: undefined,
      notes: [{ code: 'not-base64' }],
    })
  })

  test('a block the revision does not know yet is shown, with the revision that brought it', () => {
    expect(contentOf({ type: 'audio', data: sound(440), mimeType: 'audio/wav' }, '2024-11-05').notes).toEqual([
      { code: 'not-in-revision', type: 'audio', since: '2025-03-26' },
    ])
  })

  test.each<[string, Json]>([
    ['an unknown type', { type: 'hologram', data: 1 }],
    ['a type named like a member of every object', { type: 'constructor' }],
    ['no type', { text: 'hi' }],
    ['a text block without text', { type: 'text' }],
    ['a resource block without resource', { type: 'resource' }],
    ['a link without URI', { type: 'resource_link', name: 'x' }],
    ['no object', 'hi'],
    ['null', null],
  ])('%s is kept as it came, with a note', (_, raw) => {
    const content = contentOf(raw)
    expect(content.kind).toBe('unknown')
    expect(content.raw).toBe(raw)
    expect(content.notes.length).toBeGreaterThan(0)
  })

  test('no JSON value makes it throw', () => {
    const block = fc.record(
      {
        type: fc.oneof(fc.constantFrom('text', 'image', 'audio', 'resource', 'resource_link'), fc.string()),
        text: fc.jsonValue(),
        data: fc.jsonValue(),
        mimeType: fc.jsonValue(),
        uri: fc.jsonValue(),
        name: fc.jsonValue(),
        resource: fc.jsonValue(),
        annotations: fc.jsonValue(),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.oneof(block, fc.jsonValue()), (raw) => {
        expect(contentOf(raw as Json, '2025-11-25').raw).toBe(raw)
      }),
    )
  })
})

test('SVG is recognised behind a declaration, a comment and a byte order mark', () => {
  const bytes = new TextEncoder().encode('\uFEFF<?xml version="1.0"?>\n<!-- hi --><svg xmlns="x"></svg>')
  expect(sniff(bytes)).toBe('image/svg+xml')
})

test('only http, https and mailto lead anywhere', () => {
  expect(linkable('https://example.com/a b')).toBe('https://example.com/a%20b')
  expect(linkable('mailto:a@example.com')).toBe('mailto:a@example.com')
  for (const uri of [
    'javascript:alert(1)',
    ' java\nscript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'x',
    '',
  ]) {
    expect(linkable(uri)).toBeUndefined()
  }
})

test('a file name has nothing in it that a file system minds', () => {
  expect(fileNameOf('sample://a/logbook.md?x=/../y', '')).toBe('logbook.md')
  expect(fileNameOf('file:///..', 'image/svg+xml')).toBe('content.svg')
  fc.assert(
    fc.property(fc.string(), fc.string(), (uri, mime) => {
      const name = fileNameOf(uri, mime)
      expect(name).not.toMatch(/[/\\:]|^\./)
      expect(name.length).toBeGreaterThan(0)
    }),
  )
})

test('only whole objects and arrays count as JSON in a text', () => {
  expect(jsonIn(' {"a":1}\n')).toEqual({ a: 1 })
  for (const text of ['12', '"a"', 'hello', '{"a":', '[1,2']) expect(jsonIn(text)).toBeUndefined()
})
