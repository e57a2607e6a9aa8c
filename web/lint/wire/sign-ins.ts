/**
 * The server's duties in a sign-in: its documents, the responses of its authorization server, and what stops a step. What
 * a flow checks itself is reported on its own frames.
 */
import { jsonIn } from '../../json/index.ts'
import type { AuthStep, FrameOf, Json, JsonObject, Revision, Seq } from '../../mcp/index.ts'
import type { LinkView, SignInRequest, SignInStep } from '../link.ts'
import { parsedUrl } from '../../mcp/url.ts'
import { Recent } from '../recent.ts'
import { group, type RfcSection, show, type Say } from '../rule.ts'
import { type Exchange, headerOf, missing, type Offers, registration } from './sign-in-responses.ts'
import { errorParameterFaults } from './error-parameters.ts'
import { checkGuessable } from './guessable.ts'
import { granted, isAboutPkce, isAboutResource, REFUSES_PKCE, REFUSES_RESOURCE } from './sign-in-tokens.ts'
import { isStrings, objectOf, resourceMetadata, serverMetadata, type Note } from './sign-in-documents.ts'
import { checkSigned } from './signed-metadata.ts'

const RULES = [
  'AU-0326-02', 'AU-0326-03', 'AU-0326-04', 'AU-0326-05', 'AU-ASM-01', 'AU-ASM-02', 'AU-ASM-03', 'AU-ASM-04', 'AU-ASM-05', 'AU-ASM-06', 'AU-ASM-07', 'AU-FLOW-01', 'AU-FLOW-03', 'AU-FLOW-04', 'AU-FLOW-08',
  'AU-FLOW-13', 'AU-GEN-02', 'AU-GEN-03', 'AU-PRM-01', 'AU-PRM-02', 'AU-PRM-03', 'AU-PRM-05', 'AU-PRM-06', 'AU-REG-06', 'AU-REG-07', 'AU-REG-09',
  'AU-REG-02', 'AU-REG-10', 'AU-REG-11', 'AU-SCOPE-01', 'AU-SCOPE-02', 'AU-SCOPE-07', 'AU-SCOPE-08', 'AU-TOK-01', 'AU-TOK-02', 'AU-TOK-04', 'AU-TOK-05',
] as const // prettier-ignore
type Id = (typeof RULES)[number]
type Done = Extract<FrameOf<'auth'>, { event: 'done' }>
type HttpEnd = Extract<FrameOf<'http'>, { phase: 'end' }>

