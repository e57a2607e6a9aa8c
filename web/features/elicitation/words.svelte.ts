/** Codes of this folder in the language of the moment. */
import type { AddressFinding } from './address.ts'
import type { SchemaFinding } from './form-schema.ts'
import type { ModeFinding } from './modes.ts'
import type { SecretSign } from './secrets.ts'
import * as textOf from './finding-text.ts'
import { texts } from './text/texts.svelte.ts'
import type { RequiredVisit, Visits } from './visits-fold.ts'

export const modeFindingText = (finding: ModeFinding): string => textOf.modeFindingText(finding, texts.t)

export const schemaFindingText = (finding: SchemaFinding): string => textOf.schemaFindingText(finding, texts.t)

export const addressFindingText = (finding: AddressFinding): string => textOf.addressFindingText(finding, texts.t)

export const secretText = (finding: SecretSign): string => textOf.secretText(finding, texts.t)

export const ignoredWord = (why: Visits['ignored'][number]['why']): string =>
  ({ unknown: texts.t.ignoredUnknown, again: texts.t.ignoredAgain, 'no-id': texts.t.ignoredNoId })[why]

export const visitFaultText = (fault: RequiredVisit['faults'][number]): string =>
  ({ 'not-object': texts.t.faultNotObject, 'not-url': texts.t.faultNotUrl, 'no-id': texts.t.faultNoId })[fault]
