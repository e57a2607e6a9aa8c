/**
 * The message that the user is writing, per connection. It survives switching panels and reconnecting, until the page
 * closes.
 */
import { messageOf, TransportError } from '../../mcp/index.ts'
import type { Seq, Session } from '../../mcp/index.ts'
import { Remembered } from '../remembered.ts'
import type { Header } from './compose.ts'

export class RawDraft {
  text = $state('')
  /** The headers as edited; absent: those generated from the text. */
  headers = $state.raw<readonly Header[]>()
  filter = $state('')
  /** An earlier message that was picked; absent: the latest. */
  chosen = $state<Seq>()
  /** The text that needs a second press, which sends it anyway. */
  insisted = $state<string>()
  /** Why it could not be sent. */
  problem = $state<string>()
  /** Number of messages being sent. */
  sending = $state(0)

  write(text: string): void {
    this.text = text
    this.problem = undefined
  }

  /** Never throws: a failure is in `problem` and in the Trace. */
  async send(session: Session, text: string, headers: readonly Header[] | undefined): Promise<void> {
    this.problem = undefined
    this.insisted = undefined
    this.chosen = undefined
    this.sending++
    try {
      await session.raw(text, headers && Object.fromEntries(headers.map(({ name, value }) => [name, value])))
    } catch (error) {
      // An HTTP status is a response from the server and shown as such.
      const answered = error instanceof TransportError && typeof error.details.status === 'number'
      if (!answered) this.problem = messageOf(error)
    }
    this.sending--
  }
}

export const drafts = new Remembered(() => new RawDraft())
