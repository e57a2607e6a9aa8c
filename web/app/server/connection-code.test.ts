import { expect, test } from 'vitest'
import { METHODS } from '../../mcp/schema/methods.ts'
import type { Exchange, JsonObject } from '../../mcp/index.ts'
import { loadCode } from '../../trace/lazy.ts'
import { offeredCalls } from './connection-code.ts'

const argument = { name: 'a', value: 'b' }
const PARAMS: Readonly<Record<string, JsonObject>> = {
  'tools/call': { name: 'a', arguments: { b: 1 } },
  'resources/read': { uri: 'a:1' },
  'prompts/get': { name: 'a', arguments: { b: 'c' } },
  'completion/complete': { ref: { type: 'ref/prompt', name: 'a' }, argument, context: { arguments: { c: 'd' } } },
}

test('every method that the dialog offers has a program in each language', async () => {
  const { SDKS } = await loadCode()
  const all = Object.keys(METHODS).map((method, at) => ({ link: 's1', direction: 'sent', method, request: at }) as unknown as Exchange) // prettier-ignore
  const offered = offeredCalls(all, 's1').map(({ method }) => method)
  expect(offered.toSorted()).toEqual([
    'completion/complete',
    'prompts/get',
    'prompts/list',
    'resources/list',
    'resources/read',
    'resources/templates/list',
    'tools/call',
    'tools/list',
  ])
  for (const method of offered)
    for (const { name, write } of SDKS) {
      const message = { jsonrpc: '2.0', id: 1, method, params: PARAMS[method] ?? {} }
      const { text, notes } = write({ message, http: { url: 'http://a/mcp', headers: [['mcp-protocol-version', '2025-11-25']] } }) // prettier-ignore
      expect([method, name, notes, typeof text]).toEqual([method, name, [], 'string'])
    }
})
