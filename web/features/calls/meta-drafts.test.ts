/**
 * `_meta` added to requests: checked against the protocol version's rules on keys, and sent anyway (META-01 … META-05).
 */
import { describe, expect, test } from 'vitest'
import { metaDrafts, metaFor, metaRemarks } from './meta-drafts.svelte.ts'

describe('keys', () => {
  const rules = (key: string, revision: Parameters<typeof metaRemarks>[1]) =>
    metaRemarks({ [key]: 1 }, revision).map(({ rule }) => rule ?? 'ours')

  test('a prefix is labels with dots between (META-02), a name begins and ends with a letter or digit (META-05)', () => {
    expect(rules('-a.b/c', '2025-11-25')).toEqual(['META-02'])
    expect(rules('com.example/-x', '2025-11-25')).toEqual(['META-05'])
    expect(rules('com.example/x', '2025-11-25')).toEqual([])
    expect(rules('-', '2025-03-26')).toEqual([])
  })

  test('what is reserved depends on the revision (META-03, META-04)', () => {
    expect(rules('mcp.example/x', '2025-06-18')).toEqual(['META-03'])
    expect(rules('mcp.example/x', '2025-11-25')).toEqual([])
    expect(rules('com.mcp.tools/x', '2025-11-25')).toEqual(['META-04'])
    expect(rules('com.example.mcp/x', '2026-07-28')).toEqual([])
  })

  test('what takes the place of what the client sends is told', () => {
    expect(rules('progressToken', '2025-11-25')).toEqual(['ours'])
    expect(rules('io.modelcontextprotocol/protocolVersion', '2026-07-28')).toEqual(['ours'])
  })
})

describe('what the user wrote', () => {
  test('is kept by connection and method, and is nothing until it is an object', () => {
    metaDrafts.of('s1', 'tools/call').text = "{ 'com.example/x': 1, } // mine"
    expect(metaFor('s1', 'tools/call')).toEqual({ 'com.example/x': 1 })
    expect(metaFor('s2', 'tools/call')).toBeUndefined()
    expect(metaFor('s1', 'prompts/get')).toBeUndefined()
    for (const [text, fault] of [
      ['[1]', 'no-object'],
      ['"x"', 'no-object'],
      ['', undefined],
    ] as const) {
      metaDrafts.of('s1', 'tools/call').text = text
      expect(metaFor('s1', 'tools/call')).toBeUndefined()
      expect(metaDrafts.of('s1', 'tools/call').fault).toBe(fault)
    }
    metaDrafts.of('s1', 'tools/call').text = '{'
    expect(metaDrafts.of('s1', 'tools/call').fault).toBeInstanceOf(SyntaxError)
  })
})
