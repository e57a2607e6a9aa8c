/**
 * The server's duties in sign-ins: how it refuses, what its metadata offers, and what happens to refresh tokens. What a
 * flow checks itself is reported on its own frames.
 */
import { jsonIn } from '../../json/index.ts'
import { isObject, parseChallenges } from '../../mcp/index.ts'
import type { AuthChallenge, FrameOf, HeaderList, JsonObject, Revision, Seq } from '../../mcp/index.ts'
import { parsedUrl } from '../../mcp/url.ts'
import { type Carrier, knownRevision, type LinkView, type SignInRequest, type SignInStep } from '../link.ts'
import { Recent } from '../recent.ts'
import { group, show, type Details, type Say } from '../rule.ts'

const RULES = [
  'AU-GEN-03', 'AU-GEN-05', 'AU-PRM-02', 'AU-PRM-06', 'AU-SCOPE-03', 'AU-SCOPE-07', 'AU-TOK-04', 'BR-03',
] as const // prettier-ignore
type Id = (typeof RULES)[number]
type Response = Extract<FrameOf<'http'>, { phase: 'response' }>

export const authorization = group(RULES, (view) => {
  /** URLs that responded 401 without a visible WWW-Authenticate header. */
  const bare = new Recent<string, Seq>(100)

  /** BR-03: headers that the proxy sees but the page doesn't. */
  const shown = (frame: Response, url: string, revision: Revision | undefined, say: Say<Id>): void => {
    const before = bare.get(placeOf(url))
    if (before === undefined || frame.crossOrigin || !challengesIn(frame.headers)) return
    bare.delete(placeOf(url))
    const what = 'This response has a WWW-Authenticate header that CORS hid from the page before'
    say('BR-03', `${what}: Access-Control-Expose-Headers must list it`, { related: before, revision })
  }

  const refused = (frame: Response, carrier: Carrier, say: Say<Id>): void => {
    const { status, headers, crossOrigin } = frame
    if (status !== 400 && status !== 401 && status !== 403) return
    const revision = revisionFor(view, carrier)
    const details: Details = { related: carrier.seq, revision }
    const challenges = challengesIn(headers)
    if (status === 401 && !challenges?.any) {
      bare.set(placeOf(carrier.url), frame.seq)
      if (crossOrigin && !challenges) {
        const what = "WWW-Authenticate isn't visible: it is missing, or Access-Control-Expose-Headers doesn't list it"
        return say('BR-03', what, { ...details, once: true })
      }
      const found = challenges
        ? 'with a WWW-Authenticate header that contains no challenge'
        : 'without WWW-Authenticate'
      const what = `HTTP 401 ${found}; the header must contain a challenge (RFC 9110 section 11.6.1)`
      return say('AU-GEN-05', what, { ...details, once: true })
    }
    if (status === 401) shown(frame, carrier.url, revision, say)
    if (!challenges) return
    judgeChallenges(status, challenges, carrier, details, say)
  }

  return {
    http(frame, carrier, say) {
      if (frame.phase === 'response') refused(frame, carrier, say)
      // The protocol version is often still unknown when the first request is sent.
      const url = frame.phase === 'request' ? frame.url : carrier.url
      const related = frame.phase === 'request' ? undefined : carrier.seq
      inQuery(url, { related, revision: revisionFor(view, carrier), once: true }, say)
      if (frame.phase === 'response' && frame.redirectedTo !== undefined) {
        inQuery(frame.redirectedTo, { related: carrier.seq, revision: revisionFor(view, carrier), once: true }, say)
      }
    },
    signIn(frame, request, say) {
      const revision = request.step?.run.of?.revision ?? view.revision
      if (frame.phase === 'request') inQuery(frame.url, { revision, once: true }, say)
      if (frame.phase === 'response' && frame.status === 401) shown(frame, request.url, revision, say)
      if (frame.phase === 'end') resourceMetadata(frame, request)
    },
    auth(frame, step, say) {
      if (frame.event !== 'done') return
      // Don't repeat what the flow has already found.
      const own = new Set(frame.findings?.map(({ rule }) => rule))
      for (const { rule, explanation, related } of step?.notes.splice(0) ?? []) {
        if (!own.has(rule)) say(rule as Id, explanation, { related })
      }
      if (!own.has('AU-TOK-04')) notRotated(frame, say)
    },
  }
})

/** The protocol version of a request: that of the session, otherwise the one in the request. */
const revisionFor = (view: LinkView, { headers, asked }: Carrier): Revision | undefined =>
  view.revision ??
  knownRevision(headers.get('mcp-protocol-version')) ??
  asked.find(({ revision }) => revision !== undefined)?.revision

/** AU-GEN-03. Never repeats the value itself. */
const inQuery = (url: string, details: Details, say: Say<Id>): void => {
  if (!/[?&]access_token=/i.test(url)) return
  const what = 'The URL contains access_token. URLs end up in logs; tokens belong in the Authorization header'
  say('AU-GEN-03', what, details)
}

