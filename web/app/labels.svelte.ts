/** Labels for the shell's values, in the current language. */
import type { TabFeature } from '../features/feature.ts'
import type { Phase } from '../mcp/index.ts'
import { language } from '../ui/index.svelte.ts'
import { customTransport, type Target } from './connect/index.ts'
import type { Proxy } from './proxy-link.svelte.ts'
import type { ShownState } from './server/index.ts'
import { texts } from './text/texts.svelte.ts'

export const statusLabel = (status: ShownState): string => texts.t[`state-${status}`]

/** Why this page can't use the proxy that serves it, and how to fix that. */
export const proxyNote = ({ state }: Proxy): string | undefined =>
  state === 'there' || state === 'none' || state === 'unknown' ? undefined : texts.t[`proxy-${state}`]

export const stepLabel = (step: Phase): string => texts.t[`step-${step}`]

export const transportLabel = (target: Target): string => {
  if (target.kind !== 'custom') return texts.t[`transport-${target.kind}`]
  const transport = customTransport(target.url)
  if (typeof transport === 'object') return transport.module
  return transport === 'WebSocket' ? transport : texts.t[`transport-${transport}`]
}

export const titleOf = ({ title }: TabFeature): string => title[language.current]

const MINUTE = 60_000
const UNITS = [
  ['day', 24 * 60 * MINUTE],
  ['hour', 60 * MINUTE],
  ['minute', MINUTE],
] as const

/** `2 minutes ago`, `yesterday`. A time after now is now: the clock that the caller counts from may be seconds old. */
export const agoLabel = (ms: number, locale: string): string => {
  const words = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const [unit, length] = UNITS.find(([, size]) => ms >= size) ?? ['minute', MINUTE]
  return words.format(-Math.floor(Math.max(0, ms) / length), unit)
}

/** Date and time to the minute, formatted for the language. @param iso ISO 8601 */
export const whenLabel = (iso: string): string =>
  new Intl.DateTimeFormat(language.current, { dateStyle: 'medium', timeStyle: 'short' }).format(Date.parse(iso))
