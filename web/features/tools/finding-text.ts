/** What findings of this folder say: in any language with its catalogue, in English for the lint. */
import type { Translation } from '../../ui/index.svelte.ts'
import type { ResultFinding } from './outcome.ts'
import type { ToolFinding } from './tool-item.ts'
import type en from './text/en.ts'

type Texts = Translation<typeof en>

export const toolFindingText = ({ code, found = '', pointer }: ToolFinding, t: Texts): string => {
  switch (code) {
    case 'no-object':
      return t.findingNoObject(found)
    case 'no-name':
      return t.findingNoName(found)
    case 'odd-name':
      return t.findingOddName(found)
    case 'repeated-name':
      return t.findingRepeatedName(found)
    case 'no-input-schema':
      return t.findingNoInputSchema
    case 'input-schema-no-object':
      return t.findingInputSchemaNoObject(found)
    case 'input-schema-type':
      return t.findingInputSchemaType(found)
    case 'output-schema-no-object':
      return t.findingOutputSchemaNoObject(found)
    case 'output-schema-type':
      return t.findingOutputSchemaType(found)
    case 'annotations-no-object':
      return t.findingAnnotationsNoObject(found)
    case 'hint-no-boolean':
      return t.findingHintNoBoolean(pointer, found)
  }
}

export const resultFindingText = ({ code }: ResultFinding, t: Texts): string => {
  return {
    'content-missing': t.findingContentMissing,
    'structured-missing': t.findingStructuredMissing,
    'structured-no-object': t.findingStructuredNoObject,
    'structured-not-repeated': t.findingStructuredNotRepeated,
    'structured-unknown': t.findingStructuredUnknown,
    'is-error-no-boolean': t.findingIsErrorNoBoolean,
  }[code]
}
