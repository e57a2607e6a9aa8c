/** Refusals over HTTP whose reason stands only in the words of their body. */
import { expect, test } from 'vitest'
import type { HeaderList, Revision } from '../../mcp/index.ts'
import { cites, Talk } from '../talk.case.ts'

const SESSION: HeaderList = [['Mcp-Session-Id', 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6']]

/** The response to `tools/list` is this refusal. */
const refused = (revision: Revision, status: number, body: string, sent: HeaderList = [], issued = true): string[] => {
  const talk = new Talk()
  const begun = talk.post(talk.request('initialize', { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'c', version: '1' } }))
  begun.head(200, 'application/json', issued ? SESSION : [])
  begun.says({ jsonrpc: '2.0', id: 1, result: { protocolVersion: revision, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } } })
  begun.end()
  const list = talk.post(talk.request('tools/list'), sent)
  list.head(status, 'text/plain')
  list.end(body.length, body)
  return cites(talk)
} // prettier-ignore

test.each([
  ['an ended session', 400, 'Session has expired', SESSION, ['TR-HTTP-26 MUST']],
  ['an ended session', 404, 'Session has expired', SESSION, []],
  ['a missing session id', 403, 'Missing session ID', [], ['TR-HTTP-28 SHOULD']],
  ['a missing session id', 400, 'Missing session ID', [], []],
] as const)('TR-HTTP-26, TR-HTTP-28: %s is refused with its own status, not with %i', (_what, status, body, sent, found) => {
  expect(refused('2025-11-25', status, body, sent as HeaderList)).toEqual(found)
}) // prettier-ignore

test('TR-HTTP-25: a session id is required only where one was given', () => {
  expect(refused('2025-06-18', 400, 'Mcp-Session-Id header is required', [], false)).toEqual(['TR-HTTP-25 MUST'])
  expect(refused('2025-06-18', 400, 'Mcp-Session-Id header is required', [], true)).toEqual([])
})

test('SEC-09: an origin that isn’t allowed is refused with 403', () => {
  const origin: HeaderList = [...SESSION, ['Origin', 'https://other.example']]
  expect(refused('2025-11-25', 400, 'invalid origin', origin)).toEqual(['SEC-09 MUST'])
  expect(refused('2025-11-25', 403, 'invalid origin', origin)).toEqual([])
  expect(refused('2025-11-25', 400, 'invalid origin', SESSION)).toEqual([])
})

test('TR-HDR-03: a version that the server lacks is refused with 400, whatever its words', () => {
  const version: HeaderList = [...SESSION, ['MCP-Protocol-Version', '2025-11-25']]
  expect(refused('2025-11-25', 406, 'Unsupported protocol version 2025-11-25', version)).toEqual(['TR-HDR-03 MUST'])
  expect(refused('2025-11-25', 400, 'Unsupported protocol version 2025-11-25', version)).toEqual([])
  expect(refused('2025-11-25', 406, 'Not acceptable', version)).toEqual([])
})

test('TR-HTTP-26: an error for an ended session has status 404, not 200; a result may be about other sessions', () => {
  const say = (message: object): string[] => {
    const talk = new Talk().shakeHands('2025-11-25')
    const list = talk.post(talk.request('tools/call', { name: 't' }), SESSION)
    list.head(200, 'application/json')
    list.says({ jsonrpc: '2.0', id: 1, ...message })
    list.end()
    return cites(talk).filter((each) => each.startsWith('TR-HTTP-26'))
  }
  expect(say({ error: { code: -32001, message: 'Session not found' } })).toEqual(['TR-HTTP-26 MUST'])
  expect(say({ result: { content: [{ type: 'text', text: 'Session not found' }] } })).toEqual([])
})
