/**
 * The message that the user is writing, for each connection. It survives panels and reconnects, and ends with the page.
 */
import { messageOf, TransportError } from '../../mcp/index.ts'
import type { Seq, Session } from '../../mcp/index.ts'
import { Remembered } from '../remembered.ts'
import type { Header } from './headers.ts'

export class RawDraft {
  text = $state('')
  /** As edited; absent: those that repeat what the text says. */
  headers = $state.raw<readonly Header[]>()
  filter = $state('')
  /** One of those sent before; absent: the last. */
  chosen = $state<Seq>()
  /** The text that was refused once: pressing again sends it. */
  insisted = $state<string>()
  /** Why it could not be handed over. */
  problem = $state<string>()
  /** Texts on their way. */
  sending = $state(0)

  write(text: string): void {
    this.text = text
    this.problem = undefined
  }

  /** Never throws: what stood in the way is `problem`, and in the Trace. */
  async send(session: Session, text: string, headers: readonly Header[] | undefined): Promise<void> {
    this.problem = undefined
    this.insisted = undefined
    this.chosen = undefined
    this.sending++
    try {
      await session.raw(text, headers && Object.fromEntries(headers.map(({ name, value }) => [name, value])))
    } catch (error) {
      // A status is the server's answer, and shown as one.
      const answered = error instanceof TransportError && typeof error.details.status === 'number'
      if (!answered) this.problem = messageOf(error)
    }
    this.sending--
  }
}

export const drafts = new Remembered(() => new RawDraft())
