/**
 * The documents of a sign-in, as data: the members of protected resource metadata (RFC 9728 section 2), authorization
 * server metadata (RFC 8414 section 2) and OpenID Connect Discovery (section 3), each with its type.
 */
import { isObject } from '../../mcp/index.ts'
import type { Json, JsonObject, Revision } from '../../mcp/index.ts'
import { parsedUrl } from '../../mcp/url.ts'
import { type RfcSection, show } from '../rule.ts'

/** Reports a violation in a document or a response. @param keyword the row's unless the RFC binds the server otherwise */
export interface Note {
  (rules: string | readonly string[], explanation: string, keyword?: 'MUST' | 'SHOULD' | 'MAY'): void
}

/**
 * `endpoint`: an absolute URL, https unless it is on this machine, without a fragment. `link`: an absolute URL for
 * people. `strings`: an array of strings that isn't empty. `scopes`: the same, of scopes. `languages`: the same, of
 * language tags. `signatures`: the same, of algorithms that sign. `judged`: other rules check it.
 */
type Kind = 'endpoint' | 'link' | 'string' | 'boolean' | 'strings' | 'scopes' | 'languages' | 'signatures' | 'judged'
type Members = Readonly<Record<string, Kind>>

/** The step checks `resource`. */
const RESOURCE: Members = {
  resource: 'judged',
  authorization_servers: 'judged',
  bearer_methods_supported: 'judged',
  jwks_uri: 'endpoint',
  scopes_supported: 'scopes',
  resource_signing_alg_values_supported: 'signatures',
  resource_name: 'string',
  resource_documentation: 'link',
  resource_policy_uri: 'link',
  resource_tos_uri: 'link',
  tls_client_certificate_bound_access_tokens: 'boolean',
  authorization_details_types_supported: 'strings',
  dpop_signing_alg_values_supported: 'signatures',
  dpop_bound_access_tokens_required: 'boolean',
  signed_metadata: 'string',
}

/** The step checks `issuer` and the endpoints that it uses itself. */
const SERVER: Members = {
  issuer: 'judged',
  authorization_endpoint: 'judged',
  token_endpoint: 'judged',
  registration_endpoint: 'judged',
  revocation_endpoint: 'judged',
  jwks_uri: 'endpoint',
  introspection_endpoint: 'endpoint',
  userinfo_endpoint: 'endpoint',
  end_session_endpoint: 'endpoint',
  device_authorization_endpoint: 'endpoint',
  pushed_authorization_request_endpoint: 'endpoint',
  backchannel_authentication_endpoint: 'endpoint',
  service_documentation: 'link',
  op_policy_uri: 'link',
  op_tos_uri: 'link',
  scopes_supported: 'scopes',
  response_types_supported: 'strings',
  response_modes_supported: 'strings',
  grant_types_supported: 'strings',
  code_challenge_methods_supported: 'strings',
  token_endpoint_auth_methods_supported: 'strings',
  token_endpoint_auth_signing_alg_values_supported: 'strings',
  revocation_endpoint_auth_methods_supported: 'strings',
  revocation_endpoint_auth_signing_alg_values_supported: 'strings',
  introspection_endpoint_auth_methods_supported: 'strings',
  introspection_endpoint_auth_signing_alg_values_supported: 'strings',
  dpop_signing_alg_values_supported: 'signatures',
  authorization_details_types_supported: 'strings',
  subject_types_supported: 'strings',
  id_token_signing_alg_values_supported: 'strings',
  acr_values_supported: 'strings',
  claims_supported: 'strings',
  ui_locales_supported: 'languages',
  claims_locales_supported: 'languages',
  authorization_response_iss_parameter_supported: 'boolean',
  client_id_metadata_document_supported: 'boolean',
  protected_resources: 'strings',
  prompt_values_supported: 'strings',
  display_values_supported: 'strings',
  claim_types_supported: 'strings',
  userinfo_signing_alg_values_supported: 'strings',
  request_object_signing_alg_values_supported: 'strings',
  require_pushed_authorization_requests: 'boolean',
  tls_client_certificate_bound_access_tokens: 'boolean',
  claims_parameter_supported: 'boolean',
  request_parameter_supported: 'boolean',
  request_uri_parameter_supported: 'boolean',
  require_request_uri_registration: 'boolean',
  signed_metadata: 'string',
}

/** Rows and sections about a member, cited before those of its document. */
const ROWS: Readonly<Record<string, readonly string[]>> = {
  authorization_response_iss_parameter_supported: ['AU-FLOW-08', 'RFC 9207 section 3'],
  client_id_metadata_document_supported: ['AU-ASM-01', 'AU-REG-02'],
}

