/**
 * How a server refuses requests that lack a token or a scope: the status, the challenge, and what the challenge names.
 * The documents and responses of the sign-in itself: `sign-ins.ts`.
 */
import { isObject, parseChallenges } from '../../mcp/index.ts'
import type { AuthChallenge, FrameOf, HeaderList, Revision, Seq } from '../../mcp/index.ts'
import { parsedUrl } from '../../mcp/url.ts'
import { type Carrier, knownRevision, type LinkView, type Observed, wordsOf } from '../link.ts'
import { CHALLENGE, errorParameterFaults } from './error-parameters.ts'
import { isJoinedOtherwise, isPlain } from './sign-in-documents.ts'
import { Recent } from '../recent.ts'
import { group, show, type Details, type Say } from '../rule.ts'

const RULES = [
  'AU-GEN-03', 'AU-GEN-05', 'AU-PRM-02', 'AU-SCOPE-01', 'AU-SCOPE-02', 'AU-SCOPE-03', 'AU-SCOPE-07', 'AU-SCOPE-08', 'BR-03',
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

  /** Responses with a challenge, whose status is judged with it. */
  const challenged = new Recent<Seq, true>(100)

  /** The schemes of the last challenge to a request without a token, if `Bearer` isn't among them. */
  let foreign: { readonly seq: Seq; readonly schemes: string } | undefined

  /** AU-GEN-07 allows other schemes, but a server that accepts Bearer tokens must ask for them. */
  const accepted = (carrier: Carrier, say: Say<Id>): void => {
    if (!foreign || !/^bearer\b/i.test(carrier.headers.get('authorization') ?? '')) return
    const what = `The server accepts Bearer tokens, but its challenge only names ${show(foreign.schemes)}`
    const details = {
      related: foreign.seq,
      revision: revisionFor(view, carrier),
      keyword: 'MUST',
      once: 'foreign',
    } as const
    foreign = undefined
    say(['AU-GEN-05', CHALLENGE], what, details)
  }

  /** Requests with a token that got 403 without any challenge. */
  const bare403 = new Recent<Seq, true>(100)

  const refused = (frame: Response, carrier: Carrier, say: Say<Id>): void => {
    const { status, headers, crossOrigin } = frame
    if (status < 400) return
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
      return say(['AU-GEN-05', CHALLENGE, 'RFC 9110 section 11.6.1'], what, { ...details, once: true })
    }
    const isKnown = status === 400 || status === 401 || status === 403
    if (!isKnown && !challenges?.bearer.length) return
    if (status === 401) shown(frame, carrier.url, revision, say)
    if (!challenges) {
      // CORS may hide the header, and an Origin may be what was refused (SEC-09).
      const isUnclear = crossOrigin || carrier.headers.has('origin')
      if (status !== 403 || isUnclear || !carrier.headers.has('authorization')) return
      bare403.set(carrier.seq, true)
      const what =
        "HTTP 403 to a request with a token, without WWW-Authenticate: clients can't tell which scope is missing"
      return say(['AU-SCOPE-03', 'AU-GEN-05', CHALLENGE, REASONS], what, { ...details, keyword: 'SHOULD', once: true })
    }
    if (challenges.bearer.length > 0) challenged.set(carrier.seq, true)
    if (status === 401 && !carrier.headers.has('authorization')) {
      foreign = challenges.bearer.length > 0 ? undefined : { seq: carrier.seq, schemes: challenges.schemes }
    }
    judgeChallenges(status, challenges, carrier, details, say)
    judgeScopes(status, challenges, carrier, { ...details, once: true }, view, say)
    const { granted } = view.signIn
    const isFresh = granted && !granted.accepted && carrier.seq > granted.seq && frame.at - granted.at < FRESH
    if (status === 401 && isFresh && carrier.headers.has('authorization') && refusesToken(challenges)) {
      const what = 'HTTP 401 to a token that the authorization server has just issued'
      say(['AU-GEN-05', REASONS], what, { ...details, once: 'fresh' })
    }
  }

  /** @param words the beginning of a body that isn't JSON-RPC */
  const refusedInBody = (words: string, carrier: Carrier, say: Say<Id>): void => {
    if (!OAUTH_ERROR.test(words) && !NEEDS_TOKEN.test(words)) return
    unchallenged(words, false, carrier, { revision: revisionFor(view, carrier), related: carrier.seq }, say)
  }

  const scopeInBody = (words: string, carrier: Carrier, say: Say<Id>): void => {
    if (!bare403.has(carrier.seq) || !/insufficient[_ ]scope/i.test(words)) return
    const details = { revision: revisionFor(view, carrier), related: carrier.seq }
    const what = 'HTTP 403 with insufficient_scope only in its body; expected a challenge (RFC 6750 section 3)'
    say(['AU-GEN-05', CHALLENGE, REASONS], what, { ...details, keyword: 'MUST', once: 'scope inside' })
  }

  return {
    http(frame, carrier, say) {
      if (frame.phase === 'response') {
        refused(frame, carrier, say)
        redirected(frame, carrier, { related: carrier.seq, revision: revisionFor(view, carrier), once: true }, say)
        const { granted } = view.signIn
        const isAccepted = frame.status < 400 && carrier.headers.has('authorization')
        if (granted && isAccepted && carrier.seq > granted.seq) granted.accepted = true
        if (isAccepted) accepted(carrier, say)
      }
      if (frame.phase === 'end' && !challenged.has(carrier.seq)) {
        const words = frame.body?.slice(0, 300) ?? ''
        refusedInBody(words, carrier, say)
        scopeInBody(words, carrier, say)
      }
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
    },
    whole({ message }, carrier, say) {
      // A response that isn't JSON-RPC: an error of a gateway, or of OAuth.
      if (!carrier || challenged.has(carrier.seq) || !isObject(message) || message.jsonrpc !== undefined) return
      const words = JSON.stringify(message).slice(0, 300)
      refusedInBody(words, carrier, say)
      scopeInBody(words, carrier, say)
    },
    message(heard, say) {
      if (!heard.carrier || !challenged.has(heard.carrier.seq)) refusedInside(heard, view, say)
      scopeInTool(heard, view, say)
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
  say(['AU-GEN-03', 'RFC 6750 section 2.3', 'RFC 6750 section 5.3'], what, details)
}

interface Challenges {
  /** There is a challenge of any scheme. */
  readonly any: boolean
  /** All schemes, as written. */
  readonly schemes: string
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
    schemes: all.map(({ scheme }) => scheme).join(', '),
    bearer: all.filter(({ scheme }) => /^(bearer|dpop)$/i.test(scheme)),
  }
}

