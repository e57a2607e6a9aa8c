import { JsonSyntaxError } from '../json/index.ts'
import { messageOf } from '../mcp/index.ts'
import { texts } from './text/texts.svelte.ts'

/** What is wrong with a JSON text, and where, in the current language, without a full stop. */
export const jsonFault = (error: unknown): string =>
  error instanceof JsonSyntaxError ? texts.t.notJson(error.fault, error.line, error.column) : messageOf(error)