export const signIns = group(RULES, (view) => {
  const exchanges = new Recent<Seq, Exchange>(100)
  let offers: Offers = {}
  /** A URL of the metadata failed. It matters if no other has the document. */
  let failing: { readonly status: number; readonly seq: Seq } | undefined
  /** The query with which the browser returned. */
  let returned = ''
  /** Where the requested scopes come from. */
  let source = ''
  /** The last token response named the scope. */
  let stated = false

  const ended = (frame: HttpEnd, request: SignInRequest): void => {
    const { step, url, status = 0 } = request
    const exchange = exchanges.get(request.seq)
    if (!step || !exchange || frame.cut) return
    // Without a body there is nothing to judge: it was released, or none came.
    const document = objectOf(frame.body === undefined ? undefined : jsonIn(frame.body))
    const note = noteOf(step, frame.seq)
    const type = exchange.headers.length === 0 ? 'application/json' : typeOf(exchange)
    switch (step.run.step) {
      case 'resource-metadata':
        if (!document || status !== 200) return notJson(frame, status, 'AU-PRM-01', 'RFC 9728 section 3.2', note)
        demandsDpop(document, view, note)
        resourceMetadata(document, type, note)
        checkSigned(document, 'resource', note)
        if (isStrings(document.scopes_supported)) view.signIn.scopes = document.scopes_supported.slice(0, 200)
        return unscoped(document, view, note)
      case 'server-metadata':
        if (status >= 500) failing = { status, seq: frame.seq }
        if (exchange.versioned) refusesVersion(frame, status, note)
        if (!document || status !== 200) return notJson(frame, status, 'AU-ASM-01', 'RFC 8414 section 3.2', note)
        serverMetadata(document, { url, type, revision: step.run.of?.revision }, note)
        checkSigned(document, 'server', note)
        offers = offersOf(document)
        return
      case 'registration':
        view.signIn.client = clientOf(document, step) ?? view.signIn.client
        return registration({ ...exchange, document }, offers, note)
      case 'token':
      case 'refresh': {
        stated = typeof document?.scope === 'string'
        // A refresh belongs to no flow, but its client has the same ID.
        const { client } = view.signIn
        const isOwn = client?.of === step.run.of || step.run.step === 'refresh'
        return granted({ ...exchange, document }, offers, isOwn ? client : undefined, note)
      }
      case 'authorization':
        return unreturned({ ...exchange, status }, offers, view.signIn.client?.of === step.run.of, note)
      case 'revocation':
        return revoked(document, status, note)
      default:
    }
  }

  return {
    signIn(frame, request) {
      if (frame.phase === 'request') {
        const has = (header: string) => frame.headers?.some(([name]) => name.toLowerCase() === header) ?? false
        const [basic, versioned] = [has('authorization'), has('mcp-protocol-version')]
        const sent = { body: frame.body ?? '', basic, versioned }
        exchanges.set(frame.seq, { ...sent, status: 0, headers: [], crossOrigin: false })
      } else if (frame.phase === 'response') {
        const { status, headers, crossOrigin = false } = frame
        Object.assign(exchanges.get(request.seq) ?? {}, { status, headers, crossOrigin })
      } else if (frame.phase === 'end') ended(frame, request)
    },
    auth(frame, step, say) {
      if (frame.event !== 'done') return
      if (frame.learned.metadataSource === 'defaults') {
        offers = { guessed: true }
        if (failing) {
          const what = `The metadata URL returned HTTP ${failing.status} (RFC 8414 section 3.2)`
          say(['AU-ASM-01', 'RFC 8414 section 3.2'], what, { related: failing.seq })
        }
      }
      if (frame.step === 'server-metadata') failing = undefined
      if (typeof frame.learned.returned === 'string') ({ returned } = frame.learned as { returned: string })
      // Don't repeat what the flow has already found.
      const own = new Set(frame.findings?.map(({ rule }) => rule))
      const told = new Set(own)
      const notes = step?.notes.splice(0) ?? []
      for (const { rules, explanation, keyword, related } of notes) {
        if (rules.some((rule) => own.has(rule))) continue
        say(rules as readonly Id[], explanation, { related, keyword })
        for (const rule of rules) told.add(rule)
      }
      if (typeof frame.learned.scopeSource === 'string') source = frame.learned.scopeSource
      if (frame.step === 'authorization') neverInQuery(frame, offers, say)
      if (frame.step === 'callback') {
        checkReturned(returned, say)
        // AU-FLOW-10: nothing of an error may be shown that is perhaps another issuer's.
        const isStrange = told.has('AU-FLOW-08') || told.has('AU-FLOW-09')
        if (!isStrange) checkError(new URLSearchParams(returned), say)
        notIssued(frame, say)
      }
      const before = { returned, source, revision: step?.run.of?.revision, guessed: offers.guessed === true }
      const stopped = stopOf(frame, before)
      if (stopped && !stopped.rules.some((rule) => told.has(rule))) {
        say(stopped.rules, stopped.explanation ?? frame.fault!.explanation, { keyword: stopped.keyword })
      }
      const { revision } = step?.run.of ?? {}
      if (frame.step === 'registration' && revision !== undefined && revision < '2025-11-25')
        unregistered(frame, offers, say)
      if (frame.step === 'resource-metadata') {
        if (!told.has('AU-PRM-05')) covers(frame, say)
        if (!told.has('AU-PRM-05')) atRoot(frame, say)
        if (frame.outcome === 'ok' && !told.has('AU-PRM-02')) elsewhere(frame, say)
      }
      if (frame.step === 'refresh' && !own.has('AU-TOK-04')) notRotated(frame, say)
      if (frame.step === 'token' || frame.step === 'refresh') notText(frame, notes, say)
      if (frame.step === 'token' || frame.step === 'refresh') remember(frame, view, stated, say)
    },
  }
})

