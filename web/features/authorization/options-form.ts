/**
 * The sign-in options as a form: a string for every field. An empty field follows the specification; a field that the
 * chosen grant doesn't use stays in the form but not in the options. `problemsOf` checks the form before anything is
 * sent.
 */
import {
  type ClientAuthMethod,
  type GivenClient,
  type Grant,
  type IdentityProvider,
  type SignInOptions,
  httpUrl,
  safeUrl,
} from '../../oauth/index.ts'
import { parsedUrl } from '../../mcp/url.ts'

export interface OptionsForm {
  readonly grant: Grant
  readonly clientId: string
  readonly clientSecret: string
  /** Empty: the authorization server's metadata decides. */
  readonly method: ClientAuthMethod | ''
  readonly privateKey: string
  /** Empty: ES256. */
  readonly algorithm: string
  readonly registration: 'rules' | NonNullable<SignInOptions['registration']>
  readonly clientDocument: string
  readonly applicationType: 'rules' | 'native' | 'web'
  /** Requests no scope. If false, an empty scope field follows the specification. */
  readonly withoutScope: boolean
  readonly scope: string
  readonly resourceBy: 'rules' | 'given' | 'left-out'
  readonly resource: string
  readonly authorizationServer: string
  readonly dpop: 'rules' | 'on' | 'off'
  readonly idpTokenEndpoint: string
  readonly idpClientId: string
  readonly idpClientSecret: string
  readonly idToken: string
  readonly assertion: string
}

export const EMPTY_FORM: OptionsForm = {
  grant: 'authorization-code',
  clientId: '',
  clientSecret: '',
  method: '',
  privateKey: '',
  algorithm: '',
  registration: 'rules',
  clientDocument: '',
  applicationType: 'rules',
  withoutScope: false,
  scope: '',
  resourceBy: 'rules',
  resource: '',
  authorizationServer: '',
  dpop: 'rules',
  idpTokenEndpoint: '',
  idpClientId: '',
  idpClientSecret: '',
  idToken: '',
  assertion: '',
}

/** Which secret fields the client authentication method uses. */
export const usesSecret = ({ method }: Pick<OptionsForm, 'method'>): boolean =>
  method === '' || method === 'client_secret_basic' || method === 'client_secret_post'

export const usesKey = ({ method }: Pick<OptionsForm, 'method'>): boolean =>
  method === '' || method === 'private_key_jwt'

/** Whether the sign-in may get its client this way: the user chose it, or the rules choose. */
export const mayRegister = (
  { registration }: Pick<OptionsForm, 'registration'>,
  way: NonNullable<SignInOptions['registration']>,
): boolean => registration === 'rules' || registration === way

/** @param before the previous options: the issuer that the client is bound to is kept (AU-REG-13) */
export const optionsOf = (form: OptionsForm, before: SignInOptions = {}): SignInOptions => {
  const { grant, registration, dpop, applicationType } = form
  const client = clientOf(form, before.client)
  const scope = form.scope.trim()
  const resource = form.resource.trim()
  const clientDocument = form.clientDocument.trim()
  const authorizationServer = form.authorizationServer.trim()
  const assertion = form.assertion.trim()
  const idp = grant === 'enterprise' ? idpOf(form) : undefined
  return {
    ...(grant === 'authorization-code' ? {} : { grant }),
    ...(client ? { client } : {}),
    ...(registration === 'rules' ? {} : { registration }),
    ...(clientDocument === '' ? {} : { clientDocument }),
    ...(form.withoutScope ? { scope: '' } : scope === '' ? {} : { scope }),
    ...(form.resourceBy === 'left-out'
      ? { resource: false }
      : form.resourceBy === 'given' && resource !== ''
        ? { resource }
        : {}),
    ...(authorizationServer === '' ? {} : { authorizationServer }),
    ...(applicationType === 'rules' ? {} : { applicationType }),
    ...(dpop === 'rules' ? {} : { dpop: dpop === 'on' }),
    ...(idp ? { idp } : {}),
    ...(grant === 'workload' && assertion !== '' ? { assertion } : {}),
  }
}

/**
 * The form for these options.
 * @param drafts keeps the values of fields that the options don't include
 */
