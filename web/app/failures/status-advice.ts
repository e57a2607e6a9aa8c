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
  /** Plain HTTP to a port that expects TLS. */
  | { readonly is: 'https-port' }
  /** A gateway that knows no such route. */
  | { readonly is: 'no-route' }
  /** A gateway's firewall or bot check, which lets only people in a browser through. */
  | { readonly is: 'firewall' }
  /** The platform that runs the server, which lets in only callers that it knows. */
  | { readonly is: 'platform' }
  /** The token lacks a scope (RFC 6750 section 3.1). `scope`: as the challenge names it. */
  | { readonly is: 'scope'; readonly scope: string }
  /** Another protocol on this port (RFC 9110 section 15.5.22). `to`: as Upgrade names it; a page often can't read that. */
  | { readonly is: 'upgrade'; readonly to?: string }
  /** The response speaks of a token or key that is wrong or missing. */
  | { readonly is: 'credentials' }
  | { readonly is: 'accept' | 'content-type' }

interface Responded {
  readonly status: number
  readonly body?: string | undefined
  /** The values of these headers. */
  readonly challenge?: string | undefined
  readonly retryAfter?: string | undefined
  readonly upgrade?: string | undefined
  /** A firewall's own header. */
  readonly mitigated?: string | undefined
}

/** Characters of a body that are read. */
const READ = 2_000

/** nginx, Cloudflare and other gateways: the server behind them didn't respond (RFC 9110 sections 15.6.3 to 15.6.5). */
const isGateway = (status: number) => [502, 503, 504].includes(status) || (status >= 520 && status <= 530)

/** What platforms and tunnels respond while nothing is behind them. */
const OFFLINE =
  /web ?app is stopped|\b(?:app(?:lication)?|site|service|deployment|environment) (?:is )?(?:stopped|suspended|paused|hibernat\w+)\b|ERR_NGROK_(?:3200|3004|8012)|\b(?:tunnel|endpoint) \S{1,100} is offline|\btunnel \S{1,100} not found|DEPLOYMENT_(?:NOT_FOUND|PAUSED|DISABLED)|\bApplication not found\b|no such app\b|no tunnel|no healthy upstream|backend not found|default backend - 404/i
