/**
 * What the build puts around every text of a component (`mark-texts.ts`): hidden characters are marked, and what stands
 * beside a mask is said in the page's language. Frames, files and copies keep the form that `mask.ts` of web/secrets
 * gives it.
 */
import { isolated, LABELS, markHidden } from '../visible.ts'
import { texts } from './text/texts.svelte.ts'

/** Marks a value that a component shows, as prose. Values that aren't strings are returned unchanged. */
export const shown = <Value>(value: Value): Value =>
  typeof value === 'string' ? (texts.t.marks(markHidden(value).text) as Value & string) : value

/** Like `shown`, for a value with other words beside it: right-to-left text must not reorder those. */
export const shownWithin = <Value>(value: Value): Value =>
  typeof value === 'string' ? (isolated(shown(value)) as Value & string) : value

/** Like `shown`, for attributes that a component passes on: `{...attributes}`. */
export const shownLabels = <Attributes>(attributes: Attributes): Attributes => {
  if (typeof attributes !== 'object' || attributes === null) return attributes
  const given = attributes as Readonly<Record<string, unknown>>
  const marked = LABELS.filter((label) => given[label] !== shown(given[label]))
  if (marked.length === 0) return attributes
  return { ...attributes, ...Object.fromEntries(marked.map((label) => [label, shown(given[label])])) }
}
