/** The user's settings for stored sessions. Shared by all tabs; loaded values are untrusted input. */
import { isObject } from '../../mcp/index.ts'
import { storedJson, type Store } from '../../ui/index.ts'

export interface KeepSettings {
  readonly on: boolean
  /** MB (10^6 characters) for all sessions together. */
  readonly megabytes: number
  readonly days: number
}

const KEEP_DEFAULT: KeepSettings = { on: true, megabytes: 200, days: 14 }
/** Minimum and maximum of each. */
export const KEEP_BOUNDS = { megabytes: [5, 2000], days: [1, 365] } as const

const KEY = 'periscope.sessions'

export const loadKeepSettings = (store: Store): KeepSettings => {
  const value = storedJson(store, KEY)
  const { on, megabytes, days } = isObject(value) ? value : {}
  return {
    on: typeof on === 'boolean' ? on : KEEP_DEFAULT.on,
    megabytes: within('megabytes', megabytes) ?? KEEP_DEFAULT.megabytes,
    days: within('days', days) ?? KEEP_DEFAULT.days,
  }
}

export const saveKeepSettings = (store: Store, settings: KeepSettings): void =>
  store.setItem(KEY, JSON.stringify(settings))

/** The number, rounded, if it is within its bounds. */
export const within = (which: keyof typeof KEEP_BOUNDS, value: unknown): number | undefined => {
  const [least, most] = KEEP_BOUNDS[which]
  return typeof value === 'number' && value >= least && value <= most ? Math.round(value) : undefined
}

/** Whether there are sessions to show on the first screen, which then loads the code that lists them. */
const SOME = 'periscope.sessions.some'
export const someKept = (store: Store): boolean => store.getItem(SOME) !== null
export const tellKept = (store: Store, some: boolean): void =>
  some ? store.setItem(SOME, '1') : store.removeItem(SOME)
