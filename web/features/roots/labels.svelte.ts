/** Labels for the states of requests, in the current language. */
import type { ServerRequest } from '../server-request.ts'
import { texts } from './text/texts.svelte.ts'
import { format } from '../../ui/index.svelte.ts'

/** The outcome of a request. */
export const outcomeText = ({ state, answered, released }: ServerRequest): string => {
  const { t } = texts
  if (answered && 'error' in answered) return t.refused(answered.error.code)
  if (answered) {
    const { roots } = answered.result
    if (released) return t.released
    return Array.isArray(roots) ? t.got(format.count(roots.length)) : t.gotOther
  }
  return { open: t.open, withdrawn: t.withdrawn, lost: t.lost, answered: t.gotOther, refused: t.gotOther }[state]
}
