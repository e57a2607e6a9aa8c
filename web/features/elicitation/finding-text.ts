/** Texts of this feature's problems: translated for the interface, in English for the lint. */
import type { Translation } from '../../ui/index.svelte.ts'
import type { AddressFinding } from './address.ts'
import type { SchemaFinding } from './form-schema.ts'
import type { ModeFinding } from './modes.ts'
import type { SecretSign } from './secrets.ts'
import type en from './text/en.ts'
import type { RequiredVisit } from './folds.ts'

type Texts = Translation<typeof en>

export const modeFindingText = ({ code, found = '' }: ModeFinding, t: Texts): string =>
  ({
    'mode-unknown': t.modeUnknown(found),
    'mode-undeclared': t.modeUndeclared(found),
    'not-in-revision': t.modeEarly(found),
    'no-message': t.findNoMessage,
    'no-id': t.findNoId,
    'stale-id': t.findStaleId,
  })[code]

export const schemaFindingText = ({ code, found = '' }: SchemaFinding, t: Texts): string =>
  ({
    'no-schema': t.findNoSchema,
    'root-type': t.findRootType,
    'root-keyword': t.findRootKeyword(found),
    'no-properties': t.findNoProperties,
    'not-a-schema': t.findNotASchema,
    nested: t.findNested,
    combined: t.findCombined(found),
    'odd-type': t.findOddType(found === '' ? '–' : found),
    'array-early': t.findArrayEarly,
    'array-items': t.findArrayItems,
    'titled-early': t.findTitledEarly,
    'enum-values': t.findEnumValues,
    'enum-names': t.findEnumNames,
    format: t.findFormat(found),
    pattern: t.findPattern,
    'default-early': t.findDefaultEarly,
    keyword: t.findKeyword(found),
    'required-unknown': t.findRequiredUnknown(found),
    link: t.findLink,
  })[code]

export const addressFindingText = ({ code, found = '' }: AddressFinding, t: Texts): string =>
  ({
    none: t.addressNone,
    invalid: t.addressInvalid,
    scheme: t.addressScheme(found),
    'too-long': t.addressTooLong(found),
    'plain-http': t.addressPlainHttp,
    userinfo: t.addressUserinfo(found),
    punycode: t.addressPunycode(found),
    'mixed-script': t.addressMixed,
    rewritten: t.addressRewritten(found),
    'number-host': t.addressNumber,
    'private-host': t.addressPrivate(found),
    'hidden-characters': t.addressHidden,
    credential: t.addressCredential(found),
    port: t.addressPort(found),
  })[code]

export const secretText = ({ key, word }: SecretSign, t: Texts): string =>
  key === undefined ? t.secretMessage(word) : t.secretField(key, word)

export const visitFaultText = (fault: RequiredVisit['faults'][number], t: Texts): string =>
  ({ 'not-object': t.faultNotObject, 'not-url': t.faultNotUrl, 'no-id': t.faultNoId })[fault]
