/** The form of a sign-in's options while it is edited. */
import type { SignInOptions, SignIn } from '../../oauth/index.ts'
import { formOf, optionsOf, type OptionsForm } from './options-form.ts'

export class OptionsDraft {
  readonly #signIn: SignIn
  #form = $state.raw() as OptionsForm
  /** What the form was made of, or made: anything else was set elsewhere. */
  #shown: SignInOptions

  constructor(signIn: SignIn) {
    this.#signIn = signIn
    this.#shown = signIn.options
    this.#form = formOf(signIn.options)
  }

  get form(): OptionsForm {
    return this.#form
  }

  edit(change: Partial<OptionsForm>): void {
    this.#form = { ...this.#form, ...change }
    this.#shown = optionsOf(this.#form, this.#signIn.options)
    this.#signIn.set(this.#shown)
  }

  clear(): void {
    this.#form = formOf({})
    this.#shown = {}
    this.#signIn.set({})
  }

  /** A step of the sign-in asked for something else, or another life of the page had chosen it. */
  follow(options: SignInOptions): void {
    if (options === this.#shown) return
    this.#shown = options
    this.#form = formOf(options, this.#form)
  }
}
