/** The content of a token as tables: its claims (RFC 7519), and requested and granted scopes (RFC 6749 section 3.3). */
import type { JsonObject } from '../../mcp/index.ts'
import { scopesOf, union, visible } from '../../oauth/index.ts'

export interface ClaimRow {
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
