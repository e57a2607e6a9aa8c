/** The trace dock: whether it is open, and which frame of the live trace is selected. */
import type { Seq } from '../mcp/index.ts'
import { browserStorage } from './browser-storage.ts'

const DOCK = 'periscope.dock'
const LOCAL = browserStorage('local')

export class TraceDock {
  #open = $state(true)
  /** While the form is shown, the trace stays closed until the user opens it, because the form comes first. */
  #atForm = $state(false)
  selected = $state.raw<Seq>()

  restore(): void {
    const stored = LOCAL.getItem(DOCK)
    this.#open = stored === null ? window.innerWidth > 900 : stored === 'open'
  }

  isOpen(atForm: boolean): boolean {
    return atForm ? this.#atForm : this.#open
  }

  setOpen(open: boolean, atForm: boolean): void {
    if (atForm) this.#atForm = open
    else {
      this.#open = open
      LOCAL.setItem(DOCK, open ? 'open' : 'closed')
    }
  }
}
