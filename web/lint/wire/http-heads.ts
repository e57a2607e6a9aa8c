/** Streamable HTTP: response heads, bodies and sessions. */
import { type FrameOf, isRevision } from '../../mcp/index.ts'
import type { Carrier, LinkView } from '../link.ts'
import { group, type Say, show } from '../rule.ts'
import { isEventStream } from '../observe.ts'
import { parsedUrl } from '../../mcp/url.ts'

const HEAD_RULES = [
  'BP-14', 'SEC-09', 'SEC-13', 'TR-HDR-02', 'TR-HDR-03', 'TR-HTTP-04', 'TR-HTTP-05', 'TR-HTTP-13', 'TR-HTTP-16', 'TR-HTTP-29', 'TR-HTTP-31', 'TR-HTTP-32',
  'TR-HDR-06', 'TR-HDR-07', 'UT-CANC-04',
] as const // prettier-ignore
type HeadRule = (typeof HEAD_RULES)[number]
type Response = Extract<FrameOf<'http'>, { phase: 'response' }>

export const httpHeads = group(HEAD_RULES, (view) => ({
  message(heard, say) {
    const { answer, result, carrier, asked } = heard
    // What the server says shows its version after the head of its first response has passed.
    if (answer === 'first' && view.isModern && carrier?.response?.session !== undefined) sessionless(carrier, say)
    if (answer !== 'first' || !result || !carrier) return
    if (isMismatch(carrier, view)) {
      say('TR-HDR-02', `${mismatchOf(carrier)}; expected -32020`, { related: asked!.seq })
    } else unlike(carrier, view, say)
  },
  whole(frame, carrier, say) {
    if (!carrier || !isStray(carrier, view)) return
    if (carrier.response && carrier.response.status < 300) {
      say('TR-HTTP-04', `${NO_BODY}; found a message`, { related: carrier.seq })
    }
  },
  http(frame, carrier, say) {
    if (view.oldSse) return
    if (frame.phase === 'end') {
      empty(frame, carrier, view, say)
      if (!isStray(carrier, view) || frame.body === undefined || (carrier.response?.status ?? 0) >= 300) return
      say('TR-HTTP-04', `${NO_BODY}; found ${frame.size} bytes`, { related: carrier.seq })
    }
    if (frame.phase !== 'response') return
    if (carrier.method === 'POST') posted(frame, carrier, view, say)
    else got(frame, carrier, view, say)
    session(frame, carrier, view, say)
  },
}))

const NO_BODY = 'The response to a POSTed notification or response must have no body'

/** A POST that contains only notifications or responses. */
const isStray = (carrier: Carrier, view: LinkView): boolean =>
  !view.oldSse && carrier.method === 'POST' && carrier.posted > 0 && carrier.asked.length === 0

const isOk = (status: number): boolean => status >= 200 && status < 300

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
      say('TR-HTTP-04', `HTTP ${status} to a POSTed notification or response; expected 202`, { related })
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

/** TR-HDR-02: a header that differs from the body. Only a manually written request proves that it is missing. */
export const isMismatch = ({ asked: [asked], headers }: Carrier, { isModern, oldSse }: LinkView): boolean =>
  isModern &&
  !oldSse &&
  asked !== undefined &&
  asked.method !== 'initialize' &&
  asked.revision !== undefined &&
  (asked.byHand || headers.has('mcp-protocol-version')) &&
  headers.get('mcp-protocol-version') !== asked.revision

/** TR-HDR-06, TR-HDR-07: the same for the method and the name. A recording may lack these headers. */
const unlike = ({ asked: [asked], headers, posted }: Carrier, view: LinkView, say: Say<HeadRule>): void => {
  if (!view.isModern || view.oldSse || posted !== 1 || asked?.revision !== '2026-07-28') return
  const [method, name] = [headers.get('mcp-method'), headers.get('mcp-name')]
  if (method !== undefined && method !== asked.method) {
    const what = `Mcp-Method is ${show(method)}, but the method is ${show(asked.method)}; expected HTTP 400 with -32020`
    say('TR-HDR-06', what, { related: asked.seq })
  }
  if (!NAMED.has(asked.method) || asked.subject === undefined || name === undefined) return
  if (name === asked.subject || /^=\?base64\?.*\?=$/i.test(name) || MASKED_NAME.test(name)) return
  const what = `Mcp-Name is ${show(name)}, but the request is about ${show(asked.subject)}; expected HTTP 400 with -32020`
  say('TR-HDR-07', what, { related: asked.seq })
}

const NAMED: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read'])

/** Something was removed from it. */
const MASKED_NAME = /[^\x20-\x7e]/

export const mismatchOf = ({ asked: [asked], headers }: Carrier): string =>
  `MCP-Protocol-Version is ${show(headers.get('mcp-protocol-version'))}, but _meta says ${show(asked!.revision)}`

/** Statuses that say nothing about the version: sign-in, load, and gateways. */
const UNRELATED: ReadonlySet<number> = new Set([401, 403, 407, 429, 502, 503, 504])

/** TR-HDR-02, TR-HDR-03: a wrong version, which only happens manually, refused with another status. */
const refusedVersion = (status: number, carrier: Carrier, view: LinkView, say: Say<HeadRule>): void => {
  const named = carrier.headers.get('mcp-protocol-version')
  const isOdd = named !== undefined && !isRevision(named) && status !== 404
  if (status === 400 || UNRELATED.has(status) || !(isOdd || carrier.asked.some(({ byHand }) => byHand))) return
  if (isMismatch(carrier, view)) {
    return say('TR-HDR-02', `${mismatchOf(carrier)}; expected HTTP 400, found ${status}`, { related: carrier.seq })
  }
  const version = named
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
