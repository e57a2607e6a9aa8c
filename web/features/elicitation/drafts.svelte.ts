/** Responses that were begun but not sent, and pages that were opened. They survive panels and end with the page. */
import type { Link } from '../../mcp/index.ts'
import { type Value, JsonSyntaxError, readJson } from '../../json/index.ts'

/** The most drafts per page; requests answered long ago need none. */
const MOST = 1000

class AnswerDraft {
  view = $state<'form' | 'json'>('form')
  /** Absent: the defaults stand there, untouched. */
  value = $state.raw<Value>()
  /** What was typed into the JSON view, as it was typed. */
  text = $state<string>()
  fault = $state.raw<JsonSyntaxError>()
  /** Sending was tried with something that does not fit. */
  tried = $state(false)
  /** Its page was opened from here. */
  opened = $state(false)

  /** From the form. Everything taken away is an empty object, and not the defaults again. */
  enter(value: Value | undefined): void {
    this.value = value ?? {}
    this.text = undefined
    this.fault = undefined
  }

  /** From the JSON view. */
  type(text: string): void {
    this.text = text
    this.fault = undefined
    try {
      this.value = text.trim() === '' ? {} : readJson(text, { forgive: true }).value
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error
      this.fault = error
    }
  }

  reset(): void {
    this.value = undefined
    this.text = undefined
    this.fault = undefined
    this.tried = false
  }
}

class Drafts {
  readonly #drafts = new Map<string, AnswerDraft>()

  of(link: Link, id: string): AnswerDraft {
    const name = `${link} ${id}`
    const known = this.#drafts.get(name)
    if (known) return known
    for (const [oldest] of this.#drafts) {
      if (this.#drafts.size < MOST) break
      this.#drafts.delete(oldest)
    }
    const draft = new AnswerDraft()
    this.#drafts.set(name, draft)
    return draft
  }
}

export const drafts = new Drafts()
