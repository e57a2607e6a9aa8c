/**
 * The functions that the build puts around every text of a component (`mark-texts.ts`). They mark hidden characters, and
 * translate masks such as `•••• (18 characters)`. Frames, files and copies keep the English form of `mask.ts` in
 * web/secrets. All components import this file, and the catalogues import `visible.ts`, so the two stay apart.
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