const typeOf = ({ headers }: Exchange): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1]

const offersOf = (document: JsonObject): Offers => {
  const { token_endpoint_auth_methods_supported: methods, grant_types_supported: grants } = document
  const { response_modes_supported: modes } = document
  const listOf = (value: Json | undefined) => (Array.isArray(value) ? (value as readonly Json[]) : undefined)
  const registers = document.registration_endpoint !== undefined
  return { methods: listOf(methods), grants: listOf(grants), modes: listOf(modes), registers }
}

const clientOf = (document: JsonObject | undefined, { run }: SignInStep): LinkView['signIn']['client'] => {
  const { client_id: id, token_endpoint_auth_method: method } = document ?? {}
  return typeof id === 'string' ? { id, method, of: run.of } : undefined
}

/** Notes kept per step. */
const MOST_NOTES = 50

/** Several documents are requested in turn, with the same fault: one finding is enough. */
const noteOf =
  ({ notes }: SignInStep, related: Seq): Note =>
  (rule, explanation, keyword) => {
    const rules = typeof rule === 'string' ? [rule] : rule
    const isKnown = notes.some((note) => note.rules[0] === rules[0] && note.explanation === explanation)
    const level = keyword ?? (rules.some((each) => / (section|appendix) /.test(each)) ? 'MUST' : undefined)
    if (!isKnown && notes.length < MOST_NOTES) notes.push({ rules, explanation, keyword: level, related })
  }

/** A document exists, but clients can't read it: often the start page that a server returns for every URL. */
const notJson = ({ body }: HttpEnd, status: number, rule: string, by: string, note: Note): void => {
  if (status !== 200 || body === undefined) return
  const found = /^\s*</.test(body) ? 'HTML or XML' : jsonIn(body) === undefined ? 'no JSON' : 'no object'
  note([rule, by], `The metadata URL returned HTTP 200 without a JSON object (${by}); found ${found}`)
}

/** AU-0326-03: clients send this header; a server that doesn't know it must ignore it. */
const refusesVersion = ({ body }: HttpEnd, status: number, note: Note): void => {
  if (status < 400 || status >= 500 || !/mcp-protocol-version/i.test(body ?? '')) return
  const what = `HTTP ${status} to the metadata request because of its MCP-Protocol-Version header`
  note(['AU-0326-03', 'AU-ASM-01'], what, 'SHOULD')
}

/**
 * What the authorization endpoint responds to the URL that the browser was sent to, asked when nobody returned.
 *
 * @param isRegistered the same sign-in registered the client. To an unknown one, a server may respond with any error page
 * (RFC 6749 section 4.1.2.1), such as a 404.
 */
const unreturned = ({ status, headers }: Exchange, offers: Offers, isRegistered: boolean, note: Note): void => {
  // The CAPTCHA of AWS WAF, which has the status 405.
  if (headerOf(headers, 'x-amzn-waf-action') !== undefined) return
  if (status === 405 || status === 501) {
    const rule = 'RFC 6749 section 3.1'
    note([rule, 'AU-0326-04'], `HTTP ${status} to GET at the authorization endpoint, which must support it (${rule})`)
  } else if (!isRegistered) return
  else if (status === 404 || status === 410) missing('authorization', { status }, offers, note)
  else if (status === 500) {
    const what = `HTTP ${status} at the authorization endpoint; the browser must return with server_error`
    note(RESPONSE_ERROR, `${what} (${RESPONSE_ERROR})`)
  }
}

