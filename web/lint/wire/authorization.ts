/**
 * The server's duties in sign-ins: how it refuses, what its metadata offers, and what happens to refresh tokens. What a
 * flow checks itself is reported on its own frames.
 */
import { jsonIn } from '../../json/index.ts'
import { isObject, parseChallenges } from '../../mcp/index.ts'
import type { AuthChallenge, AuthStep, FrameOf, HeaderList, Json, JsonObject, Revision, Seq } from '../../mcp/index.ts'
import { parsedUrl } from '../../mcp/url.ts'
import { type Carrier, knownRevision, type LinkView, type SignInRequest, type SignInStep } from '../link.ts'
import { Recent } from '../recent.ts'
import { group, show, type Details, type Say } from '../rule.ts'

const RULES = [
  'AU-0326-04', 'AU-ASM-01', 'AU-FLOW-13', 'AU-GEN-03', 'AU-GEN-05', 'AU-PRM-01', 'AU-PRM-02', 'AU-PRM-06', 'AU-REG-06', 'AU-REG-11',
  'AU-SCOPE-03', 'AU-SCOPE-07', 'AU-SCOPE-08', 'AU-TOK-04', 'BR-03',
] as const // prettier-ignore
type Id = (typeof RULES)[number]
type Response = Extract<FrameOf<'http'>, { phase: 'response' }>

