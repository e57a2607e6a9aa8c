/** The transports: response heads, sessions and event streams of Streamable HTTP, the older HTTP+SSE, and stdio. */
import { type FrameOf, isObject, isRevision, type MessageFrame } from '../../mcp/index.ts'
import type { Carrier, LinkView, Observed } from '../link.ts'
import { type Details, group, type Say, show } from '../rule.ts'
import { isEventStream } from '../observe.ts'
import { Recent } from '../recent.ts'
import { parsedUrl } from '../../mcp/url.ts'

// Streamable HTTP: response heads and sessions.

const HEAD_RULES = [
  'BP-14', 'SEC-09', 'SEC-13', 'TR-HDR-02', 'TR-HDR-03', 'TR-HTTP-04', 'TR-HTTP-05', 'TR-HTTP-13', 'TR-HTTP-16', 'TR-HTTP-26', 'TR-HTTP-29', 'TR-HTTP-31', 'TR-HTTP-32',
  'UT-CANC-04',
] as const // prettier-ignore
type HeadRule = (typeof HEAD_RULES)[number]
type Response = Extract<FrameOf<'http'>, { phase: 'response' }>

export const httpHeads = group(HEAD_RULES, (view) => ({
  message(heard, say) {
    const { answer, result, carrier, asked } = heard
    // What the server says shows its version after the head of its first response has passed.
    if (answer === 'first' && view.isModern && carrier?.response?.session !== undefined) sessionless(carrier, say)
    if (answer !== 'first' || !result || !carrier || !isMismatch(carrier, view)) return
    say('TR-HDR-02', `${mismatchOf(carrier)}; expected -32020`, { related: asked!.seq })
  },
  whole(frame, carrier, say) {
    if (carrier && frame.size <= LONGEST_REASON) expired(JSON.stringify(frame.message ?? ''), carrier, view, say)
    if (!carrier || !isStray(carrier, view)) return
    if (carrier.response && carrier.response.status < 300) {
      say('TR-HTTP-04', `${NO_BODY}; found a message`, { related: carrier.seq })
    }
  },
  http(frame, carrier, say) {
    if (view.oldSse) return
    if (frame.phase === 'end') {
      empty(frame, carrier, view, say)
      if (frame.body !== undefined) expired(frame.body, carrier, view, say)
      if (!isStray(carrier, view) || frame.body === undefined || (carrier.response?.status ?? 0) >= 300) return
      say('TR-HTTP-04', `${NO_BODY}; found ${frame.size} bytes`, { related: carrier.seq })
    }
    if (frame.phase !== 'response') return
    if (carrier.method === 'POST') posted(frame, carrier, view, say)
    else got(frame, carrier, view, say)
    session(frame, carrier, view, say)
  },
}))

const NO_BODY = 'The response to a POST without requests must have no body'

/** A POST that contains only notifications or responses. */
const isStray = (carrier: Carrier, view: LinkView): boolean =>
  !view.oldSse && carrier.method === 'POST' && carrier.posted > 0 && carrier.asked.length === 0

const isOk = (status: number): boolean => status >= 200 && status < 300

/** Whether a text says that the session is no longer there. */
const isEndedSession = (text: string): boolean =>
  /\bsession\b.{0,40}\b(expired|not found|unknown|invalid|terminated|ended|closed|gone|no longer|does ?n[o']t exist)\b|\b(expired|unknown|invalid|no such|terminated|no valid)\b.{0,12}\bsession\b/i.test(
    text.replace(/[_-]/g, ' '),
  )

/** Characters of a body that are searched for a reason. */
const LONGEST_REASON = 2_000

/** TR-HTTP-26: an ended session is 404, or the client doesn't know that it must begin another. Only the text says why. */
const expired = (body: string, carrier: Carrier, view: LinkView, say: Say<HeadRule>): void => {
  const status = carrier.response?.status
  if (view.isModern || view.oldSse || !carrier.headers.has('mcp-session-id') || carrier.method === 'DELETE') return
  if (status !== 400 && status !== 401 && status !== 403 && status !== 410) return
  if (!isEndedSession(body.slice(0, LONGEST_REASON))) return
  say('TR-HTTP-26', `HTTP ${status} for a session that ended; expected 404`, { related: carrier.seq })
}

/** BP-14 */
const otherCharset = (type: string, carrier: Carrier, say: Say<HeadRule>): void => {
  const named = /^\s*(?:application\/json|text\/event-stream)\s*;.*?\bcharset\s*=\s*"?([^";\s]+)/i.exec(
    type.slice(0, 500),
  )?.[1]
  if (named === undefined || /^(utf-?8|us-ascii)$/i.test(named)) return
  say('BP-14', `Messages must be UTF-8; the response says charset=${show(named)}`, { related: carrier.seq, once: true })
}

