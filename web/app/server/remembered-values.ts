/**
 * Values of headers and variables that the user chose to remember: what is stored of a server, and how its form gets it
 * back. Loaded, with the vault and the rules for secrets, when there is something to store or to read.
 */
import type { TabStorage } from '../browser-storage.ts'
import { recall, type Draft, type Target } from '../connect/index.ts'
import type { SignIns } from './sign-ins.svelte.ts'

export class RememberedValues {
  readonly #signIns: Pick<SignIns, 'load'>
  readonly #storage: Pick<TabStorage, 'load'>

  constructor(signIns: Pick<SignIns, 'load'>, storage: Pick<TabStorage, 'load'>) {
    this.#signIns = signIns
    this.#storage = storage
  }

  /** Puts the stored values of the form's server into the fields that are empty. Resolves once they are there. */
  async recall(draft: Draft): Promise<void> {
    if (!draft.target) return
    const { values, storedKeyOf } = await this.#load()
    const { target } = draft
    if (!target) return
    const key = storedKeyOf(target)
    if (draft.keptAs !== undefined && draft.keptAs !== key) {
      // Another server is in the form: its values aren't stored unless the user says so.
      draft.remember = false
      draft.keptAs = undefined
    }
    const pairs = values.of(key)
    if (!pairs) return
    recall(draft, pairs)
    draft.keptAs = key
  }

  /** Stores the values of a server that is being connected, if the user chose so. @param target complete */
  async keep(draft: Draft, target: Target): Promise<void> {
    if (!draft.remember) return
    const { values, storedKeyOf, valuesToKeep } = await this.#load()
    const key = storedKeyOf(target)
    if (draft.keptAs === key && !values.of(key)) {
      // Forgotten since, in the list or by another tab.
      draft.remember = false
      draft.keptAs = undefined
      return
    }
    const { pairs, holdsSecret } = valuesToKeep(target)
    const unkept = holdsSecret ? 'address' : await values.keep(key, pairs)
    draft.unkept = pairs.length === 0 ? undefined : unkept
    draft.keptAs = unkept ? undefined : key
  }

  async forget(target: Target): Promise<void> {
    const { values, storedKeyOf } = await this.#load()
    values.forget(storedKeyOf(target))
  }

  async #load() {
    const [{ values }, storable] = await Promise.all([this.#signIns.load(), this.#storage.load()])
    return { values, ...storable }
  }
}
