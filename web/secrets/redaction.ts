/** The second entry point, loaded together with sharing: rules as data, and the findings of one pass. */
export { Findings, Known, PlainTexts, Rules, type Place } from './redaction-pass.ts'
export { isMasked, isPlaceholder, isSecretOf, looksSecret, markOf, previewOf, schemeLength } from './heuristics.ts'
export { isKeyPart } from './find-by-name.ts'
export { secretsOfCommand } from './commands.ts'
export type { NameRule, Names } from './secret-names.ts'
export { DEFAULT_REDACTIONS, type RedactionRule } from './redaction-rules.ts'
export { cleanedText, type Pass } from './redact-text.ts'
export { KeyLines } from './key-lines.ts'
