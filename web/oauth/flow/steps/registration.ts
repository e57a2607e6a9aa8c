/**
 * Client registration: known client, client ID metadata document, or dynamic registration (RFC 7591; AU-REG-01 …
 * AU-REG-14).
 */
import { parsedUrl } from '../../../mcp/url.ts'
import {
  CLIENT_AUTH_METHODS,
  type ClientAuthMethod,
  type Registration,
  fault,
  type Fault,
  type GivenClient,
  type SignInState,
  chooseScope,
  mayAskFor,
  scopeToRegister,
  httpUrl,
  isLoopback,
  safeUrl,
} from '../../model/index.ts'
import {
  endpointError,
  methodFor,
  rejectionOf,
  type Port,
  type Step,
  jsonObjectOf,
  type Answer,
} from '../../wire/index.ts'

/** @param held scopes requested earlier, which a step-up requests again (AU-SCOPE-04) */
export const registration = (held?: string): Step => ({
  id: 'registration',
  rules: ['AU-REG-01', 'AU-REG-07', 'AU-REG-12', 'RFC 7591'],
  async run(known, port) {
    const issuer = known.issuer!
    const { client, registration: wanted, grant = 'authorization-code' } = port.options
    if (grant === 'authorization-code' && !isUsableRedirect(port.redirectUri))
      await port.stop(redirectFault(port.redirectUri), ['go-on'])
    // Call this first: it drops what was stored for another issuer (AU-PRM-08).
    const before = port.registrationFor(issuer)
    if (client && (wanted === undefined || wanted === 'by-hand')) return await enteredClient(known, port, client)
    const { scope } = chooseScope(known, port.options, port.profile, held)
    // A registration with fewer scopes, perhaps made for another server, can't be used here.
    if (before && wanted === undefined && mayAskFor(before.scope, scope)) {
      const values = { clientId: before.clientId, issuer }
      port.check({ rule: 'AU-REG-12', keyword: 'MUST', ok: true, say: 'registered-before', values })
      return { registration: before }
    }
    const document = await documentClient(known, port)
    if (document) return { registration: document }
    if (wanted !== 'by-hand' && wanted !== 'metadata-document') {
      const endpoint: unknown = known.metadata?.registration_endpoint
      if (typeof endpoint === 'string' && safeUrl(endpoint, known.server)) {
        return await registerDynamically(known, port, endpoint, scopeToRegister(scope, known))
      }
      if (endpoint !== undefined) await port.stop(endpointFault(endpoint))
    }
    return await port.stop(
      fault('no-registration', `${issuer} doesn't support automatic registration`, 'AU-REG-01', { issuer }),
    )
  },
})

/** AU-REG-11. */
const isUsableRedirect = (redirectUri: string): boolean => {
  const url = httpUrl(redirectUri)
  return url !== undefined && (url.protocol === 'https:' || isLoopback(url))
}

const redirectFault = (url: string): Fault => {
  const why = `The redirect URI ${url} is neither https nor on this machine`
  return fault('unsafe-url', why, 'AU-REG-11', { name: 'redirect_uri', url })
}

const endpointFault = (endpoint: unknown): Fault => {
  const [url, rule] =
    typeof endpoint === 'string' ? [endpoint, 'AU-ASM-07'] : [JSON.stringify(endpoint), 'RFC 8414 section 2']
  const values = { name: 'registration_endpoint', url: url.slice(0, 300) }
  return fault('unsafe-url', `registration_endpoint is ${values.url}, which can't be used`, rule, values)
}

const enteredClient = async (known: SignInState, port: Port, client: GivenClient): Promise<Partial<SignInState>> => {
  const issuer = known.issuer!
  const { id, secret, privateKey, algorithm } = client
  const elsewhere = client.issuer !== undefined && client.issuer !== issuer
  const values = { clientId: id, issuer, bound: client.issuer ?? issuer }
  const say = elsewhere ? 'client-of-another' : 'client-by-hand'
  await port.must(
    { rule: 'AU-REG-13', keyword: 'SHOULD', ok: !elsewhere, say, values },
    'issuer-changed',
    `The client ${id} was entered for ${client.issuer}, not for ${issuer}`,
  )
  const supported = known.metadata?.token_endpoint_auth_methods_supported
  const has = { secret: secret !== undefined && secret !== '', key: privateKey !== undefined && privateKey !== '' }
  return {
    registration: {
      issuer,
      clientId: id,
      source: 'by-hand',
      method: client.method ?? methodFor(supported, has),
      redirectUri: port.redirectUri,
      clientSecret: has.secret ? secret : undefined,
      privateKey: has.key ? privateKey : undefined,
      algorithm,
    },
  }
}