const revoked = (document: JsonObject | undefined, status: number, note: Note): void => {
  if (status >= 400) {
    const rule = 'RFC 6749 section 5.2'
    for (const fault of errorParameterFaults((name) => document?.[name], rule)) note(rule, fault, 'MUST')
  } else if (status > 200) note('RFC 7009 section 2.2', `HTTP ${status} to a revocation; expected 200`, 'MUST')
  else if (typeof document?.error === 'string') {
    const what = `The error ${show(document.error)} came with HTTP ${status}; expected 400 (RFC 7009 section 2.2.1)`
    note(['RFC 7009 section 2.2.1', 'RFC 6749 section 5.2'], what, 'MUST')
  }
}

/** RFC 9449 section 7.1: a server that only accepts bound tokens asks for them. */
const demandsDpop = (
  { dpop_bound_access_tokens_required: bound }: JsonObject,
  { signIn }: LinkView,
  note: Note,
): void => {
  if (bound !== true || signIn.challenge?.bearerOnly !== true) return
  note(['AU-GEN-02', 'AU-PRM-01'], 'dpop_bound_access_tokens_required is true, but the challenge asks for Bearer tokens', 'SHOULD') // prettier-ignore
}

/** AU-SCOPE-01: the server has scopes, but its challenge didn't name those that are needed. */
const unscoped = ({ scopes_supported: scopes }: JsonObject, { signIn }: LinkView, note: Note): void => {
  if (!Array.isArray(scopes) || scopes.length === 0 || signIn.challenge?.scoped !== false) return
  note('AU-SCOPE-01', 'The challenge names no scope, so clients request every scope in scopes_supported', 'SHOULD')
}

/** The section about `resource`. */
const IDENTITY = 'RFC 9728 section 3.3'

/** RFC 9728 section 3.3: this URL belongs to the origin as a resource. MCP has it as a second try (AU-PRM-03). */
const atRoot = ({ learned }: Done, say: Say<Id>): void => {
  const { resource, resourceMetadataUrl: url } = learned
  if (typeof resource !== 'string' || typeof url !== 'string') return
  if (!/^https?:\/\/[^/]+\/.well-known\/oauth-protected-resource$/.test(url)) return
  if (!/^https?:\/\/[^/]+\/./.test(resource)) return
  const what = `This well-known URL is that of the origin, but resource has a path (${IDENTITY})`
  say(['AU-PRM-05', IDENTITY], what, { keyword: 'MAY' })
}

/**
 * RFC 9728 section 3.3: `resource` is the URL that the client uses. Clients may accept a parent path, and this one does.
 * For the document of an origin, see `atRoot`.
 */
const covers = ({ checks, learned }: Done, say: Say<Id>): void => {
  const check = checks.find((each) => each.say === 'resource-covers')
  const [found, expected] = [check?.values?.found, check?.values?.expected]
  if (typeof found !== 'string' || typeof expected !== 'string') return
  // The same URL written differently.
  if (parsedUrl(found)?.pathname.replace(/\/$/, '') === parsedUrl(expected)?.pathname.replace(/\/$/, '')) return
  if (typeof learned.resourceMetadataUrl !== 'string') return
  const what = `resource must be the URL of the server, not of a parent (${IDENTITY}); found ${show(found)}`
  say(['AU-PRM-05', IDENTITY], what, { keyword: 'MUST' })
}

/** The code returned in the fragment, as the metadata says. The step itself reports that it did. */
const neverInQuery = ({ checks }: Done, { modes }: Offers, say: Say<Id>): void => {
  if (!modes || modes.includes('query') || !checks.some((check) => check.say === 'response-in-fragment')) return
  const what =
    'response_modes_supported leaves out query, and the response was in the fragment (RFC 6749 section 4.1.2)'
  say(['AU-ASM-01', 'RFC 8414 section 2'], what, { keyword: 'MUST' })
}

