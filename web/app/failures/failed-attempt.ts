/** The facts about a failed attempt, from its connection, its settings and what was found out since. */
import {
  processCause,
  shownCertificate,
  type CorsFault,
  type Diagnosis,
  type MetadataResponse,
  type NetworkCheck,
  type ProcessFinding,
  type Reach,
  type ResponseHints,
} from '../../doctor/index.ts'
import { isObject, type JsonObject, type Phase, type Seq, type TrustedCertificate } from '../../mcp/index.ts'
import { parsedUrl } from '../../mcp/url.ts'
import { metadataFault, type MetadataFault } from './sign-in-metadata.ts'
import { statusAdvice, type StatusAdvice } from './status-advice.ts'
import type { CertificateFault } from './verdict.ts'
import type { Connection, HttpEvidence } from '../server/index.ts'
import { trustedCertificate, type Settings, type Target } from '../connect/index.ts'
import type { NetworkStep } from '../../../proxy/wire.ts'

export interface FailedAttempt {
  /** A TransportErrorCode, or `internal`. */
  readonly code: string
  readonly status?: number
  /** The code of the JSON-RPC error that refused the handshake. */
  readonly rpcCode?: number
  /** What the refusal is about. */
  readonly about?: 'session' | 'credentials' | 'version'
  readonly http?: HttpEvidence
  /** Of the response of `http`. */
  readonly hints?: ResponseHints
  /** What a refusal says, in its body or its JSON-RPC error. */
  readonly text?: string
  /** The exchange of `server/discover`, if there was one. */
  readonly probe?: HttpEvidence
  /** The step that failed. */
  readonly step?: Phase
  /** `server/discover` was sent first. */
  readonly probed?: boolean
  /** After the probe, another process or connection was started for the handshake. */
  readonly restarted?: boolean
  /** Protocol versions that the server listed or responded with. */
  readonly supported?: readonly string[]
  /** Why the relay couldn't reach the server (`ProxyError.code`). */
  readonly relayCode?: string
  /** Why the certificate was rejected, if more is known than that this machine doesn't trust it. */
  readonly certificateFault?: CertificateFault
  /** The certificate that this machine doesn't trust, or that replaced a trusted one, as a check found it since. */
  readonly certificate?: TrustedCertificate
  /** Where a 3xx response points, which the relay doesn't follow: an absolute http or https URL. */
  readonly redirect?: string
  /** CORS hides the session ID from the page, and the server refuses requests without it (BR-02). */
  readonly sessionHidden?: boolean
  /** Why what arrived isn't the response (`ResponseFault`). */
  readonly fault?: string
  /** What arrived is cut off: its size in bytes, and whether it has characters of several bytes. */
  readonly cut?: { readonly size: number; readonly wide: boolean }
  /** The server returns what it gets. */
  readonly echoes?: true
  /** The status of a `ping` that was sent after the first request failed. */
  readonly pinged?: number
  /** A socket responded with HTTP. */
  readonly speaksHttp?: true
  /** An HTTP+SSE server has named the URL for messages, and the request went there. */
  readonly hasEndpoint?: true
  /** The code that closed a WebSocket. */
  readonly closeCode?: number
  /** An endpoint event named a URL on another origin. */
  readonly foreignEndpoint?: boolean
  readonly settings?: Settings
  /** The relay sent the request, by choice or after the browser refused it. */
  readonly relayed?: true
  /** There is a local proxy that accepts this page. */
  readonly proxy?: boolean
  /** There is one that doesn't accept this page, which has no token or an old one. */
  readonly unaccepted?: true
  /** What the response says beyond its status. */
  readonly advice?: StatusAdvice
  /** What the page found out after a request without a response. */
  readonly reach?: Reach
  /** What is wrong with the metadata for a sign-in. */
  readonly metadata?: MetadataFault
  /** The body of the response isn't what Content-Encoding says, as the local proxy found out. */
  readonly wrongEncoding?: true
  /** The browser refused the request that was then relayed: it hid the response, or sent only OPTIONS. */
  readonly hidden?: 'response' | 'request'
  /** The server responded to no other request either. */
  readonly silentToAll?: true
  /** The server responds, but not to the preflight. */
  readonly preflightSilent?: true
  /** What the local proxy found out below HTTP. */
  readonly network?: readonly NetworkStep[]
  /** Why the process can't be used. */
  readonly finding?: ProcessFinding
  /** The server responded to `initialize`. */
  readonly answered?: boolean
  /** Number of lines on stdout that weren't messages, and of lines on stderr. */
  readonly noise: number
  readonly stderr: number
}

