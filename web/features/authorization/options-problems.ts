/** What would keep the options of a sign-in from working, as far as it can be told before anything is asked. */
import { parsedUrl } from '../../mcp/url.ts'
import { httpUrl, safeUrl } from '../../oauth/index.ts'
import { usesDocument, usesGivenClient, usesKey, usesSecret, type OptionsForm } from './options-form.ts'

export type OptionsProblem =
  /** A secret or a key without the id of its client. */
  | 'client-id-missing'
  | 'client-unused'
  | 'secret-missing'
  | 'key-missing'
  | 'key-odd'
  | 'document-address'
  | 'scope-characters'
  | 'resource-missing'
  | 'resource-address'
  | 'server-address'
  | 'idp-incomplete'
  | 'idp-address'
  | 'id-token-odd'
  | 'assertion-missing'
  | 'assertion-odd'

/** The field that a problem is told at. */
export const FIELD_OF: Readonly<Record<OptionsProblem, keyof OptionsForm>> = {
  'client-id-missing': 'clientId',
  'client-unused': 'clientId',
  'secret-missing': 'clientSecret',
  'key-missing': 'privateKey',
  'key-odd': 'privateKey',
  'document-address': 'clientDocument',
  'scope-characters': 'scope',
  'resource-missing': 'resource',
  'resource-address': 'resource',
  'server-address': 'authorizationServer',
  'idp-incomplete': 'idpTokenEndpoint',
  'idp-address': 'idpTokenEndpoint',
  'id-token-odd': 'idToken',
  'assertion-missing': 'assertion',
  'assertion-odd': 'assertion',
}

/** RFC 6749 section 3.3: printable, without quote and backslash; blanks part the scopes. */
const SCOPES = /^[\x21\x23-\x5b\x5d-\x7e\s]*$/

/** Three parts of base64url. What it holds is for those to judge who read it. */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/

/**
 * @param server the MCP endpoint: addresses on loopback are good only beside it (AU-ASM-07)
 */
export const problemsOf = (form: OptionsForm, server: string): readonly OptionsProblem[] => {
  const found: OptionsProblem[] = []
  const filled = (field: keyof OptionsForm): boolean => String(form[field]).trim() !== ''
  const when = (problem: OptionsProblem, holds: boolean) => void (holds && found.push(problem))

  const client = filled('clientId')
  const wantsClient = form.registration === 'by-hand' || form.grant === 'client-credentials'
  const proof = (usesSecret(form) && filled('clientSecret')) || (usesKey(form) && filled('privateKey'))
  when('client-id-missing', !client && usesGivenClient(form) && (proof || wantsClient))
  when('client-unused', client && !usesGivenClient(form))
  when('secret-missing', client && /^client_secret_/.test(form.method) && !filled('clientSecret'))
  when('key-missing', client && form.method === 'private_key_jwt' && !filled('privateKey'))
  when('key-odd', usesKey(form) && filled('privateKey') && !isKey(form.privateKey))
  when('document-address', usesDocument(form) && filled('clientDocument') && !isDocument(form.clientDocument))
  when('scope-characters', !form.withoutScope && !SCOPES.test(form.scope))
  when('resource-missing', form.resourceBy === 'given' && !filled('resource'))
  when('resource-address', form.resourceBy === 'given' && filled('resource') && !isResource(form.resource.trim()))
  when('server-address', filled('authorizationServer') && !safeUrl(form.authorizationServer.trim(), server))
  if (form.grant === 'enterprise') {
    when('idp-incomplete', !(filled('idpTokenEndpoint') && filled('idpClientId') && filled('idToken')))
    when('idp-address', filled('idpTokenEndpoint') && !safeUrl(form.idpTokenEndpoint.trim(), server))
    when('id-token-odd', filled('idToken') && !JWT.test(form.idToken.trim()))
  }
  if (form.grant === 'workload') {
    when('assertion-missing', !filled('assertion'))
    when('assertion-odd', filled('assertion') && !JWT.test(form.assertion.trim()))
  }
  return found
}

/** As `importPrivateKey` takes it: PKCS #8 in PEM, or a JWK. */
const isKey = (text: string): boolean => /-----BEGIN PRIVATE KEY-----/.test(text) || text.trim().startsWith('{')

/** AU-REG-03. */
const isDocument = (text: string): boolean => {
  const url = httpUrl(text.trim())
  return url?.protocol === 'https:' && url.pathname !== '/'
}

/** RFC 8707 section 2: an absolute URI without fragment. */
const isResource = (text: string): boolean => parsedUrl(text) !== undefined && !text.includes('#')
