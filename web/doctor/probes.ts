/**
 * Requests that find out what a browser refuses, or whether a server fails at everything. They have no effect on the
 * server, go only to the URL the user entered, are few, and each is recorded.
 */
import {
  HttpRecorder,
  messageOf,
  readText,
  Tap,
  headerIn,
  unsafeHeaders,
  type HeaderList,
  type Link,
  type Trace,
} from '../mcp/index.ts'
import { parsedUrl } from '../mcp/url.ts'
import { maskHeaders, maskUrl } from '../secrets/index.ts'
import { preflightHeaders, type RefusedRequest } from './cors.ts'

/** ms per request. */
const PATIENCE = 5_000
/** ms for a preflight, while another request gets its response. */
export const PREFLIGHT_PATIENCE = 2_000

/** Bytes of a body that is read. */
const MOST_TEXT = 65_536

export interface Examined {
  readonly trace: Trace
  readonly link: Link
  /** The URL of the connection, with its secrets. */
  readonly url: string
}

/** Sends one request and records it. Never throws. @returns the head of the response, if there was one, and its text if it was read */
const probe = async (
  { trace, link, url }: Examined,
  head: {
    readonly method: string
    readonly headers: readonly (readonly [string, string])[]
    readonly mode?: 'no-cors'
    readonly body?: string
    /** Reads the body of the response, and records it. */
    readonly reads?: true
  },
  fetchWith: typeof fetch,
  relayed: boolean,
  patience = PATIENCE,
  onSilence: () => void = () => {},
): Promise<{ readonly status: number; readonly type: string; readonly text: string } | undefined> => {
  const recorder = new HttpRecorder(new Tap(trace, link), { url: maskUrl, headers: maskHeaders })
  const { method, headers, mode, body, reads } = head
  const seq = recorder.request({
    method,
    url: maskUrl(url),
    headers: maskHeaders(headers),
    size: body?.length ?? 0,
    purpose: 'diagnosis',
    ...(body === undefined ? {} : { body }),
    ...(mode ? { mode } : {}),
    ...(relayed ? { relayed: true } : {}),
  })
  const over = new AbortController()
  let stage: 'headers' | 'body' = 'headers'
  const timer = setTimeout(() => {
    over.abort(new Error(`No response within ${patience / 1000} s`))
    if (stage === 'headers') onSilence()
  }, patience)
  try {
    const response = await fetchWith(url, {
      method,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      signal: over.signal,
      cache: 'no-store',
      credentials: 'omit',
      ...(mode ? { mode } : {}),
      ...(body === undefined ? {} : { body }),
    })
    recorder.response(seq, response)
    stage = 'body'
    const text = reads ? await readText(response.body, MOST_TEXT) : ''
    recorder.end(seq, text.length, text)
    return { status: response.status, type: response.headers.get('content-type') ?? '', text }
  } catch (error) {
    recorder.failed(seq, stage, messageOf(over.signal.aborted ? over.signal.reason : error))
    return undefined
  } finally {
    clearTimeout(timer)
    // The body may be an event stream without an end.
    over.abort()
  }
}

/**
 * Sends the OPTIONS request that the browser would send, through the local proxy, which shows the whole response.
 * Never throws: the frames contain the outcome.
 * @param fetchRelayed through the local proxy
 */
export const askPermission = async (
  examined: Examined,
  refused: RefusedRequest,
  fetchRelayed: typeof fetch,
): Promise<void> => {
  const headers = [...preflightHeaders(refused), ...fetchMetadata(examined.url, refused.origin)]
  await probe(examined, { method: 'OPTIONS', headers }, fetchRelayed, true)
}

/**
 * What a browser says of itself and of the request, which firewalls read.
 * @see https://w3c.github.io/webappsec-fetch-metadata/
 */
const fetchMetadata = (url: string, origin: string): HeaderList => {
  // A page in a sandbox has the origin “null”.
  const [page, server] = [parsedUrl(origin), new URL(url)]
  // Without the list of public suffixes, hosts of one site can't be told from those of two.
  const isSameSite = page?.protocol === server.protocol && page.hostname === server.hostname
  return [
    // Requests with `cache: 'no-store'`, as all of ours, have these, and so have their preflights.
    ['cache-control', 'no-cache'],
    ['pragma', 'no-cache'],
    ['sec-fetch-dest', 'empty'],
    ['sec-fetch-mode', 'cors'],
    ['sec-fetch-site', isSameSite ? 'same-site' : 'cross-site'],
    ['user-agent', navigator.userAgent],
  ]
}

/** Asks for an event stream, as an MCP client would. */
export const getStatus = (examined: Examined, fetchWith: typeof fetch, relayed: boolean) =>
  probe(examined, { method: 'GET', headers: [['accept', 'text/event-stream']] }, fetchWith, relayed)

/**
 * Sends HEAD, which has no effect, to a server that hasn't responded to a request yet. From another origin, a second
 * request checks whether the server responds to OPTIONS, which the browser sends first. Never throws.
 * @returns whether it responds, but not to OPTIONS
 */
