/**
 * Writes to the browser's storage, without secrets. Until the rules for secrets have loaded nothing is written, and what
 * is there stays.
 */
import { loadOnce } from '../ui/index.ts'
import type { Target } from './connect/index.ts'

type Storable = typeof import('./storable.ts')

export class TabStorage {
  #storable: Storable | undefined
  readonly #fetch = loadOnce(() => import('./storable.ts'))

  /** @throws {TypeError} it cannot be fetched; another call tries again */
  async load(): Promise<Storable> {
    return (this.#storable ??= await this.#fetch())
  }

  /** At once where it can be: a page that is left waits for nothing. */
  async write(work: (storable: Storable) => void): Promise<void> {
    work(this.#storable ?? (await this.load()))
  }

  /** The same for the same server, without secrets. @throws {Error} before `load` */
  keyOf(target: Target): string {
    if (!this.#storable) throw new Error('The rules for secrets have not loaded yet')
    return this.#storable.storedKeyOf(target)
  }
}
