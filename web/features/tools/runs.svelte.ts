/**
 * The user's work in progress with tools: filters, drafts, calls that can still be cancelled. It
 * survives switching panels and reconnecting, until the page closes. Results are in the Trace.
 */
import { escaped, NO_VARIABLES } from '../../environments/index.ts'
import { textWith, wireOf } from '../../forms/index.ts'
import type { Call, Frame, JsonObject, Seq, Session, Trace } from '../../mcp/index.ts'
import type { ServerView, VariableSource } from '../feature.ts'
import type { Value } from '../../json/index.ts'
import { CallRun } from '../calls/index.svelte.ts'
import { Remembered } from '../remembered.ts'
import { ValueDraft } from '../value-draft.svelte.ts'
import { toolsFold } from './tools-fold.ts'
import { masksAt, recall, sentCall, type Recalled } from './sent-arguments.ts'

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
  /** Arguments that weren't sent as written, because variables replaced a part of them. */
  #written = $state.raw<readonly { readonly call: Call; readonly value: Value }[]>([])

  /**
   * @param value the arguments. SF-TOOL-08: if there are none, an empty object, which every server accepts
   * @param fits whether the arguments match the inputSchema
   * @param task `params.task`: run it as a task (TASK-02)
   * @param meta `params._meta` written by the user (META-01)
   * @param variables what `{{name}}` in the arguments refers to
   */
  start(
    session: Session,
    name: string,
    value: Value,
    {
      fits,
      task,
      meta,
      variables,
    }: {
      readonly fits: boolean
      readonly task?: JsonObject | undefined
      readonly meta?: JsonObject | undefined
      readonly variables?: VariableSource | undefined
    },
  ): void {
    const rest: JsonObject = { ...(task ? { task } : {}), ...(meta ? { _meta: meta } : {}) }
    const call = this.#sendWritten(session, name, value, rest, variables)
    if (call && !fits) this.#misfits = [...this.#misfits, call].slice(-100)
  }

  /**
   * Repeats the call of a frame, with its exact arguments (CF-URL-06). Variables get the values that they have now.
   * @param meta `params._meta` written by the user (META-01)
   * @returns whether it was repeated: not if the trace has only the mask of a secret
   */
  repeat(
    session: Session,
    { trace, variables }: Pick<ServerView, 'trace' | 'variables'>,
    seq: Seq,
    meta?: JsonObject,
  ): boolean {
    const call = sentCall(trace.at(seq))
    if (!call) return false
    const { name, value, task } = call
    const rest: JsonObject = { ...(task === undefined ? {} : { task }), ...(meta ? { _meta: meta } : {}) }
    const written = this.writtenAt(trace, seq)
    if (masksAt(written ?? value).length > 0) return false
    if (written === undefined) this.#send(session, name, value, rest)
    else this.#sendWritten(session, name, written, rest, variables)
    return true
  }

  /** The arguments of a call as the user wrote them, if variables replaced a part. @param seq the frame of one of its requests */
  writtenAt(trace: Pick<Trace, 'at'>, seq: Seq): Value | undefined {
    // A call is known by its last request, and each request says which one it follows.
    const isOf = ({ seq: last }: Call): boolean => {
      for (let at = last; at !== undefined; at = followedBy(trace.at(at))) if (at === seq) return true
      return false
    }
    return this.#written.find(({ call }) => isOf(call))?.value
  }

  /** Fills in the arguments of an earlier call: 1 is older, -1 newer. @returns whether there were any */
  recall(earlier: readonly Value[], now: Value | undefined, by: 1 | -1): boolean {
    const next = recall(earlier, now, this.recalled, by)
    if (!next) return false
    this.draft.enter(next.value)
    this.recalled = next.recalled
    return true
  }

  /** Sends nothing if a variable has no value: the form says which. */
  #sendWritten(
    session: Session,
    name: string,
    written: Value,
    rest: JsonObject,
    variables: VariableSource | undefined,
  ): Call | undefined {
    const { value, faults } = variables?.forSending(written) ?? { value: written, faults: [] }
    if (faults.length > 0) return undefined
    const call = this.#send(session, name, value, rest)
    if (call && value !== written) this.#written = [...this.#written, { call, value: written }].slice(-100)
    return call
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

const followedBy = (frame: Frame | undefined): Seq | undefined =>
  frame?.kind === 'message' ? frame.follows : undefined

/**
 * The arguments of a call, as the form must hold them to send the same again.
 * @param seq the frame of one of its requests
 */
export const writtenAt = (
  { trace, variables }: Pick<ServerView, 'trace' | 'variables'>,
  run: ToolRun,
  seq: Seq,
): Value | undefined => {
  const call = sentCall(trace.at(seq))
  return call && (run.writtenAt(trace, seq) ?? escaped(call.value, variables?.scope ?? NO_VARIABLES))
}

/**
 * Shows a tool with the arguments of an earlier call, exactly as they were sent (CF-URL-06).
 * @param seq the frame of the call's request
 * @param run also run it, as Run does: problems are shown first
 */
export const callAgain = (server: ServerView, seq: Seq, run: boolean): void => {
  const call = sentCall(server.trace.at(seq))
  if (!call) return
  const { name } = call
  fillTool(server, name, writtenAt(server, runs.of(server.slot, name), seq), run ? 'run' : 'edit')
}

/**
 * Shows a tool with these arguments.
 * @param value as the form holds them
 * @param due what follows if the tool is listed
 */
export const fillTool = (server: ServerView, name: string, value: Value | undefined, due: 'run' | 'edit'): void => {
  const wanted = runs.of(server.slot, name)
  wanted.draft.enter(value)
  wanted.draft.tried = false
  // Not later, when the tool may be listed again.
  const listed =
    server
      .state(toolsFold)
      .current.get(server.link)
      ?.items.some(({ key }) => key === name) ?? false
  wanted.due = listed ? due : undefined
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
