/** Argument completion (`completion/complete`), as suggestions while typing. */
export { completionRules } from './completion-rules.ts'
export { completion } from './completion.ts'
