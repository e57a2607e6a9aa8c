import { jsonFaultIn } from './field-texts.ts'
import { texts } from './text/texts.svelte.ts'

/** What is wrong with a JSON text, and where, in the current language, without a full stop. */
export const jsonFault = (error: unknown): string => jsonFaultIn(error, texts.t)
