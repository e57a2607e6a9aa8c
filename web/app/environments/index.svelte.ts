/**
 * The environments of this window. Most windows have none, so only this file belongs to the first screen; the store is
 * loaded if there are any, or when the user adds one.
 */
import type { Environment, Scope } from '../../environments/index.ts'
import { browserStorageKeys, loadOnce } from '../../ui/index.ts'
import type { Environments, SecretStore } from './environments.svelte.ts'
import { ENVIRONMENTS } from './keys.ts'

export { environmentIdIn } from './keys.ts'

let loaded = $state.raw<{ readonly store: Environments; readonly room: typeof import('./loaded.svelte.ts') }>()
let editing = $state(false)
let secrets: (() => Promise<SecretStore>) | undefined

const load = loadOnce(async () => {
  const room = await import('./loaded.svelte.ts')
  return (loaded = { room, store: new room.Environments(secrets) })
})

const NONE: Scope = { on: false, variables: new Map() }

export const environments = {
  /** Absent: there are none, or they are still loading. */
  get store(): Environments | undefined {
    return loaded?.store
  },
  /** The components, loaded with the store. */
  get room(): typeof import('./loaded.svelte.ts') | undefined {
    return loaded?.room
  },
  get all(): readonly Environment[] {
    return loaded?.store.all ?? []
  },
  /** What `{{name}}` refers to. */
  get scope(): Scope {
    return loaded?.store.scope ?? NONE
  },
  /** The dialog is open. */
  get editing(): boolean {
    return editing
  },
  load,
  /** Opens the dialog. */
  edit(): void {
    editing = true
    void load()
  },
  close(): void {
    editing = false
  },
  /** Call it once per page. @param store loads where values of secrets are stored, if the user chose so */
  start(store: () => Promise<SecretStore>): void {
    secrets = store
    // If it fails, references have no values, and the form asks for them.
    if (browserStorageKeys('local').includes(ENVIRONMENTS)) load().catch(() => {})
  },
}

/** Values of placeholders, by placeholder text. @param which `public`: without those of secrets */
export const environmentValues = (which: 'all' | 'public' = 'all'): Readonly<Record<string, string>> => {
  const { store } = environments
  if (!store) return {}
  return which === 'all' ? store.values : store.publicValues
}
