/**
 * Makes every character of third-party text visible: characters that are invisible or change how the rest reads are
 * written as their code point (SEC-03). All server text that reaches the screen passes through one of these functions:
 * `visible` for names, titles and URLs, `visibleProse` for prose, `visibleLines` for bodies, and `marked` (web/content)
 * for long texts whose hidden characters deserve a note.
 */

/**
 * Invisible or direction-changing characters: controls (C0, C1), format characters (bidirectional controls,
 * zero-width characters, tags, soft hyphens), variation selectors, Hangul fillers, unpaired surrogates, line
 * separators, the Braille blank.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/gu

/**
 * Also hidden in names and URLs, which don't need them: private use (required for `marked` of web/oauth), unassigned
 * characters, and spaces of other widths.
 */
const UNSEEN =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Default_Ignorable_Code_Point}\u00a0\u2000-\u200a\u2028\u2029\u202f\u205f\u2800\u3000]/gu

/** ASCII text without controls contains nothing to mark: a fast path for most texts. */
const PLAIN = /^[\x20-\x7e]*$/

const number = (char: string): string => `⟨U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`

/** For names, titles and URLs. @param most maximum length in UTF-16 units */
export const visible = (text: string, most = 300): string => {
  const cut = cutAt(text, most)
  if (PLAIN.test(cut)) return cut === text ? cut : `${cut}…`
  const shown = cut.replace(UNSEEN, (char, at: number) => (isInSequence(char, cut, at) ? char : number(char)))
  return cut === text ? shown : `${shown}…`
}

/** Like `visible`, but keeps line breaks: for bodies. */
export const visibleLines = (text: string): string => {
  const lines = text.replace(/\r\n/g, '\n')
  return lines.replace(UNSEEN, (char, at: number) =>
    char === '\n' || char === '\t' || isInSequence(char, lines, at) ? char : number(char),
  )
}

export interface Marked {
  /** The text, with hidden characters written as code points. */
  readonly text: string
  readonly count: number
  /** The first hidden character, as written in `text`. */
  readonly first?: string
}

/**
 * For prose. Line ends, joiners and direction marks in scripts that need them, emoji sequences and flags are allowed;
 * direction overrides, other zero-width characters, tags, fillers and controls are not.
 */
export const markHidden = (text: string): Marked => {
  if (PLAIN.test(text)) return { text, count: 0 }
  let count = 0
  let first: string | undefined
  const marked = text.replace(HIDDEN, (char, at: number) => {
    if (isAtHome(char, text, at)) return char
    count++
    const shown = number(char)
    first ??= shown
    return shown
  })
  return { text: marked, count, ...(first === undefined ? {} : { first }) }
}

/** Like `visible`, for prose. @param most maximum length in UTF-16 units */
export const visibleProse = (text: string, most: number): string => {
  const cut = cutAt(text, most)
  return `${markHidden(cut).text}${cut === text ? '' : '…'}`
}

/** Exempts a text from marking: it is marked already, or the user asked to see it unchanged. */
export const asItCame = (text: string): string => text

/** Attributes that are shown or read aloud. */
export const LABELS: readonly string[] = [
  'alt', 'aria-description', 'aria-label', 'aria-roledescription', 'aria-valuetext', 'label', 'placeholder', 'title',
] // prettier-ignore

/** Isolates a value within a sentence (FSI, PDI) if it contains right-to-left text. */
export const isolated = (text: string): string => (RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text)

/** The text without the characters that `markHidden` marks, for readers and patterns. */
export const withoutHidden = (text: string): string =>
  PLAIN.test(text) ? text : text.replace(HIDDEN, (char, at: number) => (isAtHome(char, text, at) ? char : ''))

/** Never splits a surrogate pair. */
const cutAt = (text: string, most: number): string => {
  if (text.length <= most) return text
  return text.slice(0, /[\ud800-\udbff]/.test(text.charAt(most - 1)) ? most - 1 : most)
}

/**
 * Scripts whose letters are joined or separated by ZWJ and ZWNJ: Arabic to Mongolian, including the scripts of India.
 */
const JOINING = /^[\u0600-\u1fff\u{10a00}-\u{11fff}\u{1e900}-\u{1e95f}]$/u
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

