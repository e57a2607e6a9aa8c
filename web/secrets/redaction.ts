/** The second entry point, loaded together with sharing: rules as data, and the findings of one pass. */
export { Findings, Known, PlainTexts, Rules, type Place } from './redaction-pass.ts'
export {
  isComposedKey,
  isMasked,
  isPlaceholder,
  isSecretOf,
  looksSecret,
  markOf,
  previewOf,
  schemeLength,
} from './heuristics.ts'
export { ACCESS } from './access-words.ts'
export { chosenLikeness, isWordsOfPassword } from './chosen-words.ts'
export { isKeyPart } from './find-by-name.ts'
export { describesField, mayBeChosen } from './field-descriptions.ts'
export { secretsOfCommand } from './commands.ts'
export type { NameRule, Names } from './secret-names.ts'
export { DEFAULT_REDACTIONS, type RedactionRule } from './redaction-rules.ts'
export { cleanedText, type LocalSecret, type Pass } from './redact-text.ts'
export { KeyLines } from './key-lines.ts'
export { isPreference } from './preference-cookies.ts'
export { secretsAmong } from './prose.ts'
export { isSecurityQuestion } from './spoken-secrets.ts'
