/**
 * Unsent responses, and whether a request's page was opened. Kept while the user switches panels, until the page closes.
 */
import { Remembered } from '../remembered.ts'
import { ValueDraft } from '../value-draft.svelte.ts'

/** Most drafts per page. Requests answered long ago need none. */
const MOST = 1000

class AnswerDraft extends ValueDraft {
  view = $state<'form' | 'json'>('form')
  /** The page was opened from here. */
  opened = $state(false)

  constructor() {
    // The form starts with the defaults. A value whose fields were all removed is an empty object.
    super({})
  }
}

export const drafts = new Remembered(() => new AnswerDraft(), MOST)

/**
 * Opens a server's URL in a new tab; neither page can access the other (CF-URL-03). Call it in the click handler of the
 * user's consent (CF-URL-01), with a URL accepted by `readAddress`.
 */
export const openPage = (href: string): void => void window.open(href, '_blank', 'noopener,noreferrer')
