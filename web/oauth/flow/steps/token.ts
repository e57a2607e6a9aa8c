/**
 * The token request of each grant: with a code (RFC 6749 section 4.1.3), with the client's credentials (section 4.4), or
 * with an assertion (RFC 7523), which is a workload's JWT or comes from the organisation's identity provider (token
 * exchange, RFC 8693). Then the use of the tokens.
 */
import * as oauth from 'oauth4webapi'
import { subtle } from '../../../mcp/web-crypto.ts'
import {
  type Fault,
  ID_JAG,
  type IdentityProvider,
  type SignInState,
  type TokenSet,
  fault,
  safeUrl,
  scopesOf,
  tokenFacts,
} from '../../model/index.ts'
import {
  type DpopKey,
  type Port,
  type Sent,
  type Step,
  clientAuthOf,
  clientOf,
  clientSecretBasic,
  endpointError,
  jsonObjectOf,
  newDpopKey,
  readTokens,
  rejectionOf,
  requestWithNonceRetry,
  through,
  wantsDpop,
} from '../../wire/index.ts'
import { scopeAndResourceOf } from './authorization-request.ts'

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token'

/** @param held scopes requested earlier, which a step-up requests again (AU-SCOPE-04) */
export const assertion = (held?: string): Step => ({
  id: 'assertion',
  rules: ['AU-EXT-02', 'RFC 8693', 'RFC 7523'],
  async run(known, port) {
    const { grant, assertion: given, idp } = port.options
    if (grant === 'workload') {
      if (given !== undefined && given !== '') return { assertion: given }
      return await port.stop(fault('assertion-missing', 'The JWT of the workload is missing', 'RFC 7523 section 2.1'))
    }
    if (!idp || idp.idToken === '' || idp.tokenEndpoint === '')
      return await port.stop(
        fault('assertion-missing', 'The identity provider or its ID token is missing', 'AU-EXT-02'),
      )
    return await exchangeIdToken(known, port, idp, held)
  },
})

/** The identity provider issues a grant for this authorization server and this resource only. */
const exchangeIdToken = async (
  known: SignInState,
  port: Port,
  idp: IdentityProvider,
  held: string | undefined,
): Promise<Partial<SignInState>> => {
  if (!safeUrl(idp.tokenEndpoint, known.server)) {
    const values = { name: 'token_endpoint', url: idp.tokenEndpoint.slice(0, 300) }
    return await port.stop(
      fault('unsafe-url', `The identity provider is at ${values.url}, which isn't https`, 'AU-ASM-07', values),
    )
  }
  const { resource = known.server, scope } = scopeAndResourceOf(known, port, held)
  const as: oauth.AuthorizationServer = { issuer: new URL(idp.tokenEndpoint).origin, token_endpoint: idp.tokenEndpoint }
  const auth = idp.clientSecret ? clientSecretBasic(idp.clientSecret) : oauth.None()
  const sent: Sent = {}
  const answer = await requestWithNonceRetry(
    () =>
      oauth.genericTokenEndpointRequest(
        as,
        { client_id: idp.clientId },
        auth,
        EXCHANGE,
        [
          ['requested_token_type', ID_JAG],
          ['subject_token', idp.idToken],
          ['subject_token_type', ID_TOKEN],
          ['audience', known.metadata!.issuer],
          ['resource', resource],
          ...(scope === undefined ? [] : ([['scope', scope]] as [string, string][])),
        ],
        through(port, sent, { once: true }),
      ),
    sent,
  )
  if ('explanation' in answer) return await port.stop(answer)
  const parsed = jsonObjectOf(answer)
  if (answer.status !== 200 || endpointError(answer) || 'code' in parsed) {
    const { words, facts } = rejectionOf(answer)
    const why = `The identity provider rejected the request: ${words}`
    return await port.stop(fault('token-refused', why, 'RFC 8693 section 2.2.2', facts))
  }
  const { access_token: jag, issued_token_type: type } = parsed.json as Record<string, unknown>
  if (typeof jag !== 'string' || jag === '')
    return await port.stop(fault('no-access-token', 'The identity provider issued no grant', 'RFC 8693 section 2.2.1'))
  const ok = type === ID_JAG
  const values = { found: typeof type === 'string' ? type.slice(0, 200) : null, expected: ID_JAG }
  const say = ok ? 'grant-received' : 'grant-of-another-type'
  const why = `The identity provider issued ${values.found ?? 'no type'}, not ${ID_JAG}`
  const check = { rule: 'RFC 8693 section 2.2.1', keyword: 'MUST', ok, say, values } as const
  await port.must(check, 'token-type', why, 'AU-EXT-02')
  return { assertion: jag }
}