/** AU-REG-02: our client id is a URL that the server can read. */
const documentClient = async (known: SignInState, port: Port): Promise<Registration | undefined> => {
  const { registration: wanted } = port.options
  if (!port.profile.has('metadataDocument') && wanted !== 'metadata-document') return undefined
  const takes = known.metadata?.client_id_metadata_document_supported === true
  if (wanted !== undefined && wanted !== 'metadata-document') return undefined
  const clientDocument = port.options.clientDocument ?? (await port.clientDocument())
  if (clientDocument === undefined || (!takes && wanted === undefined)) {
    const say = takes ? 'no-client-document' : 'client-documents-not-taken'
    port.check({ rule: 'AU-REG-02', keyword: 'SHOULD', say, values: {} })
    if (wanted === undefined) return undefined
  }
  const url = parsedUrl(clientDocument ?? '')
  const proper = url?.protocol === 'https:' && url.pathname !== '/'
  const values = { url: clientDocument ?? '' }
  const say = proper ? 'client-document' : 'client-document-address'
  await port.must(
    { rule: 'AU-REG-03', keyword: 'MUST', ok: proper, say, values },
    'bad-client-document',
    values.url === ''
      ? 'The URL of the client ID metadata document is missing'
      : `${values.url} isn't a valid client ID: it must be an https URL with a path`,
  )
  return {
    issuer: known.issuer!,
    clientId: clientDocument ?? '',
    source: 'metadata-document',
    method: 'none',
    redirectUri: port.redirectUri,
  }
}

const registerDynamically = async (
  known: SignInState,
  port: Port,
  endpoint: string,
  scope: string | undefined,
): Promise<Partial<SignInState>> => {
  const { applicationType, reason } = applicationTypeOf(port)
  const body = {
    client_name: 'Periscope',
    redirect_uris: [port.redirectUri],
    // AU-REG-09.
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: wantedMethod(known.metadata?.token_endpoint_auth_methods_supported),
    application_type: applicationType,
    scope,
  }
  if (applicationType !== undefined) {
    const values = { applicationType, reason, redirectUri: port.redirectUri }
    port.check({ rule: 'AU-REG-07', keyword: 'MUST', ok: true, say: 'application-type', values })
  }
  const answer = await port.send({
    method: 'POST',
    url: endpoint,
    headers: [
      ['content-type', 'application/json'],
      ['accept', 'application/json'],
    ],
    body: JSON.stringify(body, null, 2),
  })
  if (!answer.answered) return await port.stop(answer.fault)
  const read = registrationOf(answer, known, port, scope)
  if ('explanation' in read) return await port.stop(read)
  const { redirect_uris: uris } = read.said
  if (Array.isArray(uris) && !uris.includes(port.redirectUri)) {
    const values = { used: port.redirectUri, registered: uris.slice(0, 10).map((one) => String(one).slice(0, 300)) }
    await port.must(
      { rule: 'AU-REG-10', keyword: 'MUST', ok: false, say: 'redirect-uri-differs', values },
      'redirect-uri-refused',
      `${port.redirectUri} isn't a registered redirect URI`,
    )
  } else port.check({ rule: 'AU-REG-10', keyword: 'MUST', ok: true, say: 'redirect-uri-registered', values: {} })
  if (answer.status !== 201) {
    const values = { status: answer.status }
    port.check({ rule: 'AU-REG-06', keyword: 'MUST', ok: false, say: 'registered-with-status', values })
  }
  if (port.profile.revision >= '2026-07-28') {
    port.check({ rule: 'AU-REG-06', keyword: 'MAY', say: 'registration-deprecated', values: {} })
  }
  port.keep(read.registration)
  return { registration: read.registration }
}