interface Challenges {
  /** There is a challenge of any scheme. */
  readonly any: boolean
  /** Those that ask for a token: `Bearer` and `DPoP`. */
  readonly bearer: readonly AuthChallenge[]
}

/** @returns `undefined` if the header is missing, or hidden by CORS */
export const challengesIn = (headers: HeaderList): Challenges | undefined => {
  const values = headers.flatMap(([name, value]) => (name.toLowerCase() === 'www-authenticate' ? [value] : []))
  if (values.length === 0) return undefined
  const all = parseChallenges(values.join(', '))
  return {
    any: all.some(({ scheme }) => scheme !== ''),
    bearer: all.filter(({ scheme }) => /^(bearer|dpop)$/i.test(scheme)),
  }
}

const placeOf = (url: string): string => url.replace(/[?#].*$/s, '')

/** RFC 6750 section 3.1: the HTTP status of each error. */
const STATUS_OF: Readonly<Record<string, number>> = {
  invalid_request: 400,
  invalid_token: 401,
  insufficient_scope: 403,
}

/** AU-SCOPE-07 */
const OFFLINE = 'offline_access, which only concerns the client and the authorization server'

const judgeChallenges = (status: number, { bearer }: Challenges, carrier: Carrier, details: Details, say: Say<Id>) => {
  for (const { error } of bearer.map(({ params }) => params)) {
    const due = error !== undefined && Object.hasOwn(STATUS_OF, error) ? STATUS_OF[error] : undefined
    if (due !== undefined && due !== status) {
      say('AU-GEN-05', `HTTP ${status} with the error ${show(error)}; expected ${due}`, details)
    } else if (status === 403 && error === undefined && !carrier.headers.has('authorization')) {
      say('AU-GEN-05', 'HTTP 403 with a challenge to a request without a token; expected 401', details)
    }
  }
  // Alone and without a value, a parameter has the syntax of a token68.
  const named = bearer.flatMap(
    ({ params, token68 }) => params.resource_metadata ?? (token68 === 'resource_metadata=' ? '' : []),
  )
  const odd = named.find((url) => !/^https?:\/\/./i.test(url) || !parsedUrl(url))
  if (odd !== undefined) {
    say('AU-PRM-02', `resource_metadata must be a URL; found ${show(odd)}`, details)
  }
  // Later versions have a second way: the well-known URL (AU-PRM-03).
  if (status === 401 && named.length === 0 && details.revision === '2025-06-18') {
    const what = 'WWW-Authenticate has no resource_metadata, which 2025-06-18 requires'
    say('AU-PRM-02', what, { ...details, once: true })
  }
  for (const { params } of bearer) {
    const scope = params.scope
    if (status === 403 && params.error === 'insufficient_scope' && !scope?.trim()) {
      say('AU-SCOPE-03', "insufficient_scope without a scope: clients can't tell what to request", details)
    }
    if (scope?.split(/\s+/).includes('offline_access')) {
      say('AU-SCOPE-07', `The challenge requests ${OFFLINE}`, { ...details, once: true })
    }
  }
}

/** AU-PRM-06, AU-SCOPE-07: the document that names the authorization servers a server trusts. */
const resourceMetadata = (
  { body, cut, seq }: Extract<FrameOf<'http'>, { phase: 'end' }>,
  { step, status }: SignInRequest,
): void => {
  if (step?.run.step !== 'resource-metadata' || status !== 200 || body === undefined || cut) return
  const document = objectIn(body)
  // If the body isn't an object, the step itself reports it.
  if (!document) return
  const note = (rule: Id, explanation: string) => noted(step, rule, explanation, seq)
  const { authorization_servers: servers, scopes_supported: scopes } = document
  const usable = Array.isArray(servers) && servers.some((each) => typeof each === 'string' && each !== '')
  if (!usable) note('AU-PRM-06', `authorization_servers must list at least one; found ${show(servers)}`)
  if (Array.isArray(scopes) && scopes.includes('offline_access')) {
    note('AU-SCOPE-07', `scopes_supported contains ${OFFLINE}`)
  }
}

/** Several documents are requested in turn: one finding per rule is enough. */
const noted = ({ notes }: SignInStep, rule: Id, explanation: string, related: Seq): void => {
  if (!notes.some((note) => note.rule === rule)) notes.push({ rule, explanation, related })
}

const objectIn = (text: string): JsonObject | undefined => {
  const value = jsonIn(text)
  return isObject(value) ? value : undefined
}

/** AU-TOK-04: `public` says whether the client has no secret; if unknown, assume it has none. */
const notRotated = ({ step, learned }: Extract<FrameOf<'auth'>, { event: 'done' }>, say: Say<Id>): void => {
  if (step !== 'refresh' || learned.rotated !== false) return
  if (learned.public === false) return
  say('AU-TOK-04', "The server didn't rotate the refresh token of a public client")
}
