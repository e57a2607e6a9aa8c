/** Streamable HTTP: response heads and sessions. */
import { isRevision, type FrameOf } from '../../mcp/index.ts'
import type { Carrier, LinkView } from '../link.ts'
import { group, show, type Say } from '../rule.ts'

const RULES = [
  'TR-HDR-03', 'TR-HTTP-04', 'TR-HTTP-05', 'TR-HTTP-16', 'TR-HTTP-29', 'TR-HTTP-31', 'TR-HTTP-32',
] as const // prettier-ignore
type Id = (typeof RULES)[number]
type Response = Extract<FrameOf<'http'>, { phase: 'response' }>

export const httpHeads = group(RULES, (view) => ({
  whole(frame, carrier, say) {
    if (!carrier || !isStray(carrier, view)) return
    if (carrier.response && carrier.response.status < 300) {
      say('TR-HTTP-04', 'The response to a POST without requests must have no body; found a message', {
        related: carrier.seq,
      })
    }
  },
  http(frame, carrier, say) {
    if (view.oldSse) return
    if (frame.phase === 'end') {
      empty(frame, carrier, view, say)
      if (!isStray(carrier, view) || frame.body === undefined || (carrier.response?.status ?? 0) >= 300) return
      say('TR-HTTP-04', `The response to a POST without requests must have no body; found ${frame.size} bytes`, {
        related: carrier.seq,
      })
    }
    if (frame.phase !== 'response') return
    if (carrier.method === 'POST') posted(frame, carrier, view, say)
    else got(frame, carrier, view, say)
    session(frame, carrier, view, say)
  },
}))

/** A POST that contains only notifications or responses. */
const isStray = (carrier: Carrier, view: LinkView): boolean =>
  !view.oldSse && carrier.method === 'POST' && carrier.posted > 0 && carrier.asked.length === 0

const isOk = (status: number): boolean => status >= 200 && status < 300

const posted = ({ status }: Response, carrier: Carrier, view: LinkView, say: Say<Id>): void => {
  const related = carrier.seq
  const { type } = carrier.response!
  if (isStray(carrier, view)) {
    if (isOk(status) && status !== 202) {
      say('TR-HTTP-04', `HTTP ${status} to a POST without requests; expected 202`, { related })
    }
    return
  }
  if (!isOk(status) || carrier.asked.length === 0) return
  // An older server has no duties towards a probe.
  const probe = carrier.asked.every(({ method }) => method === 'server/discover') && !view.settled
  if (!probe && !/^\s*(application\/json|text\/event-stream)\s*(;|$)/i.test(type)) {
    const what = status === 202 ? 'HTTP 202, although a response is required' : `Content-Type ${show(type)}`
    say('TR-HTTP-05', `${what}; expected application/json or text/event-stream`, { related })
  }
  const version = carrier.headers.get('mcp-protocol-version')
  const spoken = version === undefined || isSpoken(version, view)
  if (!spoken) say('TR-HDR-03', `HTTP ${status} to MCP-Protocol-Version ${show(version)}; expected 400`, { related })
}

/** An empty body where a response was due. With 202, the head has already reported it. */
const empty = ({ size }: { size: number }, carrier: Carrier, view: LinkView, say: Say<Id>): void => {
  const waits = carrier.method === 'POST' && carrier.asked.some(({ state }) => state === 'pending')
  if (!waits || size > 0 || carrier.response?.status !== 200 || !view.settled) return
  say('TR-HTTP-05', 'HTTP 200 without a body; expected a response message', { related: carrier.seq })
}

const isSpoken = (version: string, { isModern, supported }: LinkView): boolean =>
  isRevision(version) && (!isModern || supported === undefined || supported.includes(version))

/** GET and DELETE. */
const got = ({ status }: Response, carrier: Carrier, view: LinkView, say: Say<Id>): void => {
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

const session = ({ status }: Response, carrier: Carrier, view: LinkView, say: Say<Id>): void => {
  const id = carrier.response!.session
  if (id === undefined || !isOk(status)) return
  const related = carrier.seq
  if (view.isModern) {
    return say('TR-HTTP-31', 'The response sets Mcp-Session-Id, but 2026-07-28 has no sessions', {
      related,
      once: true,
    })
  }
  const odd = /[^\x21-\x7e]/.exec(id.replace(MASKED, ''))
  if (odd || id === '') {
    say('TR-HTTP-29', `A session id must contain only visible ASCII; found ${odd ? show(odd[0]) : 'nothing'}`, {
      related,
    })
  }
}
