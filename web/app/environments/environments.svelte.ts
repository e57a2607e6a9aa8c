/* eslint-disable svelte/prefer-svelte-reactivity -- no Map here is read by the screen */
/**
 * The environments, the active one, and where they are stored: names and values in this browser, values of secrets only
 * in this tab, unless the user lets them be stored encrypted.
 */
import {
  environmentsFrom,
  LIMITS,
  placeholderValues,
  resolve,
  secretValues,
  type Environment,
  type Scope,
  scopeOf,
  storableEnvironments,
  usable,
} from '../../environments/index.ts'
import type { VariableSource } from '../../features/feature.ts'
import type { Link, Trace } from '../../mcp/index.ts'
import { randomUuid } from '../../mcp/web-crypto.ts'
import type { TypedValues } from '../../oauth/index.ts'
import { ConnectionSecrets } from '../../secrets/capture.ts'
import { browserStorage, storedJson, type Store } from '../../ui/index.ts'
import { ENVIRONMENTS, secretsKey } from './keys.ts'

/** Stored: the id of the active one, for this tab, and for the next one. */
const ACTIVE = 'periscope.environment'

export type SecretStore = Pick<TypedValues, 'of' | 'keep' | 'forget' | 'subscribe'>

interface Stores {
  readonly local: Store
  readonly session: Store
}

const STORES: Stores = { local: browserStorage('local'), session: browserStorage('session') }

const publicValuesIn = (scope: Scope) => placeholderValues(scope, ({ secret }) => !secret)

export class Environments {
  readonly #stores: Stores
  readonly #secrets: (() => Promise<SecretStore>) | undefined
  #followed: SecretStore | undefined
  /** The ids of those whose secrets are stored. */
  #kept: readonly string[] = []
  #all = $state.raw<readonly Environment[]>([])
  #active = $state.raw<string>()
  /** The dialog is open. */
  editing = $state(false)
  /** Why values of secrets that should be stored aren't. */
  unkept = $state.raw<'insecure' | 'refused'>()