export const probeSilence = async (
  examined: Examined,
  way: 'same-origin' | 'cross-origin' | { readonly relayed: typeof fetch },
): Promise<boolean> => {
  const fetchWith: typeof fetch = typeof way === 'object' ? way.relayed : (input, init) => fetch(input, init)
  let isSilent = false
  const head = (more: { readonly headers: HeaderList; readonly mode?: 'no-cors' }, onSilence?: () => void) =>
    probe(examined, { method: 'HEAD', ...more }, fetchWith, typeof way === 'object', PREFLIGHT_PATIENCE, onSilence)
  if (way !== 'cross-origin') {
    await head({ headers: [] })
    return false
  }
  const [simple] = await Promise.all([
    head({ headers: [], mode: 'no-cors' }),
    head({ headers: [['content-type', 'application/json']] }, () => (isSilent = true)),
  ])
  return simple !== undefined && isSilent
}

/** The text of the request that `ping` sends, by which its frame is known. */
export const PING = '{"jsonrpc":"2.0","id":"diagnosis","method":"ping"}'

/**
 * Finds out whether a server that failed at the first request fails at everything, and whether the body of its response
 * can be read. Never throws.
 * @param typed headers that the user entered
 */
export const ping = async (
  examined: Examined,
  typed: HeaderList,
  fetchWith: typeof fetch,
  relayed: boolean,
): Promise<void> => {
  const headers = [['content-type', 'application/json'], ['accept', 'application/json, text/event-stream'], ...typed] as const // prettier-ignore
  await probe(examined, { method: 'POST', headers, body: PING, reads: true }, fetchWith, relayed)
}

/** Values of headers that a server may check before it looks at the method. */
const PLACEHOLDERS: Readonly<Record<string, string>> = { 'content-type': 'application/json' }

/** Headers tried one by one. */
const MOST_HEADERS = 8

/** The same host and port without TLS. Neither path nor query matter, and both may contain secrets. */
const withoutTls = (url: string): string | undefined => {
  const { protocol, host, port } = new URL(url)
  // Without a port, another one would be asked.
  return protocol === 'https:' && port !== '' ? `http://${host}/` : undefined
}

/**
 * Without a proxy: finds out from the page alone whether the server is there, whether it lets pages in at all, and which
 * headers it refuses; if it isn't there, whether something responds without TLS. Only GET requests, at most eleven. Never
 * throws.
 * @param headers names of the headers that the refused requests had
 * @param typed headers that the user entered, sent as they are: a server may count wrong credentials as an attack
 */
export const probeFromPage = async (
  examined: Examined,
  headers: readonly string[],
  typed: HeaderList = [],
): Promise<void> => {
  const get = async (headers: readonly (readonly [string, string])[], mode?: 'no-cors') =>
    await probe(
      examined,
      { method: 'GET', headers, ...(mode ? { mode } : {}) },
      (input, init) => fetch(input, init),
      false,
    )
  if (!(await get([], 'no-cors'))) {
    const plain = withoutTls(examined.url)
    const head = { method: 'GET', headers: [], mode: 'no-cors' } as const
    if (plain !== undefined) await probe({ ...examined, url: plain }, head, (input, init) => fetch(input, init), false)
    return
  }
  if (!(await get([]))) return
  const names = unsafeHeaders(headers).slice(0, MOST_HEADERS)
  const filled = names.map((name): [string, string] => [name, headerIn(typed, name) ?? PLACEHOLDERS[name] ?? 'x'])
  if (names.length === 0 || (await get(filled)) || names.length === 1) return
  for (const header of filled) await get([header])
}

/** By which requests for metadata are known. */
export const ACCEPTS_METADATA = 'application/json'

/** Reads metadata at the URL. Never throws. @returns the text of a success, at most 64 KiB */
export const getMetadata = async (examined: Examined, fetchWith: typeof fetch, relayed: boolean): Promise<string> => {
  const head = { method: 'GET', headers: [['accept', ACCEPTS_METADATA]], reads: true } as const
  const found = await probe(examined, head, fetchWith, relayed)
  return found && found.status < 300 ? found.text : ''
}

/**
 * Reads what a server says about signing in (RFC 9728), until one of the URLs responds with a success. Never throws: the
 * frames contain the outcome.
 * @param urls on the origin that the user entered, or the one URL that this server names
 * @param ways in this order, until one of them gets a response
 */
export const readMetadata = async (
  examined: Omit<Examined, 'url'>,
  urls: readonly string[],
  ways: readonly { readonly fetch: typeof fetch; readonly relayed: boolean }[],
): Promise<void> => {
  const head = { method: 'GET', headers: [['accept', ACCEPTS_METADATA]], reads: true } as const
  for (const url of urls) {
    for (const { fetch, relayed } of ways) {
      const found = await probe({ ...examined, url }, head, fetch, relayed)
      if (found && found.status < 400) return
      if (found) break
    }
  }
}
