/** Sharing a session: choosing what to include, redacting it, and the dialog. */
export { redact } from './redact.ts'
