/**
 * Responses that were begun but not sent, and pages that were opened. They survive switching panels, until the page
 * closes.
 */
import { setBounded, type Link } from '../../mcp/index.ts'
import { JsonSyntaxError, type Value, readJson } from '../../json/index.ts'

/** Most drafts per page. Requests answered long ago need none. */
const MOST = 1000

class AnswerDraft {
  view = $state<'form' | 'json'>('form')
  /** Absent: the defaults are unchanged. */
  value = $state.raw<Value>()
  /** The text in the JSON view, as typed. */
  text = $state<string>()
  fault = $state.raw<JsonSyntaxError>()
  /** The user tried to send an invalid value. */
  tried = $state(false)
  /** The page was opened from here. */
  opened = $state(false)

  /** Takes a value from the form. If all fields are removed, it becomes an empty object instead of the defaults. */
  enter(value: Value | undefined): void {
    this.value = value ?? {}
    this.text = undefined
    this.fault = undefined
  }

  /** Takes text from the JSON view. */
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
    let draft = this.#drafts.get(name)
    if (!draft) setBounded(this.#drafts, name, (draft = new AnswerDraft()), MOST)
    return draft
  }
}

export const drafts = new Drafts()

/**
 * Opens a page named by a server in a new tab, without access between the two pages (CF-URL-03). Call it in the click
 * that consents (CF-URL-01), with a URL accepted by `readAddress`.
 */
export const openPage = (href: string): void => void window.open(href, '_blank', 'noopener,noreferrer')
