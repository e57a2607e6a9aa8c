/**
 * Keeps the focus from falling to the body, where a keyboard's or screen reader's user has lost their place. A control may
 * go while it has the focus: a form is replaced by what it connected to, a dialog's opener is on a hidden panel, a button
 * removes itself.
 */

/** What the focus can go on in: containers that take it by script alone. */
const CONTAINER = '[tabindex="-1"]'

/** Watches which containers hold the focus. */
export class FocusKeeper {
  readonly #root: Document
  /** Of what had the focus last, the innermost first. */
  #containers: readonly HTMLElement[] = []

  constructor(root: Document) {
    this.#root = root
  }

  /** @returns ends it */
  watch(): () => void {
    const focused = ({ target }: Event) => target instanceof HTMLElement && this.#note(target)
    /** After the browser gave the focus back to what had it before, which may be hidden by now. */
    const closed = () => void setTimeout(() => this.keep())
    /** After the handlers, and after what they changed is on screen. */
    const acted = () => void setTimeout(() => this.keep())
    const byKeyboard = (event: Event) => (event as MouseEvent).detail === 0 && acted()
    this.#root.addEventListener('focusin', focused)
    this.#root.addEventListener('close', closed, true)
    this.#root.addEventListener('toggle', closed, true)
    this.#root.addEventListener('click', byKeyboard)
    return () => {
      this.#root.removeEventListener('focusin', focused)
      this.#root.removeEventListener('close', closed, true)
      this.#root.removeEventListener('toggle', closed, true)
      this.#root.removeEventListener('click', byKeyboard)
    }
  }

  /** Moves a lost focus: to the innermost container that is left, or else to `home`. */
  keep(home?: HTMLElement | null): void {
    const { activeElement, body } = this.#root
    const main = this.#root.querySelector<HTMLElement>('main')
    // It may have come to rest there before `home` was.
    const waiting = home && activeElement === main
    if (!waiting && activeElement && activeElement !== body && (activeElement as HTMLElement).checkVisibility()) return
    const dialog = this.#root.querySelector<HTMLElement>('dialog[open]')
    const left = this.#containers.find(
      (container) => container.checkVisibility() && (!dialog || dialog.contains(container)),
    )
    const kept = left === main ? (home ?? main) : left
    const next = kept ?? dialog ?? home ?? main
    next?.focus({ preventScroll: true })
  }

  #note(element: HTMLElement): void {
    const containers: HTMLElement[] = []
    for (let one = element.parentElement; one; one = one.parentElement) if (one.matches(CONTAINER)) containers.push(one)
    this.#containers = containers
  }
}
