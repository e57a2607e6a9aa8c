import { JsonSyntaxError, readJson, type Value } from '../json/index.ts'

/** A value edited as a form and as JSON: two views of one value. */
export class ValueDraft {
  /** As entered so far; absent: nothing was entered. */
  value = $state.raw<Value>()
  /** The text of the JSON view as typed; absent: the view shows `value`. */
  text = $state<string>()
  /** Why `text` isn't valid JSON; `value` is then the last valid one. */
  fault = $state.raw<JsonSyntaxError>()
  /** The user tried to send an invalid value: its problems are marked, and sending again sends it anyway. */
  tried = $state(false)
  readonly #empty: Value | undefined
  readonly #edited: () => void

  /**
   * @param empty the value if all fields are removed, or the text is
   * @param edited called after each edit
   */
  constructor(empty?: Value, edited = () => {}) {
    this.#empty = empty
    this.#edited = edited
  }

  /** Takes a value from the form. The text of the JSON view is outdated then. */
  enter(value: Value | undefined): void {
    this.value = value === undefined ? this.#empty : value
    this.text = undefined
    this.fault = undefined
    this.#edited()
  }

  /** Takes text from the JSON view. Comments, trailing commas and single quotes are tolerated. */
  type(text: string): void {
    try {
      this.enter(text.trim() === '' ? undefined : readJson(text, { forgive: true }).value)
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error
      this.fault = error
      this.#edited()
    }
    this.text = text
  }

  reset(): void {
    this.enter(undefined)
    this.value = undefined
    this.tried = false
  }
}
