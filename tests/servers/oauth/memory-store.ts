/** Storage of an authorization server: an adapter for oidc-provider that tests can inspect. */
import type { Adapter, AdapterPayload } from 'oidc-provider'

/** More than any test run issues; the oldest is removed first. */
const MOST = 20_000

interface Entry {
  readonly model: string
  readonly id: string
  readonly payload: AdapterPayload
  /** ms since the epoch. */
  readonly until: number
}

export class MemoryStore {
  readonly #entries = new Map<string, Entry>()

  /** Called by oidc-provider once for each of its models. */
  readonly adapter = (model: string): Adapter => {
    const key = (id: string) => `${model} ${id}`
    const find = async (id: string) => this.#alive(this.#entries.get(key(id)))?.payload
    const findBy = async (name: 'uid' | 'userCode', value: string) =>
      [...this.#entries.values()].find((entry) => entry.model === model && this.#alive(entry)?.payload[name] === value)
        ?.payload
    return {
      find,
      findByUid: (uid) => findBy('uid', uid),
      findByUserCode: (code) => findBy('userCode', code),
      upsert: async (id, payload, expiresIn) => {
        const until = expiresIn === undefined ? Infinity : Date.now() + expiresIn * 1000
        this.#entries.delete(key(id))
        this.#entries.set(key(id), { model, id, payload, until })
        const oldest = this.#entries.size > MOST ? this.#entries.keys().next().value : undefined
        if (oldest !== undefined) this.#entries.delete(oldest)
      },
      consume: async (id) => {
        const payload = await find(id)
        if (payload) payload.consumed = Math.floor(Date.now() / 1000)
      },
      destroy: async (id) => void this.#entries.delete(key(id)),
      revokeByGrantId: async (grantId) =>
        this.deleteWhere((entry) => entry.model === model && entry.payload.grantId === grantId),
    }
  }

  deleteWhere(fits: (entry: { readonly model: string; readonly payload: AdapterPayload }) => boolean): void {
    for (const [key, entry] of this.#entries) if (fits(entry)) this.#entries.delete(key)
  }

  #alive(entry: Entry | undefined): Entry | undefined {
    return entry && entry.until > Date.now() ? entry : undefined
  }
}
