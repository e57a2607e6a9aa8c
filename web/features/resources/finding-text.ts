/** Texts of this feature's problems: translated for the interface, in English for the lint. */
import type { Translation } from '../../ui/index.svelte.ts'
import type { ReadFinding } from './reads-fold.ts'
import type { ItemFinding } from './resource-item.ts'
import type en from './text/en.ts'

type Texts = Translation<typeof en>

export const itemFindingText = ({ code, found, pointer }: ItemFinding, t: Texts): string =>
  ({
    'no-object': t.findingNoObject(found),
    'no-uri': t.findingNoUri(pointer, found),
    'not-a-uri': t.findingNotAUri(found),
    'repeated-uri': t.findingRepeatedUri(found),
    'no-name': t.findingNoName(found),
    'not-a-string': t.findingNotAString(pointer, found),
    'bad-size': t.findingBadSize(found),
    'annotations-no-object': t.findingAnnotationsNoObject(found),
    'bad-priority': t.findingBadPriority(found),
    'bad-audience': t.findingBadAudience(found),
    'bad-last-modified': t.findingBadLastModified(found),
  })[code]

export const readFindingText = ({ code }: ReadFinding, t: Texts): string =>
  ({ 'no-contents': t.findingNoContents, 'empty-contents': t.findingEmptyContents })[code]