const METHODS = ['none', 'client_secret_basic', 'client_secret_post', 'client_secret_jwt', 'private_key_jwt', 'tls_client_auth', 'self_signed_tls_client_auth'] // prettier-ignore
const SIGNATURES = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512', 'EdDSA', 'HS256', 'HS384', 'HS512'] // prettier-ignore

/** Registered values of members. Others may exist, but not these in another spelling: values are case-sensitive. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  bearer_methods_supported: ['header', 'body', 'query'],
  response_types_supported: ['code', 'token', 'id_token', 'none'],
  response_modes_supported: ['query', 'fragment', 'form_post'],
  grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials', 'implicit', 'password'],
  code_challenge_methods_supported: ['S256', 'plain'],
  subject_types_supported: ['public', 'pairwise'],
  display_values_supported: ['page', 'popup', 'touch', 'wap'],
  claim_types_supported: ['normal', 'aggregated', 'distributed'],
  prompt_values_supported: ['none', 'login', 'consent', 'select_account', 'create'],
  token_endpoint_auth_methods_supported: METHODS,
  revocation_endpoint_auth_methods_supported: METHODS,
  introspection_endpoint_auth_methods_supported: METHODS,
  token_endpoint_auth_signing_alg_values_supported: SIGNATURES,
  revocation_endpoint_auth_signing_alg_values_supported: SIGNATURES,
  introspection_endpoint_auth_signing_alg_values_supported: SIGNATURES,
  id_token_signing_alg_values_supported: SIGNATURES,
  resource_signing_alg_values_supported: SIGNATURES,
  dpop_signing_alg_values_supported: SIGNATURES,
}

const RESOURCE_FORM = 'RFC 9728 section 2'
const SERVER_FORM = 'RFC 8414 section 2'
const OPENID_FORM = 'OpenID Connect Discovery section 3'

const OF_SERVERS: Readonly<Record<string, readonly string[]>> = {
  code_challenge_methods_supported: ['AU-FLOW-03', 'AU-FLOW-01'],
  token_endpoint_auth_methods_supported: ['AU-FLOW-13'],
  token_endpoint_auth_signing_alg_values_supported: ['AU-FLOW-13'],
}

/** Rows that fail as well if clients can't read a member, by the document, whose own rows come first. */
const NEEDED_FOR: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  [RESOURCE_FORM]: { scopes_supported: ['AU-SCOPE-01'] },
  [SERVER_FORM]: OF_SERVERS,
  [OPENID_FORM]: OF_SERVERS,
}

/** Where each says that members without elements are left out. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  [RESOURCE_FORM]: 'RFC 9728 section 3.2',
  [SERVER_FORM]: 'RFC 8414 section 3.2',
  [OPENID_FORM]: 'OpenID Connect Discovery section 4.2',
}

/** AU-PRM-01, AU-PRM-06, AU-GEN-02. */
export const resourceMetadata = (document: JsonObject, type: string | undefined, note: Note): void => {
  checkType(type, 'AU-PRM-01', 'RFC 9728 section 3.2', note)
  checkMembers(document, RESOURCE, ['AU-PRM-01'], RESOURCE_FORM, note)
  const { authorization_servers: servers, bearer_methods_supported: methods, scopes_supported: scopes } = document
  const listed = Array.isArray(servers) ? (servers as readonly Json[]) : []
  const usable = listed.some((each) => typeof each === 'string' && each !== '')
  if (!usable) {
    const what = `authorization_servers must be an array of at least one URL (${RESOURCE_FORM}); found ${show(servers)}`
    note(['AU-PRM-06', RESOURCE_FORM], what)
  }
  const odd = listed.find((each) => !isIssuer(each))
  if (usable && odd !== undefined) {
    const what = 'authorization_servers must list issuers, which are URLs without /.well-known/'
    note(['AU-PRM-06', RESOURCE_FORM], `${what} (${RESOURCE_FORM}); found ${show(odd)}`)
  }
  if (Array.isArray(scopes) && scopes.includes('offline_access')) {
    note('AU-SCOPE-07', 'scopes_supported contains offline_access, which only concerns the client and the authorization server') // prettier-ignore
  }
  if (methods === undefined) return
  if (!isStrings(methods)) {
    const what = `bearer_methods_supported ${STRINGS} (${RESOURCE_FORM}); found ${show(methods)}`
    return note(['AU-PRM-01', RESOURCE_FORM], what)
  }
  const unknown = methods.find((each) => !VALUES.bearer_methods_supported!.includes(each))
  if (unknown !== undefined) {
    const what = `bearer_methods_supported lists header, body and query only (${RESOURCE_FORM})`
    note(['AU-PRM-01', RESOURCE_FORM], `${what}; found ${show(unknown)}`)
  }
  if (!methods.includes('header')) {
    const found = methods.length === 0 ? 'none' : methods.join(', ').slice(0, 60)
    note('AU-GEN-02', `bearer_methods_supported must list header, which MCP clients use; found ${found}`)
  } else if (methods.includes('query')) {
    note('AU-GEN-03', 'bearer_methods_supported lists query. URLs end up in logs, and MCP clients never use it', 'MAY')
  }
}

