/**
 * The user's work in progress with prompts. It survives switching panels and reconnecting, until the page closes.
 * Results are in the Trace.
 */
import type { JsonObject, Session } from '../../mcp/index.ts'
import { CallRun, metaFor } from '../calls/index.svelte.ts'
import type { ServerView, VariableSource } from '../feature.ts'
import { paramsOf, type SlashCommand } from '../prompt-commands/index.ts'
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

  /** Replaces all values. */
  fill(values: Readonly<Record<string, string>>): void {
    this.reset()
    this.values = values
  }

  reset(): void {
    this.values = {}
    this.tried = false
    this.problem = undefined
  }

  /** Sends nothing if a variable has no value: the form says which. @param variables what `{{name}}` in the arguments refers to */
  start(session: Session, params: JsonObject, variables: VariableSource | undefined): void {
    const written = params.arguments
    const resolved = written === undefined ? undefined : variables?.forSending(written)
    if (resolved && resolved.faults.length > 0) return
    const sent = resolved ? { ...params, arguments: resolved.value as JsonObject } : params
    this.begin(() => session.call('prompts/get', sent))
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

/**
 * Fills in the form of a command's prompt. A command without values leaves the form as it is.
 * @param get also gets the prompt
 */
export const fillPrompt = (
  { slot, session, variables }: Pick<ServerView, 'slot' | 'session' | 'variables'>,
  { item, values }: SlashCommand,
  get: boolean,
): void => {
  const run = runs.of(slot, item.key)
  if (Object.keys(values).length > 0) run.fill(values)
  const params = get ? paramsOf(item, run.values, metaFor(slot, 'prompts/get')) : undefined
  if (session && params) run.start(session, params, variables)
}

/** Shows a prompt with these arguments. */
export const showPrompt = (server: ServerView, name: string, values: Readonly<Record<string, string>>): void => {
  runs.of(server.slot, name).fill(values)
  panels.of(server.slot).picked = name
  server.visit('prompts', name)
}