/** What the diagnosis found out after the attempt. */
interface FoundOut {
  /** A local proxy serves this page, but doesn't accept it. */
  readonly unaccepted?: boolean | undefined
  readonly reach?: Reach | undefined
  readonly preflight?: Seq | undefined
  readonly responds?: boolean | undefined
  readonly network?: NetworkCheck | undefined
  readonly pinged?: Diagnosis['pinged']
  readonly metadata?: MetadataResponse | undefined
  readonly cors?: readonly CorsFault[] | undefined
  readonly echo?: Seq | undefined
  readonly hints?: readonly ResponseHints[] | undefined
}

/** The facts from its connection, its settings and the page. */
export const failedAttempt = (
  connection: Connection,
  target: Target,
  settings: Settings,
  proxy: boolean,
  { unaccepted, reach, preflight, responds, network, pinged, metadata, cors, echo, hints = [] }: FoundOut = {},
): FailedAttempt => {
  const { failure, http, probe, process, steps } = connection
  const details: JsonObject = failure?.details ?? {}
  const { status, relayCode, fault, closeCode, proxyCode, proxyStatus } = details
  const step = typeof details.step === 'string' ? (details.step as Phase) : steps.at(-1)?.step
  // If the proxy failed, no detour was taken: it was the direct request that failed.
  const isDetoured = connection.detoured === true && proxyCode === undefined
  const own = hints.find(({ request }) => request === http?.request)
  return {
    code: failure?.code ?? 'internal',
    ...(typeof status === 'number' ? { status } : {}),
    ...(http ? { http } : {}),
    ...(own ? { hints: own } : {}),
    ...(probe ? { probe } : {}),
    text: refusalText(connection).slice(0, 2_000),
    ...(step ? { step } : {}),
    probed: steps.some((one) => one.step === 'probing'),
    restarted: steps.filter(({ step }) => step === 'starting-process' || step === 'opening-connection').length > 1,
    supported: supportedIn(details),
    ...(typeof relayCode === 'string' ? { relayCode } : {}),
    ...faultOfCertificate(details),
    ...errorIn(connection, target),
    ...(typeof fault === 'string' ? { fault } : {}),
    ...(typeof details.size === 'number' ? { cut: { size: details.size, wide: details.wide === true } } : {}),
    ...(echo === undefined ? {} : { echoes: true as const }),
    ...(pinged?.status === undefined ? {} : { pinged: pinged.status }),
    ...(pinged?.bodyError !== undefined && WRONG_ENCODING.test(pinged.bodyError)
      ? { wrongEncoding: true as const }
      : {}),
    ...metadataIn(connection, target, metadata),
    ...(connection.detoured && cors ? { hidden: hiddenBy(cors) } : {}),
    ...(details.speaks === 'http' ? { speaksHttp: true as const } : {}),
    ...(typeof closeCode === 'number' ? { closeCode } : {}),
    ...certificateIn(details, network),
    ...redirectIn(details, target, reach, followedFrom(connection, target, own)),
    ...(connection.endpoint && http && http.request > connection.endpoint.seq ? { hasEndpoint: true as const } : {}),
    ...(settings.relay || isDetoured ? { relayed: true as const } : {}),
    ...(details.sessionIdHidden === true ? { sessionHidden: true } : {}),
    foreignEndpoint: !settings.foreignEndpoint && foreignOrigin(connection, target) !== undefined,
    settings,
    // It is gone, or no longer accepts this page: the detour failed there.
    proxy: proxy && proxyCode === undefined,
    ...(unaccepted || proxyStatus === 403 ? { unaccepted: true as const } : {}),
    ...adviceIn(connection, target, own),
    ...(reach ? { reach } : {}),
    ...(preflight === undefined || settings.relay || isDetoured ? {} : { preflightSilent: true as const }),
    ...(responds === false ? { silentToAll: true as const } : {}),
    ...(network ? { network: network.steps } : {}),
    ...findingIn(connection, target),
    answered: failure !== undefined && hasResponded(failure),
    noise: process.noise,
    stderr: process.stderr.length,
  }
}

