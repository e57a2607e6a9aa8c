const NONE = new Uint8Array()

/** Decodes UTF-8 as it arrives, and detects bytes that aren't UTF-8 (BP-14): they decode to U+FFFD. */
export class Utf8Decoder {
  readonly #decoder: TextDecoder
  /** The last two bytes: a U+FFFD may be split between chunks. */
  #tail: Uint8Array = NONE
  /** Some bytes weren't UTF-8. The reader may reset it. */
  invalid = false

  constructor(options?: TextDecoderOptions) {
    this.#decoder = new TextDecoder('utf-8', options)
  }

  decode(chunk: Uint8Array): string {
    return this.#judged(this.#decoder.decode(chunk, { stream: true }), chunk)
  }

  /** @returns U+FFFD if the bytes end within a character */
  end(): string {
    return this.#judged(this.#decoder.decode(), NONE)
  }

  #judged(text: string, chunk: Uint8Array): string {
    const bytes = this.#tail.length === 0 ? chunk : joined(this.#tail, chunk)
    // A U+FFFD that the sender wrote isn't an error.
    if (text.includes('\uFFFD') && text.split('\uFFFD').length - 1 > countWritten(bytes)) this.invalid = true
    this.#tail = bytes.slice(-2)
    return text
  }
}

const joined = (first: Uint8Array, second: Uint8Array): Uint8Array => {
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}

/** The number of U+FFFD in the bytes: EF BF BD. */
const countWritten = (bytes: Uint8Array): number => {
  let count = 0
  for (let at = bytes.indexOf(0xef); at !== -1; at = bytes.indexOf(0xef, at + 1)) {
    if (bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd) count++
  }
  return count
}
