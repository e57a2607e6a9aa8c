/** What each session has completed so far, shared by all fields. It ends with the session. */
import type { Session } from '../../mcp/index.ts'
import { CompletionBook } from './suggestions.ts'

class CompletionBooks {
  readonly #books = new WeakMap<Session, CompletionBook>()

  of(session: Session): CompletionBook {
    let book = this.#books.get(session)
    if (!book) this.#books.set(session, (book = new CompletionBook(session)))
    return book
  }
}

export const completionBooks = new CompletionBooks()
