/* eslint-disable svelte/prefer-svelte-reactivity -- no Map, Set, Date or URL here is read by the screen as it changes */
/** The local proxy, where there is one that knows this page, and the one way to its processes. */
import type { Bridge, BridgeOptions } from '../mcp/index.ts'
import { findProxy, type Proxy } from './launch.ts'

export class ProxyState {
  #current = $state.raw<Proxy>({ state: 'unknown' })
  #bridge: Bridge | undefined

  get current(): Proxy {
    return this.#current
  }

  /** Made when the first process is to be started. */
  bridgeBy(create: (options: BridgeOptions) => Bridge): Bridge | undefined {
    const proxy = this.#current
    if (proxy.state === 'there') this.#bridge ??= create({ base: proxy.base, token: proxy.token })
    return this.#bridge
  }

  leave(): void {
    this.#bridge?.leave()
  }

  async find(token: string | undefined): Promise<Proxy> {
    // The proxy is never behind https; asking a static host without a token would only leave a 404 in its log.
    if (token === undefined && location.protocol === 'https:') return (this.#current = { state: 'none' })
    const proxy = (this.#current = await findProxy(new URL('./', document.baseURI).href, token))
    if (proxy.state === 'there') this.#bridge = undefined
    return proxy
  }
}
