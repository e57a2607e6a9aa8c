/** The sign-in of one server: created when first needed, dropped when the server's URL changes. */
import type { PendingSignIn, Mode, Popup, SignIn } from '../../oauth/index.ts'

export class ServerSignIn {
  readonly #make: () => Promise<SignIn | undefined>
  #current = $state.raw<SignIn>()
  #active = $state(false)

  /** @param make resolves with `undefined` for servers without a sign-in */
  constructor(make: () => Promise<SignIn | undefined>) {
    this.#make = make
  }

  /** Absent until needed. */
  get current(): SignIn | undefined {
    return this.#current
  }

  /** The user is signing in, or has done so since the last attempt to connect: shown instead of the form. */
  get active(): boolean {
    return this.#active
  }

  /** Creates it if there is none yet. */
  async needed(): Promise<SignIn | undefined> {
    return (this.#current ??= await this.#make())
  }

  /** Never throws. @param popup opened in the click handler @returns whether it obtained tokens */
  async begin(mode: Mode, popup?: Popup): Promise<boolean> {
    this.#active = true
    return (await (await this.needed())?.begin(mode, popup)) ?? false
  }

  /** Never throws. */
  async resume(pending: PendingSignIn, state: string, returned?: string): Promise<void> {
    this.#active = true
    await (await this.needed())?.resume(pending, state, returned)
  }

  leave(): void {
    this.#active = false
  }

  drop(): void {
    this.#current?.cancel()
    this.#current = undefined
  }
}
