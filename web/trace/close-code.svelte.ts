/** Explains the code that ended a WebSocket, in the current language. */
import { isCloseCode } from './facts.ts'
import { texts } from './text/texts.svelte.ts'

/** What the code means, and what to do; `undefined` for codes of applications, which only their server explains. */
export const closeCodeText = (code: unknown): string | undefined =>
  isCloseCode(code) ? texts.t[`close-${code}`] : undefined
