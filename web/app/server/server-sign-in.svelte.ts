/** The sign-in of one server: made when it is needed first, dropped when the server has another URL. */
import type { PendingSignIn, Mode, Popup, SignIn } from '../../oauth/index.ts'

export class ServerSignIn {
  readonly #make: () => Promise<SignIn | undefined>
  #current = $state.raw<SignIn>()
  #active = $state(false)

  /** @param make resolves with `undefined` for servers without a sign-in */
  constructor(make: () => Promise<SignIn | undefined>) {
    this.#make = make
  }

  /** Absent until it was needed. */
  get current(): SignIn | undefined {
    return this.#current
  }

  /** The user signs in, or has since the last attempt to connect: shown instead of the form. */
  get active(): boolean {
    return this.#active
  }

  /** Makes it where there is none yet. */
  async needed(): Promise<SignIn | undefined> {
    return (this.#current ??= await this.#make())
  }

  /** Never throws. @param popup opened in the click; @returns whether it came to tokens */
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
