/** The sources of recordings. Kept small, because it runs on every paste. */

/** A source from which a recording can be read. */
export type Source =
  | { readonly kind: 'file'; readonly name: string; readonly blob: Blob }
  | { readonly kind: 'text'; readonly name: string; readonly text: string }
  /** `text`: a URL, or its fragment. */
  | { readonly kind: 'link'; readonly text: string }

/** @param text a URL, or its fragment */
export const fragmentOf = (text: string): string => {
  const trimmed = text.trim()
  const at = trimmed.indexOf('#')
  return at < 0 ? trimmed : trimmed.slice(at)
}

/**
 * The pasted text as a source if it is a session or a link to one; otherwise `undefined`, so that the
 * paste isn't intercepted.
 */
export const pastedSource = (text: string, name: string): Source | undefined => {
  const start = text.trimStart().slice(0, 4_000)
  if (/^(https?:\/\/\S*?)?#share=/.test(start)) return { kind: 'link', text }
  const first = start.split('\n', 1)[0]!
  return /^\{.*"format"\s*:\s*"periscope-session"/.test(first) ? { kind: 'text', text, name } : undefined
}
