/**
 * Keeps the focus from falling back to the body, where users of keyboards and screen readers lose their place. A
 * focused control may disappear: a form is replaced by the connection it opened, a dialog's opener is on a hidden
 * panel, or a button removes itself.
 */

/** Containers that can take the focus, but only by script. */
const CONTAINER = '[tabindex="-1"]'

/** Tracks which containers hold the focus. */
export class FocusKeeper {
  readonly #root: Document
  /** The containers of the last focused element, innermost first. */
  #containers: readonly HTMLElement[] = []

  constructor(root: Document) {
    this.#root = root
  }

  /** @returns a function that stops watching */
  watch(): () => void {
    const focused = ({ target }: Event) => target instanceof HTMLElement && this.#note(target)
    /** Runs after the browser has restored the focus, possibly to an element that is now hidden. */
    const closed = () => void setTimeout(() => this.keep())
    /** Runs after the handlers, once their changes are on screen. */
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

  /** Moves a lost focus to the innermost remaining container, or else to `home`. */
  keep(home?: HTMLElement | null): void {
    const { activeElement, body } = this.#root
    const main = this.#root.querySelector<HTMLElement>('main')
    // The focus may have moved to `main` before `home` existed.
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