export const formOf = (options: SignInOptions, drafts: OptionsForm = EMPTY_FORM): OptionsForm => {
  const { grant = 'authorization-code', client, registration = 'rules', idp, scope, resource } = options
  return {
    grant,
    clientId: client?.id ?? '',
    clientSecret: client?.secret ?? (client && usesSecret(drafts) ? '' : drafts.clientSecret),
    method: client ? (client.method ?? '') : drafts.method,
    privateKey: client?.privateKey ?? (client && usesKey(drafts) ? '' : drafts.privateKey),
    algorithm: client?.algorithm ?? (client && usesKey(drafts) ? '' : drafts.algorithm),
    registration,
    clientDocument: options.clientDocument ?? '',
    applicationType: options.applicationType ?? 'rules',
    withoutScope: scope !== undefined && scope.trim() === '',
    scope: scope === undefined ? '' : scope.trim() === '' ? drafts.scope : scope,
    resourceBy: resource === undefined ? unfilled(drafts) : resource === false ? 'left-out' : 'given',
    resource: typeof resource === 'string' ? resource : drafts.resource,
    authorizationServer: options.authorizationServer ?? '',
    dpop: options.dpop === undefined ? 'rules' : options.dpop ? 'on' : 'off',
    idpTokenEndpoint: idp?.tokenEndpoint ?? drafts.idpTokenEndpoint,
    idpClientId: idp?.clientId ?? drafts.idpClientId,
    idpClientSecret: idp ? (idp.clientSecret ?? '') : drafts.idpClientSecret,
    idToken: idp?.idToken ?? drafts.idToken,
    assertion: options.assertion ?? drafts.assertion,
  }
}

/** The number of options that differ from the defaults; shown while the form is collapsed. */
export const chosenIn = (options: SignInOptions): number => Object.keys(options).length

/** “Given” was chosen, but the value is still empty. */
const unfilled = ({ resourceBy, resource }: OptionsForm): OptionsForm['resourceBy'] =>
  resourceBy === 'given' && resource.trim() === '' ? 'given' : 'rules'

const clientOf = (form: OptionsForm, before: GivenClient | undefined): GivenClient | undefined => {
  const id = form.clientId.trim()
  if (id === '') return undefined
  const { method, clientSecret: secret } = form
  const privateKey = form.privateKey.trim()
  const withKey = usesKey(form) && privateKey !== ''
  return {
    id,
    ...(usesSecret(form) && secret !== '' ? { secret } : {}),
    ...(method === '' ? {} : { method }),
    ...(withKey ? { privateKey } : {}),
    ...(withKey && form.algorithm !== '' ? { algorithm: form.algorithm } : {}),
    ...(before?.id === id && before.issuer !== undefined ? { issuer: before.issuer } : {}),
  }
}

const idpOf = (form: OptionsForm): IdentityProvider | undefined => {
  const [tokenEndpoint, clientId, idToken] = [form.idpTokenEndpoint, form.idpClientId, form.idToken].map((text) =>
    text.trim(),
  ) as [string, string, string]
  const { idpClientSecret: clientSecret } = form
  if (tokenEndpoint === '' && clientId === '' && idToken === '' && clientSecret === '') return undefined
  return { tokenEndpoint, clientId, idToken, ...(clientSecret === '' ? {} : { clientSecret }) }
}

export type OptionsProblem =
  /** A secret or key without a client ID. */
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

/** The field that shows each problem. */
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

/** RFC 6749 section 3.3: printable characters except quote and backslash; spaces separate scopes. */
const SCOPES = /^[\x21\x23-\x5b\x5d-\x7e\s]*$/

/** Three parts of base64url. Their content is left to the authorization server to check. */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/

/** @param server the MCP endpoint; loopback URLs are allowed only if it is on loopback itself (AU-ASM-07) */
export const problemsOf = (form: OptionsForm, server: string): readonly OptionsProblem[] => {
  const found: OptionsProblem[] = []
  const filled = (field: keyof OptionsForm): boolean => String(form[field]).trim() !== ''
  const when = (problem: OptionsProblem, holds: boolean) => void (holds && found.push(problem))

  const client = filled('clientId')
  const wantsClient = form.registration === 'by-hand' || form.grant === 'client-credentials'
  const proof = (usesSecret(form) && filled('clientSecret')) || (usesKey(form) && filled('privateKey'))
  when('client-id-missing', !client && mayRegister(form, 'by-hand') && (proof || wantsClient))
  when('client-unused', client && !mayRegister(form, 'by-hand'))
  when('secret-missing', client && /^client_secret_/.test(form.method) && !filled('clientSecret'))
  when('key-missing', client && form.method === 'private_key_jwt' && !filled('privateKey'))
  when('key-odd', usesKey(form) && filled('privateKey') && !isKey(form.privateKey))
  when(
    'document-address',
    mayRegister(form, 'metadata-document') && filled('clientDocument') && !isDocument(form.clientDocument),
  )
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
