/**
 * The authorization request (RFC 6749 section 4.1.1): prepared with PKCE (RFC 7636), state, resource (RFC 8707) and scope
 * (AU-FLOW-01 … AU-FLOW-07, AU-SCOPE-01), then opened in a window of the authorization server.
 */
import * as oauth from 'oauth4webapi'
import type { AuthCheck } from '../../../mcp/index.ts'
import { parsedUrl } from '../../../mcp/url.ts'
import { sha256 } from '../../../mcp/web-crypto.ts'
import { type SignInState, canonicalResource, chooseScope, fault, safeUrl, scopesOf } from '../../model/index.ts'
import type { Port, Step } from '../../wire/index.ts'

/** Maximum length of a URL built here, perhaps with hundreds of scopes; the server may have a lower limit. */
export const LONGEST = 200_000

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
    // RFC 7636 section 4.1: 32 random bytes, base64url-encoded.
    const codeVerifier = oauth.generateRandomCodeVerifier()
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

/** RFC 6749 section 4.1.2: the response is in the query. The callback page doesn't read fragments. */
export const IN_FRAGMENT: AuthCheck = {
  rule: 'RFC 6749 section 4.1.2',
  keyword: 'MUST',
  ok: false,
  say: 'response-in-fragment',
}

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

/** RFC 7636 section 4.2: S256. The library's own function needs a secure context. */
const challengeOf = async (codeVerifier: string): Promise<string> =>
  btoa(String.fromCharCode(...(await sha256(codeVerifier))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace('=', '')

/** AU-FLOW-02, AU-FLOW-03. */
const checkPkce = async ({ metadata }: SignInState, port: Port): Promise<void> => {
  const methods: unknown = metadata?.code_challenge_methods_supported
  const advertised = Array.isArray(methods) && methods.includes('S256')
  const values = { methods: Array.isArray(methods) ? methods.slice(0, 10).map(String) : null }
  const check = {
    // Other methods are advertised, but not S256: a client that supports S256 must not use a weaker one.
    rule: !advertised && Array.isArray(methods) && methods.length > 0 ? 'AU-FLOW-02' : 'AU-FLOW-03',
    keyword: 'MUST',
    ok: advertised,
    say: advertised ? 'pkce-advertised' : 'pkce-not-advertised',
    values,
  } as const
  // Older protocol versions didn't require servers to advertise PKCE, so it is used anyway (AU-FLOW-01).
  if (!port.profile.has('pkceMustBeAdvertised')) {
    const { ok: _, ...remark } = check
    return port.check(advertised ? check : remark)
  }
  await port.must(check, 'pkce-not-advertised', "The metadata doesn't advertise PKCE with S256")
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
