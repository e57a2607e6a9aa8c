/** What a token holds, as tables: its claims (RFC 7519), and the scopes that were requested and granted (RFC 6749 section 3.3). */
import type { JsonObject } from '../../mcp/index.ts'
import { scopesOf, union, visible } from '../../oauth/index.ts'

export interface ClaimRow {
  readonly name: string
  readonly text: string
  /** Of a time: ms since the epoch. */
  readonly at?: number
}

/** RFC 7519 section 4.1, OpenID Connect Core section 2: seconds since the epoch. */
const TIMES: ReadonlySet<string> = new Set(['exp', 'nbf', 'iat', 'auth_time', 'updated_at'])

export const MOST_CLAIMS = 100

/** In the order of the token; what is beyond the bound is in the JSON. */
export const claimRows = (claims: JsonObject): readonly ClaimRow[] =>
  Object.entries(claims)
    .slice(0, MOST_CLAIMS)
    .map(([name, value]) => {
      const text = visible(typeof value === 'string' ? value : JSON.stringify(value), 600)
      const row = { name: visible(name, 100), text }
      // Beyond the range of a Date it is a number like any other.
      const isTime = TIMES.has(name) && typeof value === 'number' && Math.abs(value) < 8.64e12
      return isTime ? { ...row, at: Math.round(value * 1000) } : row
    })

interface ScopeRow {
  readonly scope: string
  /** `extra`: granted though nobody asked. */
  readonly status: 'granted' | 'missing' | 'extra'
}

/**
 * @param requested absent: nothing was asked for, the server chose
 * @param granted absent: nobody told, which leaves every scope open
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
  /** What the tokens grant, or were asked for with. */
  readonly held: readonly string[]
  /** What the challenge names and is not held. */
  readonly missing: readonly string[]
  /** What a sign-in for it would ask for. */
  readonly asked: readonly string[]
}

/**
 * @param wanted the scopes of the challenge; absent: it named none, or the page may not see it
 * @param asked what the rules make of both (AU-SCOPE-04); absent: no parameter
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