export const authorization = group(RULES, (view) => {
  /** URLs that responded 401 without a visible WWW-Authenticate header. */
  const bare = new Recent<string, Seq>(100)
  /** How clients may authenticate, by the last metadata of an authorization server (AU-FLOW-13). */
  let methods: readonly Json[] | undefined

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
      return say('AU-GEN-05', what, { ...details, once: true })
    }
    const isKnown = status === 400 || status === 401 || status === 403
    if (!isKnown && !challenges?.bearer.length) return
    if (status === 401) shown(frame, carrier.url, revision, say)
    if (!challenges) {
      // CORS may hide the header, and an Origin may be what was refused (SEC-09).
      const isUnclear = crossOrigin || carrier.headers.has('origin')
      if (status !== 403 || isUnclear || !carrier.headers.has('authorization')) return
      const what =
        "HTTP 403 to a request with a token, without WWW-Authenticate: clients can't tell which scope is missing"
      return say('AU-SCOPE-03', what, { ...details, once: true })
    }
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
      if (frame.phase === 'end') methods = documentOf(frame, request, methods)
    },
    auth(frame, step, say) {
      if (frame.event !== 'done') return
      // Don't repeat what the flow has already found.
      const own = new Set(frame.findings?.map(({ rule }) => rule))
      for (const { rule, explanation, related } of step?.notes.splice(0) ?? []) {
        if (!own.has(rule)) say(rule as Id, explanation, { related })
      }
      const stopped = rowOf(frame)
      if (stopped && !own.has(stopped)) say(stopped, frame.fault!.explanation)
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
  for (const { error, scope } of bearer.map(({ params }) => params)) {
    const isScope = status === 403 && error === 'invalid_token' && scope !== undefined
    if (isScope && carrier.headers.has('authorization') && (details.revision ?? '') >= '2025-11-25') {
      const what = 'HTTP 403 that names a scope must have the error "insufficient_scope"; found "invalid_token"'
      say('AU-SCOPE-03', what, details)
      continue
    }
    const due = error !== undefined && Object.hasOwn(STATUS_OF, error) ? STATUS_OF[error] : undefined
    if (due !== undefined && due !== status) {
      say('AU-GEN-05', `HTTP ${status} with the error ${show(error)}; expected ${due}`, details)
    } else if (status !== 401 && error === undefined && !carrier.headers.has('authorization')) {
      say('AU-GEN-05', `HTTP ${status} with a challenge to a request without a token; expected 401`, details)
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

/** The rows of what stopped a step, where they differ from the RFC that the step itself names. */
const STOPPED: Readonly<Partial<Record<AuthStep, Readonly<Record<string, Id>>>>> = {
  'resource-metadata': {
    ...{ 'no-resource-metadata': 'AU-PRM-01', 'http-status': 'AU-PRM-01' },
    ...{ 'not-json': 'AU-PRM-01', 'not-an-object': 'AU-PRM-01' },
  },
  'server-metadata': {
    ...{ 'no-server-metadata': 'AU-ASM-01', 'missing-endpoint': 'AU-ASM-01', 'http-status': 'AU-ASM-01' },
    ...{ 'not-json': 'AU-ASM-01', 'not-an-object': 'AU-ASM-01' },
  },
  registration: {
    ...{ 'no-client-id': 'AU-REG-06', 'not-json': 'AU-REG-06', 'not-an-object': 'AU-REG-06' },
    'no-resource-metadata': 'AU-PRM-01',
  },
  token: {
    ...{ 'no-access-token': 'AU-0326-04', 'token-type': 'AU-0326-04', 'bad-token-response': 'AU-0326-04' },
    ...{ 'not-json': 'AU-0326-04', 'not-an-object': 'AU-0326-04' },
  },
}

const rowOf = ({ step, fault, outcome }: Extract<FrameOf<'auth'>, { event: 'done' }>): Id | undefined => {
  if (!fault || (outcome !== 'failed' && outcome !== 'forced')) return undefined
  if (fault.rule === 'AU-FLOW-13' && step === 'registration') return 'AU-FLOW-13'
  const rows = STOPPED[step]
  return rows && Object.hasOwn(rows, fault.code) ? rows[fault.code] : undefined
}

/** Documents of a sign-in with rules that its steps leave to the lint. */
const documentOf = (
  { body, cut, seq }: Extract<FrameOf<'http'>, { phase: 'end' }>,
  { step, status = 0 }: SignInRequest,
  methods: readonly Json[] | undefined,
): readonly Json[] | undefined => {
  if (!step || status < 200 || status > 299 || body === undefined || cut) return methods
  const document = objectIn(body)
  // If the body isn't an object, the step itself reports it.
  if (!document) return methods
  const note: Note = (rule, explanation) => noted(step, rule, explanation, seq)
  if (step.run.step === 'resource-metadata' && status === 200) resourceMetadata(document, note)
  if (step.run.step === 'registration') registered(document, methods, note)
  if (step.run.step === 'token' || step.run.step === 'refresh') granted(document, note)
  if (step.run.step !== 'server-metadata' || status !== 200) return methods
  serverMetadata(document, note)
  const listed = document.token_endpoint_auth_methods_supported
  return Array.isArray(listed) ? (listed as readonly Json[]) : undefined
}

/** RFC 8414 section 2: the members that are arrays of strings. */
const ARRAYS = [
  ...['response_types_supported', 'response_modes_supported', 'grant_types_supported', 'scopes_supported'],
  ...['code_challenge_methods_supported', 'token_endpoint_auth_methods_supported'],
]

/** AU-ASM-01: what RFC 8414 requires and no step needs. The endpoints and the issuer are judged by the step. */
const serverMetadata = (document: JsonObject, note: Note): void => {
  if (document.response_types_supported === undefined) {
    return note('AU-ASM-01', 'The metadata lacks response_types_supported, which RFC 8414 section 2 requires')
  }
  const odd = ARRAYS.find((member) => {
    const value = document[member]
    return value !== undefined && !(Array.isArray(value) && value.every((each) => typeof each === 'string'))
  })
  if (odd !== undefined) note('AU-ASM-01', `${odd} must be an array of strings; found ${show(document[odd])}`)
}

type Note = (rule: Id, explanation: string) => void

/** AU-REG-11: the step itself looks at the URI that it sent, not at others that came back. */
const registered = (document: JsonObject, methods: readonly Json[] | undefined, note: Note): void => {
  const { redirect_uris: uris, token_endpoint_auth_method: method } = document
  if (typeof method === 'string' && methods && !methods.includes(method)) {
    note('AU-FLOW-13', `The server registered ${show(method)}, which its metadata doesn't list`)
  }
  if (!Array.isArray(uris)) return
  const odd = (uris as readonly Json[]).slice(0, 100).find((each) => typeof each === 'string' && isInsecure(each))
  if (odd !== undefined) note('AU-REG-11', `Redirect URIs must be https or on this machine; found ${show(odd)}`)
}

const isInsecure = (uri: string): boolean => {
  const url = parsedUrl(uri)
  return url?.protocol === 'http:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/i.test(url.hostname)
}

/**
 * AU-0326-04: an error has the status 400 (RFC 6749 section 5.2). AU-SCOPE-08: scopes are separated by spaces (section
 * 3.3); an unreadable list is ignored.
 */
const granted = ({ scope, error, access_token: token }: JsonObject, note: Note): void => {
  if (typeof error === 'string' && token === undefined)
    note('AU-0326-04', `The error ${show(error)} came with a status of success; expected HTTP 400`)
  if (scope === undefined || scope === null) return
  if (typeof scope !== 'string') note('AU-SCOPE-08', `scope must be a string; found ${show(scope)}`)
  else if (/[^\s,],\s*[^\s,]/.test(scope)) note('AU-SCOPE-08', `Scopes are separated by spaces; found ${show(scope)}`)
}

/** AU-PRM-06, AU-SCOPE-07: the document that names the authorization servers a server trusts. */
const resourceMetadata = (document: JsonObject, note: Note): void => {
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