const posted = (frame: Response, carrier: Carrier, view: LinkView, say: Say<HeadRule>): void => {
  const { status } = frame
  const related = carrier.seq
  const { type } = carrier.response!
  otherCharset(type, carrier, say)
  if (isStray(carrier, view)) {
    if (isOk(status) && status !== 202) {
      say('TR-HTTP-04', `HTTP ${status} to a POST without requests; expected 202`, { related })
    }
    // 404 may be about the session, and 401 and 403 are about signing in.
    if (carrier.cancels && (status === 400 || status === 409 || status === 410 || status === 422)) {
      const what = `HTTP ${status} to a cancellation that came too late; it should be ignored`
      say('UT-CANC-04', what, { related })
    }
    return
  }
  if (carrier.asked.length === 0) return
  if (!isOk(status)) return refusedVersion(status, carrier, view, say)
  // An older server has no duties towards a probe.
  const probe = carrier.asked.every(({ method }) => method === 'server/discover') && !view.settled
  if (!probe && !/^\s*(application\/json|text\/event-stream)\s*(;|$)/i.test(type)) {
    const what = status === 202 ? 'HTTP 202, although a response is required' : `Content-Type ${show(type)}`
    say('TR-HTTP-05', `${what}; expected application/json or text/event-stream`, { related })
  }
  if (view.isModern && isEventStream(carrier)) unbuffered(frame, carrier, say)
  foreign(carrier, say)
  const version = carrier.headers.get('mcp-protocol-version')
  const spoken = version === undefined || isSpoken(version, view)
  if (!spoken) say('TR-HDR-03', `HTTP ${status} to MCP-Protocol-Version ${show(version)}; expected 400`, { related })
}

/** TR-HDR-02: a header that differs from the body, or is missing; both only happen manually. */
export const isMismatch = ({ asked: [asked], headers }: Carrier, { isModern, oldSse }: LinkView): boolean =>
  isModern &&
  !oldSse &&
  asked?.byHand === true &&
  asked.method !== 'initialize' &&
  asked.revision !== undefined &&
  headers.get('mcp-protocol-version') !== asked.revision

export const mismatchOf = ({ asked: [asked], headers }: Carrier): string =>
  `MCP-Protocol-Version is ${show(headers.get('mcp-protocol-version'))}, but _meta says ${show(asked!.revision)}`

/** Statuses that say nothing about the version: sign-in, load, and gateways. */
const UNRELATED: ReadonlySet<number> = new Set([401, 403, 407, 429, 502, 503, 504])

/** TR-HDR-02, TR-HDR-03: a wrong version, which only happens manually, refused with another status. */
const refusedVersion = (status: number, carrier: Carrier, view: LinkView, say: Say<HeadRule>): void => {
  if (status === 400 || UNRELATED.has(status) || !carrier.asked.some(({ byHand }) => byHand)) return
  if (isMismatch(carrier, view)) {
    return say('TR-HDR-02', `${mismatchOf(carrier)}; expected HTTP 400, found ${status}`, { related: carrier.seq })
  }
  const version = carrier.headers.get('mcp-protocol-version')
  // 404 may be about the session (TR-HTTP-26).
  if (version === undefined || isSpoken(version, view) || (status === 404 && carrier.headers.has('mcp-session-id')))
    return
  say('TR-HDR-03', `HTTP ${status} to MCP-Protocol-Version ${show(version)}; expected 400`, { related: carrier.seq })
}

/** TR-HTTP-13. CORS hides the header from a page, so its absence there proves nothing. */
const unbuffered = ({ headers, crossOrigin }: Response, { seq }: Carrier, say: Say<HeadRule>): void => {
  const value = headers.find(([name]) => name.toLowerCase() === 'x-accel-buffering')?.[1]
  if (crossOrigin || value?.trim().toLowerCase() === 'no') return
  const what = `An event stream needs X-Accel-Buffering: no, or proxies hold events back; found ${show(value)}`
  say('TR-HTTP-13', what, { related: seq, once: true })
}

