/** The shared behaviours over Streamable HTTP, direct and through the relay. */
import { inject } from 'vitest'
import { WIRE_REVISIONS, wireCase } from '../../tests/wire.case.ts'
import { VERSED } from '../../tests/wire-speech.ts'
import { eraOf, ProxyChannel, relayFetch, StreamableHttpTransport, type Revision } from './index.ts'

const place = (revision: Revision): string =>
  eraOf(revision) === 'stateless'
    ? `${inject('versedUrl')}/v2/${crypto.randomUUID()}`
    : `${inject('versedUrl')}/v1/${revision}/${crypto.randomUUID()}`

const http = (name: string, revision: Revision, options: { fetch?: typeof fetch } = {}, channel?: ProxyChannel) =>
  wireCase({
    name,
    revision,
    transport: () => new StreamableHttpTransport({ url: place(revision), ...options }),
    arrays: () =>
      new StreamableHttpTransport({ url: `${inject('erasUrl')}/batch-parts/${crypto.randomUUID()}`, ...options }),
    speech: VERSED,
    ...(channel ? { channel } : {}),
    ...(eraOf(revision) === 'handshake' ? { ends: 'session' } : {}),
    cannot: eraOf(revision) === 'stateless' ? { late: 'closing the stream leaves no way for a late answer' } : {},
  })

for (const revision of WIRE_REVISIONS) http('Streamable HTTP', revision)

for (const revision of ['2025-11-25', '2026-07-28'] as const) {
  const channel = new ProxyChannel({ base: `${inject('proxyUrl')}/`, token: inject('proxyToken') })
  http('Streamable HTTP through the relay', revision, { fetch: relayFetch({ channel }) }, channel)
}
