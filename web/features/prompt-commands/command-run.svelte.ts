/** Gets the prompt of a slash command, for the text of its messages. */
import { messageOf, TransportError, type JsonObject, type Seq, type Session } from '../../mcp/index.ts'
import { CallRun } from '../calls/index.svelte.ts'
import { type PromptText, textOf } from './messages.ts'

export class CommandRun extends CallRun {
  /** The error that ended the last call, and its request. */
  failed = $state.raw<{ readonly message: string; readonly seq: Seq | undefined }>()

  /** @returns `undefined` if there is no result; `problem` or `failed` says why, unless the user cancelled it */
  async get(session: Session, params: JsonObject): Promise<PromptText | undefined> {
    this.failed = undefined
    const call = this.begin(() => session.call('prompts/get', params))
    if (!call) return undefined
    try {
      return textOf(await call.result)
    } catch (error) {
      const cancelled = error instanceof TransportError && error.code === 'cancelled'
      if (!cancelled) this.failed = { message: messageOf(error), seq: call.seq }
      return undefined
    }
  }
}
