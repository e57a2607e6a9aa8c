/**
 * The texts of an OAuth error, the same in redirects, challenges and JSON: `error_description` and `error_uri` (RFC 6749
 * sections 4.1.2.1 and 5.2, RFC 6750 section 3).
 */
import type { Json } from '../../mcp/index.ts'
import { parsedUrl } from '../../mcp/url.ts'
import { show } from '../rule.ts'
import { isPlain } from './sign-in-documents.ts'

/** RFC 3986: the characters of a URI reference. */
const URI = /^[!#-;=?-Z[\]_a-z~]*$/

/** The section about challenges. */
export const CHALLENGE = 'RFC 6750 section 3'

const PARAMETERS: Readonly<Record<string, { readonly fits: (text: string) => boolean; readonly must: string }>> = {
  error_description: { fits: isPlain, must: 'must be ASCII without quotes, backslashes and line breaks' },
  error_uri: { fits: (text) => URI.test(text), must: 'must be a URI, without spaces and quotes' },
}

/**
 * @param valueOf the value of a parameter, if it has one
 * @param by the section that applies. In a challenge, `error_uri` is absolute (RFC 6750 section 3)
 * @returns an explanation for each parameter with a fault
 */
export const errorParameterFaults = (valueOf: (name: string) => Json | undefined, by: string): readonly string[] =>
  Object.entries(PARAMETERS).flatMap(([name, { fits, must }]) => {
    const value = valueOf(name)
    if (name === 'error_uri' && by === CHALLENGE && typeof value === 'string' && !parsedUrl(value)) {
      return [`error_uri must be an absolute URI (${by}); found ${show(value)}`]
    }
    if (value === undefined || value === null || (typeof value === 'string' && fits(value))) return []
    return `${name} ${typeof value === 'string' ? must : 'must be a string'} (${by}); found ${show(value)}`
  })
