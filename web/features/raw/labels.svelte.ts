/** Labels for the codes of this feature, in the current language. */
import { verdictOf, type Exchange } from '../../mcp/index.ts'
import { format, verdictTone, verdictWord } from '../../ui/index.svelte.ts'
import type { Look } from './look.ts'
import type { Sent } from './sent-fold.ts'
import { texts } from './text/texts.svelte.ts'

export const kindWord = (kind: Look['kind']): string => {
  const { t } = texts
  return {
    empty: t.kindEmpty,
    'not-json': t.kindNotJson,
    'too-long': t.kindTooLong,
    request: t.kindRequest,
    notification: t.kindNotification,
    result: t.kindResult,
    error: t.kindError,
    batch: t.kindBatch,
    invalid: t.kindInvalid,
  }[kind]
}

/** A sentence that says what the button will do. */
export const willText = ({ kind, message }: Look): string => {
  const { t } = texts
  return {
    empty: t.willNothing,
    'not-json': t.willNotJson,
    'too-long': t.willTooLong,
    request: t.willRequest,
    notification: t.willNotification,
    result: t.willAnswer,
    error: t.willAnswer,
    batch: t.willBatch(format.count(Array.isArray(message) ? message.length : 0)),
    invalid: t.willInvalid,
  }[kind]
}

/** The outcome of a message sent manually: a label, and a class for its tag. */
export const outcomeWord = (
  { failed, http }: Sent,
  exchange: Exchange | undefined,
): { readonly word: string; readonly tone: string } => {
  const { t } = texts
  if (exchange && exchange.status !== 'pending') {
    const verdict = verdictOf(exchange)
    return { word: verdictWord(verdict, exchange.error?.code), tone: verdictTone(verdict) }
  }
  if (failed) return { word: t.stateFailed, tone: 'bad' }
  if (http && http.status >= 400) return { word: `HTTP ${http.status}`, tone: 'bad' }
  if (exchange) return { word: verdictWord('pending'), tone: '' }
  return { word: http ? `HTTP ${http.status}` : t.stateSent, tone: '' }
}
