/**
 * The environments of this window. Most windows have none, so only this file belongs to the first screen; the rest is
 * loaded if there are any, or when the user opens the dialog.
 */
import { browserStorageKeys, loadOnce } from '../../ui/index.ts'
import type { Environments, SecretStore } from './environments.svelte.ts'
import { ENVIRONMENTS } from './keys.ts'

let room = $state.raw<Omit<typeof import('./loaded.svelte.ts'), 'Environments'>>()
let store = $state.raw<Environments>()
let secrets: (() => Promise<SecretStore>) | undefined

const load = loadOnce(async () => {
  const { Environments, EnvironmentBar, EnvironmentSelect, texts } = await import('./loaded.svelte.ts')
  room = { EnvironmentBar, EnvironmentSelect, texts }
  return (store = new Environments(secrets))
})

export const environments = {
  /** Absent: there are none, or they are still loading. */
  get store() {
    return store
  },
  /** The components, loaded with the store. */
  get room() {
    return room
  },
  load,
  /** What is stored was replaced or cleared. */
  follow(): void {
    if (store) store.follow()
    else if (browserStorageKeys('local').includes(ENVIRONMENTS)) load().catch(() => {})
  },
  /** Opens the dialog. */
  async edit(): Promise<void> {
    ;(await load()).editing = true
  },
  /** Call it once per page. @param open loads where values of secrets are stored, if the user chose so */
  start(open: () => Promise<SecretStore>): void {
    secrets = open
    // If it fails, references have no values, and the form asks for them.
    if (browserStorageKeys('local').includes(ENVIRONMENTS)) load().catch(() => {})
  },
}
