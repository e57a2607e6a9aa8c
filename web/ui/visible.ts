/**
 * Texts that somebody else wrote, so that all of them can be seen: a character that has no picture of its own, or that
 * changes how the rest reads, is written as its number (SEC-03). Everything of a server that reaches the screen passes
 * one of these functions: `visible` for names, titles and addresses, `visibleProse` for prose, `visibleLines` for bodies,
 * and `HiddenMarks.svelte` (web/content) for long texts whose hidden characters are worth a note.
 */

/**
 * No picture, or a change of direction: controls (C0, C1), format characters (bidirectional controls, zero widths, tags,
 * soft hyphen), variation selectors, Hangul fillers, halves of characters, line separators, the blank of Braille.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/gu

/**
 * What names and addresses need neither: private use (which `marked` of web/oauth needs), characters that are not
 * assigned, and spaces of other widths.
 */
const UNSEEN =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Default_Ignorable_Code_Point}\u00a0\u2000-\u200a\u2028\u2029\u202f\u205f\u2800\u3000]/gu

/** No text of ASCII alone holds more than controls that are not seen: nothing to look for in most texts. */
const PLAIN = /^[\x20-\x7e]*$/

const number = (char: string): string => `⟨U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`

/** For names, titles and addresses. @param most UTF-16 units that are shown */
export const visible = (text: string, most = 300): string => {
  const cut = cutAt(text, most)
  if (PLAIN.test(cut)) return cut === text ? cut : `${cut}…`
  const shown = cut.replace(UNSEEN, (char, at: number) => (isInSequence(char, cut, at) ? char : number(char)))
  return cut === text ? shown : `${shown}…`
}

/** As `visible`, but lines stay lines: for bodies. */
export const visibleLines = (text: string): string => {
  const lines = text.replace(/\r\n/g, '\n')
  return lines.replace(UNSEEN, (char, at: number) =>
    char === '\n' || char === '\t' || isInSequence(char, lines, at) ? char : number(char),
  )
}

export interface Marked {
  /** The text, with a number for each character that is not seen. */
  readonly text: string
  readonly count: number
  /** The first of them, as it is written in `text`. */
  readonly first?: string
}

/**
 * For prose: line ends, joiners and direction marks where a script needs them, emoji sequences and flags have a right to
 * be there; direction overrides, zero widths elsewhere, tags, fillers and controls have none.
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

/** As `visible`, for prose. @param most UTF-16 units that are shown */
export const visibleProse = (text: string, most: number): string => {
  const cut = cutAt(text, most)
  return `${markHidden(cut).text}${cut === text ? '' : '…'}`
}

/**
 * What a component shows, marked as prose. The build puts it around every text of a component (`mark-texts.ts`); where a
 * value is no string it is left as it is.
 */
export const shown = <Value>(value: Value): Value =>
  typeof value === 'string' ? (markHidden(value).text as Value & string) : value

/** Leaves a text unmarked where a component shows it: it is marked already, or its user asked to see it as it came. */
export const asItCame = (text: string): string => text

/** As `shown`, for a value with other words beside it: letters that run from right to left must not move those. */
export const shownWithin = <Value>(value: Value): Value =>
  typeof value === 'string' ? (isolated(markHidden(value).text) as Value & string) : value

/** Attributes of elements that are shown or read to somebody. */
export const LABELS: readonly string[] = [
  'alt', 'aria-description', 'aria-label', 'aria-roledescription', 'aria-valuetext', 'label', 'placeholder', 'title',
] // prettier-ignore

/** As `shown`, for attributes that a component hands on: `{...attributes}`. */
export const shownLabels = <Attributes>(attributes: Attributes): Attributes => {
  if (typeof attributes !== 'object' || attributes === null) return attributes
  const given = attributes as Readonly<Record<string, unknown>>
  const marked = LABELS.filter((label) => given[label] !== shown(given[label]))
  if (marked.length === 0) return attributes
  return { ...attributes, ...Object.fromEntries(marked.map((label) => [label, shown(given[label])])) }
}

/** A value to be put into a sentence: kept apart from it (FSI, PDI) where it holds letters that run from right to left. */
export const isolated = (text: string): string => (RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text)

/** The text without the characters that `markHidden` marks: what a reader, or a pattern, is to see of it. */
export const withoutHidden = (text: string): string =>
  PLAIN.test(text) ? text : text.replace(HIDDEN, (char, at: number) => (isAtHome(char, text, at) ? char : ''))

/** Never between the two halves of a surrogate pair. */
const cutAt = (text: string, most: number): string => {
  if (text.length <= most) return text
  return text.slice(0, /[\ud800-\udbff]/.test(text.charAt(most - 1)) ? most - 1 : most)
}

/** Scripts whose letters join or part by ZWJ and ZWNJ: Arabic to Mongolian, and those of India between them. */
const JOINING = /^[\u0600-\u1fff\u{10a00}-\u{11fff}\u{1e900}-\u{1e95f}]$/u
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

const isAtHome = (char: string, text: string, at: number): boolean => {
  if (char === '\n' || char === '\t' || char === '\r') return true
  // Signs of Arabic and other scripts that have a picture, though they count as format characters.
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
      // One mark beside a letter that runs from right to left, with a space or a sign between at most.
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

/**
 * What `isolated` makes: words that run from right to left, kept apart from what is around them. It moves nothing.
 */
const LONGEST_ISOLATE = 2_000
const ISOLATED =
  /^\u2068(?=[^\u2069]*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}])[^\u2066-\u2069\u202a-\u202e]*\u2069/u
const ISOLATED_BEFORE =
  /\u2068(?=[^\u2069]*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}])[^\u2066-\u2069\u202a-\u202e]*\u2069$/u

const isMark = (char: string): boolean => /^[\u061c\u200e\u200f]$/.test(char)

/**
 * Part of one sign: a joiner or a selector within an emoji, the tags of a flag, a variant of an ideograph. A second
 * selector in a row has nothing to select: bytes are smuggled like that.
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

/** England, Scotland, Wales and the like: a black flag, up to six letters and digits as tags, and the tag that ends them. */
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
