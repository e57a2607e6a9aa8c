import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { headerValue, standardHeaders } from './standard-headers.ts'

const META = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
const sent = (method: string, params: Record<string, string> = {}) =>
  standardHeaders({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } })

/** What a server reads, by TR-HDR-08. */
const decoded = (header: string): string => {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(header)?.[1]
  if (encoded === undefined) return header
  const bytes = Uint8Array.from(atob(encoded), (unit) => unit.charCodeAt(0))
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
}

describe('a value in a header', () => {
  test('TR-HDR-08, TR-HDR-09, BR-11: whatever the text is, it comes back as it was', () => {
    const looksEncoded = fc.string().map((text) => `=?base64?${text}?=`)
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string(), looksEncoded), (text) => {
        // A lone surrogate can't be encoded as UTF-8: it is sent as U+FFFD, here as elsewhere.
        const sendable = text.toWellFormed()
        const header = headerValue(sendable)
        expect(header).toMatch(/^[\x21-\x7e]?([\x20-\x7e]*[\x21-\x7e])?$/)
        expect(() => new Headers([['x', header]])).not.toThrow()
        expect(decoded(new Headers([['x', header]]).get('x')!)).toBe(sendable)
      }),
    )
  })

  test.each([
    ['us-west', 'us-west'],
    ['two words', 'two words'],
    ['', ''],
    [' leading', '=?base64?IGxlYWRpbmc=?='],
    ['trailing ', '=?base64?dHJhaWxpbmcg?='],
    ['Grüße', '=?base64?R3LDvMOfZQ==?='],
    ['世界', '=?base64?5LiW55WM?='],
    ['line\nbreak', '=?base64?bGluZQpicmVhaw==?='],
    ['=?base64?abc?=', '=?base64?PT9iYXNlNjQ/YWJjPz0=?='],
  ])('TR-HDR-08: %j goes as %s', (value, header) => {
    expect(headerValue(value)).toBe(header)
  })
})

describe('the headers of a request', () => {
  test('TR-HDR-02, TR-HDR-06: repeat revision and method', () => {
    expect(sent('tools/list')).toEqual({ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' })
  })

  test.each([
    ['tools/call', { name: 'echo' }, 'echo'],
    ['prompts/get', { name: 'Grüße' }, '=?base64?R3LDvMOfZQ==?='],
    ['resources/read', { uri: 'file:///a b' }, 'file:///a b'],
    ['tasks/get', { taskId: 't-1' }, 't-1'],
    ['tasks/update', { taskId: 't-1' }, 't-1'],
    ['tasks/cancel', { taskId: 't-1' }, 't-1'],
  ])('TR-HDR-07: %s repeats what it is about', (method, params: Record<string, string>, name) => {
    expect(sent(method, params)['mcp-name']).toBe(name)
  })

  test('TR-HDR-07: other methods have no name', () => {
    expect(sent('completion/complete', { name: 'x', uri: 'y' })).not.toHaveProperty('mcp-name')
  })
})
