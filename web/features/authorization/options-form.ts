/**
 * How to sign in, as a form: a text for every field, of which the options take what was filled in. What is empty is left to
 * the rules; what a chosen grant has no use for stays in the form and out of the options.
 */
import type { ClientAuthMethod, GivenClient, Grant, IdentityProvider, SignInOptions } from '../../oauth/index.ts'

export interface OptionsForm {
  readonly grant: Grant
  readonly clientId: string
  readonly clientSecret: string
  /** Empty: the server's metadata decides. */
  readonly method: ClientAuthMethod | ''
  readonly privateKey: string
  /** Empty: ES256. */
  readonly algorithm: string
  readonly registration: 'rules' | NonNullable<SignInOptions['registration']>
  readonly clientDocument: string
  readonly applicationType: 'rules' | 'native' | 'web'
  /** Asks for no scope at all; else an empty field is left to the rules. */
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

/** A client proves itself with a secret: which fields its method has a use for. */
export const usesSecret = ({ method }: Pick<OptionsForm, 'method'>): boolean =>
  method === '' || method === 'client_secret_basic' || method === 'client_secret_post'

export const usesKey = ({ method }: Pick<OptionsForm, 'method'>): boolean =>
  method === '' || method === 'private_key_jwt'

/** Whether its client may turn out to be the one that was entered. */
export const usesGivenClient = ({ registration }: Pick<OptionsForm, 'registration'>): boolean =>
  registration === 'rules' || registration === 'by-hand'

export const usesDocument = ({ registration }: Pick<OptionsForm, 'registration'>): boolean =>
  registration === 'rules' || registration === 'metadata-document'

export const usesApplicationType = ({ registration }: Pick<OptionsForm, 'registration'>): boolean =>
  registration === 'rules' || registration === 'dynamic'

/**
 * @param before what was chosen until now: the issuer that the client is bound to stays with it (AU-REG-13)
 */
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
 * What a form shows of these options.
 * @param drafts what stands in fields that the options do not take is kept
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

/** How many fields say something other than the rules would; shown while the form is folded up. */
export const chosenIn = (options: SignInOptions): number => Object.keys(options).length

/** A value was about to be given, and is not there yet. */
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
