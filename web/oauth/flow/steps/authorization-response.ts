/**
 * The authorization response (RFC 6749 section 4.1.2): state and iss (RFC 9207) are checked before any of it is used.
 */
import { percentDecoded } from '../../../json/index.ts'
import type { JsonObject } from '../../../mcp/index.ts'
import { parsedUrl } from '../../../mcp/url.ts'
import { fault, type SignInState } from '../../model/index.ts'
import { isPrintable, type Port, type Step } from '../../wire/index.ts'

/** Parameters that must not occur more than once (RFC 6749 section 3.1). */
const ONCE = ['code', 'state', 'iss', 'error', 'error_description', 'error_uri']

export const callback: Step = {
  id: 'callback',
  rules: ['AU-FLOW-06', 'AU-FLOW-08', 'AU-FLOW-09', 'AU-FLOW-10', 'AU-FLOW-11', 'RFC 9207'],
  async run(known, port) {
    const query = new URLSearchParams(known.returned)
    const repeated = ONCE.filter((name) => query.getAll(name).length > 1)
    if (repeated.length > 0) {
      const values = { names: repeated }
      const rule = ruleOfRepeated(repeated)
      port.check({ rule, keyword: 'MUST', ok: false, say: 'parameter-repeated', values })
      await port.stop(
        fault('repeated-parameter', `${repeated.join(', ')} occurs more than once`, 'RFC 6749 section 3.1', values),
      )
    }
    await checkState(query.get('state'), known, port)
    await checkIssuer(query.get('iss'), known, port)
    // AU-FLOW-10: the error must not be read before these checks.
    const error = query.get('error')
    if (error !== null) {
      const description = query.get('error_description')?.slice(0, 1000) ?? ''
      const facts = { error: error.slice(0, 200), description }
      const words = `${facts.error}${description ? `: ${description}` : ''}`
      const why =
        error === 'access_denied' ? `The sign-in was denied: ${words}` : `The server rejected the sign-in: ${words}`
      // RFC 8707 section 2 defines this error code.
      const rule = error === 'invalid_target' ? 'RFC 8707 section 2' : 'RFC 6749 section 4.1.2.1'
      await port.stop(fault(error === 'access_denied' ? 'denied' : 'authorization-error', why, rule, facts))
    }
    const code = query.get('code')
    if (code === null || code === '')
      return await port.stop(fault('no-code', 'The browser returned without a code', 'RFC 6749 section 4.1.2'))
    const rule = 'RFC 6749 section 4.1.2'
    port.check({ rule, keyword: 'MUST', ok: true, say: 'code-received', values: {} })
    if (port.isRepeated(code)) port.check({ rule, keyword: 'MUST', ok: false, say: 'code-again' })
    if (!isPrintable(code)) {
      const values = { name: 'code' }
      port.check({ rule: 'RFC 6749 appendix A.11', keyword: 'MUST', ok: false, say: 'parameter-characters', values })
    }
    return { code }
  },
}

/** A repeated state or iss can't be verified; other parameters have no row of their own. */
const ruleOfRepeated = (names: readonly string[]): string => {
  if (names.includes('iss')) return 'AU-FLOW-08'
  return names.includes('state') ? 'AU-FLOW-06' : 'RFC 6749 section 3.1'
}

/** AU-FLOW-06: clients should send a state; servers must return it (RFC 6749 section 4.1.2). */
const checkState = async (found: string | null, { state }: SignInState, port: Port): Promise<void> => {
  const ok = found === state
  const values: JsonObject = ok ? {} : { found: found === null ? null : 'another' }
  await port.must(
    { rule: 'AU-FLOW-06', keyword: 'MUST', ok, say: ok ? 'state-matches' : 'state-differs', values },
    'state-mismatch',
    found === null ? 'The response has no state' : 'The state in the response differs',
  )
}

/** AU-FLOW-08: the table of RFC 9207; AU-FLOW-09: exact string comparison. */
const checkIssuer = async (found: string | null, { metadata, issuer }: SignInState, port: Port): Promise<void> => {
  const expected = metadata?.issuer ?? issuer!
  const advertised = metadata?.authorization_response_iss_parameter_supported === true
  const values = { advertised, found: found?.slice(0, 500) ?? null, expected }
  const rule = 'AU-FLOW-08'
  if (found === null) {
    if (!advertised) return port.check({ rule, keyword: 'MUST', ok: true, say: 'iss-neither', values })
    const missing = { rule, keyword: 'MUST', say: 'iss-missing', values } as const
    if (!port.profile.has('issuerInResponse')) return port.check(missing)
    const why = "The server advertised iss in its responses but didn't send it"
    return await port.must({ ...missing, ok: false }, 'iss-missing', why)
  }
  const ok = found === expected
  const broken = !ok && isAlike(found, expected) ? 'AU-FLOW-09' : rule
  await port.must(
    { rule: broken, keyword: 'MUST', ok, say: ok ? 'iss-matches' : 'iss-differs', values },
    'iss-mismatch',
    `The response comes from an issuer other than ${expected}`,
  )
}

/** Only affects the message: an equivalent URL written differently is still another issuer (AU-FLOW-09). */
const isAlike = (found: string, expected: string): boolean => {
  const [a, b] = [found, expected].map((text) => {
    const plain = percentDecoded(text.trim().toLowerCase())
    return (parsedUrl(plain)?.href ?? plain).replace(/\/$/, '')
  })
  return a === b
}
