/**
 * Text of somebody else inside Markdown. It stands in code and nowhere else: there it is no link, no heading, no mention
 * and no HTML, in any dialect. What cannot be seen is shown as its number.
 */
import { visible, visibleLines } from '../../ui/index.ts'

/** The longest run of one character. */
const longestRun = (text: string, pattern: RegExp): number =>
  Array.from(text.matchAll(pattern), ([run]) => run.length).reduce((most, length) => Math.max(most, length), 0)

/** In a line, or in a cell of a table. @param most characters */
export const code = (text: string, most = 200): string => {
  // A bar ends a cell even in code; the sign that looks like it does not.
  const shown = visible(text, most).replaceAll('|', '\u2502')
  if (shown === '') return '—'
  const fence = '`'.repeat(longestRun(shown, /`+/g) + 1)
  // A space that both sides have is taken off again; text of spaces alone keeps them.
  const padded = /^`|`$|^ .* $/.test(shown) ? ` ${shown} ` : shown
  return `${fence}${padded}${fence}`
}

/** A block of its own. @param most characters; what is cut is said */
export const block = (text: string, language: 'json' | 'text', most: number): string => {
  const shown = visibleLines(text.slice(0, most))
  const fence = '`'.repeat(Math.max(3, longestRun(shown, /`+/g) + 1))
  const cut = text.length > most ? `\n\n_${text.length - most} more characters omitted._` : ''
  return `${fence}${language}\n${shown}\n${fence}${cut}`
}
