/** Gets the prompt of a slash command, for the text of its messages. */
import { isObject, messageOf, TransportError, type JsonObject, type Seq, type Session } from '../../mcp/index.ts'
import { CallRun } from '../calls/index.svelte.ts'
import { messagesOf } from './messages.ts'

export interface PromptText {
  /** The texts of all messages, separated by empty lines. */
  readonly text: string
  /** The number of parts that have no text, such as images. */
  readonly left: number
}

/** Embedded resources with text count as text. */
export const textOf = (result: JsonObject): PromptText => {
  const blocks = messagesOf(result).messages.flatMap((message) => message.blocks)
  const texts = blocks.flatMap((block) => {
    if (!isObject(block)) return []
    if (block.type === 'text' && typeof block.text === 'string') return block.text
    const { resource } = block
    return block.type === 'resource' && isObject(resource) && typeof resource.text === 'string' ? resource.text : []
  })
  return { text: texts.join('\n\n'), left: blocks.length - texts.length }
}

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
