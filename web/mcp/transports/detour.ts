/**
 * A second way to the server: through the local proxy, when the browser refuses the direct one, or waits in vain for the
 * response to OPTIONS. A page never learns why a request failed, so the first request that fails decides, and all later
 * ones take the same way.
 *
 * Nothing that may have an effect is sent twice: the browser may have sent the request and hidden the response.
 */
import { isObject, messagesIn, read } from '../jsonrpc.ts'

/** The request that the browser refused. */
export interface RefusedByBrowser {
  /** Of HTTP+SSE, messages have another URL than the connection. */
  readonly url: string
  readonly method: string
  /** Names of its headers, in lower case. */
  readonly headers: readonly string[]
}

export class Detour {
  /** Through the local proxy. */
  readonly fetch: typeof fetch
  /** Aborted once it is known that the direct way stays silent. */
  readonly silent: AbortSignal | undefined
  readonly #onTaken: (refused: RefusedByBrowser) => void
  #taken = false

  /** @param onTaken called once, when it is known that the server can be reached this way */
  constructor(
    fetch: Detour['fetch'],
    onTaken: (refused: RefusedByBrowser) => void = () => {},
    silent?: Detour['silent'],
  ) {
    this.fetch = fetch
    this.#onTaken = onTaken
    this.silent = silent
  }

  /** A request has taken it, so all further ones do. */
  get taken(): boolean {
    return this.#taken
  }

  take(refused: RefusedByBrowser): void {
    if (this.#taken) return
    this.#taken = true
    this.#onTaken(refused)
  }
}

/** Methods of requests that only read. */
export const READ_METHODS: ReadonlySet<string> = new Set([
  'ping',
  'server/discover',
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'tasks/list',
  'tasks/get',
])

/** Methods that a server may receive twice: they read, or announce what it already knows. */
const REPEATABLE: ReadonlySet<string> = new Set([
  ...READ_METHODS,
  'initialize',
  'logging/setLevel',
  'subscriptions/listen',
  'tasks/result',
  'notifications/initialized',
  'notifications/cancelled',
  'notifications/roots/list_changed',
])

/** @param body of a POST; without one, the request only opens or ends a stream or a session */
export const isRepeatable = (method: 'GET' | 'POST' | 'DELETE', body: string | undefined): boolean => {
  if (method !== 'POST' || body === undefined) return method !== 'POST'
  const messages = messagesIn(read(body).message)
  return (
    messages.length > 0 &&
    messages.every((part) => isObject(part) && typeof part.method === 'string' && REPEATABLE.has(part.method))
  )
}
