/**
 * A request can be edited as text before it is sent; problems that prevent sending are reported, anything else that is
 * wrong is allowed.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { draftOf, editedOf, jsonSpans, prettyJson } from './http-text.ts'
import type { RequestDraft } from './request.ts'

const post: RequestDraft = {
  method: 'POST',
  url: 'https://as.example/register',
  headers: [['content-type', 'application/json']],
  body: '{"client_name": "Periscope"}',
}
const form: RequestDraft = { ...post, headers: [['content-type', 'application/x-www-form-urlencoded']], body: 'grant_type=authorization_code&code=a%0Ab&x=' } // prettier-ignore

describe('a request as text', () => {
  test('that is not changed is the same request', () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,12}$/)
    const value = fc.stringMatching(/^[!-~]([ -~]{0,20}[!-~])?$/)
    const drafts = fc.record({
      headers: fc.array(fc.tuple(name, value), { maxLength: 5 }),
      body: fc.oneof(fc.constant(form.body!), fc.string({ unit: 'grapheme' })),
    })
    fc.assert(
      fc.property(drafts, ({ headers, body }) => {
        const draft = { ...post, headers, body }
        expect(draftOf(draft, editedOf(draft)).draft).toEqual(draft)
      }),
    )
    expect(draftOf(form, editedOf(form)).draft).toEqual(form)
    const get: RequestDraft = { method: 'GET', url: 'https://as.example/x', headers: [] }
    expect(draftOf(get, editedOf(get)).draft).toEqual(get)
  })

  test('has a parameter of a form on each line', () => {
    expect(editedOf(form).body.split('\n')).toEqual(['grant_type=authorization_code', '&code=a%0Ab', '&x='])
  })

  test.each([
    [{ url: 'as.example' }, [{ field: 'url', code: 'no-url' }]],
    [{ url: 'javascript:alert(1)' }, [{ field: 'url', code: 'no-url' }]],
    [{ url: 'https://name:word@as.example/' }, [{ field: 'url', code: 'no-url' }]],
    [{ headers: 'accept: */*\nnonsense' }, [{ field: 'headers', code: 'no-colon', line: 2 }]],
    [{ headers: 'a b: c' }, [{ field: 'headers', code: 'header-name', line: 1 }]],
    [{ headers: 'a: 汉' }, [{ field: 'headers', code: 'header-value', line: 1 }]],
  ] as const)('%o cannot be sent, and says where and why', (change, faults) => {
    const read = draftOf(post, { ...editedOf(post), ...change })
    expect(read.faults).toEqual(faults)
    expect(read.draft).toBeUndefined()
  })

  test('that is wrong but can be sent is sent, with a remark', () => {
    const read = draftOf(post, {
      ...editedOf(post),
      body: '{,',
      headers: 'content-type: application/json\nOrigin: https://x',
    })
    expect(read.draft?.body).toBe('{,')
    expect(read.remarks).toEqual([{ code: 'browser-sets', name: 'Origin' }, { code: 'not-json' }])
  })
})

const joined = (text: string) =>
  jsonSpans(text)
    .map((span) => span.text)
    .join('')

test('the pieces are the text, whatever it is', () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string({ unit: 'binary' })), (text) => void expect(joined(text)).toBe(text)),
  )
  expect(joined('{"a'.repeat(20_000))).toBe('{"a'.repeat(20_000))
})

test('names, texts, numbers and words are told apart', () => {
  expect(jsonSpans('{"a": "b\\"c", "d": -1.5e3, "e": null}').filter(({ kind }) => kind !== 'plain').map(({ kind, text }) => `${kind} ${text}`)).toEqual(
    ['key "a"', 'string "b\\"c"', 'key "d"', 'number -1.5e3', 'key "e"', 'word null'],
  ) // prettier-ignore
})

test('what is on one line is told apart into several only where nothing is lost by it', () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
      const pretty = prettyJson(text)
      if (pretty !== text) expect(JSON.stringify(JSON.parse(pretty))).toBe(JSON.stringify(JSON.parse(text)))
    }),
  )
  expect(prettyJson('{"a":1}')).toBe('{\n  "a": 1\n}')
  expect(prettyJson('{"a":1.0}')).toBe('{"a":1.0}')
  expect(prettyJson('{"a":1,"a":2}')).toBe('{"a":1,"a":2}')
  expect(prettyJson('{\n "a":1}')).toBe('{\n "a":1}')
})