/** AU-REG-07: a page on this machine is a native client, a hosted page is a web client. */
const applicationTypeOf = (port: Port): { applicationType?: 'native' | 'web'; reason: string } => {
  const given = port.options.applicationType
  if (given) return { applicationType: given, reason: 'by-hand' }
  if (!port.profile.has('applicationType')) return { reason: 'not-in-revision' }
  const local = isLoopback(new URL(port.redirectUri))
  return local ? { applicationType: 'native', reason: 'loopback' } : { applicationType: 'web', reason: 'hosted' }
}

/** A page can't keep a secret, so `none` is preferred; one is requested only if the server requires it. */
const wantedMethod = (supported: readonly string[] | undefined): ClientAuthMethod => {
  if (!Array.isArray(supported) || supported.includes('none')) return 'none'
  return supported.includes('client_secret_basic') || !supported.includes('client_secret_post')
    ? 'client_secret_basic'
    : 'client_secret_post'
}

interface Read {
  readonly registration: Registration
  readonly said: Readonly<Record<string, unknown>>
}

const registrationOf = (
  answer: Answer,
  { issuer, metadataSource }: SignInState,
  port: Port,
  asked: string | undefined,
): Read | Fault => {
  const { status } = answer
  if (status < 200 || status > 299) {
    const guessed = metadataSource === 'defaults' && (status === 404 || status === 405)
    return guessed ? noRegistrationFault(answer) : rejectionFault(answer)
  }
  const parsed = jsonObjectOf(answer, FORM)
  if ('code' in parsed) return parsed
  const said: Readonly<Record<string, unknown>> = parsed.json
  const { client_id: clientId, client_secret: secret, client_secret_expires_at: expires } = said
  if (typeof clientId !== 'string' || clientId === '') {
    return endpointError(answer) ? rejectionFault(answer) : fault('no-client-id', 'The response has no client_id', FORM)
  }
  const clientSecret = typeof secret === 'string' && secret !== '' ? secret : undefined
  const method = methodOf(said.token_endpoint_auth_method, clientSecret)
  if (typeof method !== 'string') return method
  const scope = typeof said.scope === 'string' ? said.scope : asked
  return {
    said,
    registration: {
      issuer: issuer!,
      clientId,
      source: 'dynamic',
      method,
      redirectUri: port.redirectUri,
      scope,
      clientSecret,
      secretExpiresAt: typeof expires === 'number' && expires > 0 ? expires * 1000 : undefined,
    },
  }
}

const FORM = 'RFC 7591 section 3.2.1'

/** AU-FLOW-13: the registered method. An unsupported one is detected before a code is spent on it. */
const methodOf = (said: unknown, secret: string | undefined): ClientAuthMethod | Fault => {
  if (said === undefined || said === null) return secret === undefined ? 'none' : 'client_secret_basic'
  if (said === 'none' || (isMethod(said) && secret !== undefined)) return said
  const method = (typeof said === 'string' ? said : JSON.stringify(said)).slice(0, 100)
  const lacks = isMethod(said) ? 'but received no client_secret' : "which Periscope doesn't support"
  const why = `This client was registered for token_endpoint_auth_method ${method}, ${lacks}`
  return fault('registration-refused', why, 'AU-FLOW-13', { method })
}

/** There is no registration at the default endpoint of 2025-03-26 either. */
const noRegistrationFault = ({ url, status }: Answer): Fault => {
  const why = `The server names no authorization server and doesn't register clients itself at ${url}`
  return fault('no-resource-metadata', why, 'AU-PRM-04', { url, status })
}

const isMethod = (method: unknown): method is ClientAuthMethod =>
  CLIENT_AUTH_METHODS.includes(method as ClientAuthMethod) && method !== 'private_key_jwt'

const rejectionFault = (answer: Answer): Fault => {
  const { words, facts } = rejectionOf(answer)
  const aboutRedirect = 'error' in facts && /redirect/i.test(words)
  return aboutRedirect
    ? fault('redirect-uri-refused', `The redirect URI was rejected: ${words}`, 'AU-REG-08', facts)
    : fault('registration-refused', `The registration was rejected: ${words}`, 'RFC 7591 section 3.2.2', facts)
}