/** Masked as a secret, its type can't be seen in the response any more. @param notes of the response */
const notText = ({ checks }: Done, notes: SignInStep['notes'], say: Say<Id>): void => {
  if (!checks.some((check) => check.say === 'member-ignored' && check.values?.name === 'refresh_token')) return
  const rule = 'RFC 6749 section 5.1'
  const what = `refresh_token must be a string that isn't empty (${rule})`
  if (notes.some(({ explanation }) => explanation.startsWith(what))) return
  say([rule, 'AU-0326-04'], what, { keyword: 'MUST' })
}

/** AU-0326-05: the user had to enter a client. Later versions have another way without registration. */
const unregistered = ({ learned, outcome }: Done, { registers }: Offers, say: Say<Id>): void => {
  if (outcome !== 'ok' || learned.clientSource !== 'by-hand' || registers !== false) return
  say(UNREGISTRABLE.rules, 'The metadata has no registration_endpoint, so clients must be registered manually', { keyword: 'SHOULD' }) // prettier-ignore
}

/** RFC 9207 section 2, for versions that let clients continue. */
const notIssued = ({ checks }: Done, say: Say<Id>): void => {
  if (!checks.some((check) => check.say === 'iss-missing' && check.ok === undefined)) return
  const what = 'The metadata advertises iss, but the response lacks it (RFC 9207 section 2)'
  say('RFC 9207 section 2', what, { keyword: 'MUST' })
}

/** AU-PRM-02: the document is at another URL than the challenge names. A URL that can't be read proves nothing. */
const elsewhere = ({ checks }: Done, say: Say<Id>): void => {
  const missing = checks.find(({ say, values }) => say === 'resource-metadata-not-there' && values?.at === 'header')
  const failed = missing?.values?.failed
  if (typeof failed !== 'string' || !/^(\d+|not-json|not-an-object)$/.test(failed)) return
  const why = /^\d/.test(failed) ? `HTTP ${failed}` : failed === 'not-json' ? 'no JSON' : 'no JSON object'
  say(['AU-PRM-02', 'RFC 9728 section 5.1'], `The challenge names a URL without resource metadata (RFC 9728 section 5.1): ${why}`) // prettier-ignore
}

interface Stop {
  readonly rules: readonly (Id | RfcSection)[]
  readonly keyword?: 'MUST' | 'SHOULD'
  readonly explanation?: string
}

const must = (...rules: (Id | RfcSection)[]): Stop => ({ rules, keyword: 'MUST' })

/** The same for several codes of faults. */
const rows = (codes: readonly string[], stop: Stop): Readonly<Record<string, Stop>> =>
  Object.fromEntries(codes.map((code) => [code, stop]))

/** The rows of what stopped a step, where they differ from the RFC that the step itself names. */
const STOPPED: Readonly<Partial<Record<AuthStep, Readonly<Record<string, Stop>>>>> = {
  'resource-metadata': {
    'no-resource-metadata': must('AU-PRM-01', 'AU-PRM-03', 'RFC 9728 section 3'),
    ...rows(['http-status', 'not-json', 'not-an-object', 'redirected'], must('AU-PRM-01', 'RFC 9728 section 3.2')),
  },
  'server-metadata': {
    'no-server-metadata': must('AU-ASM-01', 'AU-ASM-05', 'RFC 8414 section 3'),
    'missing-endpoint': must('AU-ASM-01', 'RFC 8414 section 2'),
    ...rows(['not-json', 'not-an-object', 'http-status', 'redirected'], must('AU-ASM-01', 'RFC 8414 section 3.2')),
  },
  registration: {
    ...rows(['no-client-id', 'not-json', 'not-an-object', 'redirected'], must('AU-REG-06', 'RFC 7591 section 3.2.1')),
    'no-resource-metadata': must('AU-PRM-01', 'AU-0326-02'),
  },
  callback: { 'no-code': { rules: ['RFC 6749 section 4.1.2'], keyword: 'MUST' } },
  token: {
    'token-type': must('AU-0326-04', 'AU-GEN-02', 'RFC 6749 section 7.1', 'RFC 6749 section 5.1'),
    'bad-token-response': must('AU-0326-04', 'AU-GEN-02', 'RFC 6750 section 2.1'),
    ...rows(['no-access-token', 'not-json', 'not-an-object', 'redirected'], must('AU-0326-04', 'RFC 6749 section 5.1')),
  },
  revocation: { redirected: { rules: ['RFC 7009 section 2.2'], keyword: 'MUST' } },
}

