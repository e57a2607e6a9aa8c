/** Splits JSON into spans for syntax colours without changing it. Text that isn't JSON isn't coloured. */

export interface JsonSpan {
  readonly kind: 'key' | 'string' | 'number' | 'word' | 'plain'
  readonly text: string
}

/** Maximum number of characters to colour. */
const MOST = 20_000

const PIECE = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)|\b(true|false|null)\b/g

/** Indents JSON that is on a single line; JSON on several lines is kept. */
export const prettyJson = (text: string): string => {
  if (text.length > MOST || /\n\s/.test(text) || !/^\s*[[{]/.test(text)) return text
  try {
    const value: unknown = JSON.parse(text)
    // Keep the text if a number would not be written back exactly.
    return JSON.stringify(value) ===
      text.replace(
        /("(?:[^"\\]|\\.)*")|\s+/g,
        (all, string: string | undefined) => string ?? (all.trim() === '' ? '' : all),
      )
      ? JSON.stringify(value, null, 2)
      : text
  } catch {
    return text
  }
}

export const jsonSpans = (text: string): readonly JsonSpan[] => {
  if (text.length > MOST || !/^\s*[[{]/.test(text)) return [{ kind: 'plain', text }]
  const found: JsonSpan[] = []
  let done = 0
  for (const match of text.matchAll(PIECE)) {
    const [all, string, colon, number] = match
    if (match.index > done) found.push({ kind: 'plain', text: text.slice(done, match.index) })
    if (string === undefined) found.push({ kind: number === undefined ? 'word' : 'number', text: all })
    else {
      found.push({ kind: colon === undefined ? 'string' : 'key', text: string })
      if (colon !== undefined) found.push({ kind: 'plain', text: colon })
    }
    done = match.index + all.length
  }
  if (done < text.length) found.push({ kind: 'plain', text: text.slice(done) })
  return found
}
