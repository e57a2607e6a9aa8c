/** The shared behaviours over WebSocket, with servers on both official SDKs. */
import { inject } from 'vitest'
import { HereWebSocket } from '../../tests/web-socket-here.ts'
import { WIRE_REVISIONS, wireCase } from '../../tests/wire.case.ts'
import { VERSED } from '../../tests/wire-speech.ts'
import { eraOf, WebSocketTransport, type Revision } from './index.ts'

const place = (revision: Revision): string => {
  const server = eraOf(revision) === 'stateless' ? 'v2' : `v1/${revision}`
  return `${inject('webSocketUrl')}/${server}/${crypto.randomUUID()}`
}

for (const revision of WIRE_REVISIONS)
  wireCase({
    name: 'WebSocket',
    revision,
    transport: () => new WebSocketTransport({ url: place(revision), WebSocket: HereWebSocket }),
    speech: VERSED,
    cannot: {
      ...(eraOf(revision) === 'stateless' ? { late: 'the SDK v2 lets no tool answer what was cancelled' } : {}),
      batch: 'the SDK has no batches over a transport of this kind',
      arrays: 'the SDK has no batches over a transport of this kind',
    },
  })