/** The relay's words for it. */
const WRONG_ENCODING = /Content-Encoding/

const hiddenBy = (faults: readonly CorsFault[]): 'response' | 'request' =>
  faults.some(({ kind }) => kind === 'response') ? 'response' : 'request'

/** RFC 9728 section 5.1. */
const NAMES_METADATA = /\bresource_metadata\s*=/i

const metadataIn = (
  { failure, http }: Connection,
  target: Target,
  found: MetadataResponse | undefined,
): { readonly metadata?: MetadataFault } => {
  if (failure?.code !== 'unauthorized' || target.kind !== 'url' || !found) return {}
  const fault = metadataFault(found, target.url, NAMES_METADATA.test(http?.challenge ?? ''))
  return fault ? { metadata: fault } : {}
}

const CREDENTIALS =
  /\bunauthori[sz]ed\b|\bunauthenticated\b|\bauthentication (?:required|failed)|\b(?:api[ _-]?key|(?:access|bearer|auth) token|credentials?)\b.{0,60}\b(?:required|missing|invalid)|\b(?:missing|invalid|provide|requires?|no)\b.{0,40}\b(?:api[ _-]?key|(?:access|bearer|auth) token|credentials?|Authorization header)\b/i

/** A server that lacks a key itself asks its operator for it, not the client. */
const OWN_CREDENTIALS = /\b[A-Z][A-Z\d]*(?:_[A-Z\d]+)*_(?:KEY|TOKEN|SECRET|PASSWORD)\b|\b[Ee]nvironment variables?\b/

/** Of the protocol. Servers also speak of sessions of their database, and of too many of them. */
const SESSION =
  /\bsession[ -]?id\b|\b(?:no|missing|invalid|unknown)\b (?:\S+ ){0,2}session\b|\bsession (?:was |is |does )?(?:not found|required|missing|invalid|unknown|expired|not exist)/i

const VERSION_HEADER = /\bunsupported protocol version\b|\bMCP-Protocol-Version\b/i

const REFUSALS: ReadonlySet<string> = new Set(['http-status', 'bad-handshake'])

const hasResponded = ({ evidence }: NonNullable<Connection['failure']>): boolean =>
  evidence.some(({ saw }) => saw === 'answered')

const errorIn = (connection: Connection, { kind }: Target): Pick<FailedAttempt, 'rpcCode' | 'about'> => {
  const { failure } = connection
  // It accepted `initialize`, so only the header of the requests after it can be meant.
  if (failure && REFUSALS.has(failure.code) && failure.details.status === 400 && hasResponded(failure)) {
    const text = refusalText(connection).slice(0, 2_000)
    if (VERSION_HEADER.test(text)) return { about: 'version' }
    return SESSION.test(text) ? { about: 'session' } : {}
  }
  if (failure?.code !== 'bad-handshake' || typeof failure.details.code !== 'number') return {}
  const text = failure.explanation.slice(0, 2_000)
  // Only HTTP has headers for credentials and sessions.
  const about = kind === 'url' ? subjectOf(text) : undefined
  // An error without a code has 0 here.
  const { code } = failure.details
  return { ...(code === 0 ? {} : { rpcCode: code }), ...(about ? { about } : {}) }
}

const subjectOf = (text: string): FailedAttempt['about'] => {
  if (CREDENTIALS.test(text) && !OWN_CREDENTIALS.test(text)) return 'credentials'
  return SESSION.test(text) ? 'session' : undefined
}

/** OpenSSL's codes, and Node's for a name. */
const CERTIFICATE_FAULTS: Readonly<Record<string, CertificateFault>> = {
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'not-yet-valid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'other-name',
  HOSTNAME_MISMATCH: 'other-name',
  SELF_SIGNED_CERT_IN_CHAIN: 'unknown-issuer',
  UNABLE_TO_GET_ISSUER_CERT: 'unknown-issuer',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'unknown-issuer',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'unknown-issuer',
}

const faultOfCertificate = ({ relayCode, system }: JsonObject): { readonly certificateFault?: CertificateFault } => {
  const isRejected = relayCode === 'certificate' || relayCode === 'self-signed'
  const fault = isRejected && typeof system === 'string' ? CERTIFICATE_FAULTS[system] : undefined
  return fault ? { certificateFault: fault } : {}
}

