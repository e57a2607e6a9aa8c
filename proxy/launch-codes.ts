/**
 * One-time codes that open the page (rule 14). Others can read a URL: in the list of processes while a browser starts, in
 * its history, in the log of a terminal. So the URL never carries the token but a code, which the page exchanges for it.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** ms that a code is valid which nobody has to copy or click. */
export const CODE_LIFETIME = 60_000

/** Codes that are remembered, to tell a used one from one that never was. */
const MAX_CODES = 256

/** Unknown codes within a minute before all are refused: nobody mistypes more often. */
const MAX_GUESSES = 20

export type RedeemResult = 'ok' | 'used' | 'expired' | 'unknown' | 'too-many'

interface Code {
  readonly digest: Buffer
  /** ms of the clock. */
  expires: number
  used: boolean
}

export class LaunchCodes {
  readonly #now: () => number
  #codes: Code[] = []
  /** When unknown codes came. */
  #guesses: number[] = []
  readonly #listeners = new Set<(code: string) => void>()

  /** @param now ms of a clock that never goes back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** @param lifetime ms; `Infinity` for a code that waits for its first use */
  issue(lifetime: number = CODE_LIFETIME): string {
    const code = randomBytes(24).toString('base64url')
    this.#codes.push({ digest: digest(code), expires: this.#now() + lifetime, used: false })
    if (this.#codes.length > MAX_CODES) this.#codes.shift()
    return code
  }

  /** Uses a code up. From then on the others are valid for a minute at most: a page is open, so nobody waits for them. */
  redeem(code: string): RedeemResult {
    const now = this.#now()
    this.#guesses = this.#guesses.filter((at) => at > now - CODE_LIFETIME)
    if (this.#guesses.length >= MAX_GUESSES) return 'too-many'
    const given = digest(code)
    let found: Code | undefined
    // All of them, in any case: how long it takes tells nothing.
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

  /** Called with each code that is used. */
  onRedeemed(listener: (code: string) => void): void {
    this.#listeners.add(listener)
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