/** What AWS API Gateway and Kong call a path without a route. */
const NO_ROUTE = /^\s*\{\s*"message":\s*"(?:Missing Authentication Token|no Route matched with those values)"/i

/** What Cloud Run and the function URLs of AWS respond to callers without an identity. */
const PLATFORM = /Your client does not have permission to get URL|Function URL authorization issues/i
const SCOPE = /\berror="?insufficient_scope\b/i

/** What nginx, Go, Apache and Tomcat respond to plain HTTP. */
const HTTPS_PORT =
  /plain HTTP request was sent to (?:an )?HTTPS port|HTTP request to an HTTPS server|speaking plain HTTP to an SSL-enabled|combination of host and port requires TLS/i

const REFUSED = String.raw`(?:invalid|not (?:allowed|permitted|valid)|disallowed|forbidden|rejected|blocked|unknown|unrecogni[sz]ed|mismatch|misdirected|(?:not |un)trusted|does not match|didn't match|checking failed)`
const about = (word: string) =>
  new RegExp(`\\b${word}\\b.{0,80}\\b${REFUSED}\\b|\\b${REFUSED}\\b.{0,80}\\b${word}\\b`, 'is')
const HOST = about('host(?:name)?s?(?: header)?')
const ORIGIN = about('origins?')
const CROSS_ORIGIN = /invalid CORS request|not allowed by CORS|cross-origin request (?:detected|blocked|refused)/i
const OTHER_HOST =
  /DNS rebinding|DisallowedHost|only allowed (?:at|from) (?:localhost|127\.)|Host header is specified and is not/i
const RATE =
  /\brate[ _-]?limit|\brate exceeded|throttl|too many requests|\bquota\b.{0,40}\b(?:exceeded|replenished|reached)|(?:exceeded|out of).{0,40}\bquota\b/is
const ACCEPT =
  /\baccept\b['"`]?(?: header)?.{0,40}\b(?:must|required|missing|invalid|not acceptable)|\b(?:unsupported|invalid|missing|required in)\s+['"`]?accept\b/i
const CONTENT_TYPE =
  /\b(?:invalid|unsupported|missing|unexpected|wrong)\b.{0,20}\bcontent[- ]type|\bcontent[- ]type\b.{0,30}\b(?:must|required|invalid|not supported|unsupported|is missing)/i
/** What challenges and refusals of Cloudflare, Akamai, Imperva, AWS, Sucuri, ModSecurity and others contain. */
const FIREWALL =
  /_cf_chl_opt|\bcf-(?:chl|browser-verification)\b|Just a moment\.\.\.|Attention Required! \| Cloudflare|checking your browser|enable JavaScript and cookies to continue|\bcaptcha\b|_Incapsula_Resource|Incapsula incident|Sucuri WebSite Firewall|mod_?security|\bawswaf\b|web application firewall|errors(?:\.|&#46;)edgesuite(?:\.|&#46;)net|Reference(?:\s|&#32;){0,3}(?:#|&#35;)\d{1,12}(?:\.|&#46;)[\da-f]+|verify(?:ing)? (?:that )?you are (?:a )?human|bot (?:protection|detection)/i
/** The name of a header for a key: its usual forms, what a challenge names, and what a text calls a header. */
const API_KEY =
  /\b((?:x-|ocp-)[a-z\d-]*(?:key|token))\b|\bname="(?!_|[\w-]*(?:csrf|xsrf|authenticity|verification))([\w-]*(?:key|token))"|["'`]([\w-]*api-?key)["'`](?:\s+(?:request )?header|.{0,20}\b(?:request header|in the header))|\bheaders?\b["'`:,\s\]]{0,4}["'`]?([a-z][\w-]*-?(?:api-?key|subscription-key|subscription-token))\b/i
/** A token or key of the caller. A CSRF token belongs to pages with forms. */
const TOKEN =
  /\b(?:invalid|missing|expired|wrong|bad|unknown|revoked|no)\b (?:(?!csrf|xsrf|anti-?forgery)\S{1,20} ){0,2}(?:token|credentials?)\b|(?<!csrf |xsrf |anti-forgery )\b(?:token|credentials?) (?:is |are |was |were |has |have )?(?:been )?(?:invalid|missing|expired|required|revoked|rejected|not valid)\b/i
/** The key is sent as a token. */
const BEARER = /\bBearer\b/i
const SAYS_API_KEY = /\bapi[ _-]?key\b/i

export const statusAdvice = ({
  status,
  body = '',
  challenge = '',
  retryAfter,
  upgrade,
  mitigated,
}: Responded): StatusAdvice | undefined => {
  const text = body.slice(0, READ)
  const after = retryAfter === undefined ? {} : { after: retryAfter.slice(0, 100) }
  if (mitigated !== undefined && /^\s*(?:challenge|captcha)\b/i.test(mitigated)) return { is: 'firewall' }
  if ([401, 403, 405, 406, 429, 503].includes(status) && FIREWALL.test(text)) return { is: 'firewall' }
  if (status >= 400 && status < 500 && HTTPS_PORT.test(text)) return { is: 'https-port' }
  if ((status === 403 || status === 404) && NO_ROUTE.test(text)) return { is: 'no-route' }
  if ([402, 403, 404, 410].includes(status) && OFFLINE.test(text)) return { is: 'gateway', ...after }
  if (status === 403 && PLATFORM.test(text)) return { is: 'platform' }
  if (status === 403 && SCOPE.test(challenge))
    return { is: 'scope', scope: /\bscope="([^"]{1,200})"/i.exec(challenge)?.[1] ?? '' }
  if (status === 426) return { is: 'upgrade', ...(upgrade === undefined ? {} : { to: upgrade.slice(0, 100) }) }
  if ((status === 403 || status === 400) && RATE.test(text)) return { is: 'rate', ...after }
  if (status === 401 || status === 403 || status === 422) {
    const said = `${challenge.slice(0, READ)}\n${text}`
    const named = API_KEY.exec(said)
    const header = named?.slice(1).find((name) => name !== undefined)
    if (header !== undefined || (status !== 422 && SAYS_API_KEY.test(said)))
      return { is: 'api-key', header: header ?? (BEARER.test(said) ? 'Authorization' : 'X-API-Key') }
  }
  if (status === 403 && TOKEN.test(text)) return { is: 'credentials' }
  if (status === 401) return /^\s*basic\b/i.test(challenge) ? { is: 'basic' } : undefined
  if (status === 429) return { is: 'rate', ...after }
  // The server itself, or its operator, says that it is down.
  if (status === 503 && /maintenance/i.test(text)) return undefined
  if (isGateway(status)) return { is: 'gateway', ...after }
  if (status === 406) return { is: 'accept' }
  if (status === 415) return { is: ACCEPT.test(text) ? 'accept' : 'content-type' }
  if (CROSS_ORIGIN.test(text)) return { is: 'origin-check' }
  if (OTHER_HOST.test(text)) return { is: 'host-check' }
  if (status === 400 && ACCEPT.test(text)) return { is: 'accept' }
  if (status === 400 && CONTENT_TYPE.test(text)) return { is: 'content-type' }
  if (![400, 403, 421].includes(status)) return undefined
  // "Origin" first: such messages often name the host of the origin.
  if (ORIGIN.test(text)) return { is: 'origin-check' }
  // A name that differs from that of TLS is a matter of the connection, not of a list.
  if (/Server Name Indication/i.test(text)) return undefined
  return status === 421 || HOST.test(text) ? { is: 'host-check' } : undefined
}
