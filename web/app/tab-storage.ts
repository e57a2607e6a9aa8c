/**
 * Writes to the browser's storage, without secrets. Until the rules for secrets have loaded, nothing is written
 * and existing data is kept.
 */
import { loadOnce } from '../ui/index.ts'
import type { Target } from './connect/index.ts'

type Storable = typeof import('./storable.ts')

export class TabStorage {
  #storable: Storable | undefined
  readonly #fetch = loadOnce(() => import('./storable.ts'))

  /** @throws {TypeError} the chunk can't be loaded; calling again retries */
  async load(): Promise<Storable> {
    return (this.#storable ??= await this.#fetch())
  }

  /** Writes synchronously if possible, because an unloading page can't wait. */
  async write(work: (storable: Storable) => void): Promise<void> {
    work(this.#storable ?? (await this.load()))
  }

  /** An identity of the server, without secrets. @throws {Error} before `load` has finished */
  keyOf(target: Target): string {
    if (!this.#storable) throw new Error('The rules for secrets have not loaded yet')
    return this.#storable.storedKeyOf(target)
  }
}
