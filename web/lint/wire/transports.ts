/** The other transports: the older HTTP+SSE, and stdio. */
import type { Carrier } from '../link.ts'
import { parsedUrl } from '../../mcp/url.ts'
import { type Details, group, type Say, show } from '../rule.ts'
import { NO_FIELD } from './event-streams.ts'

// HTTP+SSE, the transport of 2024-11-05. The rules of that version apply whatever the two sides negotiated: a newer
// protocol version over the old transport still uses the old transport.

const OLD: Details = { revision: '2024-11-05' }

const IN_THE_POST = 'The response came in the body of the POST; expected on the event stream'

export const oldSse = group(['TR-SSE-01', 'TR-SSE-02', 'TR-SSE-03'], (view) => {
  /** The frame whose `endpoint` event named the URL. */
  let named: { readonly seq: number; readonly carrier: Carrier } | undefined
  /**
   * TR-SSE-01: a client that knows no session yet opens an event stream only to wait for `endpoint`. An event that isn't
   * JSON can only be meant as that.
   */
  const unnamed = (carrier: Carrier, name: string | undefined, data: string, say: Say<'TR-SSE-01'>): void => {
    if (view.settled || carrier.method !== 'GET' || carrier.purpose !== 'listen' || carrier.events !== 1) return
    if (/^\s*[[{]/.test(data)) return
    say('TR-SSE-01', `The first event must be "endpoint"; found ${show(name ?? 'message')}`, {
      ...OLD,
      related: carrier.seq,
    })
  }
  return {
    renewed: () => (named = undefined),
    whole(frame, carrier, say) {
      if (carrier) unnamed(carrier, undefined, frame.message === undefined && !frame.released ? '' : '{', say)
    },
    stream(frame, carrier, say) {
      if (frame.event === 'close' && view.oldSse && frame.stray !== undefined) {
        say('TR-SSE-02', `${NO_FIELD}: ${show(frame.stray)}`, { ...OLD, related: carrier.seq })
      }
      if (frame.event !== 'data') return
      const { data = '', name } = frame
      if (name !== 'endpoint') {
        if (!frame.repeated && data !== '') unnamed(carrier, name, data, say)
        if (view.oldSse && /^\s*\{\s*"jsonrpc"/.test(data)) {
          say('TR-SSE-02', `A message came as an event named ${show(name)}; expected "message"`, OLD)
        }
        return
      }
      if (!view.oldSse) return
      // A client that lost its stream opens another one, which names its own endpoint.
      if (named?.carrier === carrier)
        return say('TR-SSE-01', 'A second endpoint event; the first one applies', { ...OLD, related: named.seq })
      named = { seq: frame.seq, carrier }
      if (carrier.events > 1)
        say('TR-SSE-01', `The endpoint event is event ${carrier.events}; it must be the first`, OLD)
      const endpoint =
        data.trim() === '' || data.trimStart().startsWith('{') ? undefined : parsedUrl(data.trim(), carrier.url)
      if (!endpoint) {
        return say('TR-SSE-01', `The endpoint event must contain a URL; found ${show(data)}`, OLD)
      }
      if (endpoint.origin !== new URL(carrier.url).origin) {
        say('TR-SSE-03', `The endpoint is on another origin: ${endpoint.origin.slice(0, 200)}`, OLD)
      }
    },
    // A recorded exchange passes a message in the body on as a message.
    message({ kind, carrier }, say) {
      if (!view.oldSse || kind !== 'answer' || carrier?.method !== 'POST') return
      say('TR-SSE-02', IN_THE_POST, { ...OLD, related: carrier.seq })
    },
    http(frame, carrier, say) {
      if (!view.oldSse || frame.phase !== 'end' || carrier.method !== 'POST' || frame.body === undefined) return
      if (!/^\s*[[{][^]{0,200}"jsonrpc"/.test(frame.body)) return
      say('TR-SSE-02', IN_THE_POST, {
        ...OLD,
        related: carrier.seq,
      })
    },
  }
})

// A server's stdout: only messages, one per line.

/** The start of a message that continues on the next line; `[INFO] started` isn't one. */
const BROKEN_OFF = /^\s*(\{\s*("|$)|\[\s*(\{|$))/

export const stdio = group(['BP-14', 'TR-STDIO-02', 'TR-STDIO-05'], () => ({
  process(frame, say) {
    if (frame.event !== 'stdout-noise') return
    say('TR-STDIO-05', `Not a message: ${show(frame.text)}`)
    if (BROKEN_OFF.test(frame.text)) say('TR-STDIO-02', `A line that is part of a message: ${show(frame.text)}`)
    if (frame.invalidUtf8) say('BP-14', "Some bytes aren't valid UTF-8")
  },
}))
