import { visible } from './visible.ts'

/**
 * A fenced code block of Markdown that its content can't close (CommonMark section 4.5).
 * @param longest characters of the text that are kept
 */
export const fenced = (text: string, longest = 2000): string => {
  const run = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length))
  const fence = '`'.repeat(run + 1)
  return `${fence}\n${visible(text, longest)}\n${fence}`
}
