/**
 * Splits terminal text into spans: colours and weights become class names, other control sequences are removed, and
 * invisible characters are made visible.
 *
 * @see https://ecma-international.org/publications-and-standards/standards/ecma-48/
 */

export interface Span {
  readonly text: string
  /** Values from `bold dim italic underline strike` and at most one of `COLOURS`; empty for plain text. */
  readonly styles: readonly string[]
}

const COLOURS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const

const ESC = 0x1b
const [CSI, DEL, BELL] = [0x9b, 0x7f, 0x07]
/** Longest sequence recognised; anything longer is shown as text. */
const SEQUENCE_MOST = 64
const STRING_MOST = 4096

/** Never throws, and removes only complete control sequences. */
export const spansOf = (text: string): readonly Span[] => {
  const spans: Span[] = []
  let style = new Style()
  let plain = ''
  const flush = () => {
    if (plain !== '') spans.push({ text: plain, styles: style.names })
    plain = ''
  }
  let at = 0
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === ESC || code === CSI) {
      const sequence = sequenceAt(text, at)
      if (sequence) {
        if (sequence.colours !== undefined) {
          flush()
          style = style.with(sequence.colours)
        }
        at = sequence.end
        continue
      }
    }
    plain += visible(code, text[at]!)
    at++
  }
  flush()
  return spans
}

export const plainOf = (text: string): string =>
  spansOf(text)
    .map((span) => span.text)
    .join('')

/** Shows control characters as symbols, so that nothing is hidden. Line breaks and tabs stay. */
const visible = (code: number, character: string): string => {
  if (code === 0x0a || code === 0x09) return character
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  if (code === DEL) return '␡'
  return code >= 0x80 && code < 0xa0 ? '�' : character
}

const sequenceAt = (text: string, start: number): { readonly end: number; readonly colours?: string } | undefined => {
  const eightBit = text.charCodeAt(start) === CSI
  const kind = eightBit ? '[' : text[start + 1]
  const from = start + (eightBit ? 1 : 2)
  if (kind === '[') {
    for (let at = from; at < Math.min(text.length, from + SEQUENCE_MOST); at++) {
      const code = text.charCodeAt(at)
      if (code >= 0x40 && code <= 0x7e) {
        return { end: at + 1, ...(text[at] === 'm' ? { colours: text.slice(from, at) } : {}) }
      }
      if (code < 0x20 || code > 0x7e) return undefined
    }
    return undefined
  }
  // Titles, links and other string sequences, up to BEL or ESC \.
  if (kind !== undefined && ']PX^_'.includes(kind)) {
    for (let at = from; at < Math.min(text.length, from + STRING_MOST); at++) {
      const code = text.charCodeAt(at)
      if (code === BELL) return { end: at + 1 }
      if (code === ESC && text[at + 1] === '\\') return { end: at + 2 }
    }
    return undefined
  }
  // Two characters, such as ESC 7; intermediate characters, such as those that select a character set, may come
  // between.
  let at = start + 1
  while (at < start + 4 && text.charCodeAt(at) >= 0x20 && text.charCodeAt(at) <= 0x2f) at++
  const last = text.charCodeAt(at)
  return last >= 0x30 && last <= 0x7e ? { end: at + 1 } : undefined
}

const ON: Readonly<Record<number, string>> = { 1: 'bold', 2: 'dim', 3: 'italic', 4: 'underline', 9: 'strike' }
const OFF: Readonly<Record<number, readonly string[]>> = {
  22: ['bold', 'dim'],
  23: ['italic'],
  24: ['underline'],
  29: ['strike'],
}

class Style {
  readonly #set: ReadonlySet<string>
  readonly #colour: string | undefined

  constructor(set: ReadonlySet<string> = new Set(), colour?: string) {
    this.#set = set
    this.#colour = colour
  }

  get names(): readonly string[] {
    return this.#colour === undefined ? [...this.#set] : [...this.#set, this.#colour]
  }

  /** @param parameters the text before the `m`: numbers separated by `;` or `:`; empty for a reset */
  with(parameters: string): Style {
    const set = new Set(this.#set)
    let colour = this.#colour
    const codes = parameters.split(/[;:]/).map(Number)
    for (let at = 0; at < codes.length; at++) {
      const code = codes[at]!
      if (code === 0) {
        set.clear()
        colour = undefined
      } else if (code in ON) set.add(ON[code]!)
      else if (code in OFF) for (const name of OFF[code]!) set.delete(name)
      else if (code >= 30 && code <= 37) colour = COLOURS[code - 30]
      else if (code >= 90 && code <= 97) colour = COLOURS[code - 90]
      else if (code === 39) colour = undefined
      else if (code === 38 || code === 48) {
        // 256-colour or RGB sequences: only the sixteen basic colours are supported, and backgrounds are ignored.
        const index = codes[at + 1] === 5 ? codes[at + 2] : undefined
        if (code === 38) colour = index !== undefined && index < 16 ? COLOURS[index % 8] : undefined
        at += codes[at + 1] === 5 ? 2 : codes[at + 1] === 2 ? 4 : 0
      }
    }
    return new Style(set, colour)
  }
}
