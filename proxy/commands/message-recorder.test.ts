import { describe, expect, test } from 'vitest'
import { META, Trace } from '../../web/mcp/index.ts'
import { SpecRules } from './connections.ts'
import { MessageRecorder } from './message-recorder.ts'

const _meta = {
  [META.version]: '2026-07-28',
  [META.clientInfo]: { name: 'a client', version: '1' },
  [META.capabilities]: {},
}
const info = { [META.serverInfo]: { name: 'a server', version: '1' } }
const asked = (id: number, method: string) => JSON.stringify({ jsonrpc: '2.0', id, method, params: { _meta } })
const answered = (id: number, result: object) => JSON.stringify({ jsonrpc: '2.0', id, result })

/** A client that sends requests without server/discover, as the specification allows. */
const recorded = async (...messages: readonly (readonly [request: string, response: string])[]) => {
  const trace = new Trace()
  const recorder = new MessageRecorder(trace, 's1', 'stdio')
  for (const [request, response] of messages) {
    recorder.sent(request)
    await recorder.line(response, false)
  }
  const kinds = Array.from({ length: trace.length }, (_, seq) => trace.at(seq)!).map((frame) =>
    frame.kind === 'session' ? frame.phase : frame.kind === 'message' ? frame.direction : frame.kind,
  )
  const found = await (await SpecRules.over(trace)).current()
  return { kinds, rules: [...found.bySeq.values()].flat().map(({ rule }) => rule) }
}

describe('a recorded client that never asked for server/discover', () => {
  const tools = { resultType: 'complete', tools: [], ttlMs: 0, cacheScope: 'private', _meta: info }

  test('has an open session before the first response, which is judged by its protocol version', async () => {
    const { kinds, rules } = await recorded([asked(1, 'tools/list'), answered(1, { ...tools, ttlMs: 1.5 })])
    expect(kinds).toEqual(['sent', 'open', 'received'])
    expect(rules).toContain('CACHE-01')
  })

  test('knows nothing of what the server declares, so the lint accuses nobody of using it', async () => {
    const tool = { name: 'a', inputSchema: { type: 'object' } }
    const call = { resultType: 'complete', content: [], _meta: info }
    const { rules } = await recorded(
      [asked(1, 'tools/list'), answered(1, { ...tools, tools: [tool] })],
      [asked(2, 'tools/call'), answered(2, call)],
    )
    expect(rules).toEqual([])
  })

  test('may meet a server of another version, whose responses prove nothing', async () => {
    const refused = JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'Not initialized' } })
    const { kinds } = await recorded([asked(1, 'tools/list'), refused])
    expect(kinds).toEqual(['sent', 'received'])
  })
})
