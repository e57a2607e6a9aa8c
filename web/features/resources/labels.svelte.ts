/** What codes of this feature are called, in the current language. */
import type { TemplateFault } from './uri-template.ts'
import { texts } from './text/texts.svelte.ts'
import type { SubscriptionStatus } from './updates-fold.ts'

export const statusLabel = (status: SubscriptionStatus): string => {
  const { t } = texts
  return {
    asked: t.standingAsked,
    on: t.standingOn,
    leaving: t.standingLeaving,
    off: t.standingOff,
    refused: t.standingRefused,
    unclear: t.standingUnclear,
    cut: t.standingCut,
    lost: t.standingLost,
  }[status]
}

export const statusTone = (status: SubscriptionStatus): string =>
  status === 'on' ? 'ok' : status === 'refused' ? 'bad' : /^(unclear|cut|lost)$/.test(status) ? 'warn' : ''

export const faultText = ({ code, found }: TemplateFault): string => {
  const { t } = texts
  return {
    'too-long': t.faultTooLong,
    'too-many': t.faultTooMany,
    braces: t.faultBraces,
    empty: t.faultEmpty,
    name: t.faultName,
    operator: t.faultOperator,
  }[code](found)
}
