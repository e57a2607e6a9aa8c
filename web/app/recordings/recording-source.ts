/** What a recording may be read from. Light, for it is looked at whenever something is pasted. */

/** Something that a recording may be read from. */
export type Source =
  | { readonly kind: 'file'; readonly name: string; readonly blob: Blob }
  | { readonly kind: 'text'; readonly name: string; readonly text: string }
  /** `text`: an address, or its fragment. */
  | { readonly kind: 'link'; readonly text: string }

/** @param text an address, or its fragment */
export const fragmentOf = (text: string): string => {
  const trimmed = text.trim()
  const at = trimmed.indexOf('#')
  return at < 0 ? trimmed : trimmed.slice(at)
}

/** What somebody pasted, where it is a session or a link to one; anything else belongs to where it was pasted. */
export const pastedSource = (text: string, name: string): Source | undefined => {
  const start = text.trimStart().slice(0, 4_000)
  if (/^(https?:\/\/\S*?)?#share=/.test(start)) return { kind: 'link', text }
  const first = start.split('\n', 1)[0]!
  return /^\{.*"format"\s*:\s*"periscope-session"/.test(first) ? { kind: 'text', text, name } : undefined
}
