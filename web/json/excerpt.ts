/** The first 60 characters of a value's JSON, for a message that names what was found; `nothing` for an absent value. */
export const excerpt = (value: unknown): string => {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
