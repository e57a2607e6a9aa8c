/**
 * The token request, with a code or the grant's equivalent (RFC 6749 sections 4.1.3 and 4.4, RFC 7523),
 * and the use of its tokens.
 */
import * as oauth from 'oauth4webapi'
import { subtle } from '../../../mcp/web-crypto.ts'
import { type Fault, type SignInState, type TokenSet, fault, scopesOf, tokenFacts } from '../../model/index.ts'
import {
  type Bound,
  type Port,
  type Sent,
  type Step,
  clientAuthOf,
  clientOf,
  newDpopKey,
  readTokens,
  requestWithNonceRetry,
  through,
  wantsDpop,
} from '../../wire/index.ts'
import { wantedOf } from './pkce.ts'

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/** @param held scopes requested earlier, which a step-up requests again (AU-SCOPE-04) */
export const token = (held?: string): Step => ({
  id: 'token',
  rules: ['AU-FLOW-04', 'AU-FLOW-11', 'AU-FLOW-13', 'AU-SCOPE-08', 'RFC 6749 section 4.1.3', 'RFC 7636 section 4.5'],
  async run(known, port) {
    const grant = port.options.grant ?? 'authorization-code'
    // The code was requested with these; other grants choose them here.
    const wanted = grant === 'authorization-code' ? known : { ...known, ...wantedOf(known, port, held) }
    const bound = wantsDpop(known, port)
    if (bound && !subtle()) await port.stop(withoutCrypto('DPoP', 'RFC 9449'), ['go-on'])
    const dpop = bound && subtle() ? await newProof(known) : undefined
    const sent: Sent = {}
    let auth: oauth.ClientAuth
    if (known.registration!.method === 'private_key_jwt' && !subtle()) {
      await port.stop(withoutCrypto('private_key_jwt', 'RFC 7523'))
      return {}
    }
    try {
      auth = await clientAuthOf(known.registration!)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      await port.stop(fault('bad-private-key', why, 'AU-FLOW-13'))
      return {}
    }
    const answer = await requestWithNonceRetry(() => request(wanted, port, auth, sent, dpop), sent, dpop !== undefined)
    if ('explanation' in answer) {
      const supplied = await port.stop(answer, ['tokens'])
      return supplied?.kind === 'tokens' ? { tokens: supplied.tokens } : {}
    }
    const read = await readTokens(answer, {
      as: known.metadata!,
      client: clientOf(known.registration!),
      now: port.now(),
      server: known.server,
      ...(dpop ? { dpop } : {}),
      ...(wanted.resource === undefined ? {} : { resource: wanted.resource }),
      ...(wanted.scope === undefined ? {} : { requestedScope: wanted.scope }),
    })
    for (const { say, values } of read.remarks)
      port.check({ rule: 'RFC 6749 section 5.1', keyword: 'MAY', say, values })
    if (read.fault) {
      const supplied = await port.stop(read.fault, read.tokens ? ['tokens', 'go-on'] : ['tokens'])
      if (supplied?.kind === 'tokens') return { tokens: supplied.tokens }
      if (!read.tokens) return {}
    }
    port.check({ rule: 'RFC 6749 section 5.1', keyword: 'MUST', ok: true, say: 'token-received', values: {} })
    // A code works only once, so drop it.
    return { ...wantedOnly(wanted), tokens: read.tokens!, ...(known.code === undefined ? {} : { code: '' }) }
  },
})

const withoutCrypto = (what: string, rule: string): Fault =>
  fault(
    'insecure-context',
    `${what} needs WebCrypto, which isn't available: this page isn't in a secure context`,
    rule,
    {
      what,
    },
  )

const wantedOnly = ({ scope, scopeSource, resource }: SignInState): Partial<SignInState> => ({
  ...(scope === undefined ? {} : { scope }),
  ...(scopeSource === undefined ? {} : { scopeSource }),
  ...(resource === undefined ? {} : { resource }),
})

const newProof = async ({ registration }: SignInState): Promise<Bound> => {
  const key = await newDpopKey()
  return { key, handle: oauth.DPoP(clientOf(registration!), key) }
}

const request = async (
  known: SignInState,
  port: Port,
  auth: oauth.ClientAuth,
  sent: Sent,
  dpop: Bound | undefined,
): Promise<Response> => {
  const { metadata, registration, scope, resource, code, codeVerifier, redirectUri, assertion } = known
  const as = metadata!
  const client = clientOf(registration!)
  const options = { ...through(port, sent, { once: true }), ...(dpop ? { DPoP: dpop.handle } : {}) }
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
  port.check({
    rule: 'AU-SCOPE-08',
    keyword: 'MUST',
    ...(missing.length > 0 ? {} : { ok: true }),
    say: missing.length > 0 ? 'scope-narrower' : 'scope-granted',
    values,
  })
}
