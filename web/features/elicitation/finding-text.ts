/** What findings of this folder say: in any language with its catalogue, in English for the lint. */
import type { Translation } from '../../ui/index.svelte.ts'
import type { AddressFinding } from './address.ts'
import type { SchemaFinding } from './form-schema.ts'
import type { ModeFinding } from './modes.ts'
import type { SecretSign } from './secrets.ts'
import type en from './text/en.ts'

type Texts = Translation<typeof en>

export const modeFindingText = ({ code, found = '' }: ModeFinding, t: Texts): string => {
  switch (code) {
    case 'mode-unknown':
      return t.modeUnknown(found)
    case 'mode-undeclared':
      return t.modeUndeclared(found)
    case 'not-in-revision':
      return t.modeEarly(found)
    case 'no-message':
      return t.findNoMessage
    case 'no-id':
      return t.findNoId
    case 'stale-id':
      return t.findStaleId
  }
}

export const schemaFindingText = ({ code, found = '' }: SchemaFinding, t: Texts): string => {
  switch (code) {
    case 'no-schema':
      return t.findNoSchema
    case 'root-type':
      return t.findRootType
    case 'root-keyword':
      return t.findRootKeyword(found)
    case 'no-properties':
      return t.findNoProperties
    case 'not-a-schema':
      return t.findNotASchema
    case 'nested':
      return t.findNested
    case 'combined':
      return t.findCombined(found)
    case 'odd-type':
      return t.findOddType(found === '' ? '–' : found)
    case 'array-early':
      return t.findArrayEarly
    case 'array-items':
      return t.findArrayItems
    case 'titled-early':
      return t.findTitledEarly
    case 'enum-values':
      return t.findEnumValues
    case 'enum-names':
      return t.findEnumNames
    case 'format':
      return t.findFormat(found)
    case 'pattern':
      return t.findPattern
    case 'default-early':
      return t.findDefaultEarly
    case 'keyword':
      return t.findKeyword(found)
    case 'required-unknown':
      return t.findRequiredUnknown(found)
    case 'link':
      return t.findLink
  }
}

export const addressFindingText = ({ code, found = '' }: AddressFinding, t: Texts): string => {
  switch (code) {
    case 'none':
      return t.addressNone
    case 'invalid':
      return t.addressInvalid
    case 'scheme':
      return t.addressScheme(found)
    case 'too-long':
      return t.addressTooLong(found)
    case 'plain-http':
      return t.addressPlainHttp
    case 'userinfo':
      return t.addressUserinfo(found)
    case 'punycode':
      return t.addressPunycode(found)
    case 'mixed-script':
      return t.addressMixed
    case 'rewritten':
      return t.addressRewritten(found)
    case 'number-host':
      return t.addressNumber
    case 'private-host':
      return t.addressPrivate(found)
    case 'hidden-characters':
      return t.addressHidden
    case 'credential':
      return t.addressCredential(found)
    case 'port':
      return t.addressPort(found)
  }
}

export const secretText = ({ key, word }: SecretSign, t: Texts): string =>
  key === undefined ? t.secretMessage(word) : t.secretField(key, word)
