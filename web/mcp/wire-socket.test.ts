/** The shared behaviours over a Unix socket, through the local proxy, with servers on both official SDKs. */
import { afterAll, inject } from 'vitest'
import { WIRE_REVISIONS, wireCase } from '../../tests/wire.case.ts'
import { VERSED } from '../../tests/wire-speech.ts'
import { Bridge, SocketBridgeTransport, eraOf, type Revision } from './index.ts'

const bridge = new Bridge({ base: `${inject('proxyUrl')}/`, token: inject('proxyToken') })
afterAll(() => bridge.leave())

const target = (revision: Revision): string =>
  `unix:${inject('socketFolder')}/${eraOf(revision) === 'stateless' ? 'v2' : `v1-${revision}`}.sock`

for (const revision of WIRE_REVISIONS)
  wireCase({
    name: 'Unix socket',
    revision,
    transport: () => new SocketBridgeTransport({ bridge, target: target(revision), name: 'Unix socket' }),
    speech: VERSED,
    channel: bridge,
    cannot: {
      ...(eraOf(revision) === 'stateless' ? { late: 'the SDK v2 lets no tool answer what was cancelled' } : {}),
      batch: 'the SDK has no batches over a transport of this kind',
      arrays: 'the SDK has no batches over a transport of this kind',
    },
  })
