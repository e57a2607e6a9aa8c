/**
 * The user's unfinished work with tools: filters, drafts, confirmations, calls that can still be cancelled. It survives
 * panels and reconnects, and ends with the page. Results are in the Trace.
 */
import { get, textWith, wireOf } from '../../forms/index.ts'
import { isObject } from '../../mcp/index.ts'
import type { Call, Frame, JsonObject, Seq, Session } from '../../mcp/index.ts'
import { type Value, JsonSyntaxError, readExactly, readJson } from '../../json/index.ts'
import { CallRun } from '../calls/index.svelte.ts'
import { Remembered } from '../remembered.ts'

export type ArgumentsView = 'form' | 'json' | 'schema'
export type ResultView = 'structured' | 'table' | 'content' | 'raw'

/** One tool of one connection. */
export class ToolRun extends CallRun {
  view = $state<ArgumentsView>()
  /** The arguments as entered so far; absent: nothing was entered. */
  value = $state.raw<Value>()
  /** What was typed into the JSON view, as it was typed; absent: the view shows `value`. */
  text = $state<string>()
  /** Why `text` is no JSON yet; `value` is then the last good one. */
  fault = $state.raw<JsonSyntaxError>()
  /** The user tried to run it with invalid arguments: they are shown as invalid, and may be sent anyway. */
  tried = $state(false)
  /** The confirmation before a destructive call is on screen. */
  confirming = $state(false)
  /** Run as a task, where the user said so; absent: as the tool wants it (TASK-03). */
  asTask = $state<boolean>()
  /** The time to live to ask for, in ms, as typed. */
  ttl = $state('')
  #misfits = $state.raw<readonly Call[]>([])

  /** From the form. What was typed as JSON is a view of the old value. */
  enter(value: Value | undefined): void {
    this.value = value
    this.text = undefined
    this.fault = undefined
    this.problem = undefined
  }

  /** From the JSON view. Comments, trailing commas and single quotes are forgiven; nothing at all is no arguments. */
  type(text: string): void {
    this.text = text
    this.fault = undefined
    this.problem = undefined
    try {
      this.value = text.trim() === '' ? undefined : readJson(text, { forgive: true }).value
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error
      this.fault = error
    }
  }

  /**
   * @param fits whether the arguments match the inputSchema
   * @param task `params.task`: run it as a task (TASK-02)
   * @param meta `params._meta`, as its user wrote it (META-01)
   */
  start(session: Session, name: string, fits: boolean, task?: JsonObject, meta?: JsonObject): void {
    // SF-TOOL-08: no arguments are sent as an empty object, which every server takes.
    const value = this.value ?? {}
    const rest: JsonObject = { ...(task ? { task } : {}), ...(meta ? { _meta: meta } : {}) }
    const call = this.#send(session, name, value, rest)
    if (call && !fits) this.#misfits = [...this.#misfits, call].slice(-100)
  }

  /**
   * The call of a frame once more, with the arguments as they were written (CF-URL-06).
   * @param meta `params._meta`, as its user wrote it (META-01)
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
    // Numbers that JavaScript would round are sent as they were written.
    return this.begin(() =>
      session.call('tools/call', params, wire.spelled ? { paramsText: textWith(params, ['arguments'], value) } : {}),
    )
  }

  /** Whether a call was sent although its arguments did not fit. Its frame is that of its last round. */
  wasMisfit(rounds: readonly Seq[]): boolean {
    return this.#misfits.some(({ seq }) => seq !== undefined && rounds.includes(seq))
  }
}

/** What belongs to all tools of one connection. */
export class PanelState {
  filter = $state('')
  /** Key of the tool picked last: it is there again when one comes back from another tab. */
  picked = $state('')
  /** Chosen by the user; a result without such a view shows its first. */
  resultView = $state<ResultView>()
  /** The user does not want to be asked before destructive tools of this server. */
  trusted = $state(false)
}

export const runs = new Remembered(() => new ToolRun())
export const panels = new Remembered(() => new PanelState())
