/**
 * HTTP+SSE, the transport of 2024-11-05. The rules of that version apply whatever the two sides negotiated: a newer
 * protocol version over the old transport still uses the old transport.
 */
import { parsedUrl } from '../../mcp/url.ts'
import { group, show, type Details } from '../rule.ts'

const OLD: Details = { revision: '2024-11-05' }

export const oldSse = group(['TR-SSE-01', 'TR-SSE-02', 'TR-SSE-03'], (view) => {
  /** The frame whose `endpoint` event named the URL. */
  let named: { readonly seq: number } | undefined
  return {
    renewed: () => (named = undefined),
    stream(frame, carrier, say) {
      if (frame.event !== 'data') return
      const { data = '', name } = frame
      if (name !== 'endpoint') {
        if (view.oldSse && /^\s*\{\s*"jsonrpc"/.test(data)) {
          say('TR-SSE-02', `A message came as an event named ${show(name)}; expected "message"`, OLD)
        }
        return
      }
      if (!view.oldSse) return
      if (named)
        return say('TR-SSE-01', 'A second endpoint event; the first one applies', { ...OLD, related: named.seq })
      named = { seq: frame.seq }
      if (carrier.events > 1)
        say('TR-SSE-01', `The endpoint event is event ${carrier.events}; it must be the first`, OLD)
      const endpoint = data.trimStart().startsWith('{') ? undefined : parsedUrl(data.trim(), carrier.url)
      if (!endpoint) {
        return say('TR-SSE-01', `The endpoint event must contain a URL; found ${show(data)}`, OLD)
      }
      if (endpoint.origin !== new URL(carrier.url).origin) {
        say('TR-SSE-03', `The endpoint is on another origin: ${endpoint.origin.slice(0, 200)}`, OLD)
      }
    },
    http(frame, carrier, say) {
      if (!view.oldSse || frame.phase !== 'end' || carrier.method !== 'POST' || frame.body === undefined) return
      if (!/^\s*[[{][^]{0,200}"jsonrpc"/.test(frame.body)) return
      say('TR-SSE-02', 'The response came in the body of the POST; expected on the event stream', {
        ...OLD,
        related: carrier.seq,
      })
    },
  }
})