const RESPONSE_ERROR = 'RFC 6749 section 4.1.2.1'

/** The errors of RFC 6749, OpenID Connect and other extensions. */
const AUTHORIZATION_ERRORS = new Set([
  ...['invalid_request', 'unauthorized_client', 'access_denied', 'unsupported_response_type', 'invalid_scope'],
  ...['server_error', 'temporarily_unavailable', 'interaction_required', 'login_required', 'consent_required'],
  ...['account_selection_required', 'invalid_request_uri', 'invalid_request_object', 'request_not_supported'],
  ...['request_uri_not_supported', 'registration_not_supported', 'invalid_target', 'invalid_authorization_details'],
  ...['unmet_authentication_requirements', 'insufficient_user_authentication', 'invalid_dpop_proof', 'invalid_client'],
])

/** The query with which the browser returned, with its secrets masked. */
const checkReturned = (returned: string, say: Say<Id>): void => {
  const query = new URLSearchParams(returned)
  if (query.has('access_token')) {
    const what = 'The response has an access_token in the URL (RFC 9700 section 2.1.2). URLs end up in logs'
    say(['AU-GEN-03', 'RFC 9700 section 2.1.2', 'RFC 6750 section 5.3'], what, { keyword: 'SHOULD' })
  }
  if (query.has('refresh_token')) {
    const what = 'The response has a refresh_token in the URL (RFC 6749 section 10.4). URLs end up in logs'
    say(['AU-TOK-02', 'AU-GEN-03', 'RFC 6749 section 10.4'], what, { keyword: 'MUST' })
  }
  checkGuessable('code', query.get('code') ?? undefined, (_, what) => say('RFC 6749 section 10.10', what, { keyword: 'MUST' })) // prettier-ignore
}

const checkError = (query: URLSearchParams, say: Say<Id>): void => {
  const error = query.get('error')
  for (const what of errorParameterFaults((name) => query.get(name) ?? undefined, RESPONSE_ERROR)) {
    say(RESPONSE_ERROR, what, { keyword: 'MUST' })
  }
  // Next to a code, the error is the fault.
  if (error === null || AUTHORIZATION_ERRORS.has(error) || query.has('code')) return
  say(RESPONSE_ERROR, `The error ${show(error)} isn't one of authorization endpoints`, { keyword: 'MUST' })
}

/** What a sign-in did before it stopped. */
interface Before {
  readonly returned: string
  readonly source: string
  readonly revision: Revision | undefined
  /** There is no metadata, so the endpoints are at their default URLs. */
  readonly guessed: boolean
}

