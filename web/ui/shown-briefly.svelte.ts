/** ms: long enough to be read by someone who was looking elsewhere. */
const SHOWN = 4000

/** A message that disappears after a while, such as whether a text was copied. */
export class ShownBriefly<Message extends string> {
  current = $state<Message>()
  #timer: ReturnType<typeof setTimeout> | undefined

  show(message: Message): void {
    this.current = message
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => (this.current = undefined), SHOWN)
  }
}
