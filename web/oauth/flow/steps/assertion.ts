/**
 * Assertion grants: a workload's JWT (RFC 7523), or an identity assertion from the organisation's identity provider
 * (token exchange, RFC 8693).
 */
import * as oauth from 'oauth4webapi'
import { fault, type IdentityProvider, type SignInState, safeUrl } from '../../model/index.ts'
import {
  clientSecretBasic,
  endpointError,
  through,
  type Sent,
  type Port,
  type Step,
  jsonObjectOf,
  requestWithNonceRetry,
} from '../../wire/index.ts'
import { wantedOf } from './pkce.ts'

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token'
const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag'

/** @param held scopes requested earlier, which a step-up requests again (AU-SCOPE-04) */
export const assertion = (held?: string): Step => ({
  id: 'assertion',
  rules: ['AU-EXT-02', 'RFC 8693', 'RFC 7523'],
  async run(known, port) {
    const { grant, assertion: given, idp } = port.options
    if (grant === 'workload') {
      if (given !== undefined && given !== '') return { assertion: given }
      await port.stop(fault('assertion-missing', 'The JWT of the workload is missing', 'RFC 7523 section 2.1'))
      return {}
    }
    if (!idp || idp.idToken === '' || idp.tokenEndpoint === '') {
      await port.stop(fault('assertion-missing', 'The identity provider or its ID token is missing', 'AU-EXT-02'))
      return {}
    }
    return await exchanged(known, port, idp, held)
  },
})

/** The identity provider issues a grant for this authorization server and this resource only. */
const exchanged = async (
  known: SignInState,
  port: Port,
  idp: IdentityProvider,
  held: string | undefined,
): Promise<Partial<SignInState>> => {
  if (!safeUrl(idp.tokenEndpoint, known.server)) {
    const values = { name: 'token_endpoint', url: idp.tokenEndpoint.slice(0, 300) }
    await port.stop(
      fault('unsafe-url', `The identity provider is at ${values.url}, which isn't https`, 'AU-ASM-07', values),
    )
    return {}
  }
  const { resource = known.server, scope } = wantedOf(known, port, held)
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
  if ('explanation' in answer) {
    await port.stop(answer)
    return {}
  }
  const said = endpointError(answer)
  const parsed = jsonObjectOf(answer)
  if (answer.status !== 200 || said || 'code' in parsed) {
    const words = said ? `${said.error}${said.description ? `: ${said.description}` : ''}` : `HTTP ${answer.status}`
    const facts = { status: answer.status, ...(said ? { error: said.error, description: said.description ?? '' } : {}) }
    await port.stop(
      fault('token-refused', `The identity provider rejected the request: ${words}`, 'RFC 8693 section 2.2.2', facts),
    )
    return {}
  }
  const { access_token: jag, issued_token_type: type } = parsed.json as Record<string, unknown>
  if (typeof jag !== 'string' || jag === '') {
    await port.stop(fault('no-access-token', 'The identity provider issued no grant', 'RFC 8693 section 2.2.1'))
    return {}
  }
  const ok = type === ID_JAG
  const values = { found: typeof type === 'string' ? type.slice(0, 200) : null, expected: ID_JAG }
  await port.must(
    {
      rule: 'RFC 8693 section 2.2.1',
      keyword: 'MUST',
      ok,
      say: ok ? 'grant-received' : 'grant-of-another-type',
      values,
    },
    fault(
      'token-type',
      `The identity provider issued ${values.found ?? 'no type'}, not ${ID_JAG}`,
      'AU-EXT-02',
      values,
    ),
  )
  return { assertion: jag }
}
