/**
 * Refusals whose reason stands only in the words of their body: an ended or missing session, a foreign origin, a version
 * that the server lacks. Each has a status of its own, from which clients know what to do.
 */
import { isObject, type Json } from '../../mcp/index.ts'
import type { Carrier, LinkView } from '../link.ts'
import { group, type Say, show } from '../rule.ts'

const RULES = ['SEC-09', 'TR-HDR-03', 'TR-HTTP-25', 'TR-HTTP-26', 'TR-HTTP-28'] as const
type Id = (typeof RULES)[number]

/** Characters of a body that are searched for a reason. */
const LONGEST_REASON = 2_000

const ENDED =
  /\bsession\b.{0,40}\b(expired|not found|unknown|invalid|terminated|ended|closed|gone|no longer|does ?n[o']t exist)\b|\b(expired|unknown|invalid|no such|terminated|no valid)\b.{0,12}\bsession\b/i
const MISSING =
  /\b(missing|no|requires?|without|expected)\b.{0,20}\bsession ?id\b|\bsession( ?id)?\b.{0,20}\b(required|missing|expected|absent)\b/i
const FOREIGN =
  /\b(invalid|forbidden|bad|disallowed|unknown|untrusted|blocked)\b.{0,20}\borigin\b|\borigin\b.{0,60}\b(not allowed|invalid|forbidden|denied|rejected|blocked)\b/i
const VERSION =
  /\b(unsupported|unknown|invalid|bad)\b.{0,20}\bprotocol ?version\b|\bprotocol ?version\b.{0,40}\b(not supported|unsupported|unknown)\b/i

/** Statuses of refusals that could be about a session. */
const ABOUT_SESSIONS: ReadonlySet<number> = new Set([400, 401, 403, 410])

export const refusals = group(RULES, (view) => {
  /** Whether the response to `initialize` had a session id; CORS may hide it from a page. */
  let issued: boolean | undefined
  const judge = (body: Json | undefined, carrier: Carrier, say: Say<Id>): void => {
    const status = carrier.response?.status ?? 0
    // A result may be about sessions and origins of any kind; an error, even with status 200, is about the request.
    const refuses = status === 200 ? isObject(body) && isObject(body.error) : status >= 400 && status < 500
    if (!refuses || body === undefined) return
    const text = (typeof body === 'string' ? body : JSON.stringify(body)).slice(0, LONGEST_REASON)
    about(text.replace(/[_-]/g, ' '), status, carrier, say)
    // The error codes of JSON tell more than words: see `error-codes.ts`.
    if (typeof body === 'string') refusedVersion(text, status, carrier, view, say)
  }
  const about = (words: string, status: number, carrier: Carrier, say: Say<Id>): void => {
    const related = carrier.seq
    if (view.revision !== undefined && view.revision >= '2025-11-25' && status !== 200 && status !== 403)
      if (FOREIGN.test(words) && carrier.headers.has('origin'))
        say('SEC-09', `HTTP ${status} for an Origin that isn't allowed; expected 403`, { related })
    if (view.isModern || view.oldSse) return
    if (carrier.headers.has('mcp-session-id')) {
      if (carrier.method === 'DELETE' || (status !== 200 && !ABOUT_SESSIONS.has(status)) || !ENDED.test(words)) return
      return say('TR-HTTP-26', `HTTP ${status} for a session that ended; expected 404`, { related })
    }
    const begins = carrier.asked.some(({ method }) => method === 'initialize')
    if (begins || !(ABOUT_SESSIONS.has(status) || status === 404) || !MISSING.test(words)) return
    if (issued === false && !carrier.asked.some(({ byHand }) => byHand))
      say('TR-HTTP-25', 'The server requires a session id, but its response to initialize had none', { related })
    if (status !== 400) say('TR-HTTP-28', `HTTP ${status} for a missing session id; expected 400`, { related })
  }
  return {
    whole(frame, carrier, say) {
      if (carrier && frame.size <= LONGEST_REASON) judge(frame.message, carrier, say)
    },
    http(frame, carrier, say) {
      if (frame.phase === 'end') judge(frame.body, carrier, say)
      if (frame.phase !== 'response' || frame.status !== 200) return
      if (!carrier.asked.some(({ method }) => method === 'initialize')) return
      issued = carrier.response?.session !== undefined || (frame.crossOrigin ? undefined : false)
    },
  }
})

const refusedVersion = (text: string, status: number, carrier: Carrier, view: LinkView, say: Say<Id>): void => {
  const version = carrier.headers.get('mcp-protocol-version')
  if (status === 400 || version === undefined || view.oldSse || !VERSION.test(text.replace(/[_-]/g, ' '))) return
  // Whoever writes a request by hand may send any version: see `http-heads.ts`.
  if (carrier.asked.some(({ byHand }) => byHand)) return
  say('TR-HDR-03', `HTTP ${status} to MCP-Protocol-Version ${show(version)}; expected 400`, { related: carrier.seq })
}
