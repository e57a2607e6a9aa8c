/** What became of a call that was pinned, in the current language. */
import { format } from '../../ui/index.svelte.ts'
import { texts } from '../text/texts.svelte.ts'
import type { Pinned } from './pin-call.ts'

export const pinnedText = (pinned: Pinned): string =>
  typeof pinned === 'string'
    ? texts.t[`pin-${pinned}`]
    : texts.t.pinnedWithout(pinned.dropped, format.count(pinned.dropped))