/** SEC-09. Only an origin entered manually is a test of the server; browsers add theirs, which may be allowed. */
const foreign = (carrier: Carrier, say: Say<HeadRule>): void => {
  const origin = carrier.headers.get('origin')
  if (origin === undefined || !carrier.asked.some(({ byHand }) => byHand)) return
  const [theirs, own] = [parsedUrl(origin), parsedUrl(carrier.url)]
  if (own && theirs && (theirs.host === own.host || LOOPBACK.test(theirs.hostname))) return
  say('SEC-09', `A request with the foreign Origin ${show(origin)} was served; expected 403`, { related: carrier.seq })
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/i

/** An empty body where a response was due. With 202, the head has already reported it. */
const empty = ({ size }: { size: number }, carrier: Carrier, view: LinkView, say: Say<HeadRule>): void => {
  const waits = carrier.method === 'POST' && carrier.asked.some(({ state }) => state === 'pending')
  if (!waits || size > 0 || carrier.response?.status !== 200 || !view.settled) return
  say('TR-HTTP-05', 'HTTP 200 without a body; expected a response message', { related: carrier.seq })
}

/** Whether the server speaks this version, as far as is known. */
export const isSpoken = (version: string, { isModern, supported }: LinkView): boolean =>
  isRevision(version) && (!isModern || supported === undefined || supported.includes(version))

/** GET and DELETE. */
const got = ({ status }: Response, carrier: Carrier, view: LinkView, say: Say<HeadRule>): void => {
  const related = carrier.seq
  if (view.isModern) {
    // An unauthenticated client is refused before the method is checked.
    if (status === 401 || status === 403) return
    const what = `HTTP ${status} to ${carrier.method}; servers without sessions must return 405`
    if (status !== 405) say('TR-HTTP-32', what, { related })
    return
  }
  // 401 and 403 are about signing in; 404 for a session ID means the session has ended (TR-HTTP-26).
  const excused = status === 401 || status === 403 || (status === 404 && carrier.headers.has('mcp-session-id'))
  if (carrier.purpose !== 'listen' || !view.settled || status === 405 || excused) return
  const { type } = carrier.response!
  if (status === 200 && /^\s*text\/event-stream\s*(;|$)/i.test(type)) return
  const found = `HTTP ${status}${type === '' ? '' : `, ${type}`}`
  say('TR-HTTP-16', `Expected an event stream or 405 for GET; found ${found}`, { related })
}

/** The tap masks all but the first eight characters of a long ID, and states the original length. */
const MASKED = /… \(\d+ characters\)$/

const session = ({ status }: Response, carrier: Carrier, view: LinkView, say: Say<HeadRule>): void => {
  const id = carrier.response!.session
  if (id === undefined || !isOk(status)) return
  const related = carrier.seq
  if (view.isModern) return sessionless(carrier, say)
  if (isGuessable(id)) {
    const what = `A session id must be hard to guess; found ${show(id)}`
    say('SEC-13', what, { related, once: true })
  }
  const odd = /[^\x21-\x7e]/.exec(id.replace(MASKED, ''))
  if (!odd && id !== '') return
  const found = odd ? show(odd[0]) : 'nothing'
  say('TR-HTTP-29', `A session id must contain only visible ASCII; found ${found}`, { related })
}

const sessionless = ({ seq }: Carrier, say: Say<HeadRule>): void =>
  say('TR-HTTP-31', 'The response sets Mcp-Session-Id, but 2026-07-28 has no sessions', { related: seq, once: true })

/** SEC-13: a counter, a time, or too short for chance. */
const isGuessable = (id: string): boolean =>
  id !== '' && !MASKED.test(id) && (id.length < 8 || /^[a-z]*[-_.]?\d{1,13}$/i.test(id))

// Event streams of Streamable HTTP: what may arrive on which stream, and event IDs.

const STREAM_RULES = [
  'SF-LOG-04',
  'TR-HTTP-07',
  'TR-HTTP-08',
  'TR-HTTP-14',
  'TR-HTTP-17',
  'TR-HTTP-18',
  'TR-HTTP-20',
  'TR-HTTP-21',
  'TR-HTTP-24',
] as const
type StreamRule = (typeof STREAM_RULES)[number]

/** Event IDs remembered to detect repeated ones. */
const MOST_IDS = 10_000

interface Event {
  readonly root: number
  readonly print: string
  readonly seq: number
}

export const streams = group(STREAM_RULES, (view) => {
  const seen = new Recent<string, Event>(MOST_IDS)

  /** TR-HTTP-20: an ID may only recur with its own event, when a stream is resumed. */
  const used = (id: string | undefined, carrier: Carrier, print: string, seq: number, say: Say<StreamRule>): void => {
    if (id === undefined || id === '' || view.oldSse) return
    const before = seen.get(id)
    if (!before) return seen.set(id, { root: carrier.root, print, seq })
    if (before.root === carrier.root && before.print === print) return
    const where = before.root === carrier.root ? 'another event of this stream' : 'an event of another stream'
    say('TR-HTTP-20', `The event id ${show(id)} was already used by ${where}`, { related: before.seq })
  }

  /** TR-HTTP-21, once per connection: servers without an event store never do it. */
  const first = (carrier: Carrier, primed: boolean, say: Say<StreamRule>): void => {
    if (carrier.events !== 1 || primed || carrier.purpose === 'resume' || view.oldSse) return
    const what =
      "The stream doesn't begin with an event that has an id and no data, so it can't be resumed from the start"
    say('TR-HTTP-21', what, { related: carrier.seq, once: true })
  }

  /** TR-HTTP-08: the stream of a POST ends after its last response. In 2026-07-28 this is TR-HTTP-07. */
  const trailing = ({ method, at }: Observed, carrier: Carrier, say: Say<StreamRule>): void => {
    const isOver = carrier.asked.length > 0 && carrier.asked.every(({ state }) => state === 'answered')
    if (!isOver || !answered.has(carrier.seq) || !isEventStream(carrier)) return
    const what = `${show(method)} came after the response that ends the stream`
    say('TR-HTTP-08', what, { pointer: `${at}/method`, related: carrier.asked[0]!.seq, once: true })
  }

  /** When the response of a request came, by its HTTP exchange. */
  const answered = new Recent<number, number>(MOST_ANSWERS)

  /** TR-HTTP-08: a stream that is still open long after its last response. */
  const lingering = (at: number, carrier: Carrier, say: Say<StreamRule>): void => {
    const last = answered.get(carrier.seq)
    if (last === undefined || !isEventStream(carrier) || carrier.asked.some(({ state }) => state === 'pending')) return
    // A subscription is answered when it ends.
    if (at - last < LINGER || carrier.asked.some(({ filter }) => filter !== undefined)) return
    const what = `The stream stayed open for ${Math.round((at - last) / 1000)} s after the response`
    say('TR-HTTP-08', what, { related: carrier.seq, once: true })
  }

  /** The last message on a stream that is no response. */
  let latest: { readonly text: string; readonly seq: number; readonly carrier: Carrier } | undefined
  /** TR-HTTP-18: the same message at once on a GET stream and on the stream of a POST. */
  const broadcast = ({ message, frame, kind, method }: Observed, carrier: Carrier, say: Say<StreamRule>): void => {
    if (kind !== 'notification' || frame.size > LARGEST_COMPARED) return void (latest = undefined)
    const before = latest
    latest = { text: JSON.stringify(message), seq: frame.seq, carrier }
    if (before?.text !== latest.text || before.carrier.root === carrier.root) return
    if ((before.carrier.rootMethod === 'GET') === (carrier.rootMethod === 'GET')) return
    const what = `The same ${show(method)} came on two streams; each message belongs on one`
    say('TR-HTTP-18', what, { related: before.seq, once: true })
  }

  return {
    renewed() {
      seen.clear()
      latest = undefined
    },
    whole(frame, carrier, say) {
      if (!carrier || !isEventStream(carrier)) return
      first(carrier, false, say)
      used(frame.eventId, carrier, printOf(frame), frame.seq, say)
    },
    stream(frame, carrier, say) {
      if (frame.event === 'close' && frame.unfinished && frame.why === 'ended') {
        const what = 'The stream ended before the empty line that completes its last event, so that event is lost'
        say('TR-HTTP-14', what, { related: carrier.seq })
      }
      if (frame.event === 'close' && frame.stray !== undefined && !view.oldSse) {
        say('TR-HTTP-14', `${NO_FIELD}: ${show(frame.stray)}`, { related: carrier.seq })
      }
      if (frame.event === 'comment' && !view.oldSse) lingering(frame.at, carrier, say)
      if (frame.event !== 'data') return
      const { name, data } = frame
      if (!view.oldSse && name !== undefined && name !== 'message' && data !== undefined && IS_MESSAGE.test(data)) {
        const what = `A message came as an event named ${show(name)}, which parsers drop; expected "message"`
        say('TR-HTTP-14', what, { related: carrier.seq, once: true })
      }
      first(carrier, frame.id !== undefined && frame.data === undefined, say)
      // The transport recognized a repeated event.
      if (!frame.repeated) used(frame.id, carrier, `data ${frame.size}`, frame.seq, say)
    },
    http(frame, carrier, say) {
      // The client ended what the server left open.
      if (frame.phase === 'failed' && frame.aborted !== undefined && !view.oldSse) lingering(frame.at, carrier, say)
    },
    completed(frame, carrier, say) {
      lingering(frame.at, carrier, say)
      answered.delete(carrier.seq)
      unresumable(carrier, view, say)
    },
    message(heard, say) {
      const { carrier } = heard
      if (!carrier || view.oldSse) return
      if (!view.isModern && heard.kind !== 'answer') trailing(heard, carrier, say)
      if (!view.isModern && isEventStream(carrier)) broadcast(heard, carrier, say)
      if (heard.kind === 'answer' && carrier.purpose === 'message') answered.set(carrier.seq, heard.frame.at)
      if (view.isModern) return modern(heard, carrier, view, say)
      if (heard.kind !== 'answer' || heard.id === undefined || carrier.rootMethod !== 'GET') return
      const what = `The response to ${show(heard.id)} came on a GET stream; expected on the stream of its POST`
      say('TR-HTTP-17', what, { pointer: heard.at || undefined, related: heard.asked?.seq })
    },
  }
})

/** TR-HTTP-24: a stream that ended before the response, and can't be resumed because none of its events had an ID. */
const unresumable = (carrier: Carrier, view: LinkView, say: Say<StreamRule>): void => {
  const [waits] = carrier.asked.filter(({ state }) => state === 'pending')
  if (
    !waits ||
    carrier.method !== 'POST' ||
    carrier.asked.length > 1 ||
    carrier.withIds ||
    view.isModern ||
    view.oldSse
  )
    return
  if (!view.settled || !isEventStream(carrier) || carrier.response?.status !== 200) return
  const what = `The stream ended without the response to ${show(waits.method)}, and no event id allows resuming it`
  say('TR-HTTP-24', what, { related: waits.seq })
}

const NO_FIELD = "A line doesn't begin with the name of a field, so parsers drop it"

/** The data of an event that is a message, whatever the event is called. */
const IS_MESSAGE = /^\s*\[?\s*\{\s*"jsonrpc"/

/** Responses whose streams may still be open. */
const MOST_ANSWERS = 1_000
/** UTF-8 bytes of a notification that is compared with the one before. */
const LARGEST_COMPARED = 100_000
/** ms after the last response in which a stream should have ended. */
const LINGER = 5_000

const printOf = ({ message, type, size }: MessageFrame): string => {
  const { id, method } = isObject(message) ? message : {}
  return `${type} ${size} ${show(id)} ${show(method)}`
}

/**
 * TR-HTTP-07, SF-LOG-04: messages on the response stream of a request must relate to that request, and precede its
 * response.
 */
const modern = (heard: Observed, carrier: Carrier, view: LinkView, say: Say<StreamRule>): void => {
  const asked = carrier.asked[0]
  if (!asked || asked.method === 'subscriptions/listen' || heard.kind === 'answer') return
  const { method, params, kind, at } = heard
  const related = asked.seq
  const pointer = `${at}/method`
  if (asked.state === 'answered' && carrier.asked.length === 1) {
    return say('TR-HTTP-07', `${show(method)} came after the response that ends the stream`, { pointer, related })
  }
  if (kind === 'request') {
    return say('TR-HTTP-07', `The request ${show(method)} came in the response to ${show(asked.method)}`, {
      pointer,
      related,
    })
  }
  if (method === 'notifications/message') {
    if (!asked.logs) say('SF-LOG-04', 'A log message for a request without a log level', { pointer, related })
    return
  }
  if (method === 'notifications/progress') {
    const other = view.sent.byToken(params.progressToken)
    if (!other || other === asked) return
    return say('TR-HTTP-07', 'Progress of a request other than the one of this stream', {
      pointer: `${at}/params/progressToken`,
      related: other.seq,
    })
  }
  if (method === 'notifications/cancelled') return
  say('TR-HTTP-07', `${show(method)} isn't related to the request of this stream`, { pointer, related })
}

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
