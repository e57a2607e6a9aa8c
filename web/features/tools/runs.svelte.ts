/**
 * The user's work in progress with tools: filters, drafts, confirmations, calls that can still be cancelled. It
 * survives switching panels and reconnecting, until the page closes. Results are in the Trace.
 */
import { get, textWith, wireOf } from '../../forms/index.ts'
import { isObject } from '../../mcp/index.ts'
import type { Call, Frame, JsonObject, Seq, Session } from '../../mcp/index.ts'
import { type Value, readExactly } from '../../json/index.ts'
import { CallRun } from '../calls/index.svelte.ts'
import { Remembered } from '../remembered.ts'
import { ValueDraft } from '../value-draft.svelte.ts'

type ArgumentsView = 'form' | 'json' | 'schema'
export type ResultView = 'structured' | 'table' | 'content' | 'raw'

/** One tool of one connection. */
export class ToolRun extends CallRun {
  view = $state<ArgumentsView>()
  /** The arguments as entered so far. */
  readonly draft = new ValueDraft(undefined, () => (this.problem = undefined))
  /** The confirmation before a destructive call is on screen. */
  confirming = $state(false)
  /** Run as a task, if the user chose; absent: the tool's default (TASK-03). */
  asTask = $state<boolean>()
  /** The requested time to live in ms, as typed. */
  ttl = $state('')
  #misfits = $state.raw<readonly Call[]>([])

  /**
   * @param fits whether the arguments match the inputSchema
   * @param task `params.task`: run it as a task (TASK-02)
   * @param meta `params._meta` written by the user (META-01)
   */
  start(session: Session, name: string, fits: boolean, task?: JsonObject, meta?: JsonObject): void {
    // SF-TOOL-08: without arguments, send an empty object, which every server accepts.
    const value = this.draft.value ?? {}
    const rest: JsonObject = { ...(task ? { task } : {}), ...(meta ? { _meta: meta } : {}) }
    const call = this.#send(session, name, value, rest)
    if (call && !fits) this.#misfits = [...this.#misfits, call].slice(-100)
  }

  /**
   * Repeats the call of a frame, with its exact arguments (CF-URL-06).
   * @param meta `params._meta` written by the user (META-01)
   */
  repeat(session: Session, sent: Frame | undefined, meta?: JsonObject): void {
    if (sent?.kind !== 'message' || !isObject(sent.message) || !isObject(sent.message.params)) return
    const { name, arguments: plain, task } = sent.message.params
    if (typeof name !== 'string') return
    const written = sent.raw === undefined ? plain : get(readExactly(sent.raw), ['params', 'arguments'])
    const rest: JsonObject = { ...(task === undefined ? {} : { task }), ...(meta ? { _meta: meta } : {}) }
    this.#send(session, name, written ?? {}, rest)
  }

  #send(session: Session, name: string, value: Value, rest: JsonObject): Call | undefined {
    const wire = wireOf(value)
    if (!wire.sendable) return undefined
    this.confirming = false
    const params: JsonObject = { name, arguments: wire.json ?? {}, ...rest }
    // Numbers that JavaScript would round are sent as written.
    return this.begin(() =>
      session.call('tools/call', params, wire.spelled ? { paramsText: textWith(params, ['arguments'], value) } : {}),
    )
  }

  /** Whether a call was sent with invalid arguments. It is remembered by the frame of its last round. */
  wasMisfit(rounds: readonly Seq[]): boolean {
    return this.#misfits.some(({ seq }) => seq !== undefined && rounds.includes(seq))
  }
}

/** State shared by all tools of one connection. */
class PanelState {
  filter = $state('')
  /** Key of the last selected tool, restored when the user returns to the tab. */
  picked = $state('')
  /** The user's choice; a result without such a view shows its first. */
  resultView = $state<ResultView>()
  /** The user turned off the confirmation before destructive tools of this server. */
  trusted = $state(false)
}

export const runs = new Remembered(() => new ToolRun())
export const panels = new Remembered(() => new PanelState())
