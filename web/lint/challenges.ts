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

export const bearerChallenges = (headers: HeaderList): readonly BearerChallenge[] => {
  const found: BearerChallenge[] = []
  let params: Map<string, string> | undefined
  const text = headers.flatMap(([name, value]) => (name.toLowerCase() === 'www-authenticate' ? [value] : [])).join(', ')
  for (const [whole, word = '', quoted, bare] of text.slice(0, LONGEST).matchAll(PART)) {
    if (whole === word) {
      const scheme = word.toLowerCase()
      const isBearer = scheme === 'bearer' || scheme === 'dpop'
      params = isBearer ? new Map() : undefined
      if (isBearer) found.push({ scheme, params: params! })
      continue
    }
    const name = word.toLowerCase()
    if (params && !params.has(name)) params.set(name, quoted?.replace(/\\(.)/gs, '$1') ?? bare ?? '')
  }
  return found
}
