/**
 * The user's work in progress with tools: filters, drafts, calls that can still be cancelled. It
 * survives switching panels and reconnecting, until the page closes. Results are in the Trace.
 */
import { textWith, wireOf } from '../../forms/index.ts'
import type { Call, Frame, JsonObject, Seq, Session } from '../../mcp/index.ts'
import type { ServerView } from '../feature.ts'
import type { Value } from '../../json/index.ts'
import { CallRun } from '../calls/index.svelte.ts'
import { Remembered } from '../remembered.ts'
import { ValueDraft } from '../value-draft.svelte.ts'
import { toolsFold } from './tools-fold.ts'
import { recall, sentCall, type Recalled } from './sent-arguments.ts'

type ArgumentsView = 'form' | 'json' | 'schema'
export type ResultView = 'structured' | 'table' | 'content' | 'raw' | 'compare'

/** One tool of one connection. */
export class ToolRun extends CallRun {
  view = $state<ArgumentsView>()
  /** The arguments as entered so far. */
  readonly draft = new ValueDraft(undefined, () => (this.problem = undefined))
  /** Run as a task, if the user chose; absent: the tool's default (TASK-03). */
  asTask = $state<boolean>()
  /** The requested time to live in ms, as typed. */
  ttl = $state('')
  /** What is to happen as soon as its form is shown. */
  due = $state<'run' | 'edit'>()
  /** The arguments of an earlier call are in the form. */
  recalled = $state.raw<Recalled>()
  #misfits = $state.raw<readonly Call[]>([])

  /**
   * @param value the arguments. SF-TOOL-08: if there are none, an empty object, which every server accepts
   * @param fits whether the arguments match the inputSchema
   * @param task `params.task`: run it as a task (TASK-02)
   * @param meta `params._meta` written by the user (META-01)
   */
  start(
    session: Session,
    name: string,
    value: Value,
    {
      fits,
      task,
      meta,
    }: { readonly fits: boolean; readonly task?: JsonObject | undefined; readonly meta?: JsonObject | undefined },
  ): void {
    const rest: JsonObject = { ...(task ? { task } : {}), ...(meta ? { _meta: meta } : {}) }
    const call = this.#send(session, name, value, rest)
    if (call && !fits) this.#misfits = [...this.#misfits, call].slice(-100)
  }

  /**
   * Repeats the call of a frame, with its exact arguments (CF-URL-06).
   * @param meta `params._meta` written by the user (META-01)
   */
  repeat(session: Session, sent: Frame | undefined, meta?: JsonObject): void {
    const call = sentCall(sent)
    if (!call) return
    const { name, value, task } = call
    const rest: JsonObject = { ...(task === undefined ? {} : { task }), ...(meta ? { _meta: meta } : {}) }
    this.#send(session, name, value, rest)
  }

  /** Fills in the arguments of an earlier call: 1 is older, -1 newer. @returns whether there were any */
  recall(earlier: readonly Value[], now: Value | undefined, by: 1 | -1): boolean {
    const next = recall(earlier, now, this.recalled, by)
    if (!next) return false
    this.draft.enter(next.value)
    this.recalled = next.recalled
    return true
  }

  #send(session: Session, name: string, value: Value, rest: JsonObject): Call | undefined {
    const wire = wireOf(value)
    if (!wire.sendable) return undefined
    const params: JsonObject = { name, arguments: wire.json ?? {}, ...rest }
    // Numbers that JavaScript would round are sent as written.
    const exactly = wire.spelled ? { paramsText: textWith(params, ['arguments'], value) } : {}
    return this.begin(() => session.call('tools/call', params, { ...exactly, origin: 'form' }))
  }

  /** Whether a call was sent with invalid arguments. It is remembered by the frame of its last round. */
  wasMisfit(rounds: readonly Seq[]): boolean {
    return this.#misfits.some(({ seq }) => seq !== undefined && rounds.includes(seq))
  }
}

/**
 * Shows a tool with the arguments of an earlier call, exactly as they were sent (CF-URL-06).
 * @param seq the frame of the call's request
 * @param run also run it, as Run does: problems are shown first
 */
export const callAgain = (server: ServerView, seq: Seq, run: boolean): void => {
  const call = sentCall(server.trace.at(seq))
  if (!call) return
  const { name, value } = call
  const wanted = runs.of(server.slot, name)
  wanted.draft.enter(value)
  wanted.draft.tried = false
  // Not later, when the tool may be listed again.
  const listed =
    server
      .state(toolsFold)
      .current.get(server.link)
      ?.items.some(({ key }) => key === name) ?? false
  wanted.due = !listed ? undefined : run ? 'run' : 'edit'
  panels.of(server.slot).picked = name
  server.visit('tools', name)
}

/** State shared by all tools of one connection. */
class PanelState {
  filter = $state('')
  /** Key of the last selected tool, restored when the user returns to the tab. */
  picked = $state('')
  /** The user's choice; a result without such a view shows its first. */
  resultView = $state<ResultView>()
}

export const runs = new Remembered(() => new ToolRun())
export const panels = new Remembered(() => new PanelState())
