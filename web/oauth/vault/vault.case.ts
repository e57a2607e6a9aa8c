/** A device with tabs, for storage tests: its storage, the events between tabs, and locks. */
import type { Registration, TokenSet } from '../model/sign-in-state.ts'
import type { Locks } from './on-device.ts'
import type { ReturnStorage } from '../consent/return.ts'
import { Vault, type VaultOptions } from './vault.ts'

export const ISSUER = 'https://as.example'
export const REDIRECT = 'https://periscope.example/oauth/callback.html'
export const SERVER = 'https://mcp.example/mcp'

let made = 0
/** Tokens that are unique in the tests; their values describe them. */
export const tokensOf = (given: Partial<TokenSet> = {}): TokenSet => {
  const count = ++made
  return {
    issuer: ISSUER,
    server: SERVER,
    resource: SERVER,
    accessToken: `access-token-${count}`,
    refreshToken: `refresh-token-${count}`,
    tokenType: 'Bearer',
    receivedAt: Date.now(),
    expiresAt: Date.now() + 3_600_000,
    scope: 'mcp:read',
    clientId: 'the-client',
    tokenEndpoint: `${ISSUER}/token`,
    ...given,
  }
}

export const clientOf = (given: Partial<Registration> = {}): Registration => ({
  issuer: ISSUER,
  clientId: 'the-client',
  source: 'dynamic',
  method: 'none',
  redirectUri: REDIRECT,
  ...given,
})

export class Device {
  readonly entries = new Map<string, string>()
  /** No more entries can be added. */
  full = false
  /** Every access throws, as if storage were blocked. */
  refused = false
  readonly #tabs = new Set<EventTarget>()
  readonly #turns = new Map<string, Promise<unknown>>()

  /** Everything stored. */
  get text(): string {
    return JSON.stringify([...this.entries])
  }

  /** A tab with its own page. */
  tab(more: Partial<VaultOptions> = {}): Vault {
    const events = new EventTarget()
    this.#tabs.add(events)
    return new Vault({ store: this.storage(events), events, locks: this.locks, ...more })
  }

  /** The storage of the tab that has these events. */
  storageFor(events: EventTarget): ReturnStorage {
    this.#tabs.add(events)
    return this.storage(events)
  }

  storage(own: EventTarget): ReturnStorage {
    const { entries } = this
    const allowed = () => {
      if (this.refused) throw new DOMException('denied', 'SecurityError')
    }
    const tell = (key: string) => {
      for (const tab of this.#tabs) {
        if (tab !== own) tab.dispatchEvent(Object.assign(new Event('storage'), { key }))
      }
    }
    return {
      get length() {
        allowed()
        return entries.size
      },
      key: (index) => [...entries.keys()][index] ?? null,
      getItem: (key) => {
        allowed()
        return entries.get(key) ?? null
      },
      setItem: (key, value) => {
        allowed()
        if (this.full) throw new DOMException('full', 'QuotaExceededError')
        entries.set(key, value)
        tell(key)
      },
      removeItem: (key) => {
        allowed()
        if (entries.delete(key)) tell(key)
      },
    }
  }

  /** Grants locks in the order requested. */
  readonly locks: Locks = {
    request: async <Result>(name: string, _: object, granted: () => Promise<Result>): Promise<Awaited<Result>> => {
      const turn = (this.#turns.get(name) ?? Promise.resolve()).then(granted, granted)
      this.#turns.set(name, turn)
      return await turn
    },
  }
}
