/**
 * The user's unfinished work with prompts. It survives panels and reconnects, and ends with the page. Results are in the
 * Trace.
 */
import type { JsonObject, Session } from '../../mcp/index.ts'
import { CallRun } from '../calls/index.svelte.ts'
import { Remembered } from '../remembered.ts'

/** One prompt of one connection. */
export class PromptRun extends CallRun {
  /** What was entered. A name that is not here is not sent; an empty text is (SF-PROMPT-02). */
  values = $state.raw<Readonly<Record<string, string>>>({})
  /** The user tried to get it without a required argument: that is shown, and it may be sent anyway. */
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
export class PanelState {
  filter = $state('')
  /** Key of the prompt picked last. */
  picked = $state('')
  view = $state<'conversation' | 'raw'>('conversation')
}

export const runs = new Remembered(() => new PromptRun())
export const panels = new Remembered(() => new PanelState())
