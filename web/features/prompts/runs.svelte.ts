/**
 * What the user has begun with the prompts and not finished. It outlives panels and reconnects, and ends with the page.
 * Results are not here: they are in the Trace.
 */
import { messageOf } from '../../mcp/index.ts'
import type { Call, JsonObject, Link, Seq, Session } from '../../mcp/index.ts'

/** One prompt of one connection. */
export class PromptRun {
  /** What was entered. A name that is not here is not sent; an empty text is (SF-PROMPT-02). */
  values = $state.raw<Readonly<Record<string, string>>>({})
  /** Asking was tried with a required argument missing: it is shown, and may be sent all the same. */
  tried = $state(false)
  /** Our own reason why nothing was sent. */
  problem = $state<string>()
  /** The call that can be cancelled and extended. */
  call = $state.raw<Call>()
  /** ms since the trace began. */
  extendedAt = $state(0)
  /** A call from the list of earlier ones; absent: the latest. */
  chosen = $state<Seq>()

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
    this.problem = undefined
    this.chosen = undefined
    this.extendedAt = 0
    let call: Call
    try {
      call = session.call('prompts/get', params)
    } catch (error) {
      this.problem = messageOf(error)
      return
    }
    this.call = call
    call.result
      .catch((error: unknown) => {
        // What was sent ends in the Trace; what could not even be sent is told here.
        if (call.seq === undefined) this.problem = messageOf(error)
      })
      .finally(() => {
        if (this.call === call) this.call = undefined
      })
  }

  extend(ms: number, now: number): void {
    this.call?.extend(ms)
    this.extendedAt = now
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