const CERTIFICATE_CODES: ReadonlySet<unknown> = new Set(['self-signed', 'certificate', 'certificate-changed'])

/** Of the very host that the failed request went to. */
const certificateIn = (
  { relayCode, url }: JsonObject,
  network: NetworkCheck | undefined,
): { readonly certificate?: TrustedCertificate } => {
  const found = shownCertificate(network)
  const asked = typeof url === 'string' ? parsedUrl(url) : undefined
  if (!network || !found || !CERTIFICATE_CODES.has(relayCode) || asked?.host !== network.host) return {}
  const certificate = trustedCertificate(network.host, found.fingerprint256)
  return certificate ? { certificate } : {}
}

const findingIn = ({ process }: Connection, { kind }: Target): { readonly finding?: ProcessFinding } => {
  const finding = kind === 'command' ? processCause(process) : undefined
  return finding ? { finding } : {}
}

const adviceIn = (
  connection: Connection,
  target: Target,
  hints: ResponseHints | undefined,
): { readonly advice?: StatusAdvice } => {
  const { failure, http } = connection
  const { status = http?.status } = failure?.details ?? {}
  if (typeof status !== 'number') return {}
  const { challenge, retryAfter } = http ?? {}
  const { upgrade, mitigated } = hints ?? {}
  const advice = statusAdvice({ status, body: refusalText(connection), challenge, retryAfter, upgrade, mitigated })
  // Over https, it was the gateway in front that sent plain HTTP.
  if (advice?.is === 'https-port' && 'url' in target && /^https:/i.test(target.url))
    return { advice: { is: 'gateway' } }
  return advice ? { advice } : {}
}

const refusalText = ({ failure, http }: Connection): string => {
  const { body = http?.body, data } = failure?.details ?? {}
  // The text of a JSON-RPC error belongs to a message rather than to a body.
  return typeof body === 'string' ? body : `${failure?.explanation ?? ''} ${JSON.stringify(data) ?? ''}`
}

/** The origin that an endpoint event named, if it differs from the server's own (TR-SSE-03). */
export const foreignOrigin = ({ endpoint }: Connection, target: Target): string | undefined => {
  if (target.kind !== 'url' || !endpoint) return undefined
  const named = parsedUrl(endpoint.named, target.url)
  if (!named) return undefined
  const { origin, protocol } = named
  if (protocol !== 'http:' && protocol !== 'https:') return undefined
  return origin === new URL(target.url).origin ? undefined : origin
}

/** Responses to a GET at an endpoint. */
const REFUSED_GET: ReadonlySet<number | undefined> = new Set([400, 405, 406])

/**
 * Where the browser was redirected from the target, and lost the POST: after 301 or 302, it sends a GET instead. The page
 * isn't told the status of the redirect, so a refusal that says something else isn't taken for one of the GET.
 */
const followedFrom = (connection: Connection, target: Target, hints: ResponseHints | undefined): string | undefined => {
  const { failure, http, endpoint } = connection
  if (!REFUSED_GET.has(http?.status) || failure?.details.status !== http?.status || endpoint) return undefined
  const { advice } = adviceIn(connection, target, hints)
  if (advice && advice.is !== 'accept') return undefined
  // The SDKs refuse a GET without a session so.
  if (http?.status === 400 && !/\bsession\b|not initialized/i.test(refusalText(connection))) return undefined
  return http?.redirectedTo
}

/** From the relay, or from what the browser found out, whose secrets are masked: such a URL leads nowhere. */
const redirectIn = (
  { location }: JsonObject,
  target: Target,
  reach: Reach | undefined,
  followed: string | undefined,
): { readonly redirect?: string } => {
  const seen = reach?.is === 'redirect' ? reach.to : followed
  const found = seen?.includes('•') ? undefined : seen
  const named = typeof location === 'string' ? location : found
  const to = named !== undefined && target.kind === 'url' ? parsedUrl(named, target.url) : undefined
  return to && /^https?:$/.test(to.protocol) ? { redirect: to.href } : {}
}

/** The protocol versions that a server listed as supported, wherever it may have put them. */
const supportedIn = (details: JsonObject): string[] => {
  const data = isObject(details.data) ? details.data : {}
  const lists = [details.supported, data.supported, details.answered].flat()
  return lists.filter((text) => typeof text === 'string').slice(0, 100)
}