  /** What `{{name}}` refers to. */
  readonly scope: Scope = $derived(scopeOf(this.#all, this.#active))
  /** Values of placeholders, by placeholder text. */
  readonly values: Readonly<Record<string, string>> = $derived(placeholderValues(this.scope))
  /** The same without secrets. */
  readonly publicValues: Readonly<Record<string, string>> = $derived(publicValuesIn(this.scope))

  /** Those that another environment would give. */
  publicValuesOf(environment: Environment): Readonly<Record<string, string>> {
    return publicValuesIn(scopeOf([environment], environment.id))
  }

  /** Values that are masked in the trace. */
  get secrets(): readonly string[] {
    return secretValues(this.scope)
  }

  /** @param secrets loads where values of secrets are stored */
  constructor(secrets?: () => Promise<SecretStore>, stores: Stores = STORES) {
    this.#secrets = secrets
    this.#stores = stores
    this.#all = environmentsFrom(storedJson(stores.local, ENVIRONMENTS))
    // A new tab begins with the one chosen last. Without one in this tab, it stays so.
    this.#active = stores.session.getItem(ACTIVE) ?? stores.local.getItem(ACTIVE) ?? undefined
    if (this.#all.some(({ remember }) => remember)) void this.#recall().catch(() => {})
    globalThis.addEventListener?.('storage', ({ key }: StorageEvent) => {
      if (key === ENVIRONMENTS || key === null) this.follow()
    })
  }

  get all(): readonly Environment[] {
    return this.#all
  }

  /** The id of the active one; absent: none. */
  get active(): string | undefined {
    return this.#all.some(({ id }) => id === this.#active) ? this.#active : undefined
  }

  /** @param id absent: none */
  activate(id: string | undefined): void {
    this.#active = id ?? ''
    this.#stores.session.setItem(ACTIVE, this.#active)
    this.#stores.local.setItem(ACTIVE, this.#active)
  }

  /** @param trace of a connection @param link its link @param id the environment that it was opened with */
  sourceFor(trace: Pick<Trace, 'guardOf'>, link: Link, id: string | undefined): VariableSource {
    const { all: environments } = this
    const scope = id === this.active ? this.scope : scopeOf(environments, id)
    return {
      scope,
      environments,
      activate: (id) => this.activate(id),
      edit: () => (this.editing = true),
      forSending: (value) => {
        const resolved = resolve(value, scope)
        const secrets = resolved.used.flatMap(({ variable }) => (variable.secret ? [variable.value] : []))
        // Before the message is captured. A session has a guard.
        const guard = trace.guardOf(link)
        if (secrets.length > 0 && guard instanceof ConnectionSecrets) guard.knowValues(secrets)
        return resolved
      },
    }
  }

  /** @returns its id; `undefined` at the limit */
  add(name: string, from?: Environment): string | undefined {
    if (this.#all.length >= LIMITS.environments) return undefined
    const id = randomUuid()
    const variables = from?.variables ?? []
    this.#put([...this.#all, { id, name: name.slice(0, LIMITS.title), variables, remember: from?.remember ?? false }])
    if (this.active === undefined && this.#all.length === 1) this.activate(id)
    if (from?.remember) void this.#keep(id)
    return id
  }

  /** Replaces the environment with the same id. What can't be used is left out. */
  put(environment: Environment): void {
    const next = usable(environment)
    const before = this.#all.find(({ id }) => id === next.id)
    if (!before) return
    this.#put(this.#all.map((each) => (each === before ? next : each)))
    if (next.remember) void this.#keep(next.id)
    else if (before.remember) void this.#forget(next.id)
  }

  remove(id: string): void {
    const before = this.#all.find((each) => each.id === id)
    this.#put(this.#all.filter((each) => each.id !== id))
    if (before?.remember) void this.#forget(id)
  }

  #put(all: readonly Environment[]): void {
    this.#all = all
    if (all.length === 0) this.#stores.local.removeItem(ENVIRONMENTS)
    else this.#stores.local.setItem(ENVIRONMENTS, JSON.stringify(storableEnvironments(all)))
  }

  /** What is stored was changed by another tab or an import. Values of secrets that this tab has stay. */
  follow(): void {
    const before = this.#all
    this.#all = environmentsFrom(storedJson(this.#stores.local, ENVIRONMENTS)).map((each) => {
      const known = before.find(({ id }) => id === each.id)?.variables ?? []
      const valueOf = (name: string) => known.find((one) => one.secret && one.name === name)?.value ?? ''
      return {
        ...each,
        variables: each.variables.map((one) => (one.secret ? { ...one, value: valueOf(one.name) } : one)),
      }
    })
    if (this.#all.some(({ remember }) => remember)) void this.#recall().catch(() => {})
  }

  async #keep(id: string): Promise<void> {
    const store = await this.#store()
    const environment = this.#all.find((each) => each.id === id)
    if (!store || !environment?.remember) return
    const secrets = environment.variables.filter(({ secret, value }) => secret && value !== '')
    const pairs = secrets.map(({ name, value }) => [name, value] as const)
    this.#kept = this.#kept.filter((other) => other !== id)
    if (pairs.length === 0) {
      store.forget(secretsKey(id))
      this.unkept = undefined
      return
    }
    this.unkept = await store.keep(secretsKey(id), pairs)
    if (this.unkept === undefined) this.#kept = [...this.#kept, id]
  }

  async #forget(id: string): Promise<void> {
    this.#kept = this.#kept.filter((other) => other !== id)
    this.unkept = undefined
    const store = await this.#store()
    store?.forget(secretsKey(id))
  }

  async #recall(): Promise<void> {
    const store = await this.#store()
    if (store) this.#fillFrom(store)
  }

  /** Takes over the stored values that this tab lacks. */
  #fillFrom(store: SecretStore): void {
    this.#all = this.#all.map((each) => {
      const stored = each.remember ? store.of(secretsKey(each.id)) : undefined
      if (!stored) return each
      this.#kept = [...new Set([...this.#kept, each.id])]
      const pairs = new Map(stored)
      const variables = each.variables.map((one) =>
        one.secret && one.value === '' ? { ...one, value: pairs.get(one.name) ?? '' } : one,
      )
      return { ...each, variables }
    })
  }

  async #store(): Promise<SecretStore | undefined> {
    const store = await this.#secrets?.()
    if (store && !this.#followed) {
      this.#followed = store
      store.subscribe(() => {
        // Another tab stored them.
        this.#fillFrom(store)
        // Deleted in the list of credentials: they aren't stored again with the next change.
        const gone = this.#kept.filter((id) => !store.of(secretsKey(id)))
        if (gone.length === 0) return
        this.#kept = this.#kept.filter((id) => !gone.includes(id))
        this.#put(this.#all.map((each) => (gone.includes(each.id) ? { ...each, remember: false } : each)))
      })
    }
    return store
  }
}
