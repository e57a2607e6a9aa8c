/**
 * What a response says about its cause beyond its status (RFC 9110 section 15): a challenge, a time to wait, a check that
 * refused the request. Bodies are texts of servers and gateways, so they are only matched, and only their start.
 */
export type StatusAdvice =
  /** `after`: the value of Retry-After, in seconds or as a date (RFC 9110 section 10.2.3). */
  | { readonly is: 'rate'; readonly after?: string }
  | { readonly is: 'gateway'; readonly after?: string }
  /** A user name and a password (RFC 7617). */
  | { readonly is: 'basic' }
  /** `header`: the name that the server gave. */
  | { readonly is: 'api-key'; readonly header: string }
  /** The server accepts only known host names, to prevent DNS rebinding. */
  | { readonly is: 'host-check' }
  | { readonly is: 'origin-check' }
  | { readonly is: 'accept' | 'content-type' }

interface Responded {
  readonly status: number
  readonly body?: string | undefined
  /** The values of these headers. */
  readonly challenge?: string | undefined
  readonly retryAfter?: string | undefined
}

/** Characters of a body that are read. */
const READ = 2_000

/** nginx, Cloudflare and other gateways: the server behind them didn't respond (RFC 9110 sections 15.6.3 to 15.6.5). */
const isGateway = (status: number) => [502, 503, 504].includes(status) || (status >= 520 && status <= 530)

const REFUSED = String.raw`(?:invalid|not (?:allowed|permitted|valid)|disallowed|forbidden|rejected|blocked|unknown|unrecogni[sz]ed|mismatch|misdirected)`
const about = (word: string) =>
  new RegExp(`\\b${word}\\b.{0,80}\\b${REFUSED}\\b|\\b${REFUSED}\\b.{0,80}\\b${word}\\b`, 'is')
const HOST = about('host(?:name)?s?(?: header)?')
const ORIGIN = about('origins?')
const API_KEY = /\b(x-[a-z\d-]*(?:key|token))\b/i
const SAYS_API_KEY = /\bapi[ _-]?key\b/i

export const statusAdvice = ({
  status,
  body = '',
  challenge = '',
  retryAfter,
}: Responded): StatusAdvice | undefined => {
  const text = body.slice(0, READ)
  const after = retryAfter === undefined ? {} : { after: retryAfter.slice(0, 100) }
  if (status === 401 || status === 403) {
    const said = `${challenge}\n${text}`
    const named = API_KEY.exec(said)
    if (named || SAYS_API_KEY.test(said)) return { is: 'api-key', header: named?.[1] ?? 'X-API-Key' }
  }
  if (status === 401) return /^\s*basic\b/i.test(challenge) ? { is: 'basic' } : undefined
  if (status === 429) return { is: 'rate', ...after }
  if (isGateway(status)) return { is: 'gateway', ...after }
  if (status === 406) return { is: 'accept' }
  if (status === 415) return { is: 'content-type' }
  if (![400, 403, 421].includes(status)) return undefined
  // "Origin" first: such messages often name the host of the origin.
  if (ORIGIN.test(text)) return { is: 'origin-check' }
  return status === 421 || HOST.test(text) || /DNS rebinding/i.test(text) ? { is: 'host-check' } : undefined
}
