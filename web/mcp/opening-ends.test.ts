/** How a request ends that would have opened a session, if its server goes away without a response: alike on all transports. */
import { afterAll, expect, inject, test } from 'vitest'
import { HereWebSocket } from '../../tests/web-socket-here.ts'
import {
  Bridge,
  exchanges,
  foldAll,
  Session,
  StdioBridgeTransport,
  StreamableHttpTransport,
  Trace,
  WebSocketTransport,
  type Transport,
} from './index.ts'

const bridge = new Bridge({ base: `${inject('proxyUrl')}/`, token: inject('proxyToken') })
afterAll(() => bridge.leave())

const WAYS: Readonly<Record<string, () => Transport>> = {
  'a process': () =>
    new StdioBridgeTransport({
      bridge,
      spawn: {
        command: inject('nodePath'),
        args: [`${inject('root')}/tests/servers/hostile-stdio.mjs`, 'dies-at-start'],
      },
    }),
  'a WebSocket': () =>
    new WebSocketTransport({
      url: `${inject('webSocketUrl')}/h/never/${crypto.randomUUID()}`,
      WebSocket: HereWebSocket,
    }),
  HTTP: () => new StreamableHttpTransport({ url: 'http://127.0.0.1:9/mcp' }),
}

test.each(Object.keys(WAYS))(
  'over %s it ends with an error that names the cause, and nothing is called lost',
  async (way) => {
    const trace = new Trace()
    const session = new Session({
      trace,
      link: 's1',
      transport: WAYS[way]!(),
      clientInfo: { name: 'test', version: '0' },
    })
    await expect(session.open()).rejects.toThrow()
    const { all } = foldAll(exchanges, trace)
    expect(all.length).toBeGreaterThan(0)
    for (const { method, status, explanation, response } of all) {
      expect(['initialize', 'server/discover']).toContain(method)
      expect([status, response]).toEqual(['error', undefined])
      expect(explanation).toMatch(/\w/)
    }
  },
)
