/**
 * The user's work in progress with tools: filters, drafts, confirmations, calls that can still be cancelled. It
 * survives switching panels and reconnecting, until the page closes. Results are in the Trace.
 */
import { get, textWith, wireOf } from '../../forms/index.ts'
import { isObject } from '../../mcp/index.ts'
import type { Call, Frame, JsonObject, Seq, Session } from '../../mcp/index.ts'
import { type Value, JsonSyntaxError, readExactly, readJson } from '../../json/index.ts'
import { CallRun } from '../calls/index.svelte.ts'
import { Remembered } from '../remembered.ts'

type ArgumentsView = 'form' | 'json' | 'schema'
export type ResultView = 'structured' | 'table' | 'content' | 'raw'

/** One tool of one connection. */
export class ToolRun extends CallRun {
  view = $state<ArgumentsView>()
  /** The arguments as entered so far; absent: nothing was entered. */
  value = $state.raw<Value>()
  /** The text of the JSON view as typed; absent: the view shows `value`. */
  text = $state<string>()
  /** Why `text` isn't valid JSON; `value` is then the last valid one. */
  fault = $state.raw<JsonSyntaxError>()
  /** The user tried to run it with invalid arguments: they are marked, and running again sends them anyway. */
  tried = $state(false)
  /** The confirmation before a destructive call is on screen. */
  confirming = $state(false)
  /** Run as a task, if the user chose; absent: the tool's default (TASK-03). */
  asTask = $state<boolean>()
  /** The requested time to live in ms, as typed. */
  ttl = $state('')
  #misfits = $state.raw<readonly Call[]>([])

  /** Takes a value from the form. The text of the JSON view is outdated then. */
  enter(value: Value | undefined): void {
    this.value = value
    this.text = undefined
    this.fault = undefined
    this.problem = undefined
  }

  /**
   * Takes text from the JSON view. Comments, trailing commas and single quotes are tolerated; empty text means no
   * arguments.
   */
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
   * @param meta `params._meta` written by the user (META-01)
   */
  start(session: Session, name: string, fits: boolean, task?: JsonObject, meta?: JsonObject): void {
    // SF-TOOL-08: without arguments, send an empty object, which every server accepts.
    const value = this.value ?? {}
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
export class PanelState {
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
