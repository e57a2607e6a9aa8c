/** Finds headers and variables that can't be sent as typed. */
import type { Target } from './target.ts'

export interface RowFault {
  readonly fault: 'header-name' | 'header-value' | 'header-forbidden' | 'variable-name'
  readonly name: string
}

/** RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/
/** The values that `Headers` accepts: no line breaks, no NUL, nothing beyond Latin-1. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
/** https://fetch.spec.whatwg.org/#forbidden-request-header: browsers silently omit these. */
const FORBIDDEN =
  /^(?:accept-charset|accept-encoding|access-control-request-(?:headers|method|private-network)|connection|content-length|cookie2?|date|dnt|expect|host|keep-alive|origin|referer|set-cookie|te|trailer|transfer-encoding|upgrade|via|proxy-.*|sec-.*)$/i

/** @param env rows as typed; a missing name is only a fault if there is a value */
export const rowFaults = (
  target: Target | undefined,
  env: readonly { readonly name: string; readonly value: string }[],
): RowFault[] => {
  if (target?.kind === 'url') {
    return target.headers.flatMap(([name, value]): RowFault[] => {
      if (!TOKEN.test(name)) return [{ fault: 'header-name', name }]
      if (FORBIDDEN.test(name)) return [{ fault: 'header-forbidden', name }]
      return VALUE.test(value) ? [] : [{ fault: 'header-value', name }]
    })
  }
  if (target?.kind !== 'command') return []
  const names = new Set([
    ...env.filter(({ name, value }) => name || value).map(({ name }) => name.trim()),
    ...Object.keys(target.env),
  ])
  return [...names]
    .filter((name) => name === '' || /[=\0]/.test(name))
    .map((name) => ({ fault: 'variable-name', name }))
}
