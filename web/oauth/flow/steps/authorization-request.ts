/**
 * The authorization request (RFC 6749 section 4.1.1): prepared with PKCE, state, resource (RFC 8707) and scope
 * (AU-FLOW-01 … AU-FLOW-07, AU-SCOPE-01), then opened in a window of the authorization server.
 */
import * as oauth from 'oauth4webapi'
import { parsedUrl } from '../../../mcp/url.ts'
import { type SignInState, canonicalResource, chooseScope, fault, safeUrl, scopesOf } from '../../model/index.ts'
import type { Port, Step } from '../../wire/index.ts'
import { challengeOf, checkPkce, newCodeVerifier } from './pkce.ts'

/** Maximum length of a URL built here, perhaps with hundreds of scopes; the server may have a lower limit. */
const LONGEST = 200_000

/** @param held scopes requested earlier, which a step-up requests again (AU-SCOPE-04) */
export const preparation = (held?: string): Step => ({
  id: 'preparation',
  rules: [
    'AU-FLOW-01',
    'AU-FLOW-02',
    'AU-FLOW-03',
    'AU-FLOW-05',
    'AU-FLOW-06',
    'AU-FLOW-07',
    'AU-SCOPE-01',
    'RFC 7636',
  ],
  async run(known, port) {
    const wanted = scopeAndResourceOf(known, port, held)
    await checkPkce(known, port)
    await checkPushed(known, port)
    const codeVerifier = newCodeVerifier()
    const state = oauth.generateRandomState()
    const url = new URL(known.metadata!.authorization_endpoint!)
    if (url.hash !== '') {
      const values = { url: url.href.slice(0, 300) }
      port.check({ rule: 'RFC 6749 section 3.1', keyword: 'MUST', ok: false, say: 'fragment-dropped', values })
      url.hash = ''
    }
    const parameters: readonly (readonly [string, string | undefined])[] = [
      ['response_type', 'code'],
      ['client_id', known.registration!.clientId],
      ['redirect_uri', port.redirectUri],
      ['code_challenge', await challengeOf(codeVerifier)],
      ['code_challenge_method', 'S256'],
      ['state', state],
      ['scope', wanted.scope],
      ['resource', wanted.resource],
      // OpenID Connect Core section 11: offline_access is ignored unless the request prompts for consent.
      ['prompt', scopesOf(wanted.scope).includes('offline_access') ? 'consent' : undefined],
    ]
    for (const [name, value] of parameters) if (value !== undefined) url.searchParams.set(name, value)
    return { ...wanted, codeVerifier, state, redirectUri: port.redirectUri, authorizationUrl: url.href }
  },
})

export const authorization: Step = {
  id: 'authorization',
  rules: ['AU-FLOW-04', 'AU-FLOW-12', 'RFC 6749 section 4.1.1'],
  async run(known, port) {
    const { authorizationUrl, server } = known
    if (!safeUrl(authorizationUrl, server, LONGEST)) {
      const values = { url: authorizationUrl!.slice(0, 300) }
      port.check({ rule: 'AU-FLOW-12', keyword: 'MUST', ok: false, say: 'authorization-url-unsafe', values })
      const why = `Browsers can't be sent to ${values.url}`
      await port.stop(fault('unsafe-url', why, 'AU-FLOW-12', values))
    }
    return { returned: await port.consent(known) }
  },
}

/** Scope and resource, for every grant. */
export const scopeAndResourceOf = (
  known: SignInState,
  port: Port,
  held?: string,
): Pick<SignInState, 'scope' | 'scopeSource' | 'resource'> => {
  const choice = chooseScope(known, port.options, port.profile, held)
  port.check({
    rule: choice.source === 'union' ? 'AU-SCOPE-04' : 'AU-SCOPE-01',
    keyword: 'SHOULD',
    ok: true,
    say: 'scope-chosen',
    values: { scope: choice.scope ?? null, source: choice.source },
  })
  const resource = resourceOf(known, port)
  port.check({
    rule: resource === undefined ? 'AU-0326-07' : 'AU-FLOW-05',
    keyword: 'MUST',
    ...(resource === undefined ? {} : { ok: true }),
    say: resource === undefined ? 'resource-left-out' : 'resource-chosen',
    values: { resource: resource ?? null, server: known.server },
  })
  return { scope: choice.scope, scopeSource: choice.source, resource }
}

/** The server's own resource identifier if it was verified, otherwise its URL. */
const resourceOf = (known: SignInState, port: Port): string | undefined => {
  const { resource } = port.options
  if (resource === false || !port.profile.has('resourceParameter')) return undefined
  if (resource !== undefined) return resource
  const said = known.resourceMetadata?.resource
  return typeof said === 'string' && parsedUrl(said) && !said.includes('#') ? said : canonicalResource(known.server)
}

/** RFC 9126 section 5: the server requires pushed authorization requests, which this client can't send. */
const checkPushed = async ({ metadata }: SignInState, port: Port): Promise<void> => {
  if (metadata?.require_pushed_authorization_requests !== true) return
  const values = { name: 'require_pushed_authorization_requests' }
  await port.must(
    { rule: 'RFC 9126 section 5', keyword: 'MUST', ok: false, say: 'pushed-only', values },
    'unsupported-grant',
    'The server accepts only pushed authorization requests',
  )
}
