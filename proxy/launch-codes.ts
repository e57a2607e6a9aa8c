/**
 * One-time codes that open the page (rule 14). URLs leak: through the process list while a browser starts, its history, or a
 * terminal's log. So the URL carries a code, which the page exchanges for the token.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** ms that a code is valid. */
export const CODE_LIFETIME = 60_000

/** Codes remembered, to distinguish used codes from unknown ones. */
const MAX_CODES = 256

/** Unknown codes per minute before all are refused. Users don't mistype more often. */
const MAX_GUESSES = 20

export type RedeemResult = 'ok' | 'used' | 'expired' | 'unknown' | 'too-many'

interface Code {
  readonly digest: Buffer
  /** In ms of the clock. */
  expires: number
  used: boolean
}

export class LaunchCodes {
  readonly #now: () => number
  #codes: Code[] = []
  /** Times of unknown codes. */
  #guesses: number[] = []
  readonly #listeners = new Set<(code: string) => void>()

  /** @param now a monotonic clock, in ms */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** @param lifetime ms; with `Infinity`, the code stays valid until a page is open */
  issue(lifetime: number = CODE_LIFETIME): string {
    const code = randomBytes(24).toString('base64url')
    this.#codes.push({ digest: digest(code), expires: this.#now() + lifetime, used: false })
    if (this.#codes.length > MAX_CODES) this.#codes.shift()
    return code
  }

  /** Consumes a code. The others then expire within a minute: a page is open, so they are no longer needed. */
  redeem(code: string): RedeemResult {
    const now = this.#now()
    this.#guesses = this.#guesses.filter((at) => at > now - CODE_LIFETIME)
    if (this.#guesses.length >= MAX_GUESSES) return 'too-many'
    const given = digest(code)
    let found: Code | undefined
    // Compare with all codes, so that the time taken reveals nothing.
    for (const each of this.#codes) if (timingSafeEqual(each.digest, given)) found = each
    if (!found) {
      this.#guesses.push(now)
      return 'unknown'
    }
    if (found.used) return 'used'
    if (now > found.expires) return 'expired'
    found.used = true
    for (const each of this.#codes) each.expires = Math.min(each.expires, now + CODE_LIFETIME)
    for (const listener of [...this.#listeners]) listener(code)
    return 'ok'
  }

  /** Calls the listener with each redeemed code. */
  onRedeemed(listener: (code: string) => void): void {
    this.#listeners.add(listener)
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
