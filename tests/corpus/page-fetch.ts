/**
 * A `fetch` that obeys a browser's rules for pages: it sends the preflight, respects its response, and hides headers
 * that the server doesn't expose. So a server counts as "direct" only if a real page could reach it.
 * @see https://fetch.spec.whatwg.org/#http-cors-protocol
 */

/** What was blocked, in the words of the developer console. A page can't see this. */
export interface PageFetch {
  readonly fetch: typeof fetch
  readonly refused: readonly string[]
  /** Names of headers that servers expose, whether present or not. */
  readonly exposed: ReadonlySet<string>
}

/** CORS-safelisted request headers. Content-Type is safe with three values only, none of them JSON. */
const SAFE_REQUEST = new Set(['accept', 'accept-language', 'content-language'])
const SAFE_TYPE = /^\s*(application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\s*(;|$)/i

const SAFE_METHODS = new Set(['GET', 'HEAD', 'POST'])

const SAFE_RESPONSE = new Set([
  'cache-control',
  'content-language',
  'content-length',
  'content-type',
  'expires',
  'last-modified',
  'pragma',
])

/** @param origin the page's origin, different from every server's */
export const pageFetch = (origin: string, send: typeof fetch = fetch): PageFetch => {
  const refused: string[] = []
  const allExposed = new Set<string>()
  const refuse = (url: string, why: string): never => {
    refused.push(`${new URL(url).pathname}: ${why}`)
    throw new TypeError('Failed to fetch')
  }
  const asPage: typeof fetch = async (input, init = {}) => {
    const url = input instanceof Request ? input.url : String(input)
    const { method = 'GET' } = init
    const headers = new Headers(init.headers)
    const unsafe = unsafeOf(headers)
    if (unsafe.length > 0 || !SAFE_METHODS.has(method)) {
      const why = await preflight(send, url, origin, method, unsafe)
      if (why) refuse(url, why)
    }
    headers.set('origin', origin)
    const response = await send(url, { ...init, headers })
    if (!allows(response, origin)) refuse(url, `the answer to ${method} does not allow this origin`)
    const shown = new Headers()
    const exposed = listOf(response.headers.get('access-control-expose-headers'))
    for (const name of exposed) allExposed.add(name)
    for (const [name, value] of response.headers) {
      if (SAFE_RESPONSE.has(name) || exposed.has(name) || exposed.has('*')) shown.append(name, value)
    }
    return Object.defineProperties(response, { headers: { value: shown }, type: { value: 'cors' } })
  }
  return { fetch: asPage, refused, exposed: allExposed }
}

/** @returns why the browser would block the request */
export const preflight = async (
  send: typeof fetch,
  url: string,
  origin: string,
  method: string,
  unsafe: readonly string[],
): Promise<string | undefined> => {
  const answer = await send(url, {
    method: 'OPTIONS',
    headers: {
      origin,
      accept: '*/*',
      'access-control-request-method': method,
      ...(unsafe.length > 0 ? { 'access-control-request-headers': unsafe.join(',') } : {}),
    },
    signal: AbortSignal.timeout(10_000),
  })
  await answer.body?.cancel()
  if (!allows(answer, origin)) return `the preflight (HTTP ${answer.status}) does not allow this origin`
  if (!answer.ok) return `the preflight was answered HTTP ${answer.status}`
  const methods = listOf(answer.headers.get('access-control-allow-methods'))
  if (!SAFE_METHODS.has(method) && !methods.has(method.toLowerCase()) && !methods.has('*')) {
    return `the preflight does not allow ${method}`
  }
  const names = listOf(answer.headers.get('access-control-allow-headers'))
  // The wildcard doesn't cover `authorization`.
  const missing = unsafe.filter((name) => !names.has(name) && (!names.has('*') || name === 'authorization'))
  return missing.length > 0 ? `the preflight does not allow ${missing.join(', ')}` : undefined
}

const unsafeOf = (headers: Headers): string[] =>
  [...headers]
    .filter(([name, value]) => (name === 'content-type' ? !SAFE_TYPE.test(value) : !SAFE_REQUEST.has(name)))
    .map(([name]) => name)
    .sort()

const allows = ({ headers }: Response, origin: string): boolean => {
  const allowed = headers.get('access-control-allow-origin')
  return allowed === '*' || allowed === origin
}

export const listOf = (header: string | null): Set<string> =>
  new Set((header ?? '').split(',').map((name) => name.trim().toLowerCase()))
