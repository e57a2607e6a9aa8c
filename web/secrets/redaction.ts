/** The second entry point, loaded together with sharing: rules as data, and the findings of one pass. */
export { Findings, Known, Rules, type Place } from './found.ts'
export { isMasked, isPlaceholder, markOf, masksIn, previewOf, schemeLength } from './looks.ts'
export { isKeyPart } from './named.ts'
export type { Where } from './names.ts'
export { DEFAULT_REDACTIONS, type RedactionRule } from './rules.ts'
export { cleanedText, type Pass } from './text.ts'
