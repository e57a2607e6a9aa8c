/* eslint-disable svelte/prefer-svelte-reactivity -- no Map, Set, Date or URL here is read by the screen as it changes */
/** The local proxy, if there is one that accepts this page, and the only bridge to its processes. */
import type { Bridge, BridgeOptions, ProxyChannelState } from '../mcp/index.ts'
import { launch, type LaunchStore, type Proxy } from './launch.ts'

export class ProxyLink {
  #current = $state.raw<Proxy>({ state: 'unknown' })
  #bridge: Bridge | undefined
  #channel = $state.raw<ProxyChannelState>('closed')

  get current(): Proxy {
    return this.#current
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
  async find(code: string | undefined, store: LaunchStore): Promise<Proxy> {
    const proxy = (this.#current = await launch(new URL('./', document.baseURI).href, code, store))
    if (proxy.state === 'there') this.#bridge = undefined
    return proxy
  }
}