const isAtHome = (char: string, text: string, at: number): boolean => {
  if (char === '\n' || char === '\t' || char === '\r') return true
  // Arabic and other signs that are visible although they count as format characters.
  if (/[\u0600-\u0605\u06dd\u070f\u08e2]/.test(char)) return true
  if (isInSequence(char, text, at)) return true
  const before = pointBefore(text, at)
  const after = pointAfter(text, at + char.length)
  switch (char) {
    case '\u200c':
      return JOINING.test(before) && (JOINING.test(after) || /^\p{M}$/u.test(before))
    case '\u200d':
      return JOINING.test(before)
    case '\u061c':
    case '\u200e':
    case '\u200f':
      // A single mark next to a right-to-left letter, with at most a space or a sign between them.
      return RIGHT_TO_LEFT.test(text.slice(Math.max(0, at - 3), at) + text.slice(at + 1, at + 4)) && !isMark(before)
    case '\u2068':
      return ISOLATED.test(text.slice(at, at + LONGEST_ISOLATE))
    case '\u2069':
      return ISOLATED_BEFORE.test(text.slice(Math.max(0, at - LONGEST_ISOLATE), at + 1))
    case '\u180b':
    case '\u180c':
    case '\u180d':
    case '\u180e':
    case '\u180f':
      return /^\p{Script=Mongolian}$/u.test(before)
    case '\u17b4':
    case '\u17b5':
      return /^\p{Script=Khmer}$/u.test(before)
    case '\u2800':
      return /^[\u2801-\u28ff]$/.test(before) || /^[\u2801-\u28ff]$/.test(after)
    default:
      return false
  }
}

/** Text wrapped by `isolated`: right-to-left text isolated from its surroundings. It reorders nothing. */
const LONGEST_ISOLATE = 2_000
const ISOLATED =
  /^\u2068(?=[^\u2069]*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}])[^\u2066-\u2069\u202a-\u202e]*\u2069/u
const ISOLATED_BEFORE =
  /\u2068(?=[^\u2069]*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}])[^\u2066-\u2069\u202a-\u202e]*\u2069$/u

const isMark = (char: string): boolean => /^[\u061c\u200e\u200f]$/.test(char)

/**
 * Part of a single character sequence: a joiner or selector within an emoji, the tags of a flag, a variant of an
 * ideograph. A second selector in a row has nothing to select: that is a way to smuggle bytes.
 */
const isInSequence = (char: string, text: string, at: number): boolean => {
  if (char === '\u200d') {
    return (
      /^[\p{Extended_Pictographic}\p{EMod}\ufe0f]$/u.test(pointBefore(text, at)) &&
      /^[\p{Extended_Pictographic}\p{EMod}\u2640\u2642\u2695\u2696\u2708\u2764]$/u.test(pointAfter(text, at + 1))
    )
  }
  if (char === '\ufe0e' || char === '\ufe0f') {
    const before = pointBefore(text, at)
    if (/^[0-9#*]$/.test(before)) return text.charAt(at + 1) === '\u20e3'
    return /^\p{Emoji}$/u.test(before) || (char === '\ufe0e' && /^[\u2000-\u2bff]$/.test(before))
  }
  if (/^[\ufe00-\ufe0d\u{e0100}-\u{e01ef}]$/u.test(char)) return /^\p{Script=Han}$/u.test(pointBefore(text, at))
  if (/^[\u{e0020}-\u{e007f}]$/u.test(char)) return isFlagTag(text, at)
  return false
}

/**
 * Flags of England, Scotland, Wales and similar: a black flag, up to six letters and digits as tags, and a cancel tag.
 */
const FLAG = /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,6}\u{e007f}/gu

const isFlagTag = (text: string, at: number): boolean => {
  const from = Math.max(0, at - 14)
  for (const { index, 0: flag } of text.slice(from, at + 16).matchAll(FLAG)) {
    if (from + index < at && at < from + index + flag.length) return true
  }
  return false
}

const pointBefore = (text: string, at: number): string => {
  const unit = text.charAt(at - 1)
  return /[\udc00-\udfff]/.test(unit) ? text.slice(at - 2, at) : unit
}

const pointAfter = (text: string, at: number): string => {
  const code = text.codePointAt(at)
  return code === undefined ? '' : String.fromCodePoint(code)
}

/**
 * A fenced code block of Markdown that its content can't close (CommonMark section 4.5).
 * @param longest characters of the text that are kept
 */
export const fenced = (text: string, longest = 2000): string => {
  const run = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length))
  const fence = '`'.repeat(run + 1)
  return `${fence}\n${visible(text, longest)}\n${fence}`
}