const placeOf = (url: string): string => url.replace(/[?#].*$/s, '')

/** The section about the errors of challenges. */
const REASONS = 'RFC 6750 section 3.1'

/** The HTTP status of each error. */
const STATUS_OF: Readonly<Record<string, number>> = {
  invalid_request: 400,
  invalid_token: 401,
  insufficient_scope: 403,
}

/** The errors of RFC 6750, RFC 9449 and RFC 9470. */
const ERRORS = new Set([
  ...Object.keys(STATUS_OF),
  ...['use_dpop_nonce', 'invalid_dpop_proof', 'insufficient_user_authentication'],
])

/** Describe why a token is refused. */
const EARLY = ['error', 'error_description'] as const

/** The section about `resource_metadata`. */
const POINTER = 'RFC 9728 section 5.1'

/** AU-SCOPE-07 */
const OFFLINE = 'offline_access, which only concerns the client and the authorization server'

/** ms: a token this new can't have expired. */
const FRESH = 10_000

/** The token itself is refused, rather than a missing nonce or scope. */
const refusesToken = ({ bearer }: Challenges): boolean =>
  bearer.some(({ params }) => params.error === undefined || params.error === 'invalid_token')

const judgeChallenges = (status: number, { bearer }: Challenges, carrier: Carrier, details: Details, say: Say<Id>) => {
  const isSigned = carrier.headers.has('authorization')
  const described = bearer.flatMap(({ params }) => errorParameterFaults((name) => params[name], CHALLENGE))
  for (const what of described.slice(0, 2)) {
    say([CHALLENGE, 'AU-GEN-05'], what, { ...details, keyword: 'MUST', once: `described ${what.split(' ')[0]}` })
  }
  const isBare = ({ scheme, params, token68 }: AuthChallenge) =>
    /^bearer$/i.test(scheme) && Object.keys(params).length === 0 && token68 !== 'resource_metadata='
  if (bearer.some(isBare)) {
    const what = 'The Bearer challenge has no parameters; the scheme must be followed by at least one'
    say('RFC 6750 section 3', what, { ...details, keyword: 'MUST', once: 'bare' })
  }
  for (const params of bearer.map((challenge) => challenge.params)) {
    const { error } = params
    const early = EARLY.find((name) => params[name] !== undefined)
    const due = error !== undefined && Object.hasOwn(STATUS_OF, error) ? STATUS_OF[error] : undefined
    if (due !== undefined && due !== status) {
      // 401 fits a token that is missing or no longer valid, so the error is what is wrong (RFC 6750 section 3.1).
      const keyword = status === 401 && error === 'invalid_request' ? 'SHOULD' : undefined
      const what = `HTTP ${status} with the error ${show(error)}; expected ${due} (${REASONS})`
      say(['AU-GEN-05', REASONS], what, { ...details, keyword })
    } else if (status !== 401 && error === undefined && !isSigned) {
      const what = `HTTP ${status} with a challenge to a request without a token; expected 401 (${CHALLENGE})`
      say(['AU-GEN-05', CHALLENGE, REASONS], what, details)
    } else if (status === 401 && early !== undefined && !isSigned) {
      const found = early === 'error' ? `the error ${show(error)}` : early
      const what = `The challenge to a request without a token has ${found}; expected none`
      say([REASONS, 'AU-GEN-05'], `${what} (${REASONS})`, { ...details, keyword: 'SHOULD', once: 'early' })
    }
  }
  if (/^(bearer|dpop)\b/i.test(carrier.headers.get('authorization') ?? '')) judgeErrors(status, bearer, details, say)
  // Alone and without a value, a parameter has the syntax of a token68.
  const named = bearer.flatMap(
    ({ params, token68 }) => params.resource_metadata ?? (token68 === 'resource_metadata=' ? '' : []),
  )
  const odd = named.find((url) => !/^https?:\/\/./i.test(url) || !parsedUrl(url))
  if (odd !== undefined) {
    say(['AU-PRM-02', POINTER], `resource_metadata must be a URL (${POINTER}); found ${show(odd)}`, details)
  }
  // Later versions have a second way: the well-known URL (AU-PRM-03).
  if (status === 401 && named.length === 0 && details.revision === '2025-06-18') {
    const what = `WWW-Authenticate has no resource_metadata (${POINTER}), which 2025-06-18 requires`
    say(['AU-PRM-02', POINTER], what, { ...details, once: true })
  }
  const isStepUp = status === 403 && bearer.some(({ params }) => params.error === 'insufficient_scope')
  if (isStepUp && named.length === 0 && bearer.some(({ params }) => params.scope?.trim())) {
    say(['AU-SCOPE-03', POINTER], `insufficient_scope without resource_metadata (${POINTER})`, {
      ...details,
      once: true,
    })
  }
}

/** The challenges to a request with a token: one has its scheme, and names why it is refused (RFC 6750 section 3). */
const judgeErrors = (status: number, bearer: Challenges['bearer'], details: Details, say: Say<Id>): void => {
  if (bearer.some(({ params }) => ERRORS.has(params.error ?? ''))) return
  const isForeign = bearer.length === 0
  // An error may be left out, but RFC 6750 section 3.1 lists those that exist.
  const isNamed = bearer.some(({ params }) => (params.error ?? '') !== '')
  const lacks = (error: string) => (isForeign ? 'a Bearer challenge' : `error="${error}"`)
  const what = (error: string) => `HTTP ${status} to a request with a token, without ${lacks(error)} (${REASONS})`
  if (status === 401) {
    const keyword = isForeign || isNamed ? 'MUST' : 'SHOULD'
    say(['AU-GEN-05', REASONS, CHALLENGE], what('invalid_token'), { ...details, keyword, once: 'error' })
  }
  if (status === 403) {
    say(['AU-SCOPE-03', 'AU-GEN-05', REASONS, CHALLENGE], what('insufficient_scope'), {
      ...details,
      keyword: isNamed ? 'MUST' : 'SHOULD',
      once: true,
    })
  }
}

/** Of the form of `scope` in a challenge. */
const SCOPE_RULES = ['AU-SCOPE-01', 'AU-PRM-02', 'AU-GEN-05', CHALLENGE, 'RFC 6749 section 3.3'] as const

/** Scopes remembered per connection. */
const MOST_SCOPES = 200

/** What the challenges say of scopes. Several schemes may name the same scope once. */
const judgeScopes = (
  status: number,
  { bearer }: Challenges,
  carrier: Carrier,
  details: Details,
  { signIn }: LinkView,
  say: Say<Id>,
): void => {
  const scopes = bearer.flatMap(({ params }) => (params.scope === undefined ? [] : [params.scope]))
  const named = scopes.flatMap((scope) => scope.split(/\s+/)).filter((scope) => scope !== '')
  if (named.includes('offline_access')) say('AU-SCOPE-07', `The challenge requests ${OFFLINE}`, details)
  // A challenge that says that a scope is missing has a rule of its own.
  if (status !== 403 && bearer.length > 0 && scopes.some((scope) => scope.trim() === '')) {
    const what = 'The challenge has an empty scope (RFC 6749 section 3.3); leave it out instead'
    say(SCOPE_RULES, what, { ...details, keyword: 'MUST', once: 'empty' })
  }
  const odd = scopes.find((scope) => !isPlain(scope))
  const joined = scopes.find(isJoinedOtherwise)
  if (odd !== undefined) {
    const what = `Scopes are ASCII without quotes and backslashes (RFC 6750 section 3); found ${show(odd)}`
    say(SCOPE_RULES, what, { ...details, keyword: 'MUST' })
  } else if (joined !== undefined) {
    const what = `Scopes are separated by spaces (RFC 6750 section 3); found ${show(joined)}`
    say(SCOPE_RULES, what, { ...details, keyword: 'SHOULD' })
  }
  if (status === 401 && bearer.length > 0 && !carrier.headers.has('authorization')) {
    signIn.challenge = {
      seq: details.related!,
      scoped: named.length > 0,
      bearerOnly: !bearer.some(({ scheme }) => /^dpop$/i.test(scheme)),
    }
  }
  if (status !== 403 || !bearer.some(({ params }) => params.error === 'insufficient_scope')) return
  if (named.length === 0) {
    const what = `insufficient_scope without a scope (${REASONS}): clients can't tell what to request`
    return say(['AU-SCOPE-03', REASONS], what, {
      ...details,
      once: undefined,
    })
  }
  signIn.scopes = [...new Set([...(signIn.scopes ?? []), ...named])].slice(0, MOST_SCOPES)
  const { granted } = signIn
  const held = granted?.scope?.split(' ') ?? []
  if (!granted || carrier.seq < granted.seq || !named.every((scope) => held.includes(scope))) return
  if (granted.stated) {
    const what = 'insufficient_scope, but the token already has every scope that the challenge names'
    return say(['AU-SCOPE-02', 'AU-GEN-05', REASONS], what, { ...details, related: granted.seq, keyword: 'MUST' })
  }
  const what = 'The token response left scope out, which means that everything requested was granted'
  say(['AU-SCOPE-08', 'RFC 6749 section 5.1'], `${what} (RFC 6749 section 5.1); the server says that a scope is missing`, { ...details, related: granted.seq }) // prettier-ignore
}

/** AU-GEN-05: a page to sign in at, where the client needs a challenge. */
const redirected = (frame: Response, carrier: Carrier, details: Details, say: Say<Id>): void => {
  const { redirectedTo, status, headers } = frame
  if (redirectedTo === undefined || carrier.method !== 'POST') return
  const [from, to] = [carrier.url, redirectedTo].map((url) => parsedUrl(url)?.pathname.replace(/\/$/, ''))
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  const isMcp = status === 401 || /json|event-stream/i.test(type)
  const isSignIn = /log-?in|sign-?in|auth|sso|account|session|oidc|saml/i.test(to ?? '') || /html/i.test(type)
  if (from === to || isMcp || !isSignIn) return
  const which = carrier.headers.has('authorization') ? 'with' : 'without'
  const what = `A request ${which} a token is redirected to ${show(to)}; expected HTTP 401`
  say(['AU-GEN-05', CHALLENGE], what, { ...details, once: 'redirected' })
}

/** Requests whose errors may be about another service than the server itself. */
const OF_OTHERS = new Set(['tools/call', 'resources/read', 'prompts/get', 'completion/complete'])
/** Codes whose messages are about the request's form. */
const OF_FORM = new Set([-32700, -32601, -32602])
const OAUTH_ERROR = /\b(insufficient_scope|invalid_token)\b/i
const NEEDS_TOKEN =
  /\b(jwt (is |has )?expired|unauthori[sz]ed|unauthenticated|not authenticated|(authentication|authorization|log-?in) (is )?(required|needed)|(access|bearer|auth) token (is |has )?(missing|invalid|expired|required)|(missing|invalid|expired|no) (access|bearer|auth) token|token (is |has )?expired)\b/i

/** AU-GEN-05: an error of JSON-RPC instead of a status and a challenge, which clients can't tell from other errors. */
const refusedInside = ({ error, asked, carrier, frame }: Observed, view: LinkView, say: Say<Id>): void => {
  if (!error || !carrier || OF_FORM.has(Number(error.code))) return
  const words = wordsOf(error)
  const isOwn = asked !== undefined && (!OF_OTHERS.has(asked.method) || view.signIn.granted !== undefined)
  const code = error.code === 401 || error.code === 403
  if (!OAUTH_ERROR.test(words) && !(isOwn && (code || NEEDS_TOKEN.test(words)))) return
  const isScope = error.code === 403 || /insufficient_scope/i.test(words)
  unchallenged(words, isScope, carrier, { revision: revisionFor(view, carrier), related: frame.carrier }, say)
}

/**
 * AU-SCOPE-03: a tool's result instead of HTTP 403. The tool may use another service, so only a scope of this server
 * counts, which the token lacks.
 */
const scopeInTool = ({ result, carrier, asked }: Observed, view: LinkView, say: Say<Id>): void => {
  const { granted, scopes = [] } = view.signIn
  if (result?.isError !== true || !carrier?.headers.has('authorization') || granted?.scope === undefined) return
  if (asked?.method !== 'tools/call') return
  const words = JSON.stringify(result.content ?? null).slice(0, 2000)
  if (!/insufficient_scope/i.test(words)) return
  const held = granted.scope.split(' ')
  const lacks = scopes.find((scope) => !held.includes(scope) && words.split(/[^\w.:/-]+/).includes(scope))
  if (lacks === undefined) return
  const what = `A missing scope (${show(lacks)}) is reported as a tool result; expected HTTP 403 with insufficient_scope`
  const details = { related: carrier.seq, revision: revisionFor(view, carrier), once: 'tool' }
  say(['AU-SCOPE-03', 'AU-GEN-05', REASONS], what, { ...details, keyword: 'SHOULD' })
}

/** @param words why the server refused, in its own words */
const unchallenged = (words: string, isScope: boolean, carrier: Carrier, details: Details, say: Say<Id>): void => {
  const status = carrier.response?.status
  // Scopes are refused with 403, and other rules say what is due with 401.
  if (status === undefined || status === 401 || (status === 403 && carrier.headers.has('authorization'))) return
  const what = `HTTP ${status} with the error ${show(words)}; expected HTTP ${isScope ? 403 : 401} with a challenge`
  say(['AU-GEN-05', CHALLENGE, REASONS], what, { ...details, once: 'inside' })
}
