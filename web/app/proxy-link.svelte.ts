/** The local proxy: how the page was opened, with a launch code in the fragment or as a static copy, and the bridge. */
import type { Store } from '../ui/index.ts'
import type { Hello, Launched, LaunchRequest, ProxyError, TokenHeader } from '../../proxy/wire.ts'
import type { Bridge, BridgeOptions, ProxyChannelState } from '../mcp/index.ts'
import type { Target } from './connect/index.ts'
import { cleanAddress } from './route.ts'

/**
 * `no-token`: a proxy is running, but this page wasn't opened with a URL that it printed. `refused`: it was, but with a
 * URL of another launch. `code-used`, `code-expired`: the URL was opened before, or too late.
 */
export type Proxy =
  | { readonly state: 'unknown' | 'none' }
  | { readonly state: 'no-token' | 'refused' | 'code-used' | 'code-expired' }
  | { readonly state: 'there'; readonly hello: Hello; readonly token: string; readonly base: string }

/** Removes the launch code from a fragment; the rest of the fragment is kept. */
export const takeCode = (hash: string): { readonly code?: string; readonly rest: string } => {
  const match = /(?:^#|&)launch=([\w-]+)/.exec(hash)
  if (!match) return { rest: hash }
  const rest = hash.replace(match[0], match[0].startsWith('#') ? '#' : '').replace(/^#&/, '#')
  return { code: match[1]!, rest: rest === '#' ? '' : rest }
}

/** Removes the code from the URL first of all, so that no screenshot or copied link contains it. */
export const takeCodeOf = (page: Pick<Window, 'location' | 'history'>): ReturnType<typeof takeCode> => {
  const found = takeCode(page.location.hash)
  if (found.code !== undefined) cleanAddress(page, found.rest)
  return found
}

/** Storage key of the token, so that it survives a reload. */
const TOKEN = 'periscope.token'

/**
 * Finds the proxy with the URL's code, or with the token that this tab got for an earlier code. Never throws.
 * @param base URL of the page's directory, ending in a slash
 */
export const launch = async (
  base: string,
  code: string | undefined,
  store: Pick<Store, 'getItem' | 'setItem'>,
  fetchWith: typeof fetch = fetch,
): Promise<Proxy> => {
  const stored = store.getItem(TOKEN) ?? undefined
  if (code === undefined) {
    // The proxy never uses https; a request to a static host would only leave a 404 in its log.
    if (stored === undefined && base.startsWith('https:')) return { state: 'none' }
    return await findProxy(base, stored, fetchWith)
  }
  const exchanged = await exchange(base, code, fetchWith)
  if (exchanged.state === 'launched') {
    store.setItem(TOKEN, exchanged.token)
    return await findProxy(base, exchanged.token, fetchWith)
  }
  // The same URL again in the tab that it opened: restored, or clicked twice.
  const found = stored === undefined ? undefined : await findProxy(base, stored, fetchWith)
  return found?.state === 'there' ? found : exchanged
}

const CODES: Readonly<Record<string, 'code-used' | 'code-expired' | 'refused'>> = {
  'code-used': 'code-used',
  'code-expired': 'code-expired',
  'code-unknown': 'refused',
}

const exchange = async (
  base: string,
  code: string,
  fetchWith: typeof fetch,
): Promise<
  | { readonly state: 'launched'; readonly token: string }
  | { readonly state: 'code-used' | 'code-expired' | 'refused' | 'no-token' | 'none' }
> => {
  const request: LaunchRequest = { code }
  try {
    const response = await fetchWith(`${base}api/launch`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
      cache: 'no-store',
    })
    if (!/json/.test(response.headers.get('content-type') ?? '')) return { state: 'none' }
    const answer = (await response.json()) as Partial<Launched> & { readonly error?: ProxyError }
    if (response.ok && typeof answer.token === 'string') return { state: 'launched', token: answer.token }
    return { state: CODES[answer.error?.code ?? ''] ?? 'no-token' }
  } catch {
    return { state: 'none' }
  }
}

/**
 * Checks whether a proxy serves this page and accepts its token. Never throws: a page without a proxy is normal.
 * @param base URL of the page's directory, ending in a slash
 */
export const findProxy = async (
  base: string,
  token: string | undefined,
  fetchWith: typeof fetch = fetch,
): Promise<Proxy> => {
  const header: TokenHeader = 'Periscope-Token'
  try {
    const response = await fetchWith(`${base}api/hello`, {
      headers: token === undefined ? {} : { [header]: token },
      cache: 'no-store',
    })
    // A static host responds with one of its own pages, or with 404.
    if (!/json/.test(response.headers.get('content-type') ?? '')) return { state: 'none' }
    const body = (await response.json()) as Partial<Hello> & { error?: unknown }
    if (response.ok && body.name === 'periscope' && token !== undefined) {
      return { state: 'there', hello: body as Hello, token, base }
    }
    if (response.status === 401 || response.status === 403)
      return { state: token === undefined ? 'no-token' : 'refused' }
    return { state: 'none' }
  } catch {
    return { state: 'none' }
  }
}

/** The target named on the command line. */
export const launchTarget = ({ launch }: Hello): Target | undefined => {
  if (!launch) return undefined
  if ('url' in launch) {
    const { url } = launch
    return /^https?:/i.test(url) ? { kind: 'url', url, headers: [] } : { kind: 'custom', url }
  }
  return { kind: 'command', command: launch.command, args: launch.args, env: {} }
}

/**
 * The recording named by `periscope open FILE`.
 * @throws {Error} the proxy doesn't return it
 */
export const launchedBlob = async (
  { base, token }: Extract<Proxy, { readonly state: 'there' }>,
  which: 'recording' | 'config',
  fetchWith: typeof fetch = fetch,
): Promise<Blob> => {
  const header: TokenHeader = 'Periscope-Token'
  const response = await fetchWith(`${base}api/${which}`, { headers: { [header]: token }, cache: 'no-store' })
  if (!response.ok) throw new Error(`the local proxy responded with HTTP ${response.status}`)
  return await response.blob()
}

/** The local proxy, if there is one that accepts this page, and the only bridge to its processes. */
export class ProxyLink {
  #current = $state.raw<Proxy>({ state: 'unknown' })
  #bridge: Bridge | undefined
  #channel = $state.raw<ProxyChannelState>('closed')
  #search: Promise<unknown> = Promise.resolve()

  get current(): Proxy {
    return this.#current
  }

  /** Resolves once it is known whether there is a proxy, but within 2 s. Never rejects. */
  get searched(): Promise<unknown> {
    return Promise.race([this.#search, new Promise((resolve) => setTimeout(resolve, 2000))])
  }

  /** It was reachable, and an attempt to reconnect has failed. */
  get reconnecting(): boolean {
    return this.#channel === 'reconnecting'
  }

  /** Absent until something was connected. */
  get bridge(): Bridge | undefined {
    return this.#bridge
  }

  /** Created when the first server is connected. */
  bridgeBy(create: (options: BridgeOptions) => Bridge): Bridge | undefined {
    const proxy = this.#current
    if (proxy.state !== 'there' || this.#bridge) return this.#bridge
    const bridge = (this.#bridge = create({ base: proxy.base, token: proxy.token }))
    bridge.channel.watch((state) => {
      if (this.#bridge === bridge) this.#channel = state
    })
    return bridge
  }

  leave(): void {
    this.#bridge?.leave()
  }

  /** @param code from the URL that opened the page @param store this tab's storage */
  async find(code: string | undefined, store: Pick<Store, 'getItem' | 'setItem'>): Promise<Proxy> {
    const search = launch(new URL('./', document.baseURI).href, code, store)
    this.#search = search
    const proxy = (this.#current = await search)
    if (proxy.state === 'there') this.#bridge = undefined
    return proxy
  }
}