/** @param held scopes requested earlier, which a step-up requests again (AU-SCOPE-04) */
export const token = (held?: string): Step => ({
  id: 'token',
  rules: ['AU-FLOW-04', 'AU-FLOW-11', 'AU-FLOW-13', 'AU-SCOPE-08', 'RFC 6749 section 4.1.3', 'RFC 7636 section 4.5'],
  async run(known, port) {
    const grant = port.options.grant ?? 'authorization-code'
    // The code was requested with these; other grants choose them here.
    const wanted = grant === 'authorization-code' ? known : { ...known, ...scopeAndResourceOf(known, port, held) }
    const bound = wantsDpop(known, port)
    if (bound && !subtle()) await port.stop(withoutCrypto('DPoP', 'RFC 9449'), ['go-on'])
    const dpop = bound && subtle() ? await newDpopKey() : undefined
    const sent: Sent = {}
    let auth: oauth.ClientAuth
    if (known.registration!.method === 'private_key_jwt' && !subtle())
      return await port.stop(withoutCrypto('private_key_jwt', 'RFC 7523'))
    try {
      auth = await clientAuthOf(known.registration!)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      return await port.stop(fault('bad-private-key', why, 'AU-FLOW-13'))
    }
    const answer = await requestWithNonceRetry(
      () => sendTokenRequest(wanted, port, auth, sent, dpop),
      sent,
      dpop !== undefined,
    )
    if ('explanation' in answer) {
      const supplied = await port.stop(answer, ['tokens'])
      return supplied?.kind === 'tokens' ? { tokens: supplied.tokens } : {}
    }
    const read = await readTokens(answer, {
      as: known.metadata!,
      client: clientOf(known.registration!),
      now: port.now(),
      server: known.server,
      dpop,
      resource: wanted.resource,
      requestedScope: wanted.scope,
    })
    for (const remark of read.remarks) port.check(remark)
    if (read.fault) {
      const supplied = await port.stop(read.fault, read.tokens ? ['tokens', 'go-on'] : ['tokens'])
      if (supplied?.kind === 'tokens') return { tokens: supplied.tokens }
      if (!read.tokens) return {}
    }
    port.check({ rule: 'RFC 6749 section 5.1', keyword: 'MUST', ok: true, say: 'token-received', values: {} })
    const { scope, scopeSource, resource } = wanted
    // A code works only once, so drop it.
    return { scope, scopeSource, resource, tokens: read.tokens!, ...(known.code === undefined ? {} : { code: '' }) }
  },
})

const withoutCrypto = (what: string, rule: string): Fault => {
  const why = `${what} needs WebCrypto, which isn't available: this page isn't in a secure context`
  return fault('insecure-context', why, rule, { what })
}

const sendTokenRequest = async (
  known: SignInState,
  port: Port,
  auth: oauth.ClientAuth,
  sent: Sent,
  dpop: DpopKey | undefined,
): Promise<Response> => {
  const { metadata, registration, scope, resource, code, codeVerifier, redirectUri, assertion } = known
  const as = metadata!
  const client = clientOf(registration!)
  const options = { ...through(port, sent, { once: true }), DPoP: dpop?.handle }
  const more: [string, string][] = resource === undefined ? [] : [['resource', resource]]
  const withScope: [string, string][] = scope === undefined ? more : [['scope', scope], ...more]
  switch (port.options.grant ?? 'authorization-code') {
    case 'authorization-code': {
      // The previous step checked state and issuer, with our own messages; this only passes the code on.
      const judged = oauth.validateAuthResponse(
        { issuer: as.issuer },
        client,
        new URLSearchParams({ code: code! }),
        oauth.expectNoState,
      )
      return await oauth.authorizationCodeGrantRequest(as, client, auth, judged, redirectUri!, codeVerifier!, {
        ...options,
        additionalParameters: more,
      })
    }
    case 'client-credentials':
      return await oauth.clientCredentialsGrantRequest(as, client, auth, withScope, options)
    case 'enterprise':
    case 'workload':
      return await oauth.genericTokenEndpointRequest(
        as,
        client,
        auth,
        JWT_BEARER,
        [['assertion', assertion!], ...withScope],
        options,
      )
  }
}

/**
 * The granted scopes cover what was requested, and the server accepts the tokens (AU-GEN-02, AU-GEN-04, AU-SCOPE-08).
 */
export const use: Step = {
  id: 'use',
  rules: ['AU-GEN-02', 'AU-GEN-04', 'AU-SCOPE-08', 'AU-TOK-03', 'AU-TOK-06'],
  async run({ tokens }, port) {
    checkScopes(tokens!, port)
    for (const check of tokenFacts(tokens!, port.now()).checks) port.check(check)
    await port.use(tokens!)
    return {}
  },
}

const checkScopes = ({ requestedScope, scope }: TokenSet, port: Port): void => {
  const [asked, granted] = [scopesOf(requestedScope), scopesOf(scope)]
  const missing = asked.filter((one) => !granted.includes(one))
  const values = { asked: requestedScope ?? null, granted: scope ?? null, missing: missing.join(' ') }
  const say = missing.length > 0 ? 'scope-narrower' : 'scope-granted'
  port.check({ rule: 'AU-SCOPE-08', keyword: 'MUST', ...(missing.length > 0 ? {} : { ok: true }), say, values })
}
