/** What findings of this folder say: in any language with its catalogue, in English for the lint. */
import type { Translation } from '../../ui/index.svelte.ts'
import type { ReadFinding } from './reads-fold.ts'
import type { ItemFinding } from './resource-item.ts'
import type en from './text/en.ts'

type Texts = Translation<typeof en>

export const itemFindingText = ({ code, found, pointer }: ItemFinding, t: Texts): string => {
  switch (code) {
    case 'no-object':
      return t.findingNoObject(found)
    case 'no-uri':
      return t.findingNoUri(pointer, found)
    case 'not-a-uri':
      return t.findingNotAUri(found)
    case 'repeated-uri':
      return t.findingRepeatedUri(found)
    case 'no-name':
      return t.findingNoName(found)
    case 'not-a-string':
      return t.findingNotAString(pointer, found)
    case 'bad-size':
      return t.findingBadSize(found)
    case 'annotations-no-object':
      return t.findingAnnotationsNoObject(found)
    case 'bad-priority':
      return t.findingBadPriority(found)
    case 'bad-audience':
      return t.findingBadAudience(found)
    case 'bad-last-modified':
      return t.findingBadLastModified(found)
  }
}

export const readFindingText = ({ code }: ReadFinding, t: Texts): string =>
  ({ 'no-contents': t.findingNoContents, 'empty-contents': t.findingEmptyContents })[code]
