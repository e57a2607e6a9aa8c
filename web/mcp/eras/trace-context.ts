/**
 * A W3C Trace Context for a request, so that it can be found in the server's own traces (META-15).
 * @see https://www.w3.org/TR/trace-context/#traceparent-header
 */

/** `version-traceid-parentid-flags`, all new and sampled. */
export const newTraceparent = (): string => `00-${hex(16)}-${hex(8)}-01`

/** Random bytes as lower-case hexadecimal. All zeros would be invalid, so the last digit is never 0. */
const hex = (bytes: number): string => {
  const random = crypto.getRandomValues(new Uint8Array(bytes))
  random[bytes - 1]! |= 1
  return Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