/** RFC 8414 section 2: an issuer is an https URL without query or fragment. The step judges the scheme. */
const isIssuer = (value: Json): boolean => {
  const url = typeof value === 'string' ? parsedUrl(value) : undefined
  return url !== undefined && url.search === '' && url.hash === '' && !url.pathname.includes('/.well-known/')
}

const OPENID = ['jwks_uri', 'response_types_supported', 'subject_types_supported', 'id_token_signing_alg_values_supported'] // prettier-ignore

/** AU-ASM-01, AU-ASM-02, AU-ASM-07. */
export const serverMetadata = (
  document: JsonObject,
  { url, type, revision }: { readonly url: string; readonly type: string | undefined; readonly revision?: Revision },
  note: Note,
): void => {
  const isOpenId = url.includes('/.well-known/openid-configuration')
  const rules = isOpenId ? ['AU-ASM-02', 'AU-ASM-01'] : ['AU-ASM-01']
  const by = isOpenId ? OPENID_FORM : SERVER_FORM
  checkType(type, rules, isOpenId ? 'OpenID Connect Discovery section 4.2' : 'RFC 8414 section 3.2', note)
  const { issuer } = document
  if (typeof issuer === 'string' && /[?#]/.test(issuer)) {
    note([...rules, by], `issuer must have no query or fragment (${by}); found ${show(issuer)}`)
  }
  const lacks = (isOpenId ? OPENID : ['response_types_supported']).filter((name) => document[name] === undefined)
  if (lacks.length > 0) {
    note([...rules, by], `The metadata lacks ${lacks.join(', ')}, which ${by} requires`)
  }
  checkMembers(document, SERVER, rules, by, note)
  const modes = document.response_modes_supported
  if (isStrings(modes) && modes.length > 0 && !modes.includes('query')) {
    // MCP clients never send the parameter. Slack lists form_post only, and returns codes in the query.
    const what = 'response_modes_supported leaves out query, in which codes return (RFC 6749 section 4.1.2)'
    note(['RFC 6749 section 4.1.2', ...rules, by], `${what}; found ${modes.join(', ').slice(0, 60)}`, 'MAY')
  }
  for (const endpoint of ['token_endpoint', 'revocation_endpoint', 'introspection_endpoint']) {
    checkSigning(document, endpoint, note)
  }
  for (const name of ['token_endpoint', 'registration_endpoint', 'revocation_endpoint']) {
    const value = document[name]
    const hash = typeof value === 'string' && parsedUrl(value)?.hash
    if (hash) note(['AU-ASM-01', SERVER_FORM], `${name} must have no fragment (${SERVER_FORM}); found ${show(value)}`)
  }
  checkPkce(document.code_challenge_methods_supported, revision, note)
  checkResponseTypes(document, note)
  checkGrants(document.grant_types_supported, note)
  const algorithms = document.id_token_signing_alg_values_supported
  if (isOpenId && isStrings(algorithms) && algorithms.length > 0 && !algorithms.includes('RS256')) {
    const found = algorithms.join(', ').slice(0, 60)
    note([...rules, by], `id_token_signing_alg_values_supported must list RS256 (${by}); found ${found}`)
  }
  const scopes = document.scopes_supported
  if (isOpenId && isStrings(scopes) && scopes.length > 0 && !scopes.includes('openid')) {
    note([...rules, by], `scopes_supported should list openid (${by})`, 'MAY')
  }
}

/** RFC 9700 discourages both. MCP clients never use them, but other clients of the same server may. */
const RISKY: Readonly<Record<string, RfcSection>> = {
  password: 'RFC 9700 section 2.4',
  implicit: 'RFC 9700 section 2.1.2',
}

const checkGrants = (grants: Json | undefined, note: Note): void => {
  if (!isStrings(grants)) return
  for (const [grant, rule] of Object.entries(RISKY)) {
    if (grants.includes(grant)) note(rule, `grant_types_supported lists ${grant}, which ${rule} advises against`, 'MAY')
  }
}

/** The response types that return an access token in the URL: `token`, and those that combine it, such as `code token`. */
export const tokenTypesIn = (types: Json | undefined): readonly string[] =>
  isStrings(types) ? types.filter((each) => each.split(' ').includes('token')) : []

/** No RFC requires both lists to agree, and large public servers leave implicit out. */
const checkResponseTypes = (
  { response_types_supported: types, grant_types_supported: grants }: JsonObject,
  note: Note,
) => {
  const [first] = tokenTypesIn(types)
  if (first === undefined) return
  const rule = RISKY.implicit!
  const what = `response_types_supported lists ${show(first)}, which ${rule} advises against`
  const isHidden = isStrings(grants) && grants.length > 0 && !grants.includes('implicit')
  if (isHidden) note([rule, SERVER_FORM], `${what}, and grant_types_supported leaves implicit out`, 'MAY')
  else note(rule, what, 'MAY')
}

/** The step requires S256 since 2025-11-25. Before, servers didn't have to list any method. */
const checkPkce = (methods: Json | undefined, revision: Revision | undefined, note: Note): void => {
  if (revision === undefined || revision >= '2025-11-25') return
  if (!isStrings(methods) || methods.length === 0 || methods.includes('S256')) return
  const what = 'code_challenge_methods_supported must list S256 (RFC 7636 section 4.2); found'
  note(['AU-0326-04', 'AU-FLOW-01', 'RFC 7636 section 4.2'], `${what} ${methods.join(', ').slice(0, 60)}`)
}

/** RFC 8414 section 2: clients that sign need to know how, and `none` isn't a signature. */
const checkSigning = (document: JsonObject, endpoint: string, note: Note): void => {
  const [methods, name] = [
    document[`${endpoint}_auth_methods_supported`],
    `${endpoint}_auth_signing_alg_values_supported`,
  ]
  const algorithms = document[name]
  const signs = isStrings(methods) ? methods.find((each) => /^(private_key|client_secret)_jwt$/.test(each)) : undefined
  if (signs !== undefined && algorithms === undefined) {
    const what = `The metadata lists ${signs} but lacks ${name}, which ${SERVER_FORM} then requires`
    note(['AU-ASM-01', SERVER_FORM, ...(OF_SERVERS[name] ?? [])], what)
  }
  if (isStrings(algorithms) && algorithms.includes('none')) {
    note([SERVER_FORM, 'AU-ASM-01', ...(OF_SERVERS[name] ?? [])], `${name} must not list none (${SERVER_FORM})`)
  }
}

/**
 * Scopes joined by other signs than spaces. A scope may contain these signs (RFC 6749 section 3.3), so only what looks
 * like names on both sides of one counts.
 */
export const isJoinedOtherwise = (scope: string): boolean => {
  const all = scope.trim().split(/ +/)
  return all.some((each, index) => {
    const parts = each.split(/[,;|]/)
    const isName = (part: string) => (part === '' ? index < all.length - 1 : /^[A-Za-z][\w.:/-]*$/.test(part))
    return parts.length > 1 && parts.some((part) => part !== '') && parts.every(isName)
  })
}

const STRINGS = 'must be an array of strings'

const checkMembers = (document: JsonObject, members: Members, own: readonly string[], by: string, note: Note): void => {
  for (const [name, kind] of Object.entries(members)) {
    if (!Object.hasOwn(document, name)) continue
    const value = document[name]!
    const fault = faultOf(value, kind)
    const rules = [
      ...new Set([
        ...(ROWS[name] ?? []),
        ...own,
        ...(fault === EMPTY ? [LEFT_OUT[by]!] : []),
        by,
        ...(NEEDED_FOR[by]?.[name] ?? []),
      ]),
    ]
    const found = fault === EMPTY ? '' : `; found ${show(value)}`
    if (fault !== undefined) note(fault === INSECURE ? ['AU-ASM-07', by] : rules, `${name} ${fault} (${by})${found}`)
    else if (isStrings(value) && Object.hasOwn(VALUES, name)) {
      const odd = misspeltIn(value, VALUES[name]!, value)
      if (odd) note(rules, `${name} must spell ${odd.right} exactly (${by}); found ${show(odd.wrong)}`)
    }
  }
  checkTranslations(document, members, [...own, by], note)
  const odd = misspeltIn(Object.keys(document).slice(0, 500), Object.keys(members), Object.keys(document))
  if (odd) note([...own, by], `The document lacks ${odd.right} (${by}), but has ${show(odd.wrong)}`)
}

/** Members that may exist once per language: `resource_name#fr` (RFC 9728 section 2.1). */
const TRANSLATED = ['resource_name', 'resource_documentation', 'resource_policy_uri', 'resource_tos_uri']

const checkTranslations = (document: JsonObject, members: Members, rules: readonly string[], note: Note): void => {
  for (const [name, value] of Object.entries(document)) {
    const [, base = '', language = ''] = /^([^#]+)#(.*)$/.exec(name) ?? []
    if (!TRANSLATED.includes(base) || !Object.hasOwn(members, base)) continue
    const fault = LANGUAGE.test(language) ? faultOf(value, members[base]!) : 'must end in a language tag such as en-GB'
    if (fault !== undefined) note(rules, `${show(name)} ${fault} (RFC 9728 section 2.1); found ${show(value)}`)
  }
}

/** A name that clients don't find, because it differs from a known one in case, separators or a plural only. */
export const misspeltIn = (
  names: readonly string[],
  known: readonly string[],
  present: readonly string[],
): { readonly wrong: string; readonly right: string } | undefined => {
  const right = (name: string) =>
    known.find((each) => each !== name && sounded(each) === sounded(name) && !present.includes(each))
  const wrong = names.find((name) => !known.includes(name) && right(name) !== undefined)
  return wrong === undefined ? undefined : { wrong: wrong.slice(0, 100), right: right(wrong)! }
}

const sounded = (name: string): string =>
  name
    .slice(0, 100)
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map((word) => word.replace(/s$/, ''))
    .join('')

/** RFC 6749 section 3.3: a scope. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/

/** RFC 5646 section 2.1, roughly. */
const LANGUAGE = /^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$/

const EMPTY = 'is an empty array; leave it out instead'
const INSECURE = 'must be https'

/** What is wrong with a value; `undefined`: nothing. */
const faultOf = (value: Json, kind: Kind): string | undefined => {
  switch (kind) {
    case 'boolean':
    case 'string':
      return typeof value === kind ? undefined : `must be a ${kind}`
    case 'strings':
      if (!isStrings(value)) return STRINGS
      return value.length === 0 ? EMPTY : undefined
    case 'scopes': {
      const odd = isStrings(value) ? value.find((each) => !SCOPE.test(each)) : undefined
      return odd === undefined ? faultOf(value, 'strings') : 'must list scopes, each without spaces and quotes'
    }
    case 'languages': {
      const odd = isStrings(value) ? value.find((each) => !LANGUAGE.test(each)) : undefined
      return odd === undefined ? faultOf(value, 'strings') : 'must list language tags such as en-GB (RFC 5646)'
    }
    case 'judged':
      return undefined
    case 'signatures': {
      const isUnsigned = isStrings(value) && value.some((each) => each.toLowerCase() === 'none')
      return isUnsigned ? "must not list none, which isn't a signature" : faultOf(value, 'strings')
    }
    case 'link':
    case 'endpoint': {
      const url = typeof value === 'string' ? parsedUrl(value) : undefined
      if (!url) return 'must be an absolute URL'
      if (kind === 'link') return undefined
      if (url.protocol !== 'https:' && isInsecure(url.href)) return INSECURE
      return url.hash === '' ? undefined : 'must have no fragment'
    }
  }
}

/** Neither https nor on this machine. Schemes of apps lead to no other machine. */
export const isInsecure = (address: string): boolean => {
  const url = parsedUrl(address)
  if (/^(javascript|data|file|vbscript):$/.test(url?.protocol ?? '')) return true
  return url?.protocol === 'http:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/i.test(url.hostname)
}

export const isStrings = (value: Json | undefined): value is readonly string[] & Json =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')

/** RFC 6749 and RFC 6750: printable ASCII without quotes and backslashes, for codes and descriptions of errors. */
export const isPlain = (text: string): boolean => /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/.test(text)

/**
 * @param type the Content-Type; absent if CORS hides it, which it never does
 * @param by the section that requires it
 */
export const checkType = (
  type: string | undefined,
  rules: string | readonly string[],
  by: string,
  note: Note,
): void => {
  if (/^\s*application\/json\s*(;|$)/i.test(type ?? '')) return
  const all = typeof rules === 'string' ? [rules] : rules
  note([...new Set([...all, by])], `The Content-Type must be application/json (${by}); found ${show(type)}`)
}

export const objectOf = (value: Json | undefined): JsonObject | undefined => (isObject(value) ? value : undefined)
