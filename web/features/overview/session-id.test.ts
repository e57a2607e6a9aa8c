import { expect, inject, test } from 'vitest'
import { Session, StreamableHttpTransport, Trace } from '../../mcp/index.ts'
import { isMasked, shownSessionId } from './session-id.ts'

test('a session id is shown by its first characters until it is revealed', () => {
  const id = '0123456789abcdef'
  expect(shownSessionId(id, false)).toBe('01234567…')
  expect(shownSessionId(id, true)).toBe(id)
  expect([isMasked(id), isMasked('short'), shownSessionId('short', false)]).toEqual([true, false, 'short'])
})

test('what is not seen in it is marked, masked or not', () => {
  expect(shownSessionId('a\u202eb', false)).toBe('a⟨U+202E⟩b')
  expect(shownSessionId('a\u202ebcdefghij', false)).toBe('a⟨U+202E⟩bcdefg…')
  expect(shownSessionId('a\u202ebcdefghij', true)).toBe('a⟨U+202E⟩bcdefghij')
})

test('the session has the id to be copied, and the trace does not (SEC-13)', async () => {
  const trace = new Trace()
  const transport = new StreamableHttpTransport({ url: inject('everythingUrl') })
  const session = new Session({ trace, link: 's1', transport, clientInfo: { name: 'test', version: '1' } })
  expect(session.sessionId).toBeUndefined()
  await session.open()
  const id = session.sessionId
  expect(id).toMatch(/^[0-9a-f-]{36}$/)
  expect(JSON.stringify([...trace])).not.toContain(id)
  await session.close()
})
