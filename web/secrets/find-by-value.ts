/**
 * Finds known values in a text. The time is independent of their number: a rolling hash of six characters moves over
 * the text, and comparisons happen only if it matches the beginning of a value.
 */

/** Shorter values also match ordinary text. */
export const SHORTEST_SECRET = 6

interface Pattern {
  readonly text: string
  /** The original value. */
  readonly of: string
  /** A part of a base64 run that contains the value: the whole run is masked. */
  readonly run: boolean
}

const BASE = 0x01000193
const LEADING = power(BASE, SHORTEST_SECRET - 1)
/** Characters compared per text: values that nearly match must not stall the page. */
const MOST_COMPARED = 64 * 1024 * 1024
/** Characters of a value that must match once that limit is reached. */
const HEAD = 64
/** Bytes of a value whose base64 is searched for. */
const MOST_BYTES = 4096

export class SecretValues {
  /** Which upper halves of hashes occur at all. */
  readonly #seen = new Uint8Array(0x10000)
  readonly #patterns = new Map<number, Pattern[]>()
  readonly #known = new Set<string>()
  /** One of them contains a space, which `+` may represent. */
  spaced = false

  know(value: string): void {
    if (value.length < SHORTEST_SECRET || this.#known.has(value)) return
    this.#known.add(value)
    if (value.includes(' ')) this.spaced = true
    this.#add({ text: value, of: value, run: false })
    for (const text of base64Of(value)) this.#add({ text, of: value, run: true })
  }

  #add(pattern: Pattern): void {
    const hash = hashAt(pattern.text, 0)
    const same = this.#patterns.get(hash) ?? []
    if (same.some(({ text, run }) => text === pattern.text && run === pattern.run)) return
    // The longest first: if one value begins with another, the longer match wins.
    same.push(pattern)
    same.sort((a, b) => b.text.length - a.text.length)
    this.#patterns.set(hash, same)
    this.#seen[hash >>> 16] = 1
  }

  get size(): number {
    return this.#known.size
  }

  isIn(text: string): boolean {
    let found = false
    this.find(text, () => (found = true))
    return found
  }

  /** Reports every location of a value, in order; if values overlap, the first one. */
  find(text: string, found: (from: number, to: number, value: string) => void): void {
    if (this.#known.size === 0) return
    const seen = this.#seen
    const last = text.length - SHORTEST_SECRET
    let compared = 0
    let done = 0
    for (let at = 0, hash = 0, fresh = true; at <= last; at++) {
      if (fresh) hash = hashAt(text, at)
      else {
        const gone = Math.imul(text.charCodeAt(at - 1), LEADING)
        hash = (Math.imul(hash - gone, BASE) + text.charCodeAt(at + SHORTEST_SECRET - 1)) | 0
      }
      fresh = false
      if (seen[hash >>> 16] === 0) continue
      for (const pattern of this.#patterns.get(hash) ?? []) {
        const whole = compared < MOST_COMPARED
        compared += pattern.text.length
        if (!text.startsWith(whole ? pattern.text : pattern.text.slice(0, HEAD), at)) continue
        const from = pattern.run ? runBegin(text, at, done) : at
        const end = Math.min(at + pattern.text.length, text.length)
        done = pattern.run ? runEnd(text, end) : end
        found(from, done, pattern.of)
        at = done - 1
        fresh = true
        break
      }
    }
  }
}

function power(base: number, exponent: number): number {
  let result = 1
  for (let n = 0; n < exponent; n++) result = Math.imul(result, base)
  return result
}

const hashAt = (text: string, at: number): number => {
  let hash = 0
  for (let n = 0; n < SHORTEST_SECRET; n++) hash = (Math.imul(hash, BASE) + text.charCodeAt(at + n)) | 0
  return hash
}

/**
 * The base64 of a value independent of the surrounding bytes, so that `id:secret` is found without knowing the ID: for
 * each of the three alignments, the characters that depend on the value alone. RFC 6749 section 2.3.1 requires
 * form-encoding both parts first, which not all clients do.
 */
const base64Of = (value: string): ReadonlySet<string> => {
  const found = new Set<string>()
  for (const written of spellingsOf(value)) {
    const bytes = new TextEncoder().encode(written).subarray(0, MOST_BYTES)
    for (const before of [0, 1, 2]) {
      const padded = new Uint8Array(before + bytes.length)
      padded.set(bytes, before)
      const text = btoa(Array.from(padded, (byte) => String.fromCharCode(byte)).join(''))
      const stable = text.slice(Math.ceil((8 * before) / 6), Math.floor((8 * padded.length) / 6))
      if (stable.length < SHORTEST_SECRET) continue
      found.add(stable)
      found.add(stable.replaceAll('+', '-').replaceAll('/', '_'))
    }
  }
  return found
}

const spellingsOf = (value: string): ReadonlySet<string> => {
  const wellFormed = value.toWellFormed?.() ?? value
  try {
    const percent = encodeURIComponent(wellFormed)
    const form = new URLSearchParams([['', wellFormed]]).toString().slice(1)
    const strict = percent.replace(/[-_.!~*'()]/g, (unit) => `%${unit.charCodeAt(0).toString(16).toUpperCase()}`)
    return new Set([value, percent, form, strict, strict.replaceAll('%20', '+')])
  } catch {
    // A lone surrogate, in a browser without `toWellFormed`.
    return new Set([value])
  }
}

const isRunUnit = (unit: number): boolean =>
  (unit >= 0x61 && unit <= 0x7a) ||
  (unit >= 0x41 && unit <= 0x5a) ||
  (unit >= 0x2f && unit <= 0x39) ||
  unit === 0x2b ||
  unit === 0x2d ||
  unit === 0x5f

const runBegin = (text: string, at: number, least: number): number => {
  let begin = at
  while (begin > least && isRunUnit(text.charCodeAt(begin - 1))) begin--
  return begin
}

const runEnd = (text: string, at: number): number => {
  let end = at
  while (end < text.length && isRunUnit(text.charCodeAt(end))) end++
  while (text[end] === '=') end++
  return end
}
