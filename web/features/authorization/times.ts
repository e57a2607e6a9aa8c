/** Timestamps and durations of tokens as text. */
import { formatsFor } from '../../ui/index.ts'

/**
 * A local time, with the date if it isn't today.
 * @param at,now ms since the epoch
 */
export const moment = (at: number, now: number, locale: string): string => {
  const date = new Date(at)
  // A server may send any number of seconds.
  if (Number.isNaN(date.getTime())) return '—'
  const sameDay = date.toDateString() === new Date(now).toDateString()
  return new Intl.DateTimeFormat(locale, {
    ...(sameDay ? {} : { dateStyle: 'medium' as const }),
    timeStyle: 'medium',
  }).format(date)
}

/**
 * A duration in whole seconds, never negative: `59 min 12 s`, `3 h 4 min`, `12 d`.
 * @param ms milliseconds
 */
export const span = (ms: number, locale: string): string => {
  const left = Math.max(0, ms)
  const days = Math.floor(left / 86_400_000)
  // Both languages use the same symbol for days, as for the other units.
  if (days >= 2) return `${new Intl.NumberFormat(locale).format(days)} d`
  return left < 500 ? '0 s' : formatsFor(locale).ms(Math.round(left / 1000) * 1000)
}