/** The rule that the server broke, if that stopped the step. */
const stopOf = ({ step, fault, outcome }: Done, before: Before): Stop | undefined => {
  const { revision } = before
  if (!fault || (outcome !== 'failed' && outcome !== 'forced')) return undefined
  if (fault.rule === 'AU-FLOW-13' && step === 'registration') return must('AU-FLOW-13')
  // Later versions don't require it. A user who has a client enters it instead.
  if (fault.code === 'no-registration' && revision !== undefined && revision < '2025-11-25') return UNREGISTRABLE
  if (step === 'callback' && fault.code === 'authorization-error') return refusedSignIn(fault.facts ?? {}, before)
  if (step === 'callback' && fault.code === 'no-code' && hasReason(before.returned)) return UNNAMED
  if (fault.code === 'no-server-metadata' && typeof fault.facts?.issuer === 'string') {
    const path = parsedUrl(fault.facts.issuer)?.pathname ?? '/'
    return must('AU-ASM-01', path === '/' ? 'AU-ASM-04' : 'AU-ASM-03', 'AU-ASM-05', 'RFC 8414 section 3')
  }
  const rows = STOPPED[step === 'refresh' ? 'token' : step]
  // A page, as for every other URL: no endpoint is there.
  if (before.guessed && fault.code === 'not-json' && (step === 'token' || step === 'registration')) {
    return must('AU-0326-02', ...(rows?.[fault.code]?.rules ?? []))
  }
  return rows && Object.hasOwn(rows, fault.code) ? rows[fault.code] : undefined
}

/** A refusal in other words. */
const hasReason = (returned: string): boolean =>
  [...new URLSearchParams(returned).keys()].some((name) => /error|message|reason|denied|cancel/i.test(name))

const UNNAMED: Stop = {
  rules: [RESPONSE_ERROR],
  keyword: 'MUST',
  explanation: 'The response refuses the sign-in without error',
}

const UNREGISTRABLE: Stop = { rules: ['AU-0326-05', 'AU-REG-06'], keyword: 'SHOULD' }

/** An error of the authorization endpoint whose reason breaks a rule. */
const refusedSignIn = ({ error, description }: JsonObject, { returned, source }: Before): Stop | undefined => {
  if (isAboutResource(error, description)) return { ...must('AU-FLOW-04'), explanation: REFUSES_RESOURCE }
  const words = typeof description === 'string' ? description : ''
  if (error === 'invalid_request' && isAboutPkce(words)) return { ...must('AU-FLOW-01'), explanation: REFUSES_PKCE }
  if (error === 'unsupported_response_type') return must('AU-ASM-01')
  if (error === 'invalid_scope' && source === 'challenge') {
    return {
      ...must('AU-SCOPE-02'),
      explanation: 'The authorization server rejects the scope that the challenge names',
    }
  }
  if (!new URLSearchParams(returned).has('code')) return undefined
  const explanation = 'The response has both code and error; expected one of them'
  return { rules: [RESPONSE_ERROR], keyword: 'MUST', explanation }
}

const ROTATION = 'RFC 9700 section 2.2.2'

/** AU-TOK-04: `public` says whether the client has no secret; if unknown, assume it has none. */
const notRotated = ({ learned }: Done, say: Say<Id>): void => {
  if (learned.rotated !== false || learned.public === false) return
  const what = `The server didn't rotate the refresh token of a public client (${ROTATION})`
  say(['AU-TOK-04', ROTATION, 'RFC 9700 section 4.14.2'], what)
}

/** RFC 6749 section 6: a refresh never adds scopes. */
const remember = (frame: Done, { signIn }: LinkView, stated: boolean, say: Say<Id>): void => {
  const tokens = objectOf(frame.learned.tokens)
  if (!tokens) return
  const scope = typeof tokens.scope === 'string' ? tokens.scope : undefined
  const original = frame.step === 'refresh' ? signIn.granted?.original : scope
  if (frame.step === 'refresh' && original !== undefined && scope !== undefined) {
    const held = original.split(' ')
    const added = scope.split(' ').filter((each) => each !== '' && !held.includes(each))
    if (added.length > 0) {
      const what = `The refresh added scopes that weren't granted before: ${added.join(' ').slice(0, 60)}`
      say(['AU-SCOPE-08', 'AU-TOK-04', 'RFC 6749 section 6'], `${what} (RFC 6749 section 6)`, { keyword: 'MUST' })
    }
  }
  signIn.granted = { seq: frame.seq, at: frame.at, scope, original, stated, accepted: false }
}
