/** Texts of this feature's problems: translated for the interface, in English for the lint. */
import type { Translation } from '../../ui/index.svelte.ts'
import type { ResultFinding } from './outcome.ts'
import type { ToolFinding } from './tool-item.ts'
import type en from './text/en.ts'

type Texts = Translation<typeof en>

export const toolFindingText = ({ code, found = '', pointer }: ToolFinding, t: Texts): string =>
  ({
    'no-object': t.findingNoObject(found),
    'no-name': t.findingNoName(found),
    'odd-name': t.findingOddName(found),
    'repeated-name': t.findingRepeatedName(found),
    'no-input-schema': t.findingNoInputSchema,
    'input-schema-no-object': t.findingInputSchemaNoObject(found),
    'input-schema-type': t.findingInputSchemaType(found),
    'output-schema-no-object': t.findingOutputSchemaNoObject(found),
    'output-schema-type': t.findingOutputSchemaType(found),
    'annotations-no-object': t.findingAnnotationsNoObject(found),
    'hint-no-boolean': t.findingHintNoBoolean(pointer, found),
  })[code]

export const resultFindingText = ({ code }: ResultFinding, t: Texts): string =>
  ({
    'content-missing': t.findingContentMissing,
    'structured-missing': t.findingStructuredMissing,
    'structured-no-object': t.findingStructuredNoObject,
    'structured-not-repeated': t.findingStructuredNotRepeated,
    'structured-unknown': t.findingStructuredUnknown,
    'is-error-no-boolean': t.findingIsErrorNoBoolean,
  })[code]
