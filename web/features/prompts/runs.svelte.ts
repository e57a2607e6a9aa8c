/**
 * What the user has begun with the prompts and not finished. It outlives panels and reconnects, and ends with the page.
 * Results are not here: they are in the Trace.
 */
import type { JsonObject, Link, Session } from '../../mcp/index.ts'
import { CallRun } from '../call-run.svelte.ts'

/** One prompt of one connection. */
export class PromptRun extends CallRun {
  /** What was entered. A name that is not here is not sent; an empty text is (SF-PROMPT-02). */
  values = $state.raw<Readonly<Record<string, string>>>({})
  /** Asking was tried with a required argument missing: it is shown, and may be sent all the same. */
  tried = $state(false)

  put(name: string, value: string | undefined): void {
    const { [name]: _, ...others } = this.values
    this.values = value === undefined ? others : { ...others, [name]: value }
    this.problem = undefined
  }

  reset(): void {
    this.values = {}
    this.tried = false
    this.problem = undefined
  }

  start(session: Session, params: JsonObject): void {
    this.begin(() => session.call('prompts/get', params))
  }
}

/** What belongs to all prompts of one connection. */
class PanelState {
  filter = $state('')
  /** Key of the prompt picked last. */
  picked = $state('')
  view = $state<'conversation' | 'raw'>('conversation')
}

class Unfinished {
  readonly #runs = new Map<string, PromptRun>()
  readonly #panels = new Map<Link, PanelState>()

  run(link: Link, key: string): PromptRun {
    const id = `${link} ${key}`
    let run = this.#runs.get(id)
    if (!run) this.#runs.set(id, (run = new PromptRun()))
    return run
  }

  panel(link: Link): PanelState {
    let panel = this.#panels.get(link)
    if (!panel) this.#panels.set(link, (panel = new PanelState()))
    return panel
  }
}

export const unfinished = new Unfinished()
