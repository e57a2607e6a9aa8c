/**
 * The user's work in progress with prompts. It survives switching panels and reconnecting, until the page closes.
 * Results are in the Trace.
 */
import type { JsonObject, Session } from '../../mcp/index.ts'
import { CallRun } from '../calls/index.svelte.ts'
import { Remembered } from '../remembered.ts'

/** One prompt of one connection. */
export class PromptRun extends CallRun {
  /** The values entered. A name that isn't included isn't sent; an empty string is (SF-PROMPT-02). */
  values = $state.raw<Readonly<Record<string, string>>>({})
  /** The user tried to run it without a required argument: the problem is shown, and running again sends it anyway. */
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

/** State shared by all prompts of one connection. */
class PanelState {
  filter = $state('')
  /** Key of the prompt picked last. */
  picked = $state('')
  view = $state<'conversation' | 'raw'>('conversation')
}

export const runs = new Remembered(() => new PromptRun())
export const panels = new Remembered(() => new PanelState())
