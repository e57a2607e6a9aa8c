/* eslint-disable svelte/prefer-svelte-reactivity -- no Map, Set, Date or URL here is read by the screen as it changes */
/** The local proxy, where there is one that knows this page, and the one way to its processes. */
import type { Bridge, BridgeOptions } from '../mcp/index.ts'
import { launch, type LaunchStore, type Proxy } from './launch.ts'

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

  /** @param code of the URL that opened the page @param store this tab's */
  async find(code: string | undefined, store: LaunchStore): Promise<Proxy> {
    const proxy = (this.#current = await launch(new URL('./', document.baseURI).href, code, store))
    if (proxy.state === 'there') this.#bridge = undefined
    return proxy
  }
}
