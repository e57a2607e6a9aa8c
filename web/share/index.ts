/** Sharing a session: choosing what goes along, redacting it, and the dialog. */
export { redact } from './redact.ts'
