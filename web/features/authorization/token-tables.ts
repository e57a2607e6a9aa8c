/** The content of a token: its claims (RFC 7519), requested and granted scopes (RFC 6749 section 3.3), and its times. */
import type { JsonObject } from '../../mcp/index.ts'
import { scopesOf, union } from '../../oauth/index.ts'
import { formatsFor, visible } from '../../ui/index.ts'

interface ClaimRow {
  readonly name: string
  readonly text: string
  /** For time claims: ms since the epoch. */
  readonly at?: number
}

/** RFC 7519 section 4.1, OpenID Connect Core section 2: seconds since the epoch. */
const TIMES: ReadonlySet<string> = new Set(['exp', 'nbf', 'iat', 'auth_time', 'updated_at'])

export const MOST_CLAIMS = 100

/** In the order of the token. Claims beyond the limit are in the JSON view. */
export const claimRows = (claims: JsonObject): readonly ClaimRow[] =>
  Object.entries(claims)
    .slice(0, MOST_CLAIMS)
    .map(([name, value]) => {
      const text = visible(typeof value === 'string' ? value : JSON.stringify(value), 600)
      const row = { name: visible(name, 100), text }
      // A number beyond the range of Date is shown as a number.
      const isTime = TIMES.has(name) && typeof value === 'number' && Math.abs(value) < 8.64e12
      return isTime ? { ...row, at: Math.round(value * 1000) } : row
    })

interface ScopeRow {
  readonly scope: string
  /** `extra`: granted but not requested. */
  readonly status: 'granted' | 'missing' | 'extra'
}

/**
 * @param requested absent: no scope was requested, so the server chose
 * @param granted absent: the response doesn't say, so the status of every scope is unknown
 */
export const scopeRows = (requested: string | undefined, granted: string | undefined): readonly ScopeRow[] => {
  const asked = scopesOf(requested)
  const given = scopesOf(granted)
  return [
    ...asked.map((scope): ScopeRow => ({ scope, status: given.includes(scope) ? 'granted' : 'missing' })),
    ...given
      .filter((scope) => !asked.includes(scope))
      .map((scope): ScopeRow => ({ scope, status: requested === undefined ? 'granted' : 'extra' })),
  ]
}

interface StepUpScopes {
  /** Scopes that the tokens grant, or that were requested with them. */
  readonly held: readonly string[]
  /** Scopes that the challenge names and the tokens lack. */
  readonly missing: readonly string[]
  /** Scopes that the new sign-in would request. */
  readonly asked: readonly string[]
}

/**
 * @param wanted the scopes of the challenge; absent: it names none, or the page can't read it
 * @param asked the scopes to request according to the rules (AU-SCOPE-04); absent: no `scope` parameter
 */
export const stepUpScopes = (
  granted: string | undefined,
  wanted: string | undefined,
  asked: string | undefined,
): StepUpScopes => {
  const held = scopesOf(granted)
  return {
    held,
    missing: scopesOf(wanted).filter((scope) => !held.includes(scope)),
    asked: scopesOf(union(asked)),
  }
}

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
