/** Codes of this folder in the language of the moment. */
import type { Waiting } from '../../oauth/index.ts'
import type { OptionsForm } from './options-form.ts'
import type { OptionsProblem } from './options-problems.ts'
import type { SignInPicture } from './live-sign-in.svelte.ts'
import type { Standing } from './standing.ts'
import { texts } from './text/texts.svelte.ts'

type Choices<Value extends string> = readonly { readonly value: Value; readonly label: string }[]

export const standingText = (standing: Standing, { refused, tokens, waiting }: SignInPicture): string => {
  const { t } = texts
  switch (standing) {
    case 'step-up':
      return t.standStepUp
    case 'signing-in':
      return waiting ? waitingText(waiting.for) : t.standSigningIn
    case 'refreshing':
      return t.refreshing
    case 'revoking':
      return t.revoking
    case 'over':
      return t.standOver
    case 'signed-in':
      return tokens?.issuer === undefined ? t.standPasted : t.standSignedIn
    case 'needed':
      return refused?.status === 403 ? t.standNarrow : t.standNeeded(refused?.status ?? 401)
    case 'by-hand':
      return t.standByHand
    case 'none':
      return t.standNone
  }
}

const waitingText = (waits: Waiting['for']): string => {
  const { t } = texts
  return {
    request: t.standYourTurn,
    leave: t.standYourTurn,
    choice: t.standYourTurn,
    consent: t.standElsewhere,
    help: t.standStuck,
  }[waits]
}

/** Names of the shapes of a dot. */
export const standingTone = (standing: Standing, { waiting }: SignInPicture): string =>
  standing === 'signing-in' && waiting && waiting.for !== 'consent'
    ? 'warn'
    : {
        'step-up': 'warn',
        'signing-in': 'pending',
        refreshing: 'pending',
        revoking: 'pending',
        over: 'warn',
        'signed-in': 'open',
        needed: 'warn',
        'by-hand': 'open',
        none: 'idle',
      }[standing]

export const grantChoices = (): Choices<OptionsForm['grant']> => {
  const { t } = texts
  return [
    { value: 'authorization-code', label: t.grantCode },
    { value: 'client-credentials', label: t.grantCredentials },
    { value: 'enterprise', label: t.grantEnterprise },
    { value: 'workload', label: t.grantWorkload },
  ]
}

export const registrationChoices = (): Choices<OptionsForm['registration']> => {
  const { t } = texts
  return [
    { value: 'rules', label: t.byRules },
    { value: 'by-hand', label: t.registrationByHand },
    { value: 'metadata-document', label: t.registrationDocument },
    { value: 'dynamic', label: t.registrationDynamic },
  ]
}

export const methodChoices = (): Choices<OptionsForm['method']> => {
  const { t } = texts
  return [
    { value: '', label: t.methodAuto },
    { value: 'none', label: t.methodNone },
    { value: 'client_secret_basic', label: 'client_secret_basic' },
    { value: 'client_secret_post', label: 'client_secret_post' },
    { value: 'private_key_jwt', label: 'private_key_jwt' },
  ]
}

export const applicationTypeChoices = (): Choices<OptionsForm['applicationType']> => {
  const { t } = texts
  return [
    { value: 'rules', label: t.applicationTypeRules },
    { value: 'native', label: 'native' },
    { value: 'web', label: 'web' },
  ]
}

export const resourceChoices = (): Choices<OptionsForm['resourceBy']> => {
  const { t } = texts
  return [
    { value: 'rules', label: t.byRules },
    { value: 'given', label: t.resourceGiven },
    { value: 'left-out', label: t.resourceLeftOut },
  ]
}

export const dpopChoices = (): Choices<OptionsForm['dpop']> => {
  const { t } = texts
  return [
    { value: 'rules', label: t.dpopAuto },
    { value: 'on', label: t.dpopOn },
    { value: 'off', label: t.dpopOff },
  ]
}

export const problemText = (problem: OptionsProblem): string => {
  const { t } = texts
  return {
    'client-id-missing': t.problemClientId,
    'client-unused': t.problemClientUnused,
    'secret-missing': t.problemSecret,
    'key-missing': t.problemKey,
    'key-odd': t.problemKeyOdd,
    'document-address': t.problemDocument,
    'scope-characters': t.problemScope,
    'resource-missing': t.problemResourceMissing,
    'resource-address': t.problemResource,
    'server-address': t.problemServer,
    'idp-incomplete': t.problemIdp,
    'idp-address': t.problemServer,
    'id-token-odd': t.problemJwt,
    'assertion-missing': t.problemAssertion,
    'assertion-odd': t.problemJwt,
  }[problem]
}
