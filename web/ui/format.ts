/**
 * Formats numbers as text: durations, sizes, counts. Digits follow the language; units are the international symbols.
 */

export interface Formats {
  /** A whole number: `1,204`. */
  count(value: number): string
  /** Milliseconds: `0.4 ms`, `512 ms`, `6.1 s`, `2 min 5 s`, `3 h 20 min`. */
  ms(value: number): string
  /** Bytes, decimal units: `312 B`, `4.2 kB`, `20 MB`. */
  bytes(value: number): string
  /** Milliseconds since the trace began: `+12.104`, `+3:07.250`. */
  since(value: number): string
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB']

/** @param locale a BCP 47 tag, for example `en` or `zh-CN` */
export const formatsFor = (locale: string): Formats => {
  const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 })
  const tenth = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })
  const seconds = new Intl.NumberFormat(locale, {
    minimumFractionDigits: 3,
    maximumFractionDigits: 3,
    useGrouping: false,
  })
  // One decimal place while it is significant: 4.2, but 36.
  const short = (value: number): string => (value < 9.95 ? tenth : whole).format(value)

  const ms = (value: number): string => {
    if (!Number.isFinite(value)) return '∞'
    if (value < 0) return `−${ms(-value)}`
    if (value < 999.5) return `${short(value)} ms`
    if (value < 59_950) return `${tenth.format(value / 1000)} s`
    const total = Math.round(value / 1000)
    if (total < 3600) return join(Math.floor(total / 60), 'min', total % 60, 's')
    const minutes = Math.round(total / 60)
    return join(Math.floor(minutes / 60), 'h', minutes % 60, 'min')
  }
  const join = (large: number, unit: string, small: number, under: string): string =>
    `${whole.format(large)} ${unit}${small === 0 ? '' : ` ${small} ${under}`}`

  return {
    count: (value) => whole.format(value),
    ms,
    bytes(value) {
      let unit = 0
      // 999.5 would round to 1000, so the next unit takes over.
      while (value >= 999.5 && unit < UNITS.length - 1) {
        value /= 1000
        unit++
      }
      return `${unit === 0 ? whole.format(value) : short(value)} ${UNITS[unit]}`
    },
    since(value) {
      const rounded = Math.round(value)
      if (rounded < 60_000) return `+${seconds.format(rounded / 1000)}`
      const minutes = Math.floor(rounded / 60_000)
      const rest = seconds.format((rounded - minutes * 60_000) / 1000).padStart(6, '0')
      if (minutes < 60) return `+${minutes}:${rest}`
      return `+${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${rest}`
    },
  }
}
