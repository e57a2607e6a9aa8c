/** The claims of a token as rows: what each is called, what it says, and when that is. */
import type { JsonObject } from '../../mcp/index.ts'
import { visible } from '../../oauth/index.ts'

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
