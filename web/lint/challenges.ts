/**
 * `WWW-Authenticate` as far as rules ask for it: the challenges for bearer tokens and their parameters, read with patience
 * (RFC 9110 section 11.6.1, RFC 6750 section 3). Commas part challenges as well as parameters: a word before `=` is a
 * parameter, any other word begins a challenge.
 */
import type { HeaderList } from '../mcp/index.ts'

export interface BearerChallenge {
  readonly scheme: 'bearer' | 'dpop'
  /** By their names in lower case; the first of a name counts. */
  readonly params: ReadonlyMap<string, string>
}

/** UTF-16 units that are read. */
const LONGEST = 16_384
const PART = /([!#$%&'*+.^_`|~\w-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"?|([^\s,"]*)))?/g

export interface Challenges {
  /** There is a challenge of any scheme. */
  readonly any: boolean
  readonly bearer: readonly BearerChallenge[]
}

/** @returns `undefined` where the header is not there, or not to be seen */
export const challengesIn = (headers: HeaderList): Challenges | undefined => {
  const values = headers.flatMap(([name, value]) => (name.toLowerCase() === 'www-authenticate' ? [value] : []))
  if (values.length === 0) return undefined
  const found: BearerChallenge[] = []
  let any = false
  let params: Map<string, string> | undefined
  for (const [whole, word = '', quoted, bare] of values.join(', ').slice(0, LONGEST).matchAll(PART)) {
    if (whole === word) {
      any = true
      const scheme = word.toLowerCase()
      const isBearer = scheme === 'bearer' || scheme === 'dpop'
      params = isBearer ? new Map() : undefined
      if (isBearer) found.push({ scheme, params: params! })
      continue
    }
    const name = word.toLowerCase()
    if (params && !params.has(name)) params.set(name, quoted?.replace(/\\(.)/gs, '$1') ?? bare ?? '')
  }
  return { any, bearer: found }
}
