/** The shared behaviours over HTTP+SSE, and in the page itself. */
import { inject } from 'vitest'
import { WIRE_REVISIONS, wireCase } from '../../tests/wire.case.ts'
import { SAMPLE, VERSED } from '../../tests/wire-speech.ts'
import { createSampleServer } from '../sample/server.ts'
import { eraOf, HttpSseTransport, LoopbackTransport, type LoopbackServer, type Revision } from './index.ts'

const HANDSHAKES = WIRE_REVISIONS.filter((revision) => eraOf(revision) === 'handshake')

for (const revision of HANDSHAKES) {
  wireCase({
    name: 'HTTP+SSE',
    revision,
    transport: () => new HttpSseTransport({ url: `${inject('versedUrl')}/sse/${revision}/${crypto.randomUUID()}` }),
    speech: VERSED,
    cannot: { arrays: 'no server answers in arrays over HTTP+SSE' },
  })
}

/** The sample server as if it supported no newer protocol version. */
const upTo = (newest: Revision): LoopbackServer => ({
  connect: (reply) => {
    const connection = createSampleServer().connect(reply)
    const receive = (text: string) =>
      connection.receive(
        text.replace(
          /^(\{"jsonrpc":"2.0","id":\d+,"method":"initialize".*?"protocolVersion":)"[\d-]+"/,
          `$1"${newest}"`,
        ),
      )
    return { receive, close: () => connection.close() }
  },
})

for (const revision of ['2025-03-26', '2025-06-18', '2025-11-25'] as const) {
  const transport = () => new LoopbackTransport(upTo(revision))
  wireCase({
    name: 'In this page',
    revision,
    transport,
    arrays: transport,
    speech: SAMPLE,
    cannot: {
      late: 'the sample server does not answer what was cancelled',
      pinged: 'the sample server sends no ping',
    },
  })
}
